#pragma once
// One step of a function's flow: the state that a fact works on. The step tells the observer each
// change that it makes to the state.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/amounts.h"
#include "analyzer/flow/observer.h"
#include "analyzer/flow/surroundings.h"

namespace xfer::analyzer {

/// The tables that all steps of one function share.
struct FlowTables {
  const Unit& unit;
  const FunctionFacts& facts;
  OriginTable& origins;
  SymbolTable& symbols;
  Surroundings& surroundings;
  std::map<ObjectId, const fact::List*> lists;  ///< what wrote a list's elements
  Deciders deciding;                    ///< what decides, in functions called here, about devices
  std::map<FactId, CallId> begun = {};  ///< calls that began work of a device
  Amounts amounts{facts};
};

/// The fact that runs.
struct Running {
  FactId fact;
  BlockId block = kNoBlock;
  SpotId spot;
};

class Step {
 public:
  /// `observer`: null where nobody listens.
  Step(FlowTables& tables, State& state, Observer* observer, const Running& running);

  const Unit& unit;
  const FunctionFacts& facts;
  OriginTable& origins;
  SymbolTable& symbols;
  Surroundings& surroundings;
  FlowTables& tables;
  State& state;
  Observer& events;
  const FactId fact;
  const BlockId block;
  const SpotId spot;

  /// False: it is no use to make events whose making costs something.
  bool observed() const { return observed_; }

  // Look-ups in the state.
  Object* find(ObjectId id) const { return state.objects.find(id); }  ///< null: nothing is known
  Device device_of(ObjectId id) const { return state.device_of(id); }
  Value value(ValueId id) const;
  ObjectId object(ValueId id) const { return value(id).object; }
  ObjectId object_of(const Operand& operand) const;
  OperandView view(const Operand& operand) const;
  OperandView view(const Operand& operand, ObjectId id, SpotId spot) const;
  /// The known parts of a list or a tuple, each where it is written.
  std::vector<OperandView> parts_of(const Operand& operand, ObjectId whole) const;
  /// The object, or what it shares data with, was there before the function, or is a part of a
  /// module: others may hold it too.
  bool from_outside(ObjectId id) const;
  /// The memory is an array of the program's own, on the host.
  bool is_global_array(const Object& memory) const;

  // Things that the fact makes. One fact makes several things under several `sub`.
  ObjectId id_of_result() { return origins.intern(Origin::kFact, fact, 0, 0, block); }
  ObjectId make(std::uint32_t sub, Object object);
  /// An object that was there before the function, as the fact finds it.
  ObjectId find_global(std::uint32_t sub, Object object);
  /// The object that a variable names at every fact alike, its `sub`th; `object`: its first state.
  ObjectId find_named(VariableId variable, std::uint32_t sub, Object object);
  SymbolId symbol_of_result(std::uint32_t sub) {
    return symbols.intern(Origin::kFact, fact, sub, 0);
  }
  /// A device of which nothing is known.
  Device opaque(std::uint32_t sub);
  /// One that the program may know more of.
  Device told(std::uint32_t sub, Holder holder);
  /// A value of which nothing is known.
  Value fresh(ValueType type, std::uint32_t sub);
  Value fresh(Role role, std::uint32_t sub) { return fresh(ValueType::of(role), sub); }

  // Effects of the fact.
  void write(ObjectId id);
  /// A graph runs again what was captured.
  void write_everything();
  /// Of what is from outside the function tells one tensor from another by its name, but two names
  /// may have shared data, and a parameter is an optimizer's as well.
  void outside_written();
  void read(ObjectId id) const { events.read(id, fact, block); }
  /// Numbers or pointers in the object may be others now; ObjectId(): in any.
  void renumber(ObjectId id);
  /// Others may read and write it from now on.
  void escape(ObjectId id);
  /// Nothing that was begun before is under way any more, but for what `by` does not wait for.
  void waited(const Call* by = nullptr);
  /// The call begins work that may be under way after it: by the fact that runs.
  void begins(const Call& call) const { tables.begun[fact] = facts.calls.id_of(call); }

  /// An event that speaks of a call.
  template <class Event>
  Event event(const Call& call) const {
    Event made{};
    made.fact = fact;
    made.block = block;
    made.call = &call;
    return made;
  }
  void tell(DataUse use, const Call* call, PlaceId place, SpotId spot_id, Role role,
            const Object& object) const {
    events.data({use, fact, block, call, place, spot_id, role, object});
  }
  void tell(DataUse use, const Call& call, const Operand& operand, const Object& object) const {
    tell(use, &call, operand.place, operand.spot, operand.role, object);
  }

 private:
  ObjectId put(ObjectId id, Object object);
  void retire(ObjectId id, unsigned depth);

  const bool observed_;
};

ObjectKind kind_of(Role role);
/// The function that a call runs or names; none: it is a library's, or unknown.
inline FunctionId callee_of(const Call& call) { return call.callee ? call.callee : call.named; }
/// The operand that a call gives for a parameter of its callee; null: none.
const Operand* argument(const Call& call, std::uint32_t parameter);
/// The device that the arguments give; none when they give no device at all. `tensors`: a tensor
/// gives the one that it is on.
std::optional<Device> device_argument(const Step& step, const Call& call, bool tensors);

}  // namespace xfer::analyzer
