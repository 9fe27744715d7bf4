// A pinned staging buffer that is filled again while a copy may still read it.

#include <memory>
#include <vector>

#include "race_case.cuh"

// vllm-project/vllm#24527: the tensors of a step's inputs are reused by the next step, which is
// prepared while the device is still at work.
RACE_CASE(inputs_of_the_next_step) {
  constexpr int kRequests = 6;
  Pinned<int> lengths(kRequests);
  OnDevice<int> on_device(kRequests), sum(kRequests);
  Stream stream;
  Event copied;
  for (int step = 0; step < 4; ++step) {
    if (right && step > 0) copied.wait();
    for (int i = 0; i < kRequests; ++i) lengths[i] = step + i;  // RACE async-source-reuse
    to_device(on_device.get(), lengths.get(), kRequests, stream);
    copied.record(stream);
    add_to<<<1, 32, 0, stream>>>(sum.get(), on_device.get(), kRequests);
  }
}

// vllm-project/vllm#25279: the wait is there, and comes behind the first of the writes.
RACE_CASE(a_wait_that_comes_after_the_first_write) {
  Pinned<float> temperature(8), top_p(8);
  OnDevice<float> on_device(16), sum(16);
  Stream stream;
  Event copied;
  for (int step = 0; step < 3; ++step) {
    if (right && step > 0) copied.wait();
    temperature[step] = 0.5f;  // RACE async-source-reuse
    if (!right && step > 0) copied.wait();
    top_p[step] = 0.9f;
    to_device(on_device.get(), temperature.get(), 8, stream);
    to_device(on_device.get() + 8, top_p.get(), 8, stream);
    copied.record(stream);
    add_to<<<1, 32, 0, stream>>>(sum.get(), on_device.get(), 16);
  }
}

// vllm-project/vllm#31841: one mask of bytes for all steps; two take turns where it is right.
RACE_CASE(mask_of_embeddings) {
  constexpr int kTokens = 100;
  Pinned<unsigned char> masks(2 * kTokens);
  OnDevice<unsigned char> on_device(kTokens), sum(kTokens);
  Stream stream;
  Event copied[2];
  for (int step = 0; step < 5; ++step) {
    const int turn = right ? step % 2 : 0;
    unsigned char* const mask = masks.get() + turn * kTokens;
    if (right && step > 1) copied[turn].wait();
    for (int i = 0; i < kTokens; ++i) mask[i] = i % (step + 2) == 0;  // RACE async-source-reuse
    to_device(on_device.get(), mask, kTokens, stream);
    copied[turn].record(stream);
    add_to<<<1, 128, 0, stream>>>(sum.get(), on_device.get(), kTokens);
  }
}

// NVIDIA/TensorRT-LLM#15546: a page table goes through one buffer; a new one a call is right.
RACE_CASE(offsets_of_blocks) {
  constexpr int kBlocks = 48;
  std::vector<std::unique_ptr<Pinned<int>>> buffers;
  OnDevice<int> on_device(kBlocks), sum(kBlocks);
  Stream stream;
  for (int call = 0; call < 3; ++call) {
    if (right || buffers.empty()) buffers.push_back(std::make_unique<Pinned<int>>(kBlocks));
    int* const offsets = buffers.back()->get();
    for (int i = 0; i < kBlocks; ++i) offsets[i] = call * kBlocks + i;  // RACE async-source-reuse
    to_device(on_device.get(), offsets, kBlocks, stream);
    add_to<<<1, 64, 0, stream>>>(sum.get(), on_device.get(), kBlocks);
  }
  stream.wait();
}

// NVIDIA/TensorRT-LLM#19172: a pool takes a block back while a copy reads it, and gives it to the
// next request.
RACE_CASE(block_of_a_pool_that_came_back) {
  constexpr int kBytes = 256;
  Pinned<char> memory(4 * kBytes);
  Event read[4];
  bool used[4] = {};
  OnDevice<char> table(kBytes), sum(kBytes);
  Stream stream;
  for (int request = 0; request < 4; ++request) {
    int block = 0;
    while (right && used[block] && cudaEventQuery(read[block]) == cudaErrorNotReady) ++block;
    std::memset(memory.get() + block * kBytes, request + 1, kBytes);  // RACE async-source-reuse
    to_device(table.get(), memory.get() + block * kBytes, kBytes, stream);
    read[block].record(stream);
    used[block] = true;
    add_to<<<1, kBytes, 0, stream>>>(sum.get(), table.get(), kBytes);
  }
}

