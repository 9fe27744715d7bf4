#pragma once
// What one fact does to a state. Pure but for the tables of ids; an observer hears what the checks
// need to know.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "analyzer/facts/unit.h"
#include "analyzer/flow/observer.h"
#include "analyzer/flow/surroundings.h"

namespace xfer::analyzer {

class Interpreter {
 public:
  Interpreter(const Unit& unit, const FunctionFacts& facts, OriginTable& origins,
              SymbolTable& symbols, Surroundings& surroundings);

  State entry_state();
  void run(const Fact& fact, FactId id, BlockId block, State& state);
  void observe(Observer* observer) { observer_ = observer; }
  /// Some run has CUDA tensors in this parameter.
  void assume_cuda(std::uint32_t parameter) { on_cuda_.insert(parameter); }

  /// Parameters that decide, in functions called here, about devices.
  const std::set<std::uint32_t>& deciding() const { return deciding_; }

 private:
  Value apply(const fact::Load& load, State& state);
  Value apply(const fact::Store& store, State& state);
  Value apply(const fact::FieldOf& of, State& state);
  Value apply(const fact::DeviceIs& is, State& state);
  Value apply(const fact::ElementIs& is, State& state);
  Value apply(const fact::Select& select, State& state);
  Value apply(const fact::Copy& copy, State& state);
  Value apply(const fact::List& list, State& state);
  Value apply(const fact::Tuple& tuple, State& state);
  Value apply(const fact::ElementOf& of, State& state);
  Value apply(const fact::Put& put, State& state);
  Value apply(const fact::PartOf& of, State& state);
  Value apply(const fact::Fresh& what, State& state);
  Value apply(const fact::Batch& batch, State& state);
  Value apply(const fact::Share& what, State& state);
  Value apply(const fact::Lose& what, State& state);
  Value apply(const fact::Invoke& what, State& state);
  Value apply(const fact::End& end, State& state);
  Value apply(const fact::Access& access, State& state);
  Value apply(const fact::KeepPointer& kept, State& state);
  Value apply(const fact::Return& what, State& state);
  Value apply(const fact::Change& change, State& state);
  Value apply(const fact::EndStatement& end, State& state);

  ObjectId object(ValueId id, const State& state) const;
  ObjectId whole_of(const std::vector<ValueId>& parts, ObjectKind kind, Device empty, State& state);
  Value load(PlaceId place, State& state);
  Value variable_value(VariableId id, State& state);
  Value field_value(ObjectId base, FieldId field, State& state);
  bool from_outside(ObjectId id) const;
  Device settled_device(ObjectId base, const SettledField& settled, SymbolId own, State& state);
  void keep_elsewhere(ObjectId id, Role role, State& state);
  ObjectId make(State& state, std::uint32_t sub, Object object);
  void retire(ObjectId id, State& state, unsigned depth);
  Device opaque(State& state, std::uint32_t sub);
  Value fresh(ValueType type, State& state, std::uint32_t sub);
  Value fresh(Role role, State& state, std::uint32_t sub) {
    return fresh(ValueType::of(role), state, sub);
  }
  Value value(ValueId id, const State& state) const;
  void lose(ObjectId id, State& state, unsigned depth = 0);
  void reseat(ObjectId tensor, State& state);
  void write(ObjectId id, State& state);
  bool from_outside(ObjectId id, const State& state) const;
  void outside_written(State& state);
  void write_everything(State& state);
  void put(ObjectId list, ObjectId element, State& state);
  void add_element(ObjectId list, ObjectId element, State& state);
  void forget_globals(State& state);

  // interpret_modules.cc: modules and their parts.
  Strict class_strict(ClassId record) const;
  Strict forward_strict(ClassId record) const;
  void take_parts(const Call& call, Object& container, const State& state) const;
  Value new_module(const Call& call, State& state);
  Value move_module(const Call& call, State& state);
  Value register_parts(const Call& call, State& state);
  bool part_apart(ObjectId receiver, Object& owner, Device part) const;
  Device self_after(const Call& call, const Summary& summary, Device before, State& state);
  void set_device(ObjectId id, Device device, Placed placed, SpotId where, State& state);
  void part_moved(ObjectId whole, Device device, State& state, unsigned depth = 0);
  void element_moved(ObjectId list, Device device, State& state, unsigned depth);
  void hand_out_part(ObjectId whole, const Value& part, State& state);

