// Graphs that are captured from streams, one small act per subcommand.

#include <cuda_runtime.h>

#include <cstdio>
#include <map>
#include <string>

#include "kernels.cuh"

namespace {

constexpr int kCount = 1000;
constexpr size_t kBytes = kCount * sizeof(float);
constexpr int kBlocks = (kCount + 255) / 256;

void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

cudaStream_t new_stream(unsigned flags = cudaStreamNonBlocking) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, flags);
  return stream;
}

struct Memory {
  float* in = nullptr;  // pinned
  float* device = nullptr;
  float out[kCount] = {};  // pageable
  Memory() {
    cudaMallocHost(&in, kBytes);
    cudaMalloc(&device, kBytes);
    fill(1);
  }
  void fill(float value) {
    for (int i = 0; i < kCount; ++i) in[i] = value;
  }
};

void twice(Memory& m, cudaStream_t stream, float factor = 2) {
  cudaMemcpyAsync(m.device, m.in, kBytes, cudaMemcpyHostToDevice, stream);
  program::scale<float><<<kBlocks, 256, 0, stream>>>(m.device, factor, kCount);
  cudaMemcpyAsync(m.out, m.device, kBytes, cudaMemcpyDeviceToHost, stream);
}

cudaGraphExec_t executable(cudaGraph_t graph) {
  cudaGraphExec_t made = nullptr;
  show("instantiate", cudaGraphInstantiate(&made, graph, 0));
  cudaGraphDestroy(graph);  // it is not needed any more
  return made;
}

void run(Memory& m, cudaGraphExec_t graph, cudaStream_t stream) {
  const cudaError_t launched = cudaGraphLaunch(graph, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (launched != cudaSuccess || waited != cudaSuccess)
    show("launch", launched), show("wait", waited);
  std::printf("out: %g\n", m.out[kCount - 1]);
}

void replay() {
  Memory m;
  cudaStream_t stream = new_stream();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  twice(m, stream);
  cudaStreamIsCapturing(stream, &status);
  cudaGraph_t graph = nullptr;
  show("end", cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("capturing: %d, nodes: %zu, out: %g\n", status == cudaStreamCaptureStatusActive,
              nodes, m.out[kCount - 1]);
  cudaGraphExec_t made = executable(graph);
  run(m, made, stream);
  m.fill(5);  // what is there at the launch counts
  run(m, made, stream);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  twice(m, stream, 3);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExecUpdateResultInfo info;
  show("update", cudaGraphExecUpdate(made, graph, &info));
  run(m, made, stream);
  show("destroy", cudaGraphExecDestroy(made));
  show("launch", cudaGraphLaunch(made, stream));
}

// A second stream takes part from the wait for an event of the first on.
enum class Fork { kJoined, kUnjoined, kAsked };

void fork(Fork how) {
  Memory m;
  cudaStream_t stream = new_stream(), other = new_stream();
  cudaEvent_t begun, done;
  cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  static int calls = 0;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaMemcpyAsync(m.device, m.in, kBytes, cudaMemcpyHostToDevice, stream);
  cudaEventRecord(begun, stream);
  cudaStreamWaitEvent(other, begun, 0);
  program::scale<float><<<kBlocks, 256, 0, other>>>(m.device, 7, kCount);
  cudaLaunchHostFunc(other, [](void*) { ++calls; }, nullptr);
  cudaEventRecord(done, other);
  if (how == Fork::kAsked) show("event", cudaEventSynchronize(done));
  if (how != Fork::kUnjoined) cudaStreamWaitEvent(stream, done, 0);
  cudaMemcpyAsync(m.out, m.device, kBytes, cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  show("end", ended);
  if (ended == cudaSuccess) {
    cudaGraphExec_t made = executable(graph);
    run(m, made, other);
    run(m, made, other);
  }
  std::printf("calls: %d\n", calls);
  show("other", cudaStreamSynchronize(other));
}

void forbidden() {
  Memory m;
  cudaGraph_t graph = nullptr;
  cudaStream_t stream = new_stream(cudaStreamDefault);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  twice(m, stream);
  show("wait", cudaStreamSynchronize(stream));
  show("end", cudaStreamEndCapture(stream, &graph));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  show("default stream", cudaMemcpy(m.device, m.in, kBytes, cudaMemcpyHostToDevice));
  show("device", cudaDeviceSynchronize());
  show("end", cudaStreamEndCapture(stream, &graph));
  show("no capture", cudaStreamEndCapture(stream, &graph));
  show("default stream", cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  twice(m, stream);
  show("afterwards", cudaStreamSynchronize(stream));
  std::printf("out: %g\n", m.out[kCount - 1]);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> acts = {{"replay", replay},
                                                  {"fork", [] { fork(Fork::kJoined); }},
                                                  {"unjoined", [] { fork(Fork::kUnjoined); }},
                                                  {"asked", [] { fork(Fork::kAsked); }},
                                                  {"forbidden", forbidden}};
  const auto act = argc > 1 ? acts.find(argv[1]) : acts.end();
  if (act == acts.end()) return 64;
  act->second();
  return 0;
}
