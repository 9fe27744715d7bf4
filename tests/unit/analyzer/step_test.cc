#include "analyzer/flow/step.h"

#include <gtest/gtest.h>

#include <vector>

#include "analyzer/flow/events.h"
#include "analyzer/flow/handed.h"

namespace xfer::analyzer {
namespace {

class NothingAround : public Surroundings {
 public:
  const Summary& summary_of(FunctionId) override { return unknown_; }
  const Summary& summary_of_any(FunctionId) override { return unknown_; }
  const SettledField* settled(FieldId) override { return nullptr; }
  Strict strict(FieldId) override { return Strict::kUnknown; }

 private:
  const Summary unknown_;
};

struct Ear : Observer {
  void written(ObjectId id, BlockId) override { writes.push_back(id); }
  void escaped(ObjectId id, BlockId) override { escapes.push_back(id); }
  void outside_written(BlockId) override { ++outside_writes; }

  std::vector<ObjectId> writes, escapes;
  unsigned outside_writes = 0;
};

class StepTest : public testing::Test {
 protected:
  Step step(FactId fact, Observer* observer) {
    return {tables_, state_, observer, {fact, BlockId(0), SpotId()}};
  }
  /// A tensor on the CPU that `fact` makes.
  ObjectId tensor(FactId fact) {
    Object made;
    made.device = Device::cpu();
    return step(fact, nullptr).make(0, made);
  }
  /// A copy of `source` on CUDA that `fact` made, which still stands.
  ObjectId copy(ObjectId source, FactId fact) {
    const ObjectId result = tensor(fact);
    state_.copies.push_back({source, state_.objects.find(source)->version, Device::cuda(0), result,
                             state_.objects.find(result)->version, fact});
    return result;
  }

