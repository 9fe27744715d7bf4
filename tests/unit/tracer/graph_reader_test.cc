#include "graphs/graph_reader.h"

#include <cuda.h>
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace xfer::tracer {
namespace {

using testing::ElementsAre;

struct Pair {
  std::uint64_t first;
  std::uint64_t second;
};

std::uint64_t g_pointer = 0x9000;
Pair g_pair{7, 0x9100};
void* g_arguments[] = {&g_pointer, &g_pair};
bool g_refuses = false;

CUgraph graph_of(std::uintptr_t handle) { return reinterpret_cast<CUgraph>(handle); }
std::uintptr_t number(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

}  // namespace
}  // namespace xfer::tracer

using namespace xfer::tracer;

// The driver: graph 1 has nodes whose handles are 100 and their types; the one of a graph is 2,
// with a copy.
extern "C" {
__attribute__((visibility("default"))) CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes,
                                                                size_t* count) {
  const std::vector<int> types =
      graph == graph_of(1)
          ? std::vector<int>{CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMSET,
                             CU_GRAPH_NODE_TYPE_HOST,   CU_GRAPH_NODE_TYPE_GRAPH,
                             CU_GRAPH_NODE_TYPE_EMPTY,  CU_GRAPH_NODE_TYPE_MEM_ALLOC}
          : std::vector<int>{CU_GRAPH_NODE_TYPE_MEMCPY};
  if (nodes != nullptr)
    for (size_t i = 0; i < types.size(); ++i)
      nodes[i] = reinterpret_cast<CUgraphNode>(static_cast<std::uintptr_t>(100 + types[i]));
  *count = types.size();
  return g_refuses ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult cuGraphNodeGetType(CUgraphNode node,
                                                                   CUgraphNodeType* type) {
  *type = static_cast<CUgraphNodeType>(number(node) - 100);
  return CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode,
                                                                              CUgraph* graph) {
  *graph = graph_of(2);
  return CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult cuGraphMemcpyNodeGetParams(CUgraphNode,
                                                                           CUDA_MEMCPY3D* copy) {
  *copy = {};
  copy->srcMemoryType = CU_MEMORYTYPE_HOST;
  copy->srcHost = reinterpret_cast<void*>(0x5000);
  copy->dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy->dstDevice = 0x9000;
  copy->WidthInBytes = 64;
  copy->Height = copy->Depth = 1;
  return CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult
cuGraphMemsetNodeGetParams(CUgraphNode, CUDA_MEMSET_NODE_PARAMS* fill) {
  *fill = {0x9200, 0, 0, 4, 8, 1};
  return CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult
cuGraphKernelNodeGetParams_v2(CUgraphNode, CUDA_KERNEL_NODE_PARAMS_v2* kernel) {
  *kernel = {};
  kernel->func = reinterpret_cast<CUfunction>(0x40);
  kernel->kernelParams = g_arguments;
  return CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult
cuGraphMemAllocNodeGetParams(CUgraphNode, CUDA_MEM_ALLOC_NODE_PARAMS* memory) {
  *memory = {};
  memory->dptr = 0x9400;
  memory->bytesize = 512;
  return CUDA_SUCCESS;
}
__attribute__((visibility("default"))) CUresult cuFuncGetParamInfo(CUfunction function,
                                                                   size_t index, size_t* offset,
                                                                   size_t* bytes) {
  if (number(function) != 0x40 || index > 1) return CUDA_ERROR_INVALID_VALUE;
  *offset = index * 8;
  *bytes = index == 0 ? 8 : sizeof(Pair);
  return CUDA_SUCCESS;
}
}

namespace xfer::tracer {
namespace {

MATCHER_P2(Word, value, is_argument, "") {
  return arg.value == static_cast<std::uint64_t>(value) && arg.is_argument == is_argument;
}

class GraphReaderTest : public testing::Test {
 protected:
  GraphReaderTest() {
    reader_.find(dlopen(nullptr, RTLD_NOW), nullptr);
    query_ = reader_.query();
  }
  ~GraphReaderTest() override { g_refuses = false; }

  GraphReader reader_;
  GraphQuery query_;
};

TEST_F(GraphReaderTest, TheNodesOfTheGraphAndOfThoseWithinIt) {
  const auto nodes = query_.nodes(1);
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 5U) << "an empty node is none";
  const GraphNode& kernel = (*nodes)[0];
  EXPECT_EQ(kernel.id, 100U + CU_GRAPH_NODE_TYPE_KERNEL);
  EXPECT_EQ(kernel.kind, NodeKind::kKernel);
  EXPECT_THAT(kernel.words, ElementsAre(Word(0x9000, true), Word(7, false), Word(0x9100, false)));
  EXPECT_EQ((*nodes)[1].kind, NodeKind::kFill);
  EXPECT_EQ((*nodes)[1].transfer.destination.address, 0x9200U);
  EXPECT_EQ((*nodes)[1].transfer.bytes(), 32U);
  EXPECT_EQ((*nodes)[2].kind, NodeKind::kTells);
  const GraphNode& copy = (*nodes)[3];
  EXPECT_EQ(copy.kind, NodeKind::kCopy);
  EXPECT_EQ(copy.transfer.source.address, 0x5000U);
  EXPECT_EQ(copy.transfer.source.side, Side::kHost);
  EXPECT_EQ(copy.transfer.bytes(), 64U);
  EXPECT_EQ((*nodes)[4].kind, NodeKind::kOwnMemory);
  EXPECT_EQ((*nodes)[4].transfer.destination.address, 0x9400U);
  EXPECT_EQ((*nodes)[4].transfer.bytes(), 512U);
}

TEST_F(GraphReaderTest, WhatTheDriverDoesNotSay) {
  g_refuses = true;
  EXPECT_FALSE(query_.nodes(1));
  LaunchCall launch;
  launch.function = reinterpret_cast<const void*>(0x40);
  launch.arguments = g_arguments;
  EXPECT_FALSE(query_.words(launch)) << "of the runtime's name for a kernel";
  launch.handle = LaunchCall::Handle::kFunction;
  EXPECT_TRUE(query_.words(launch));
  launch.is_packed = true;
  EXPECT_FALSE(query_.words(launch));
  GraphReader nobody;
  nobody.find(nullptr, nullptr);
  EXPECT_FALSE(nobody.query().nodes);
}

}  // namespace
}  // namespace xfer::tracer