// lightseekorg/tokenspeed#376: what samples the next token is written before the last was sent.
RACE_CASE(inputs_of_the_sampler) {
  struct Sampling {
    float temperature;
    int top_k;
    unsigned long long seed;
  };
  Pinned<Sampling> staging(1);
  OnDevice<Sampling> on_device(1);
  OnDevice<float> logits(64), sum(64);
  Stream stream;
  for (int token = 0; token < 4; ++token) {
    if (right) stream.wait();
    staging[0] = {1.0f / (token + 1), 40, 1234};  // RACE async-source-reuse
    to_device(on_device.get(), staging.get(), 1, stream);
    add_to<<<1, 64, 0, stream>>>(sum.get(), logits.get(), 64);
  }
}

__global__ void clear_pages(float* pages, const int* ids, int n) {
  const int i = threadIdx.x;
  if (i < n) pages[ids[i] * 4 + blockIdx.x] = 0;
}

// vllm-project/vllm#48085: ids of pages to clear. Where it is right, each call has its own.
RACE_CASE(ids_of_pages_to_clear) {
  constexpr int kIds = 3;
  Pinned<int> ids(4 * kIds);
  OnDevice<int> on_device(kIds);
  OnDevice<float> pages(4 * 16);
  Stream stream;
  for (int call = 0; call < 4; ++call) {
    int* const mine = ids.get() + (right ? call * kIds : 0);
    for (int i = 0; i < kIds; ++i) mine[i] = call + i;  // RACE async-source-reuse
    to_device(on_device.get(), mine, kIds, stream);
    clear_pages<<<4, 32, 0, stream>>>(pages.get(), on_device.get(), kIds);
  }
}

// pytorch/pytorch#68749: each image is sent from its place in one pinned batch.
RACE_CASE(slices_of_a_batch) {
  constexpr int kImages = 4, kPixels = 75;
  Pinned<float> batch(kImages * kPixels);
  OnDevice<float> image(kPixels), sum(kPixels);
  Stream stream;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (int i = 0; i < kImages; ++i) {
      float* const slice = batch.get() + i * kPixels;
      for (int p = 0; p < kPixels; ++p) slice[p] = epoch + p;  // RACE async-source-reuse
      to_device(image.get(), slice, kPixels, stream);
      add_to<<<1, 128, 0, stream>>>(sum.get(), image.get(), kPixels);
    }
    if (right) stream.wait();
  }
}

// pytorch/pytorch#127612: the last element of a large pinned tensor changes right after the copy.
RACE_CASE(last_element) {
  constexpr int kFloats = 1'000'000;
  Pinned<float> a(kFloats);
  OnDevice<float> b(kFloats);
  Stream stream;
  for (int i = 0; i < kFloats; ++i) a[i] = 1;
  to_device(b.get(), a.get(), kFloats, stream);
  add_to<<<1, 32, 0, stream>>>(b.get(), b.get(), 32);
  if (right) stream.wait();
  a[kFloats - 1] = -1;  // RACE async-source-reuse
}

// A vector that is registered: its pages are not the emulator's, so its content tells, at the copy.
RACE_CASE(registered_vector) {
  std::vector<int> values(40);
  CHECK(cudaHostRegister(values.data(), 40 * sizeof(int), cudaHostRegisterDefault));
  OnDevice<int> on_device(40), sum(40);
  Stream stream;
  for (int step = 0; step < 3; ++step) {
    for (int& value : values) value = step;
    CHECK(cudaMemcpyAsync(on_device.get(), values.data(), 160,  // RACE async-source-reuse
                          cudaMemcpyHostToDevice, stream));
    add_to<<<1, 64, 0, stream>>>(sum.get(), on_device.get(), 40);
    if (right) stream.wait();
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaHostUnregister(values.data()));
}

