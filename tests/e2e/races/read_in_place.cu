// Kernels that use host memory themselves.

#include "race_case.cuh"

// ggml-org/llama.cpp#27311: the device reads the tokens in place; the host writes the next ones.
RACE_CASE(tokens_read_in_place) {
  constexpr int kTokens = 512;
  Pinned<int> tokens(2 * kTokens);
  OnDevice<int> sum(kTokens);
  Stream stream;
  Event read[2];
  for (int batch = 0; batch < 4; ++batch) {
    const int slot = right ? batch % 2 : 0;
    if (right && batch > 1) read[slot].wait();
    for (int i = 0; i < kTokens; ++i) tokens[slot * kTokens + i] = i;  // RACE async-source-reuse
    add_to<<<2, 256, 0, stream>>>(sum.get(), tokens.get() + slot * kTokens, kTokens);
    read[slot].record(stream);
  }
}

__global__ void gather(int* to, const int* from, const int* index, int n) {
  const int i = threadIdx.x;
  if (i < n) to[i] = from[index[i]];
}

// NVIDIA/TensorRT-LLM#16088: a kernel gathers offsets, by an index that the next call writes over.
RACE_CASE(index_of_a_gather) {
  constexpr int kIds = 20;
  Pinned<int> offsets(100), index(kIds);
  OnDevice<int> gathered(kIds);
  Stream stream;
  for (int i = 0; i < 100; ++i) offsets[i] = i;
  for (int call = 0; call < 3; ++call) {
    for (int i = 0; i < kIds; ++i) index[i] = i + call;  // RACE async-source-reuse
    gather<<<1, 32, 0, stream>>>(gathered.get(), offsets.get(), index.get(), kIds);
    if (right) stream.wait();
  }
}

// vllm-project/vllm#53057: as many slots as batches are under way, and one batch more.
RACE_CASE(one_slot_too_few) {
  constexpr int kSlots = 3, kInts = 40;
  Pinned<int> ring(kSlots * kInts);
  OnDevice<int> sum(kInts);
  Stream stream;
  Event over[kSlots];
  for (int batch = 0; batch < 5; ++batch) {
    const int slot = batch % kSlots;
    if (right && batch >= kSlots) over[slot].wait();
    std::memset(ring.get() + slot * kInts, batch, kInts * sizeof(int));  // RACE async-source-reuse
    add_to<<<1, 64, 0, stream>>>(sum.get(), ring.get() + slot * kInts, kInts);
    over[slot].record(stream);
  }
}

// The mirror: a kernel writes its result where the host looks.
RACE_CASE(result_written_in_place) {
  Pinned<float> result(8);
  OnDevice<float> x(8);
  Stream stream;
  std::memset(result.get(), 0, 8 * sizeof(float));
  add_to<<<1, 32, 0, stream>>>(result.get(), x.get(), 8);
  if (right) stream.wait();
  std::printf("%g\n", result[5]);  // RACE read-before-sync
}

RACE_CASE(managed_memory) {
  float* values = nullptr;
  CHECK(cudaMallocManaged(&values, 100 * sizeof(float)));
  OnDevice<float> sum(100);
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < 100; ++i) values[i] = step;  // RACE async-source-reuse
    add_to<<<1, 128>>>(sum.get(), values, 100);
    if (right) CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(values));
}

// The graph's kernel reads the numbers where the host writes them.
RACE_CASE(graph_reads_in_place) {
  Pinned<int> numbers(40);
  OnDevice<int> sum(40);
  Stream stream;
  const Graph step(stream, [&] { add_to<<<1, 64, 0, stream>>>(sum.get(), numbers.get(), 40); });
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 40; ++k) numbers[k] = i + k;  // RACE async-source-reuse
    step.launch(stream);
    if (right) stream.wait();
  }
}

// Its first kernel leaves a result there, its second one does something else.
RACE_CASE(result_of_a_graph) {
  Pinned<int> result(24);
  OnDevice<int> numbers(24), sum(24);
  Stream stream;
  std::memset(result.get(), 0, 24 * sizeof(int));
  const Graph step(stream, [&] {
    add_to<<<1, 64, 0, stream>>>(result.get(), numbers.get(), 24);
    add_to<<<1, 64, 0, stream>>>(sum.get(), numbers.get(), 24);
  });
  step.launch(stream);
  if (right) stream.wait();
  const int first = result[0];  // RACE read-before-sync
  stream.wait();
  std::printf("%d\n", first);
}

// A copy to managed memory, which the host looks into.
RACE_CASE(managed_memory_is_copied_to) {
  int* values = nullptr;
  CHECK(cudaMallocManaged(&values, 100 * sizeof(int)));
  OnDevice<int> x(100);
  Stream stream;
  CHECK(cudaMemcpyAsync(values, x.get(), 100 * sizeof(int), cudaMemcpyDefault, stream));
  if (right) stream.wait();
  const int first = values[7];  // RACE read-before-sync
  stream.wait();
  std::printf("%d\n", first);
  CHECK(cudaFree(values));
}
