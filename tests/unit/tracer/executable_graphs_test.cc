#include "graphs/executable_graphs.h"

#include <gmock/gmock.h>

#include <map>
#include <vector>

namespace xfer::tracer {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kExecutable = 0x70;
constexpr std::uint64_t kPinned = 0x5000;
constexpr std::uint64_t kMorePinned = 0x7000;
constexpr std::uint64_t kOnDevice = 0x9000;

GraphNode copy_node(std::uint64_t id, std::uint64_t to, std::uint64_t from) {
  return {id, NodeKind::kCopy, true, {{.address = to}, {.address = from}, 64}};
}
GraphNode upload(std::uint64_t id) { return copy_node(id, kOnDevice, kPinned); }
GraphNode kernel(std::uint64_t id, const std::vector<std::uint64_t>& words) {
  GraphNode node{id, NodeKind::kKernel, true, {}};
  for (const std::uint64_t word : words) node.words.push_back({word, true});
  return node;
}
GraphNode node_of(std::uint64_t id, NodeKind kind) { return {id, kind, true, {}}; }

/// Pinned memory in two places, and device memory in one.
class ExecutableGraphsTest : public testing::Test {
 protected:
  ExecutableGraphsTest() {
    memory_.insert({kPinned, kPinned + 0x1000, Space::kPinned});
    memory_.insert({kMorePinned, kMorePinned + 0x1000, Space::kPinned});
    memory_.insert({kOnDevice, kOnDevice + 0x1000, Space::kDevice, 0});
  }

  ApiCall call_of(Op op, std::uint64_t from = 0) {
    ApiCall call;
    call.op = op;
    call.graph = kExecutable;
    call.from = from;
    call.out = &kExecutable;
    return call;
  }
  std::shared_ptr<const GraphLaunch> launch_of(std::vector<GraphNode> nodes) {
    built_[1] = std::move(nodes);
    graphs_.see(call_of(Op::kGraphMade, 1));
    return launch();
  }
  std::shared_ptr<const GraphLaunch> launch() { return graphs_.launch(kExecutable); }
  void set(const GraphNode& node) {
    ApiCall call = call_of(Op::kGraphNodeSet);
    call.node = node.id;
    call.node_kind = node.kind;
    call.transfer = node.transfer;
    graphs_.see(call);
  }

