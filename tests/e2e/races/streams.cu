// Work of two streams that nothing orders, and memory that goes too early.

#include "race_case.cuh"
#include "xfer/annotate.h"

namespace {

constexpr int kInts = 300;

__global__ void read_rows(int* out, const int* rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = rows[i] + 1;
}

__global__ void write_rows(int* rows, int first, int n, int value) {
  const int i = threadIdx.x;
  if (i < n) rows[first + i] = value;
}

}  // namespace

// paiml/aprender#2767: copies on the legacy stream, kernels on one that does not wait for it.
RACE_CASE(legacy_copy_beside_a_stream) {
  OnDevice<int> x(kInts), y(kInts);
  int out[kInts];
  Stream stream(right ? cudaStreamDefault : cudaStreamNonBlocking);
  read_rows<<<2, 256, 0, stream>>>(y.get(), x.get(), kInts);
  CHECK(cudaMemcpy(out, y.get(), sizeof out, cudaMemcpyDeviceToHost));  // RACE read-before-sync
  std::printf("%d\n", out[0]);
}

// sgl-project/sglang#18746: a row that the last forward pass still reads goes to a new request.
RACE_CASE(row_of_a_new_request) {
  OnDevice<int> rows(kInts), out(kInts);
  Stream forward, schedule;
  Event done;
  read_rows<<<2, 256, 0, forward>>>(out.get(), rows.get(), kInts);
  done.record(forward);
  if (right) CHECK(cudaStreamWaitEvent(schedule, done, 0));
  write_rows<<<1, 32, 0, schedule>>>(rows.get(), 64, 16, 7);  // RACE async-source-reuse
}

// sgl-project/sglang#26380: the streams wait for each other in one direction alone.
RACE_CASE(ordered_in_one_direction) {
  OnDevice<int> table(kInts), out(kInts);
  Stream forward, schedule;
  Event written, read;
  for (int step = 0; step < 3; ++step) {
    if (right && step > 0) CHECK(cudaStreamWaitEvent(schedule, read, 0));
    CHECK(cudaMemsetAsync(table.get(), step, 64, schedule));  // RACE async-source-reuse
    written.record(schedule);
    CHECK(cudaStreamWaitEvent(forward, written, 0));
    read_rows<<<2, 256, 0, forward>>>(out.get(), table.get(), kInts);
    read.record(forward);
  }
}

// vllm-project/vllm#46278: a cache is stored to the host while the kernels that fill it run.
RACE_CASE(cache_stored_while_it_is_filled) {
  OnDevice<int> cache(kInts), x(kInts);
  Pinned<int> stored(kInts);
  Stream compute, copies;
  Event filled;
  read_rows<<<2, 256, 0, compute>>>(cache.get(), x.get(), kInts);
  filled.record(compute);
  if (right) CHECK(cudaStreamWaitEvent(copies, filled, 0));
  CHECK(cudaMemcpyAsync(stored.get(), cache.get(), kInts * sizeof(int),  // RACE read-before-sync
                        cudaMemcpyDeviceToHost, copies));
  copies.wait();
  std::printf("%d\n", stored[7]);
}

// The same of two kernels: one reads what the other writes.
RACE_CASE(kernels_of_two_streams) {
  OnDevice<int> x(kInts), y(kInts), z(kInts);
  Stream first, second;
  Event written;
  read_rows<<<2, 256, 0, first>>>(y.get(), x.get(), kInts);
  written.record(first);
  if (right) CHECK(cudaStreamWaitEvent(second, written, 0));
  read_rows<<<2, 256, 0, second>>>(z.get(), y.get(), kInts);  // RACE read-before-sync
}

// NVIDIA/TensorRT-LLM#15265: memory of one stream is used on another, and freed on the first.
RACE_CASE(freed_on_the_stream_that_made_it) {
  Stream aux, main;
  Event made, used;
  OnDevice<int> out(kInts);
  int* keys = nullptr;
  CHECK(cudaMallocAsync(&keys, kInts * sizeof(int), aux));
  write_rows<<<1, kInts, 0, aux>>>(keys, 0, kInts, 3);
  made.record(aux);
  CHECK(cudaStreamWaitEvent(main, made, 0));
  read_rows<<<2, 256, 0, main>>>(out.get(), keys, kInts);
  used.record(main);
  if (right) CHECK(cudaStreamWaitEvent(aux, used, 0));
  CHECK(cudaFreeAsync(keys, aux));  // RACE use-after-free
}

