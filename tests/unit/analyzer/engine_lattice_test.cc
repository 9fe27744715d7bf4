#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/flow/join.h"
#include "analyzer/flow/lattice.h"
#include "analyzer/flow/state.h"

namespace xfer::analyzer {
namespace {

TEST(LatticeTest, bottom_is_neutral_and_different_devices_are_unknown) {
  EXPECT_EQ(join(Device::bottom(), Device::cpu()), Device::cpu());
  EXPECT_EQ(join(Device::cpu(), Device::bottom()), Device::cpu());
  EXPECT_EQ(join(Device::cpu(), Device::cpu()), Device::cpu());
  EXPECT_EQ(join(Device::cpu(), Device::cuda(0)), Device::unknown());
  EXPECT_EQ(join(Device::cuda(0), Device::cuda(1)), Device::unknown());
  EXPECT_EQ(join(Device::of(SymbolId(1)), Device::of(SymbolId(2))), Device::unknown());
}

TEST(LatticeTest, only_known_devices_are_different) {
  EXPECT_EQ(relate(Device::cpu(), Device::cuda(0)), Relation::kDifferent);
  EXPECT_EQ(relate(Device::cpu(), Device::cuda(Device::kCurrent)), Relation::kDifferent);
  EXPECT_EQ(relate(Device::cuda(0), Device::cuda(1)), Relation::kDifferent);
  EXPECT_EQ(relate(Device::of(SymbolId(1)), Device::of(SymbolId(1))), Relation::kSame);
  EXPECT_EQ(relate(Device::of(SymbolId(1)), Device::cpu()), Relation::kUnsure);
  EXPECT_EQ(relate(Device::of(SymbolId(1)), Device::of(SymbolId(2))), Relation::kUnsure);
  EXPECT_EQ(relate(Device::unknown(), Device::unknown()), Relation::kUnsure);
}

TEST(LatticeTest, the_current_cuda_device_may_be_any) {
  EXPECT_EQ(relate(Device::cuda(Device::kCurrent), Device::cuda(1)), Relation::kUnsure);
  EXPECT_EQ(relate(Device::cuda(Device::kCurrent), Device::cuda(Device::kCurrent)),
            Relation::kSame);
}

TEST(FlatMapTest, keeps_one_value_per_key) {
  FlatMap<int, int> map;
  map[3] = 30;
  map[1] = 10;
  map[3] = 31;
  ASSERT_EQ(map.size(), 2U);
  EXPECT_EQ(*map.find(3), 31);
  EXPECT_EQ(map.begin()->first, 1);
  map.erase(1);
  EXPECT_EQ(map.find(1), nullptr);
}

class StateTest : public ::testing::Test {
 protected:
  static constexpr VariableId x1{1}, x2{2}, x3{3};

  ObjectId add(State& state, VariableId variable, Device device) {
    const ObjectId id = origins.intern(Origin::kFact, next++, 0, 0, BlockId(0));
    Object object;
    object.device = device;
    object.alias = id;
    object.version = first_version(id);
    state.objects[id] = object;
    state.variables[variable] = Value::of(id);
    state.reachable = true;
    return id;
  }
  /// As `a` is first.
  static Copy copy_of(ObjectId a) {
    return {a, first_version(a), Device::cuda(0), ObjectId(50), VersionId(50), FactId(1)};
  }
  State join_states(const State& a, const State& b, bool loop_head = false) {
    State joined = a;
    Joiner(origins, symbols, BlockId(7), loop_head).join(joined, b);
    return joined;
  }