  MemoryMap memory_;
  std::map<std::uint64_t, std::vector<GraphNode>> built_;  ///< what CUDA knows
  Space space_ = Space::kPageable;                         ///< what CUDA says of any place
  ExecutableGraphs graphs_{
      memory_,
      {[this](std::uint64_t graph) -> std::optional<std::vector<GraphNode>> {
         const auto found = built_.find(graph);
         return found == built_.end() ? std::nullopt : std::optional(found->second);
       },
       [](const LaunchCall&) { return std::optional(std::vector<KernelWord>{{kPinned, true}}); },
       {}},
      [this](std::uint64_t) { return space_; }};
};

TEST_F(ExecutableGraphsTest, TheHostSidesOfCopies) {
  const auto graph =
      launch_of({upload(1), copy_node(2, kMorePinned, kOnDevice),
                 copy_node(3, kOnDevice, kOnDevice + 64), copy_node(4, kOnDevice, 0x3000)});
  ASSERT_THAT(graph->sides, SizeIs(2));
  EXPECT_FALSE(graph->sides[0].to_host);
  EXPECT_TRUE(graph->sides[0].keeps_source);
  EXPECT_TRUE(graph->sides[1].to_host);
  ASSERT_THAT(graph->host_writes, SizeIs(1));
  EXPECT_EQ(graph->host_writes[0].begin, kMorePinned);
  EXPECT_EQ(graph->host_writes[0].end, kMorePinned + 64);
  EXPECT_TRUE(graph->is_plain);
  EXPECT_THAT(graph->gone, IsEmpty());
}

TEST_F(ExecutableGraphsTest, ASourceThatTheGraphWritesToItself) {
  const auto graph = launch_of({upload(1), copy_node(2, kPinned + 32, kOnDevice)});
  ASSERT_THAT(graph->sides, SizeIs(2));
  EXPECT_FALSE(graph->sides[0].keeps_source);
}

TEST_F(ExecutableGraphsTest, WhatIsNotKnownOfItsNodes) {
  EXPECT_EQ(launch(), nullptr) << "it was never made";
  graphs_.see(call_of(Op::kGraphMade, 2));
  EXPECT_EQ(launch(), nullptr) << "CUDA does not say";
  for (const GraphNode& node : {kernel(2, {kMorePinned + 8}), node_of(2, NodeKind::kUnknown)}) {
    const auto graph = launch_of({upload(1), node});
    EXPECT_FALSE(graph->is_plain);
    ASSERT_THAT(graph->sides, SizeIs(1));
    EXPECT_FALSE(graph->sides[0].keeps_source) << "a kernel may write there, or tell the host";
  }
  const auto graph = launch_of({upload(1), node_of(2, NodeKind::kTells)});
  EXPECT_FALSE(graph->is_plain);
  EXPECT_THAT(graph->sides, IsEmpty()) << "the host may know that the copy is over";
}

TEST_F(ExecutableGraphsTest, ANodeThatIsChangedOrLeftOut) {
  launch_of({upload(1), kernel(2, {})});
  set(copy_node(1, kOnDevice, kMorePinned));
  EXPECT_EQ(launch()->sides.at(0).transfer.source.address, kMorePinned);
  set(node_of(2, NodeKind::kKernel));
  EXPECT_FALSE(launch()->is_plain) << "it is given pinned memory now";
  ApiCall off = call_of(Op::kGraphNodeOnOff);
  off.node = 1;
  off.enabled = false;
  graphs_.see(off);
  EXPECT_THAT(launch()->sides, IsEmpty());
  set(upload(1));
  EXPECT_THAT(launch()->sides, IsEmpty()) << "it is off still";
}

TEST_F(ExecutableGraphsTest, AGraphThatBecomesAnother) {
  launch_of({upload(1)});
  built_[2] = {copy_node(11, kOnDevice, kMorePinned)};
  graphs_.see(call_of(Op::kGraphUpdated, 2));
  EXPECT_EQ(launch()->sides.at(0).transfer.source.address, kMorePinned);
  set(upload(1));
  EXPECT_EQ(launch(), nullptr) << "nobody knows which node that is";
  launch_of({upload(1)});
  graphs_.see(call_of(Op::kGraphGone));
  EXPECT_EQ(launch(), nullptr);
}

TEST_F(ExecutableGraphsTest, MemoryThatIsGone) {
  EXPECT_THAT(launch_of({upload(1), kernel(2, {kOnDevice + 128, 7})})->gone, IsEmpty());
  memory_.erase(kPinned);
  memory_.erase(kOnDevice);
  const auto graph = launch();
  ASSERT_THAT(graph->gone, SizeIs(3));
  EXPECT_EQ(graph->gone[0].address, kPinned);
  EXPECT_TRUE(graph->gone[1].used);
  EXPECT_EQ(graph->gone[2].address, kOnDevice + 128);
  EXPECT_FALSE(graph->gone[2].used) << "a kernel is given it";
  memory_.insert({kOnDevice, kOnDevice + 0x1000, Space::kDevice, 0});
  const auto other = launch();
  ASSERT_THAT(other->gone, SizeIs(3)) << "it is other memory that is there now";
  EXPECT_EQ(other->gone[0].now, Space::kUnknown);
  EXPECT_EQ(other->gone[1].now, Space::kDevice);
  graphs_.see(call_of(Op::kGraphMade, 1));
  EXPECT_THAT(launch()->gone, IsEmpty()) << "a graph that was made since, for what is there";
}

TEST_F(ExecutableGraphsTest, MemoryThatOnlySeemsToBeGone) {
  memory_.erase(kPinned);
  EXPECT_THAT(launch_of({upload(1)})->gone, IsEmpty()) << "any memory, as the graph was made later";
  memory_.erase(kOnDevice);
  GraphNode own = node_of(2, NodeKind::kOwnMemory);
  own.transfer.destination.address = kOnDevice;
  own.transfer.width = 0x1000;
  EXPECT_THAT(launch_of({own, kernel(3, {kOnDevice + 8})})->gone, IsEmpty());
  GraphNode structure = kernel(3, {kOnDevice + 8});
  structure.words[0].is_argument = false;
  EXPECT_THAT(launch_of({structure})->gone, IsEmpty()) << "what nobody reads, perhaps";
  space_ = Space::kDevice;
  EXPECT_THAT(launch_of({kernel(3, {kOnDevice + 8})})->gone, IsEmpty())
      << "CUDA knows it: another process's, say";
}

}  // namespace
}  // namespace xfer::tracer
