// Code that looks like a race and is none: neither way to run it has a finding.

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "race_case.cuh"

namespace {

__global__ void count(int* counter) { atomicAdd(counter, 1); }

__global__ void count_and_tell(const int* x, int* sum, volatile int* done) {
  for (int i = 0; i < 8; ++i) *sum += x[i];
  __threadfence_system();
  *done = 1;
}

}  // namespace

SILENT_CASE(slots_beside_each_other) {
  Pinned<int> slots(64);
  OnDevice<int> on_device(64);
  Stream stream;
  int* const counter = slots.get() + 63;
  for (int i = 0; i < 4; ++i) {
    slots[i * 8] = i;
    to_device(on_device.get() + i * 8, slots.get() + i * 8, 8, stream);
    ++*counter;
  }
}

SILENT_CASE(streams_with_a_part_each) {
  OnDevice<int> x(256), y(256);
  Pinned<int> host(256);
  Stream streams[2];
  for (int i = 0; i < 2; ++i) {
    to_device(x.get() + i * 128, host.get() + i * 128, 128, streams[i]);
    add_to<<<1, 128, 0, streams[i]>>>(y.get() + i * 128, x.get() + i * 128, 128);
    to_host(host.get() + i * 128, y.get() + i * 128, 128, streams[i]);
  }
  for (const Stream& stream : streams) stream.wait();
  std::printf("%d\n", host[200]);
}

SILENT_CASE(a_counter_of_two_streams) {
  OnDevice<int> counter(1);
  Stream first, second;
  count<<<4, 32, 0, first>>>(counter.get());
  count<<<4, 32, 0, second>>>(counter.get());
}

SILENT_CASE(the_kernel_says_when_it_is_done) {
  Pinned<int> x(8), done(1);
  OnDevice<int> sum(1);
  Stream stream;
  done[0] = 0;
  for (int i = 0; i < 8; ++i) x[i] = i;
  count_and_tell<<<1, 1, 0, stream>>>(x.get(), sum.get(), done.get());
  while (*static_cast<volatile int*>(done.get()) == 0) {
  }
  x[0] = 5;
}

SILENT_CASE(a_host_function_fills_the_buffer) {
  Pinned<int> staging(16);
  OnDevice<int> on_device(16);
  Stream stream;
  for (int i = 0; i < 3; ++i) {
    CHECK(
        cudaLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, staging.get()));
    to_device(on_device.get(), staging.get(), 16, stream);
  }
}

SILENT_CASE(another_thread_waited) {
  Pinned<int> result(16);
  OnDevice<int> on_device(16);
  Stream stream;
  std::atomic<bool> over{false};
  to_host(result.get(), on_device.get(), 16, stream);
  std::thread waiter([&] {
    stream.wait();
    over = true;
  });
  while (!over) std::this_thread::yield();
  std::printf("%d\n", result[3]);
  waiter.join();
}

SILENT_CASE(the_default_stream_orders) {
  Pinned<int> staging(16);
  OnDevice<int> on_device(16), sum(16);
  Stream stream(cudaStreamDefault);
  to_device(on_device.get(), staging.get(), 16, stream);
  add_to<<<1, 32>>>(sum.get(), on_device.get(), 16);
  CHECK(cudaStreamSynchronize(nullptr));
  staging[0] = 1;
}

SILENT_CASE(rows_of_a_wide_image) {
  Pinned<int> image(8 * 64);
  OnDevice<int> tile(8 * 16);
  Stream stream;
  CHECK(cudaMemcpy2DAsync(tile.get(), 64, image.get(), 256, 64, 8, cudaMemcpyHostToDevice, stream));
  for (int y = 0; y < 8; ++y) image[y * 64 + 40] = y;
}

SILENT_CASE(memory_that_is_used_again_by_its_stream) {
  Stream stream;
  OnDevice<int> sum(100);
  for (int i = 0; i < 3; ++i) {
    int* x = nullptr;
    CHECK(cudaMallocAsync(&x, 400, stream));
    CHECK(cudaMemsetAsync(x, 0, 400, stream));
    add_to<<<1, 128, 0, stream>>>(sum.get(), x, 100);
    CHECK(cudaFreeAsync(x, stream));
  }
}

SILENT_CASE(a_thread_that_blocks_all_signals) {
  Pinned<int> slots(64);
  OnDevice<int> on_device(8);
  Stream stream;
  std::thread([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    to_device(on_device.get(), slots.get(), 8, stream);
    slots[63] = 1;
  }).join();
}

SILENT_CASE(a_child_beside_a_copy) {
  Pinned<int> slots(64);
  OnDevice<int> on_device(8);
  Stream stream;
  to_device(on_device.get(), slots.get(), 8, stream);
  const pid_t child = fork();
  if (child == 0) {
    slots[63] = slots[0];
    _exit(0);
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child || status != 0) std::exit(4);
}

// An event within the graph tells that its copy is over, while the rest still runs.
SILENT_CASE(an_event_within_the_graph) {
  Pinned<int> staging(24);
  OnDevice<int> on_device(24), sum(24);
  Stream stream;
  Event copied;
  copied.record(stream);
  const Graph step(stream, [&] {
    to_device(on_device.get(), staging.get(), 24, stream);
    CHECK(cudaEventRecordWithFlags(copied, stream, cudaEventRecordExternal));
    add_to<<<1, 64, 0, stream>>>(sum.get(), on_device.get(), 24);
  });
  for (int i = 0; i < 3; ++i) {
    std::memset(staging.get(), i, 24 * sizeof(int));
    step.launch(stream);
    copied.wait();
  }
}

// Memory of the graph's own may lie where other memory was freed before.
SILENT_CASE(memory_of_the_graphs_own) {
  Stream stream;
  {
    const OnDevice<int> gone(1 << 16);
  }
  const Graph step(stream, [&] {
    int* scratch = nullptr;
    CHECK(cudaMallocAsync(&scratch, sizeof(int) << 16, stream));
    CHECK(cudaMemsetAsync(scratch, 0, sizeof(int) << 16, stream));
    add_to<<<1, 64, 0, stream>>>(scratch, scratch + 64, 64);
    CHECK(cudaFreeAsync(scratch, stream));
  });
  for (int i = 0; i < 3; ++i) step.launch(stream);
  stream.wait();
}

// The program gives its own memory back before CUDA has let go of it. The pages live on until then,
// so the program does not die of it, and must not with somebody looking on.
SILENT_CASE(gone_before_it_is_unregistered) {
  constexpr int kMany = 2 << 20;
  OnDevice<int> x(kMany);
  Stream stream;
  const auto numbers = static_cast<int*>(std::malloc(kMany * sizeof(int)));  // a mapping of its own
  CHECK(cudaHostRegister(numbers, kMany * sizeof(int), cudaHostRegisterDefault));
  to_host(numbers, x.get(), kMany, stream);
  std::free(numbers);
  stream.wait();
}
