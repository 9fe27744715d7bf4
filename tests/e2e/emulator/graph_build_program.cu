// Graphs that are built node by node, and captured ones whose nodes are asked for. The first
// argument says what it does.

#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "kernels.cuh"

namespace {

constexpr int kCount = 256;
constexpr size_t kBytes = kCount * sizeof(float);

__device__ float variable[kCount];

void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}
#define CHECK(call)                               \
  do {                                            \
    const cudaError_t error = (call);             \
    if (error != cudaSuccess) show(#call, error); \
  } while (false)

/// A graph that multiplies, on its way from pinned memory to pinned memory.
struct Chain {
  float* in = nullptr;
  float* out = nullptr;
  float* device = nullptr;
  float factor = 2;
  int count = kCount;
  void* arguments[3] = {&device, &factor, &count};
  cudaKernelNodeParams kernel{};
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t up = nullptr, scale = nullptr, down = nullptr;

  Chain() {
    CHECK(cudaMallocHost(&in, kBytes));
    CHECK(cudaMallocHost(&out, kBytes));
    CHECK(cudaMalloc(&device, kBytes));
    for (int i = 0; i < kCount; ++i) in[i] = 1;
    kernel.func = reinterpret_cast<void*>(&program::scale<float>);
    kernel.gridDim = dim3(2);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&up, graph, nullptr, 0, device, in, kBytes,
                                   cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddKernelNode(&scale, graph, &up, 1, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&down, graph, &scale, 1, out, device, kBytes,
                                   cudaMemcpyDeviceToHost));
  }
  cudaKernelNodeParams with(float other) {
    factor = other;
    return kernel;
  }
};

cudaGraphExec_t executable(cudaGraph_t graph) {
  cudaGraphExec_t made = nullptr;
  CHECK(cudaGraphInstantiate(&made, graph, 0));
  return made;
}

cudaStream_t stream() {
  static cudaStream_t made = [] {
    cudaStream_t it = nullptr;
    CHECK(cudaStreamCreateWithFlags(&it, cudaStreamNonBlocking));
    return it;
  }();
  return made;
}

void run(cudaGraphExec_t graph) {
  CHECK(cudaGraphLaunch(graph, stream()));
  CHECK(cudaStreamSynchronize(stream()));
}

float run(cudaGraphExec_t graph, Chain& chain) {
  chain.out[kCount - 1] = -1;
  run(graph);
  return chain.out[kCount - 1];
}

std::string types_of(cudaGraph_t graph) {
  const char* const names[] = {"kernel", "copy",   "fill",   "host",  "graph", "empty",
                               "wait",   "record", "signal", "await", "alloc", "free"};
  size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
  std::string types;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    CHECK(cudaGraphNodeGetType(node, &type));
    types += (types.empty() ? "" : " ") + std::string(names[type]);
  }
  return types;
}

size_t edges_of(cudaGraph_t graph) {
  size_t edges = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  return edges;
}

void chain() {
  Chain c;
  cudaGraphExec_t made = executable(c.graph);
  std::printf("%s, out: %g\n", types_of(c.graph).c_str(), run(made, c));
  const cudaKernelNodeParams of_graph = c.with(3);
  CHECK(cudaGraphKernelNodeSetParams(c.scale, &of_graph));
  std::printf("made before: %g\n", run(made, c));
  std::printf("made after: %g\n", run(executable(c.graph), c));
  const cudaKernelNodeParams of_made = c.with(5);
  CHECK(cudaGraphExecKernelNodeSetParams(made, c.scale, &of_made));
  c.factor = 0;  // was copied
  std::printf("set: %g\n", run(made, c));
  cudaKernelNodeParams told{};
  CHECK(cudaGraphKernelNodeGetParams(c.scale, &told));
  std::printf("told: %g, %u x %u\n", *static_cast<float*>(told.kernelParams[1]), told.gridDim.x,
              told.blockDim.x);
  CHECK(cudaGraphNodeSetEnabled(made, c.scale, 0));
  std::printf("disabled: %g\n", run(made, c));
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(made, c.up, c.device, c.out, kBytes,
                                           cudaMemcpyHostToDevice));
  std::printf("other source: %g\n", run(made, c));
  show("other type", cudaGraphExecKernelNodeSetParams(made, c.up, &of_made));
  cudaKernelNodeParams wrong = of_made;
  wrong.blockDim = dim3(4096);
  show("block", cudaGraphKernelNodeSetParams(c.scale, &wrong));
  float pageable[1] = {};
  show("direction", cudaGraphMemcpyNodeSetParams1D(c.up, c.device, pageable, sizeof(pageable),
                                                   cudaMemcpyDeviceToHost));
  CHECK(cudaGraphExecDestroy(made));
  CHECK(cudaGraphDestroy(c.graph));
  show("destroyed", cudaGraphDestroy(c.graph));
  size_t count = 0;
  show("its node", cudaGraphNodeGetDependencies(c.up, nullptr, nullptr, &count));
}