  Unit unit_;
  FunctionFacts facts_;
  OriginTable origins_;
  SymbolTable symbols_;
  NothingAround around_;
  FlowTables tables_{unit_, facts_, origins_, symbols_, around_, {}, {}};
  State state_;
  Ear ear_;
};

TEST_F(StepTest, what_escapes_is_told_and_no_copy_of_it_stands) {
  const ObjectId x = tensor(FactId(1));
  copy(x, FactId(2));
  step(FactId(3), &ear_).escape(x);
  EXPECT_EQ(ear_.escapes, std::vector<ObjectId>{x});
  EXPECT_TRUE(state_.objects.find(x)->escaped);
  EXPECT_TRUE(state_.copies.empty());
}

TEST_F(StepTest, a_write_is_told_of_all_that_share_the_data) {
  const ObjectId x = tensor(FactId(1));
  const ObjectId view = tensor(FactId(2));
  state_.merge_aliases(state_.objects.find(x)->alias, state_.objects.find(view)->alias);
  const ObjectId other = tensor(FactId(3));
  copy(view, FactId(4));
  step(FactId(5), &ear_).write(x);
  EXPECT_EQ(ear_.writes, (std::vector<ObjectId>{x, view}));
  EXPECT_EQ(state_.objects.find(x)->version, state_.objects.find(view)->version);
  EXPECT_NE(state_.objects.find(x)->version, state_.objects.find(other)->version);
  EXPECT_TRUE(state_.copies.empty());
  EXPECT_EQ(ear_.outside_writes, 0U);
}

TEST_F(StepTest, a_write_to_what_was_there_before_the_function_may_be_to_anything_from_outside) {
  const ObjectId given = origins_.intern(Origin::kParameter, 0, 0, 0, kNoBlock);
  state_.objects[given].alias = given;
  state_.objects[given].version = first_version(given);
  const ObjectId kept = copy(tensor(FactId(1)), FactId(2));
  state_.copies.front().changeable = true;
  step(FactId(3), &ear_).write(given);
  EXPECT_EQ(ear_.writes, std::vector<ObjectId>{given});
  EXPECT_EQ(ear_.outside_writes, 1U);
  EXPECT_TRUE(state_.copies.empty());
  EXPECT_NE(state_.objects.find(kept), nullptr);
}

TEST_F(StepTest, what_a_fact_made_before_is_another_object) {
  const ObjectId first = tensor(FactId(1));
  state_.variables[VariableId(1)] = Value::of(first);
  EXPECT_EQ(tensor(FactId(1)), first);
  const ObjectId older = state_.variables.find(VariableId(1))->object;
  EXPECT_NE(older, first);
  EXPECT_EQ(state_.objects.find(older)->device, Device::cpu());
}

TEST_F(StepTest, what_a_call_hands_over_is_told_also_where_it_is_to_throw) {
  Call call;
  call.callee = FunctionId(1);
  call.expects_failure = true;
  call.arguments.resize(1);
  call.arguments.front().role = Role::kTensor;
  call.arguments.front().value = ValueId(7);
  state_.temporaries[ValueId(7)] = Value::of(tensor(FactId(1)));
  Graph graph(facts_);
  Events events(graph);
  const Step calling = step(FactId(2), &events);
  hand_arguments(calling, call);
  calling.events.given({BlockId(0), &call, 0, Device::cuda(0)});
  ASSERT_EQ(events.handed_events.size(), 1U);
  EXPECT_EQ(events.handed_events.front().to, Holder::parameter(call.callee, 0));
  EXPECT_EQ(events.handed_events.front().device, Device::cpu());
  EXPECT_TRUE(events.given_events.empty());
}

TEST_F(StepTest, what_code_does_that_asks_where_something_is_is_not_kept) {
  const BlockId exit(0), asks(1), asked(2);
  facts_.blocks.resize(3);
  facts_.entry = asks;
  facts_.exit = exit;
  facts_.order = {asks, asked, exit};
  facts_.blocks[asks].successors = {asked, exit};
  facts_.blocks[asks].device_query = true;
  facts_.blocks[asked].successors = {exit};
  Graph graph(facts_);
  Events events(graph);
  const Call call;
  for (const BlockId block : {asks, asked}) {
    OperandsEvent operands{};
    operands.block = block;
    operands.call = &call;
    events.operands(operands);
    events.followed_on_device({FactId(1), block, &call, {}});
    HostAccessEvent access{};
    access.block = block;
    events.host_access(access);
  }
  ASSERT_EQ(events.operand_events.size(), 1U);
  EXPECT_EQ(events.operand_events.front().block, asks);
  EXPECT_EQ(events.device_access_events.size(), 1U);
  EXPECT_EQ(events.host_access_events.size(), 1U);
}

TEST_F(StepTest, of_calls_that_are_to_throw_only_what_their_transfers_return_is_kept) {
  Graph graph(facts_);
  Events events(graph);
  Call call;
  call.expects_failure = true;
  TransferEvent transfer{};
  transfer.call = &call;
  transfer.result = ObjectId(5);
  transfer.given = transfer.certain = true;
  events.transfer(transfer);
  OperandsEvent operands{};
  operands.call = &call;
  events.operands(operands);
  events.followed_on_device({FactId(1), BlockId(0), &call, {}});
  EXPECT_TRUE(events.transfer_events.empty());
  EXPECT_TRUE(events.operand_events.empty());
  EXPECT_TRUE(events.device_access_events.empty());
  ASSERT_TRUE(events.given_transfers.contains(transfer.result));
  EXPECT_TRUE(events.given_transfers.at(transfer.result));
}

TEST_F(StepTest, the_state_is_the_same_where_nobody_listens) {
  const ObjectId x = tensor(FactId(1));
  copy(x, FactId(2));
  const State before = state_;
  const auto work = [&](Observer* observer) {
    state_ = before;
    Step now = step(FactId(3), observer);
    now.write(x);
    now.escape(x);
    now.fresh(Role::kMemory, 1);
    now.outside_written();
    return state_;
  };
  const State heard = work(&ear_);
  EXPECT_EQ(heard, work(nullptr));
  EXPECT_FALSE(heard == before);
  EXPECT_FALSE(step(FactId(4), nullptr).observed());
}

}  // namespace
}  // namespace xfer::analyzer
