#include "graphs/graph_reader.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstring>

#include "call_shapes.h"
#include "graphs/graph_shapes.h"
#include "library_symbol.h"

namespace xfer::tracer {
namespace {

/// Adds the words at which an argument may hold an address.
void add_words(const void* argument, std::size_t bytes, std::vector<KernelWord>* words) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const char*>(argument) + at, sizeof(word));
    words->push_back({word, bytes == sizeof(word)});
  }
}

}  // namespace

void GraphReader::find(void* driver, void* runtime) {
  asks_driver_ = symbol<Nodes>(driver, "cuGraphGetNodes") != nullptr;
  const auto one_of = [&](auto& function, const char* of_driver, const char* of_runtime) {
    using F = std::remove_reference_t<decltype(function)>;
    function = asks_driver_ ? symbol<F>(driver, of_driver) : symbol<F>(runtime, of_runtime);
  };
  one_of(nodes_, "cuGraphGetNodes", "cudaGraphGetNodes");
  one_of(type_, "cuGraphNodeGetType", "cudaGraphNodeGetType");
  one_of(child_, "cuGraphChildGraphNodeGetGraph", "cudaGraphChildGraphNodeGetGraph");
  one_of(copy_, "cuGraphMemcpyNodeGetParams", "cudaGraphMemcpyNodeGetParams");
  one_of(fill_, "cuGraphMemsetNodeGetParams", "cudaGraphMemsetNodeGetParams");
  one_of(kernel_, "cuGraphKernelNodeGetParams_v2", "cudaGraphKernelNodeGetParams");
  one_of(allocation_, "cuGraphMemAllocNodeGetParams", "cudaGraphMemAllocNodeGetParams");
  of_function_ = symbol<ArgumentPlace>(driver, "cuFuncGetParamInfo");
  of_kernel_ = symbol<ArgumentPlace>(driver, "cuKernelGetParamInfo");
  emulated_ = symbol<EmulatedArgument>(runtime, "xfer_emulator_kernel_parameter");
}

GraphQuery GraphReader::query() const {
  if (nodes_ == nullptr || type_ == nullptr) return {};
  return {[this](std::uint64_t graph) { return nodes(reinterpret_cast<void*>(graph)); },
          [this](const LaunchCall& launch) { return words(launch); },
          {}};
}

std::optional<std::vector<GraphNode>> GraphReader::nodes(void* graph) const {
  std::vector<GraphNode> nodes;
  if (!add_nodes(graph, &nodes)) return std::nullopt;
  return nodes;
}

bool GraphReader::add_nodes(void* graph, std::vector<GraphNode>* nodes) const {
  std::size_t count = 0;
  if (nodes_(graph, nullptr, &count) != 0) return false;
  std::vector<void*> handles(count);
  if (count != 0 && nodes_(graph, handles.data(), &count) != 0) return false;
  handles.resize(count);
  for (void* const node : handles) {
    int type = 0;
    if (type_(node, &type) != 0) return false;
    if (type == CU_GRAPH_NODE_TYPE_EMPTY || type == CU_GRAPH_NODE_TYPE_WAIT_EVENT ||
        type == CU_GRAPH_NODE_TYPE_MEM_FREE)
      continue;
    if (type != CU_GRAPH_NODE_TYPE_GRAPH) {
      nodes->push_back(read(node, type));
      continue;
    }
    void* child = nullptr;
    if (child_ == nullptr || child_(node, &child) != 0 || !add_nodes(child, nodes)) return false;
  }
  return true;
}

// The runtime's numbers are the driver's.
GraphNode GraphReader::read(void* node, int type) const {
  GraphNode result;
  result.id = reinterpret_cast<std::uintptr_t>(node);
  switch (type) {
    case CU_GRAPH_NODE_TYPE_MEMCPY: read_copy(node, &result); break;
    case CU_GRAPH_NODE_TYPE_MEMSET: read_fill(node, &result); break;
    case CU_GRAPH_NODE_TYPE_KERNEL: read_kernel(node, &result); break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: read_allocation(node, &result); break;
    default: result.kind = NodeKind::kTells; break;
  }
  return result;
}

template <typename OfDriver, typename OfRuntime, typename Use>
bool GraphReader::ask(Parameters question, void* node, const Use& use) const {
  const auto answer = [&](auto parameters) {
    if (question == nullptr || question(node, &parameters) != 0) return false;
    use(parameters);
    return true;
  };
  return asks_driver_ ? answer(OfDriver{}) : answer(OfRuntime{});
}

void GraphReader::read_copy(void* node, GraphNode* result) const {
  ApiCall call;
  const auto use = [&](const auto& parameters) { shapes::copy_box(&parameters, call); };
  if (!ask<CUDA_MEMCPY3D, cudaMemcpy3DParms>(copy_, node, use)) return;
  result->kind = call.node_kind;
  result->transfer = call.transfer;
}

void GraphReader::read_fill(void* node, GraphNode* result) const {
  ApiCall call;
  const auto use = [&](const auto& parameters) { shapes::fill(parameters, call); };
  if (!ask<CUDA_MEMSET_NODE_PARAMS, cudaMemsetParams>(fill_, node, use)) return;
  result->kind = NodeKind::kFill;
  result->transfer = call.transfer;
}

void GraphReader::read_kernel(void* node, GraphNode* result) const {
  ApiCall call;
  const auto use = [&](const auto& parameters) { shapes::kernel(parameters, call); };
  if (!ask<CUDA_KERNEL_NODE_PARAMS, cudaKernelNodeParams>(kernel_, node, use)) return;
  auto words_of = words(call.launch);
  if (!words_of) return;
  result->kind = NodeKind::kKernel;
  result->words = std::move(*words_of);
}

void GraphReader::read_allocation(void* node, GraphNode* result) const {
  const auto use = [&](const auto& parameters) {
    result->kind = NodeKind::kOwnMemory;
    result->transfer.destination.address = shapes::address_of(parameters.dptr);
    result->transfer.width = parameters.bytesize;
  };
  ask<CUDA_MEM_ALLOC_NODE_PARAMS, cudaMemAllocNodeParams>(allocation_, node, use);
}

bool GraphReader::argument(const LaunchCall& launch, std::size_t index, std::size_t* bytes) const {
  std::size_t offset = 0;
  if (!asks_driver_)
    return emulated_ != nullptr && emulated_(launch.function, index, &offset, bytes);
  const ArgumentPlace place =
      launch.handle == LaunchCall::Handle::kKernel ? of_kernel_ : of_function_;
  return place != nullptr && place(launch.function, index, &offset, bytes) == 0;
}

// The runtime's functions are none of the driver's: of one, a driver cannot be asked.
std::optional<std::vector<KernelWord>> GraphReader::words(const LaunchCall& launch) const {
  const bool is_runtimes = launch.handle == LaunchCall::Handle::kHostFunction;
  std::vector<KernelWord> words;
  std::size_t bytes = 0;
  if (launch.is_packed || launch.function == nullptr || (asks_driver_ && is_runtimes) ||
      (!argument(launch, 0, &bytes) && launch.arguments != nullptr))
    return std::nullopt;
  for (std::size_t i = 0; argument(launch, i, &bytes); ++i) {
    if (launch.arguments == nullptr || launch.arguments[i] == nullptr) return std::nullopt;
    add_words(launch.arguments[i], bytes, &words);
  }
  return words;
}

}  // namespace xfer::tracer