// The nodes wait for others that were added after them.
void order() {
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  static std::string called;
  cudaGraphNode_t nodes[3];
  const char* const names[] = {"last ", "middle ", "first "};
  for (int i = 0; i < 3; ++i) {
    const cudaHostNodeParams params{[](void* name) { called += static_cast<const char*>(name); },
                                    const_cast<char*>(names[i])};
    CHECK(cudaGraphAddHostNode(&nodes[i], graph, nullptr, 0, &params));
  }
  cudaGraphNode_t empty;
  CHECK(cudaGraphAddEmptyNode(&empty, graph, nodes, 3));
  const cudaGraphNode_t from[] = {nodes[2], nodes[1]}, to[] = {nodes[1], nodes[0]};
  CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 2));
  show("again", cudaGraphAddDependencies(graph, from, to, nullptr, 1));
  run(executable(graph));
  std::printf("%s\n", called.c_str());

  size_t roots = 0, before = 0, after = 0;
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphNodeGetDependencies(nodes[0], nullptr, nullptr, &before));
  CHECK(cudaGraphNodeGetDependentNodes(nodes[2], nullptr, nullptr, &after));
  std::printf("roots %zu, edges %zu, before %zu, after %zu\n", roots, edges_of(graph), before,
              after);
  CHECK(cudaGraphAddDependencies(graph, &nodes[0], &nodes[2], nullptr, 1));
  cudaGraphExec_t made = nullptr;
  show("circle", cudaGraphInstantiate(&made, graph, 0));
  CHECK(cudaGraphRemoveDependencies(graph, &nodes[0], &nodes[2], nullptr, 1));
  CHECK(cudaGraphDestroyNode(nodes[1]));
  called.clear();
  run(executable(graph));
  std::printf("edges %zu, %s\n", edges_of(graph), called.c_str());
}

void clones() {
  Chain c;
  cudaGraph_t copy = nullptr;
  cudaGraphNode_t its_scale = nullptr;
  CHECK(cudaGraphClone(&copy, c.graph));
  CHECK(cudaGraphNodeFindInClone(&its_scale, c.scale, copy));
  show("of another", cudaGraphNodeFindInClone(&its_scale, its_scale, c.graph));
  CHECK(cudaGraphNodeFindInClone(&its_scale, c.scale, copy));
  const cudaKernelNodeParams params = c.with(7);
  CHECK(cudaGraphKernelNodeSetParams(its_scale, &params));
  std::printf("first: %g\n", run(executable(c.graph), c));
  std::printf("copy: %g\n", run(executable(copy), c));

  cudaGraph_t parent = nullptr, child = nullptr;
  cudaGraphNode_t whole = nullptr;
  CHECK(cudaGraphCreate(&parent, 0));
  CHECK(cudaGraphAddChildGraphNode(&whole, parent, nullptr, 0, c.graph));
  CHECK(cudaGraphChildGraphNodeGetGraph(whole, &child));
  cudaGraphExec_t made = executable(parent);
  std::printf("%s of %s: %g\n", types_of(parent).c_str(), types_of(child).c_str(), run(made, c));
  CHECK(cudaGraphExecChildGraphNodeSetParams(made, whole, copy));
  std::printf("exchanged: %g\n", run(made, c));
  show("a child", cudaGraphDestroy(child));
}