// microsoft/onnxruntime#32342: an arena that does not know of streams gives a chunk to another one.
RACE_CASE(chunk_of_an_arena_without_streams) {
  OnDevice<int> arena(4 * kInts), out(kInts);
  Stream first, second;
  Event over;
  int* const chunk = arena.get() + kInts;
  xfer_allocated(chunk, kInts * sizeof(int), 0);
  read_rows<<<2, 256, 0, first>>>(out.get(), chunk, kInts);
  over.record(first);
  xfer_released(chunk);
  if (right) CHECK(cudaStreamWaitEvent(second, over, 0));
  xfer_allocated(chunk, 64, 0);
  CHECK(cudaMemsetAsync(chunk, 0, 64, second));  // RACE use-after-free
  xfer_released(chunk);
}

// A host function of one stream fills what a copy on another still reads.
RACE_CASE(a_host_function) {
  struct Batch {
    int* numbers;
    int round = 0;
  };
  Pinned<int> numbers(kInts);
  OnDevice<int> x(kInts), y(kInts);
  Stream fills, copies;
  Event filled, copied;
  Batch batch{numbers.get()};
  const cudaHostFn_t fill_next = [](void* data) {
    Batch& next = *static_cast<Batch*>(data);
    ++next.round;
    for (int i = 0; i < kInts; ++i) next.numbers[i] = next.round + i;  // RACE async-source-reuse
  };
  for (int step = 0; step < 3; ++step) {
    if (right && step > 0) CHECK(cudaStreamWaitEvent(fills, copied, 0));
    CHECK(cudaLaunchHostFunc(fills, fill_next, &batch));
    filled.record(fills);
    CHECK(cudaStreamWaitEvent(copies, filled, 0));
    to_device(x.get(), numbers.get(), kInts, copies);
    copied.record(copies);
    read_rows<<<2, 256, 0, copies>>>(y.get(), x.get(), kInts);
  }
  fills.wait();
  copies.wait();
}

// cudaMemset does not wait, and is work of the default stream, which a stream that does not block
// does not wait for.
RACE_CASE(filled_by_the_default_stream) {
  Stream stream(right ? cudaStreamDefault : cudaStreamNonBlocking);
  OnDevice<int> out(kInts);
  int* table = nullptr;
  CHECK(cudaMalloc(&table, kInts * sizeof(int)));
  CHECK(cudaMemset(table, 0, kInts * sizeof(int)));
  read_rows<<<2, 256, 0, stream>>>(out.get(), table, kInts);  // RACE read-before-sync
  stream.wait();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(table));
}

// A copy within a device is followed by a kernel that writes over what it reads.
RACE_CASE(copied_within_the_device) {
  OnDevice<int> x(kInts), y(kInts);
  Stream copies, computes;
  Event copied;
  CHECK(cudaMemcpyAsync(y.get(), x.get(), kInts * sizeof(int), cudaMemcpyDeviceToDevice, copies));
  copied.record(copies);
  if (right) CHECK(cudaStreamWaitEvent(computes, copied, 0));
  write_rows<<<1, 32, 0, computes>>>(x.get(), 8, 16, 7);  // RACE async-source-reuse
}

// Two graphs on two streams: one fills what the other's kernel reads.
RACE_CASE(graphs_of_two_streams) {
  OnDevice<int> x(kInts), y(kInts);
  Stream first, second;
  Event filled;
  const Graph fill(first, [&] { CHECK(cudaMemsetAsync(x.get(), 1, kInts * sizeof(int), first)); });
  const Graph read(second, [&] { read_rows<<<2, 256, 0, second>>>(y.get(), x.get(), kInts); });
  fill.launch(first);
  filled.record(first);
  if (right) CHECK(cudaStreamWaitEvent(second, filled, 0));
  CHECK(cudaGraphLaunch(read.executable(), second));  // RACE read-before-sync
}