  OriginTable origins;
  SymbolTable symbols;
  std::uint32_t next = 1;
};

TEST_F(StateTest, a_write_changes_the_whole_alias_class) {
  State state;
  const ObjectId a = add(state, x1, Device::cpu());
  const ObjectId b = add(state, x2, Device::cpu());
  const ObjectId other = add(state, x3, Device::cpu());
  state.objects[b].alias = state.objects[a].alias;
  const VersionId version = origins.intern_version(Origin::kWrite, 99, 0, 0, BlockId(0));
  state.write(a, version);
  EXPECT_EQ(state.objects[b].version, version);
  EXPECT_EQ(state.objects[other].version, first_version(other));
}

TEST_F(StateTest, a_write_forgets_copies_of_what_was_written) {
  State state;
  const ObjectId a = add(state, x1, Device::cpu());
  state.copies.push_back(copy_of(a));
  state.write(a, origins.intern_version(Origin::kWrite, 99, 0, 0, BlockId(0)));
  EXPECT_TRUE(state.copies.empty());
}

TEST_F(StateTest, joined_values_of_one_device_keep_it) {
  State left, right;
  add(left, x1, Device::cuda(0));
  add(right, x1, Device::cuda(0));
  State joined = join_states(left, right);
  const Value* value = joined.variables.find(x1);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(joined.objects.find(value->object)->device, Device::cuda(0));
}

TEST_F(StateTest, joined_values_of_two_devices_are_one_of_them) {
  State left, right;
  add(left, x1, Device::cuda(0));
  add(right, x1, Device::cuda(1));
  State joined = join_states(left, right);
  const Device device = joined.objects.find(joined.variables.find(x1)->object)->device;
  ASSERT_TRUE(device.is_symbol());
  EXPECT_THAT(symbols[device.symbol].one_of,
              ::testing::UnorderedElementsAre(Device::cuda(0), Device::cuda(1)));
}

TEST_F(StateTest, what_one_path_moves_from_the_cpu_is_a_place_of_its_own) {
  State left, right;
  add(left, x1, Device::cuda(0));
  add(right, x1, Device::cpu());
  const State joined = join_states(left, right);
  const Device device = joined.objects.find(joined.variables.find(x1)->object)->device;
  ASSERT_TRUE(device.is_symbol());
  EXPECT_EQ(symbols[device.symbol].on_one_path, Device::cuda(0));
  EXPECT_FALSE(symbols[device.symbol].may_cuda);
}

TEST_F(StateTest, what_a_loop_moves_is_in_one_of_two_places) {
  State left, right;
  add(left, x1, Device::cuda(0));
  add(right, x1, Device::cpu());
  const State joined = join_states(left, right, /*loop_head=*/true);
  const Device device = joined.objects.find(joined.variables.find(x1)->object)->device;
  ASSERT_TRUE(device.is_symbol());
  EXPECT_FALSE(symbols[device.symbol].may_cuda);
  EXPECT_EQ(symbols[device.symbol].one_of.size(), 2U);
}

TEST_F(StateTest, a_joined_device_value_is_one_symbol_that_may_be_either) {
  State left, right;
  left.reachable = right.reachable = true;
  left.variables[x1] = Value::of(Device::cpu());
  right.variables[x1] = Value::of(Device::cuda(Device::kCurrent));
  const State joined = join_states(left, right);
  const Device device = joined.variables.find(x1)->device;
  ASSERT_TRUE(device.is_symbol());
  EXPECT_TRUE(symbols[device.symbol].may_cpu);
  EXPECT_TRUE(symbols[device.symbol].may_cuda);
}

TEST_F(StateTest, a_device_that_a_loop_changes_is_unknown) {
  State left, right;
  left.reachable = right.reachable = true;
  left.variables[x1] = Value::of(Device::cpu());
  right.variables[x1] = Value::of(Device::cuda(Device::kCurrent));
  const State joined = join_states(left, right, /*loop_head=*/true);
  EXPECT_EQ(joined.variables.find(x1)->device, Device::unknown());
}

TEST_F(StateTest, copies_survive_a_join_only_on_both_sides) {
  State left, right;
  const ObjectId a = add(left, x1, Device::cpu());
  right = left;
  const Copy copy = copy_of(a);
  left.copies.push_back(copy);
  EXPECT_TRUE(join_states(left, right).copies.empty());
  right.copies.push_back(copy);
  EXPECT_EQ(join_states(left, right).copies.size(), 1U);
}

TEST_F(StateTest, a_retired_object_keeps_its_facts_under_the_older_id) {
  State state;
  const ObjectId a = add(state, x1, Device::cuda(1));
  const ObjectId older = origins.intern(Origin::kOlder, a, 0, 0, BlockId(0));
  state.retire(first_version(a), first_version(older));
  EXPECT_EQ(state.variables.find(x1)->object, older);
  EXPECT_EQ(state.objects.find(older)->device, Device::cuda(1));
  EXPECT_EQ(state.objects.find(a), nullptr);
}

}  // namespace
}  // namespace xfer::analyzer