void updates() {
  Chain c, other, longer;
  cudaGraphNode_t more = nullptr;
  CHECK(cudaGraphAddEmptyNode(&more, longer.graph, &longer.down, 1));
  cudaGraphExec_t made = executable(c.graph);
  cudaGraphExecUpdateResultInfo info{};
  const cudaKernelNodeParams params = other.with(4);
  CHECK(cudaGraphKernelNodeSetParams(other.scale, &params));
  show("update", cudaGraphExecUpdate(made, other.graph, &info));
  std::printf("out: %g\n", run(made, other));
  show("longer", cudaGraphExecUpdate(made, longer.graph, &info));
  std::printf("topology: %d\n", info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphDestroyNode(more));
  CHECK(cudaGraphDestroyNode(longer.scale));
  CHECK(cudaGraphAddEmptyNode(&more, longer.graph, &longer.up, 1));
  CHECK(cudaGraphAddDependencies(longer.graph, &more, &longer.down, nullptr, 1));
  show("other type", cudaGraphExecUpdate(made, longer.graph, &info));
  std::printf("type: %d\n", info.result == cudaGraphExecUpdateErrorNodeTypeChanged);
}

void copies() {
  Chain c;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t fill = nullptr, to = nullptr, from = nullptr, box = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill_params{};
  fill_params.dst = c.device;
  fill_params.value = 0x40400000;  // 3.0f
  fill_params.elementSize = 4;
  fill_params.width = kCount;
  fill_params.height = 1;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &fill_params));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, &fill, 1, variable, c.device, kBytes / 2,
                                       kBytes / 2, cudaMemcpyDeviceToDevice));
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, c.device, variable, kBytes, 0,
                                         cudaMemcpyDeviceToDevice));
  cudaMemcpy3DParms box_params{};
  box_params.srcPtr = make_cudaPitchedPtr(c.device, kBytes, kBytes, 1);
  box_params.dstPtr = make_cudaPitchedPtr(c.out, kBytes, kBytes, 1);
  box_params.extent = make_cudaExtent(kBytes, 1, 1);
  box_params.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&box, graph, &from, 1, &box_params));
  run(executable(graph));
  std::printf("%s: %g %g\n", types_of(graph).c_str(), c.out[0], c.out[kCount - 1]);
  cudaMemcpy3DParms told{};
  cudaMemsetParams told_fill{};
  CHECK(cudaGraphMemcpyNodeGetParams(c.up, &told));
  CHECK(cudaGraphMemsetNodeGetParams(fill, &told_fill));
  std::printf("told: %d %zu, %zu x %u\n", told.srcPtr.ptr == c.in, told.extent.width,
              told_fill.width, told_fill.elementSize);
  show("too much", cudaGraphMemcpyNodeSetParamsToSymbol(to, variable, c.device, kBytes, 4,
                                                        cudaMemcpyDeviceToDevice));
}

void events() {
  Chain c;
  cudaEvent_t first, second, mark;
  CHECK(cudaEventCreate(&first));
  CHECK(cudaEventCreate(&second));
  CHECK(cudaEventCreate(&mark));
  cudaGraphNode_t begin, end, wait;
  CHECK(cudaGraphAddEventRecordNode(&begin, c.graph, nullptr, 0, first));
  CHECK(cudaGraphAddDependencies(c.graph, &begin, &c.up, nullptr, 1));
  CHECK(cudaGraphAddEventRecordNode(&end, c.graph, &c.down, 1, second));
  CHECK(cudaGraphAddEventWaitNode(&wait, c.graph, nullptr, 0, mark));
  CHECK(cudaGraphAddDependencies(c.graph, &wait, &begin, nullptr, 1));
  run(executable(c.graph));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, first, second));
  cudaEvent_t told = nullptr;
  CHECK(cudaGraphEventRecordNodeGetEvent(end, &told));
  std::printf("%s, took time: %d, told: %d\n", types_of(c.graph).c_str(), ms > 0, told == second);
}

