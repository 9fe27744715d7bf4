// Asynchronous copies, and who touches their memory too early.

#include <unistd.h>

#include <atomic>

#include "cases.cuh"

namespace {

void early_read() {
  Async a;
  check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
  const volatile float* values = a.pinned;
  std::printf("%f\n", values[kCount / 2]);  // FIND: early_read
}
void early_upload() {
  Async a;
  cudaStream_t other = nullptr;
  check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
  check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, kUp, other));  // FIND: early_upload
  check(cudaStreamSynchronize(other));
  check(cudaStreamDestroy(other));
}
void source_reuse() {
  Async a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < kCount; ++j) a.pinned[j] = static_cast<float>(i + j);  // FIND: source_reuse
    check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, cudaMemcpyHostToDevice, a.stream));
    run_scale(a.b.in, a.b.out, a.stream);
  }
}
// The same with everything that may tell the host that the copy is over.
void in_time() {
  Async a;
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const volatile float* values = a.pinned;
  float sum = 0;
  for (int i = 0; i < 6; ++i) {
    a.pinned[kCount / 2] = static_cast<float>(i) + 0.5f;  // never twice what it was before
    check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, cudaMemcpyHostToDevice, a.stream));
    run_scale(a.b.in, a.b.out, a.stream);
    check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
    check(cudaEventRecord(event, a.stream));
    static std::atomic<bool> done;
    done = false;
    switch (i) {
      case 0: check(cudaStreamSynchronize(a.stream)); break;
      case 1: check(cudaEventSynchronize(event)); break;
      case 2: check(cudaDeviceSynchronize()); break;
      case 3:
        while (cudaStreamQuery(a.stream) == cudaErrorNotReady) usleep(100);
        break;
      case 4:
        while (cudaEventQuery(event) == cudaErrorNotReady) usleep(100);
        break;
      default:
        check(cudaLaunchHostFunc(a.stream, [](void*) { done = true; }, nullptr));
        while (!done) usleep(100);
    }
    sum += values[kCount / 2];
  }
  check(cudaEventDestroy(event));
  if (sum < 0) std::puts("never");
}

// Work on a second stream that nothing puts in order after the copy.
struct Racing : Async {
  cudaStream_t other = nullptr;
  Racing() { check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking)); }
  ~Racing() {
    check(cudaStreamSynchronize(other));
    check(cudaStreamDestroy(other));
  }
  void upload() { check(cudaMemcpyAsync(b.in, pinned, kBytes, cudaMemcpyHostToDevice, stream)); }
  void download() { check(cudaMemcpyAsync(pinned, b.out, kBytes, cudaMemcpyDeviceToHost, stream)); }
  void in_order() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    check(cudaEventRecord(event, stream));
    check(cudaStreamWaitEvent(other, event, 0));
    check(cudaEventDestroy(event));
  }
};
void early_kernel() {
  Racing r;
  r.upload();
  scale<<<kCount / 256, 256, 0, r.other>>>(r.b.in, r.b.out, kCount);  // FIND: early_kernel
}
void early_fill() {
  Racing r;
  r.download();
  check(cudaMemsetAsync(r.b.out, 0, kBytes, r.other));  // FIND: early_fill
}
void kernel_over_source() {
  Racing r;
  r.download();
  add_to<<<kCount / 256, 256, 0, r.other>>>(r.b.out, kCount);  // FIND: kernel_over_source
}
void early_free() {
  Racing r;
  void* scratch = nullptr;
  check(cudaMallocAsync(&scratch, kBytes, r.stream));
  check(cudaMemsetAsync(scratch, 1, kBytes, r.stream));
  check(cudaMemcpyAsync(r.pinned, scratch, kBytes, cudaMemcpyDeviceToHost, r.stream));
  check(cudaFreeAsync(scratch, r.other));  // FIND: early_free
}
// The same work in order; and a kernel for each half of a buffer, each with a copy of its own.
void ordered_streams() {
  Racing r;
  r.upload();
  r.in_order();
  scale<<<kCount / 256, 256, 0, r.other>>>(r.b.in, r.b.out, kCount);
  check(cudaDeviceSynchronize());
  r.download();
  r.in_order();
  add_to<<<kCount / 256, 256, 0, r.other>>>(r.b.out, kCount);
  check(cudaMemsetAsync(r.b.in, 0, kBytes, r.other));
  check(cudaDeviceSynchronize());
  const cudaStream_t streams[] = {r.stream, r.other};
  for (int i = 0; i < 2; ++i) {
    const int begin = i * kCount / 2;
    check(cudaMemcpyAsync(r.b.in + begin, r.pinned + begin, kBytes / 2, cudaMemcpyHostToDevice,
                          streams[i]));
    scale<<<kCount / 512, 256, 0, streams[i]>>>(r.b.in + begin, r.b.out + begin, kCount / 2);
  }
}
// The graph's copies at each launch are counted, and have no finding.
void graph() {
  Async a;
  check(cudaStreamBeginCapture(a.stream, cudaStreamCaptureModeGlobal));
  check(cudaMemcpyAsync(a.b.in, a.pinned, kBytes, cudaMemcpyHostToDevice, a.stream));
  run_scale(a.b.in, a.b.out, a.stream);
  check(cudaMemcpyAsync(a.pinned, a.b.out, kBytes, cudaMemcpyDeviceToHost, a.stream));
  cudaGraph_t captured = nullptr;
  check(cudaStreamEndCapture(a.stream, &captured));
  cudaGraphExec_t made = nullptr;
  check(cudaGraphInstantiate(&made, captured, 0));
  for (int i = 0; i < 3; ++i) check(cudaGraphLaunch(made, a.stream));
  check(cudaStreamSynchronize(a.stream));
  check(cudaGraphExecDestroy(made));
  check(cudaGraphDestroy(captured));
}

const AddCases kAdded({
    {"early_read", early_read},
    {"early_upload", early_upload},
    {"source_reuse", source_reuse},
    {"in_time", in_time},
    {"early_kernel", early_kernel},
    {"early_fill", early_fill},
    {"kernel_over_source", kernel_over_source},
    {"early_free", early_free},
    {"ordered_streams", ordered_streams},
    {"graph", graph},
});

}  // namespace