// vllm-project/vllm#47644: the event was made only for one way of running, the overlap was not.
RACE_CASE(an_event_for_one_way_alone) {
  const bool asynchronous = right;
  Pinned<int> starts(5);
  OnDevice<int> on_device(5), sum(5);
  Stream stream;
  std::unique_ptr<Event> prepared;
  if (asynchronous) prepared = std::make_unique<Event>();
  for (int batch = 0; batch < 3; ++batch) {
    if (prepared && batch > 0) prepared->wait();
    for (int i = 0; i < 5; ++i) starts[i] = batch * i;  // RACE async-source-reuse
    to_device(on_device.get(), starts.get(), 5, stream);
    if (prepared) prepared->record(stream);
    add_to<<<1, 32, 0, stream>>>(sum.get(), on_device.get(), 5);
  }
}

// A box of a volume goes out, slice by slice, and the next one is written where it is.
RACE_CASE(box_of_a_volume) {
  constexpr int kSide = 16;
  Pinned<int> volume(kSide * kSide * kSide);
  OnDevice<int> box(kSide * kSide * kSide), sum(kSide);
  Stream stream;
  cudaMemcpy3DParms parms{};
  parms.srcPtr = make_cudaPitchedPtr(volume.get(), kSide * sizeof(int), kSide, kSide);
  parms.srcPos = make_cudaPos(4 * sizeof(int), 4, 4);
  parms.dstPtr = make_cudaPitchedPtr(box.get(), 8 * sizeof(int), 8, 8);
  parms.extent = make_cudaExtent(8 * sizeof(int), 8, 8);
  parms.kind = cudaMemcpyHostToDevice;
  for (int step = 0; step < 3; ++step) {
    volume[step] = step;                          // beside the box
    volume[(10 * kSide + 5) * kSide + 6] = step;  // RACE async-source-reuse
    CHECK(cudaMemcpy3DAsync(&parms, stream));
    add_to<<<1, 16, 0, stream>>>(sum.get(), box.get(), 16);
    if (right) stream.wait();
  }
}

// Rows of an image go to an array, which textures read.
RACE_CASE(rows_of_a_texture) {
  constexpr int kSide = 32;
  Pinned<float> image(kSide * kSide);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, kSide, kSide));
  Stream stream;
  for (int frame = 0; frame < 3; ++frame) {
    for (int i = 0; i < kSide * kSide; ++i) image[i] = float(frame);  // RACE async-source-reuse
    CHECK(cudaMemcpy2DToArrayAsync(array, 0, 0, image.get(), kSide * sizeof(float),
                                   kSide * sizeof(float), kSide, cudaMemcpyHostToDevice, stream));
    if (right) stream.wait();
  }
  stream.wait();
  CHECK(cudaFreeArray(array));
}

// Copies in one call: only the sources that it takes at once can be written again.
RACE_CASE(sources_of_a_batch) {
  constexpr int kInts = 64;
  Pinned<int> ids(kInts), lengths(kInts);
  OnDevice<int> d_ids(kInts), d_lengths(kInts);
  Stream stream;
  void* to[] = {d_ids.get(), d_lengths.get()};
  const void* from[] = {ids.get(), lengths.get()};
  std::size_t bytes[] = {kInts * sizeof(int), kInts * sizeof(int)};
  cudaMemcpyAttributes attributes[2]{};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  attributes[1].srcAccessOrder =
      right ? cudaMemcpySrcAccessOrderDuringApiCall : cudaMemcpySrcAccessOrderStream;
  std::size_t first[] = {0, 1};
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < kInts; ++i) ids[i] = step + i;
    for (int i = 0; i < kInts; ++i) lengths[i] = step * i;  // RACE async-source-reuse
    CHECK(cudaMemcpyBatchAsync(to, from, bytes, 2, attributes, first, 2, stream));
    add_to<<<1, 64, 0, stream>>>(d_ids.get(), d_lengths.get(), kInts);
  }
  stream.wait();
}