void generic() {
  Chain c;
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t up, scale, down;
  cudaGraphNodeParams copy{};
  copy.type = cudaGraphNodeTypeMemcpy;
  copy.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(c.in, kBytes, kBytes, 1);
  copy.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(c.device, kBytes, kBytes, 1);
  copy.memcpy.copyParams.extent = make_cudaExtent(kBytes, 1, 1);
  copy.memcpy.copyParams.kind = cudaMemcpyDefault;
  CHECK(cudaGraphAddNode(&up, graph, nullptr, nullptr, 0, &copy));
  cudaGraphNodeParams kernel{};
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel.func = c.kernel.func;
  kernel.kernel.gridDim = c.kernel.gridDim;
  kernel.kernel.blockDim = c.kernel.blockDim;
  kernel.kernel.kernelParams = c.arguments;
  CHECK(cudaGraphAddNode(&scale, graph, &up, nullptr, 1, &kernel));
  copy.memcpy.copyParams.srcPtr.ptr = c.device;
  copy.memcpy.copyParams.dstPtr.ptr = c.out;
  CHECK(cudaGraphAddNode(&down, graph, &scale, nullptr, 1, &copy));
  cudaGraphExec_t made = executable(graph);
  std::printf("%s: %g\n", types_of(graph).c_str(), run(made, c));
  c.factor = 6;
  CHECK(cudaGraphExecNodeSetParams(made, scale, &kernel));
  std::printf("set: %g\n", run(made, c));
  cudaGraphNodeParams conditional{};
  conditional.type = cudaGraphNodeTypeConditional;
  cudaGraphNode_t node = nullptr;
  show("conditional", cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &conditional));
  cudaGraphConditionalHandle handle;
  show("handle", cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
}

std::uint64_t used() {
  std::uint64_t bytes = 0;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  return bytes;
}

void memory() {
  Chain c;
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t allocate, fill, down, release;
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = kBytes;
  CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &params));
  cudaMemsetParams filled{params.dptr, 0, 0x40400000, 4, kCount, 1};
  CHECK(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &filled));
  CHECK(cudaGraphAddMemcpyNode1D(&down, graph, &fill, 1, c.out, params.dptr, kBytes,
                                 cudaMemcpyDefault));
  cudaGraphExec_t keeping = executable(graph), freeing = nullptr;
  show("another", cudaGraphInstantiate(&freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  float out = run(keeping, c);
  std::printf("out: %g, used: %d\n", out, used() >= kBytes);
  show("again", cudaGraphLaunch(keeping, stream()));
  CHECK(cudaFreeAsync(params.dptr, stream()));
  show("freed twice", cudaFree(params.dptr));
  std::printf("out: %g\n", run(keeping, c));
  CHECK(cudaFree(params.dptr));
  CHECK(cudaGraphExecDestroy(keeping));
  CHECK(cudaGraphInstantiate(&freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  run(freeing, c);
  std::printf("out: %g\n", run(freeing, c));
  CHECK(cudaFree(params.dptr));
  CHECK(cudaGraphExecDestroy(freeing));

  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &params));
  filled.dst = params.dptr;
  CHECK(cudaGraphAddMemsetNode(&fill, graph, &allocate, 1, &filled));
  CHECK(cudaGraphAddMemcpyNode1D(&down, graph, &fill, 1, c.out, params.dptr, kBytes,
                                 cudaMemcpyDefault));
  CHECK(cudaGraphAddMemFreeNode(&release, graph, &down, 1, params.dptr));
  cudaGraphExec_t whole = executable(graph);
  run(whole, c);
  out = run(whole, c);
  std::printf("%s, out: %g, used: %d\n", types_of(graph).c_str(), out, used() != 0);

  cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal);
  float* captured = nullptr;
  CHECK(cudaMallocAsync(&captured, kBytes, stream()));
  CHECK(cudaMemsetAsync(captured, 0, kBytes, stream()));
  program::copy<<<2, 128, 0, stream()>>>(c.in, captured, kCount);
  CHECK(cudaMemcpyAsync(c.out, captured, kBytes, cudaMemcpyDefault, stream()));
  CHECK(cudaFreeAsync(captured, stream()));
  cudaGraph_t of_stream = nullptr;
  CHECK(cudaStreamEndCapture(stream(), &of_stream));
  cudaGraphExec_t made = executable(of_stream);
  run(made, c);
  std::printf("%s, out: %g\n", types_of(of_stream).c_str(), run(made, c));
  for (cudaGraph_t it : {graph, of_stream}) CHECK(cudaGraphDestroy(it));
  for (cudaGraphExec_t it : {whole, made}) CHECK(cudaGraphExecDestroy(it));
  CHECK(cudaDeviceGraphMemTrim(0));
  std::uint64_t reserved = 1;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  std::printf("reserved: %d\n", reserved != 0);
}