  Value call(const Call& made, State& state);
  Value apply_model(const Call& call, State& state);
  Value apply_transfer(const Call& call, State& state);
  Value apply_plain(const Call& call, State& state);
  Value apply_summary(const Call& call, const Summary& summary, State& state);
  Value apply_unknown(const Call& call, State& state);
  // interpret_memory.cc: memory that is followed by its pointers.
  Value allocate(const Call& call, State& state);
  void free_memory(const Call& call, State& state);
  void copy_memory(const Call& call, State& state);
  void launch(const Call& call, State& state);
  void follow_on_device(const Call& call, const Operand& operand, State& state);
  void use_memory(const Call& call, State& state);
  Value apply_system(const Call& call, State& state);
  void hand_over_memory(const Call& call, const Operand& operand, State& state);
  void load_file(const Call& call, State& state);
  void lose_operand(const Operand& operand, State& state);
  void assign(const Operand& operand, Value value, State& state);
  // interpret_data.cc: element types, memory, gradients, copies that are under way.
  Value options_value(const Call& call, Value base, const State& state) const;
  Element element_argument(const Call& call, const State& state, bool& given) const;
  void describe_result(const Call& call, ObjectId first, Object& made, State& state);
  void describe_transfer(const Call& call, const Object& source, bool to_host, Object& made,
                         const State& state) const;
  void set_gradient(const Call& call, ObjectId first, State& state);
  void before_call(const Call& call, State& state);
  void early_access(const Call* call, const Operand& operand, DataUse use, State& state);
  void waited(State& state);
  Value outcome(const Call& call, const Outcome& outcome, Role role, std::uint32_t sub,
                State& state);
  std::optional<Device> device_argument(const Call& call, const State& state, bool tensors) const;
  Value argument_value(const Call& call, const Where& where, State& state);
  Device by_default(FunctionId callee, std::uint32_t parameter) const;
  bool leaves_no_choice(const Call& call);
  Device substitute(const Call& call, const Where& where, State& state);
  // interpret_sharing.cc: modules that several hold.
  void share(ObjectId id, State& state);
  void share_parts(ObjectId whole, State& state, unsigned depth = 0);
  void share_whole(ObjectId id, State& state, unsigned depth = 0);
  bool held_here(ObjectId id, const State& state) const;
  bool hold_given(const Call& call, const FieldHeld& held, ObjectId id, FieldId field,
                  State& state);
  void share_changed(const Call& call, const Summary& summary, ObjectId self, State& state);
  Value handed_out(const Call& call, const Outcome& outcome, Value made, State& state);

  // interpret_functions.cc: functions that are given to functions.
  void note_returned(const Call& call, const Value& result, State& state);
  Device returned(const Call& call, const Where& where);
  bool only_visits(const Call& call) const;
  std::vector<OperandView> needed(const Call& call, const Where& where, State& state);
  Value constructed(const Call& call, const Summary& summary, State& state);
  void put_in_field(const Call& call, const FieldHeld& held, Device device, ObjectId id,
                    FieldId field, State& state);
  void change_fields(const Call& call, const Summary& summary, ObjectId self, State& state);
  void hold_fields(const Call& call, const Summary& summary, ObjectId id, State& state);
  const Operand* argument(const Call& call, std::uint32_t parameter) const;
  ObjectId object_of(const Operand& operand, const State& state) const;
  OperandView view(const Operand& operand, const State& state) const;
  OperandView view(const Operand& operand, ObjectId id, SpotId spot, const State& state) const;
  std::vector<OperandView> parts_of(const Operand& operand, ObjectId whole,
                                    const State& state) const;
  std::vector<OperandView> required_operands(const Call& call, const State& state) const;
  void index(const Call& call, State& state);
  Rank result_rank(const Call& call, const std::vector<OperandView>& operands) const;
  Device result_device(const Call& call, const std::vector<OperandView>& operands, Device first,
                       const State& state) const;

  const Unit& unit_;
  const FunctionFacts& facts_;
  OriginTable& origins_;
  SymbolTable& symbols_;
  Surroundings& surroundings_;
  Observer* observer_ = nullptr;
  std::set<std::uint32_t> on_cuda_;
  const Fact* running_ = nullptr;
  FactId fact_ = 0;
  BlockId block_ = 0;
  std::map<ObjectId, const fact::List*> lists_;
  std::map<std::uint32_t, Device> choices_;  ///< of the callee of this call
  std::optional<bool> settled_;              ///< ... and whether the call leaves nothing to choose
  std::set<std::uint32_t> deciding_;         ///< parameters that decide about choices of callees
};

}  // namespace xfer::analyzer
