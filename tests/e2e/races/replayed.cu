// Copies that graphs make.

#include "race_case.cuh"

namespace {

/// Uploads the numbers and adds them up.
struct Step : Graph {
  Step(int* on_device, const int* staging, int* sum, int count, cudaStream_t stream)
      : Graph(stream, [&] {
          to_device(on_device, staging, count, stream);
          add_to<<<1, 64, 0, stream>>>(sum, on_device, count);
        }) {}
};

}  // namespace

// After pytorch/pytorch#167508: what a graph reads is written again while it may still run.
RACE_CASE(staging_of_a_graph) {
  Pinned<int> staging(24);
  OnDevice<int> on_device(24), sum(24);
  Stream stream;
  const Step step(on_device.get(), staging.get(), sum.get(), 24, stream);
  for (int i = 0; i < 4; ++i) {
    for (int k = 0; k < 24; ++k) staging[k] = i + k;  // RACE async-source-reuse
    step.launch(stream);
    if (right) stream.wait();
  }
}

// Two launches in flight share the buffer: the same of two graphs that take turns.
RACE_CASE(two_graphs_of_one_buffer) {
  Pinned<int> staging(48);
  OnDevice<int> on_device(48), sum(48);
  Stream first, second;
  int* const other = staging.get() + (right ? 24 : 0);
  const Step even(on_device.get(), staging.get(), sum.get(), 24, first);
  const Step odd(on_device.get() + 24, other, sum.get() + 24, 24, second);
  for (int k = 0; k < 24; ++k) staging[k] = k;
  even.launch(first);
  for (int k = 0; k < 24; ++k) other[k] = k + 1;  // RACE async-source-reuse
  odd.launch(second);
}

// The same of a graph that is built node by node, whose source is set later.
RACE_CASE(node_with_a_new_source) {
  Pinned<int> staging(64);
  OnDevice<int> on_device(16);
  Stream stream;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t executable = nullptr;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, on_device.get(), staging.get(), 64,
                                 cudaMemcpyHostToDevice));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  int* const source = staging.get() + 32;
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(executable, node, on_device.get(), source, 64,
                                           cudaMemcpyHostToDevice));
  CHECK(cudaGraphLaunch(executable, stream));
  if (right) stream.wait();
  staging[0] = 1;
  source[3] = 2;  // RACE async-source-reuse
  stream.wait();
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

// After huggingface/candle#3352: the graph keeps the address, and the memory is gone.
RACE_CASE(graph_of_a_freed_buffer) {
  int* staging = nullptr;
  CHECK(cudaMallocHost(&staging, 64 * sizeof(int)));
  std::memset(staging, 0, 64 * sizeof(int));
  OnDevice<int> on_device(64), sum(64);
  Stream stream;
  const Step step(on_device.get(), staging, sum.get(), 64, stream);
  step.launch(stream);
  stream.wait();
  if (!right) CHECK(cudaFreeHost(staging));
  CHECK(cudaGraphLaunch(step.executable(), stream));  // RACE use-after-free
  stream.wait();
  if (right) CHECK(cudaFreeHost(staging));
}