void captured() {
  Chain c;
  cudaStreamCaptureStatus status{};
  cudaGraph_t graph = nullptr, ended = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 0;
  unsigned long long id = 0;
  CHECK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(c.device, c.in, kBytes, cudaMemcpyDefault, stream()));
  CHECK(cudaStreamGetCaptureInfo(stream(), &status, &id, &graph, &last, nullptr, &count));
  cudaGraphNode_t scale = nullptr;
  CHECK(cudaGraphAddKernelNode(&scale, graph, last, count, &c.kernel));
  CHECK(cudaStreamUpdateCaptureDependencies(stream(), &scale, nullptr, 1,
                                            cudaStreamSetCaptureDependencies));
  program::scale<float><<<2, 128, 0, stream()>>>(c.device, 3, kCount);
  CHECK(cudaMemcpyAsync(c.out, c.device, kBytes, cudaMemcpyDefault, stream()));
  CHECK(cudaStreamEndCapture(stream(), &ended));
  std::printf("%s, edges %zu, same: %d, out: %g\n", types_of(ended).c_str(), edges_of(ended),
              ended == graph, run(executable(ended), c));

  cudaGraphNode_t nodes[4];
  count = 4;
  CHECK(cudaGraphGetNodes(ended, nodes, &count));
  cudaKernelNodeParams told{};
  CHECK(cudaGraphKernelNodeGetParams(nodes[2], &told));
  std::printf("factor: %g\n", *static_cast<float*>(told.kernelParams[1]));
  float other = 10;
  told.kernelParams[1] = &other;
  cudaGraphExec_t made = executable(ended);
  CHECK(cudaGraphExecKernelNodeSetParams(made, nodes[2], &told));
  std::printf("out: %g\n", run(made, c));

  CHECK(cudaStreamBeginCaptureToGraph(stream(), c.graph, &c.down, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(c.out, 0, kBytes, stream()));
  CHECK(cudaStreamEndCapture(stream(), &ended));
  std::printf("%s, edges %zu, out: %g\n", types_of(ended).c_str(), edges_of(ended),
              run(executable(ended), c));
  CHECK(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeGlobal));
  show("launch", cudaGraphLaunch(made, stream()));
  show("end", cudaStreamEndCapture(stream(), &ended));
}

/// Ends when neither the program nor a graph refers to them.
void objects() {
  static std::atomic<int> ended{0};
  const auto wait_for = [](int number) {
    for (int i = 0; i < 1000 && ended != number; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ended.load();
  };
  const cudaHostFn_t end = [](void* amount) { ended += *static_cast<int*>(amount); };
  static int amounts[] = {1, 10};
  cudaUserObject_t moved, shared;
  CHECK(cudaUserObjectCreate(&moved, &amounts[0], end, 1, cudaUserObjectNoDestructorSync));
  CHECK(cudaUserObjectCreate(&shared, &amounts[1], end, 2, cudaUserObjectNoDestructorSync));
  show("waits", cudaUserObjectCreate(&shared, &amounts[1], end, 2, 0));
  Chain c;
  CHECK(cudaGraphRetainUserObject(c.graph, moved, 1, cudaGraphUserObjectMove));
  CHECK(cudaGraphRetainUserObject(c.graph, shared, 2, 0));
  show("more", cudaUserObjectRelease(moved, 1));
  const cudaGraphExec_t made = executable(c.graph);
  CHECK(cudaGraphDestroy(c.graph));
  CHECK(cudaUserObjectRetain(shared, 1));
  CHECK(cudaUserObjectRelease(shared, 3));
  std::printf("out: %g, ended: %d\n", run(made, c), ended.load());
  CHECK(cudaGraphExecDestroy(made));
  std::printf("ended: %d\n", wait_for(11));
  show("gone", cudaUserObjectRetain(shared, 1));
}

void dot() {
  Chain c;
  const char* const path = std::getenv("DOT");
  CHECK(cudaGraphDebugDotPrint(c.graph, path, 0));
  std::ifstream file(path);
  int edges = 0, nodes = 0;
  for (std::string line; std::getline(file, line);) {
    edges += line.find("->") != std::string::npos;
    nodes += line.find("label") != std::string::npos;
  }
  std::printf("nodes %d, edges %d\n", nodes, edges);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> acts = {
      {"chain", chain},       {"order", order},   {"clones", clones},   {"updates", updates},
      {"copies", copies},     {"events", events}, {"generic", generic}, {"memory", memory},
      {"captured", captured}, {"dot", dot},       {"objects", objects}};
  const auto act = argc > 1 ? acts.find(argv[1]) : acts.end();
  if (act == acts.end()) return 64;
  act->second();
  return 0;
}
