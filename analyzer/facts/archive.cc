#include "analyzer/facts/archive.h"

#define CEREAL_FUTURE_EXPERIMENTAL  // for what an archive is read with

#include <cereal/archives/adapters.hpp>
#include <cereal/archives/binary.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <mutex>
#include <set>
#include <sstream>
#include <unordered_map>

namespace xfer {

template <class Archive>
void serialize(Archive& archive, Location& at) {
  archive(at.file, at.line, at.column, at.function);
}
template <class Archive>
void serialize(Archive& archive, Note& note) {
  archive(note.location, note.message);
}

namespace analyzer {
namespace {

/// Models by number: 0 none, then the rows of the model files, then what the unit's annotations
/// say.
struct Models {
  const std::vector<FunctionModel>* rows = nullptr;
  const std::vector<std::unique_ptr<FunctionModel>>* annotated = nullptr;
  std::unordered_map<const FunctionModel*, std::uint32_t> numbers = {};

  Models(const ModelSet& set, const Unit& unit)
      : rows(&set.functions()), annotated(&unit.annotated) {}

  std::uint32_t number(const FunctionModel* model) {
    if (model == nullptr) return 0;
    if (numbers.empty()) {
      for (const FunctionModel& row : *rows) numbers.try_emplace(&row, numbers.size() + 1);
      for (const auto& row : *annotated) numbers.try_emplace(row.get(), numbers.size() + 1);
    }
    return numbers.at(model);
  }
  const FunctionModel* of(std::uint32_t number) const {
    if (number == 0) return nullptr;
    const std::size_t index = number - 1;
    return index < rows->size() ? &(*rows)[index] : annotated->at(index - rows->size()).get();
  }
};

/// A pointer to a model as its number.
struct ModelReference {
  const FunctionModel*& model;

  template <class Archive>
  std::uint32_t save_minimal(const Archive& archive) const {
    return cereal::get_user_data<Models>(const_cast<Archive&>(archive)).number(model);
  }
  template <class Archive>
  void load_minimal(const Archive& archive, const std::uint32_t& number) {
    model = cereal::get_user_data<Models>(const_cast<Archive&>(archive)).of(number);
  }
};

/// A reason that the reader gave is one of few texts, which live as long as the program.
struct Reason {
  const char*& text;

  template <class Archive>
  std::string save_minimal(const Archive&) const {
    return text == nullptr ? "" : text;
  }
  template <class Archive>
  void load_minimal(const Archive&, const std::string& read) {
    static std::mutex mutex;
    static std::set<std::string> known;
    const std::lock_guard lock(mutex);
    text = read.empty() ? nullptr : known.insert(read).first->c_str();
  }
};

}  // namespace

template <class Archive, class Tag, std::uint32_t none>
std::uint32_t save_minimal(const Archive&, const Id<Tag, none>& id) {
  return id.number();
}
template <class Archive, class Tag, std::uint32_t none>
void load_minimal(const Archive&, Id<Tag, none>& id, const std::uint32_t& number) {
  id = Id<Tag, none>(number);
}
template <class Archive, class Key, class Element, class List>
void serialize(Archive& archive, Table<Key, Element, List>& table) {
  archive(table.list());
}

template <class Archive>
void serialize(Archive& archive, ValueType& type) {
  archive(type.role, type.handle, type.record, type.elements);
}
template <class Archive>
void serialize(Archive& archive, Device& device) {
  archive(device.kind, device.index);
}
template <class Archive>
void serialize(Archive& archive, Spot& spot) {
  archive(spot.file, spot.at, spot.begin, spot.end, spot.line, spot.column, spot.macro,
          spot.starts_in_macro);
}
template <class Archive>
void serialize(Archive& archive, Operand& operand) {
  archive(operand.value, operand.place, operand.whole, operand.pass, operand.form, operand.role,
          operand.address, operand.key, operand.use, operand.spot, operand.function);
}
template <class Archive>
void serialize(Archive& archive, Term& term) {
  archive(term.text, term.names);
}
template <class Archive>
void serialize(Archive& archive, Formula& formula) {
  archive(formula.sum, formula.measured);
}
template <class Archive>
void serialize(Archive& archive, Size& size) {
  archive(size.text, size.bytes, size.element, size.of_pointer);
}
template <class Archive>
void serialize(Archive& archive, Extent& extent) {
  archive(extent.to, extent.from, extent.to_has, extent.from_has, extent.to_made, extent.from_made);
}
template <class Archive>
void serialize(Archive& archive, Deciders& deciders) {
  archive(deciders.parameters, deciders.fields, deciders.pick);
}
template <class Archive>
void serialize(Archive& archive, Pick& pick) {
  archive(pick.test.kind, pick.test.with, pick.if_true, pick.if_false);
}
template <class Archive>
void serialize(Archive& archive, GivenValue& given) {
  archive(given.settled, given.number, given.as_is, given.rests_on);
}
template <class Archive>
void serialize(Archive& archive, Call& call) {
  archive(ModelReference{call.model}, call.callee, call.named, call.kernel, call.given,
          call.parameter, call.form, call.name, call.has_receiver, call.receiver, call.arguments,
          call.result, call.library, call.system, call.direction, call.extent, call.size,
          call.numbers, call.discarded, call.converts, call.names_cpu, call.forces_copy,
          call.non_blocking, call.flag, call.pageable, call.has_dims, call.receiver_temporary,
          call.receiver_assignable, call.receiver_record, call.receiver_name, call.newest_name,
          call.expects_failure, call.conversion, call.spot, call.callee_spot, call.quiet,
          call.in_place, call.runs_forward, call.asks_time, call.at_once, call.second_try);
}
template <class Archive>
void serialize(Archive& archive, BatchMaker& maker) {
  archive(maker.function, maker.transform);
}

namespace fact {

template <class Archive>
void serialize(Archive& archive, Load& load) {
  archive(load.place, load.why);
}
template <class Archive>
void serialize(Archive& archive, Store& store) {
  archive(store.place, store.from, store.role);
}
template <class Archive>
void serialize(Archive& archive, FieldOf& of) {
  archive(of.object, of.field);
}
template <class Archive>
void serialize(Archive& archive, DeviceIs& is) {
  archive(is.device);
}
template <class Archive>
void serialize(Archive& archive, ElementIs& is) {
  archive(is.element);
}
template <class Archive>
void serialize(Archive& archive, Select& select) {
  archive(select.a, select.b, select.type);
}
template <class Archive>
void serialize(Archive& archive, Copy& copy) {
  archive(copy.from);
}
template <class Archive>
void serialize(Archive& archive, List& list) {
  archive(list.elements, list.spots, list.anywhere);
}
template <class Archive>
void serialize(Archive& archive, Tuple& tuple) {
  archive(tuple.parts);
}
template <class Archive>
void serialize(Archive& archive, ElementOf& of) {
  archive(of.whole, of.type, of.key);
}
template <class Archive>
void serialize(Archive& archive, Put& put) {
  archive(put.list, put.element, put.key);
}
template <class Archive>
void serialize(Archive& archive, PartOf& of) {
  archive(of.tuple, of.index, of.type);
}
template <class Archive>
void serialize(Archive& archive, Fresh& fresh) {
  archive(fresh.type, fresh.known, Reason{fresh.reason}, fresh.kind, fresh.variable);
}
template <class Archive>
void serialize(Archive& archive, Batch& batch) {
  archive(batch.type, batch.makers);
}
template <class Archive>
void serialize(Archive& archive, Share& share) {
  archive(share.what, share.written);
}
template <class Archive>
void serialize(Archive& archive, Capture& capture) {
  archive(capture.lambda, capture.parameter, capture.value);
}
template <class Archive>
void serialize(Archive& archive, Lose& lose) {
  archive(lose.what, Reason{lose.reason});
}
template <class Archive>
void serialize(Archive& archive, Invoke& invoke) {
  archive(invoke.call);
}
template <class Archive>
void serialize(Archive& archive, End& end) {
  archive(end.variable);
}
template <class Archive>
void serialize(Archive& archive, Access& access) {
  archive(access.pointer, access.how, access.writes, access.part, access.polls, access.function,
          access.variable, access.place, access.spot);
}
template <class Archive>
void serialize(Archive& archive, KeepPointer& kept) {
  archive(kept.object, kept.spot);
}
template <class Archive>
void serialize(Archive& archive, Return& leave) {
  archive(leave.value);
}
template <class Archive>
void serialize(Archive& archive, Change& change) {
  archive(change.name, change.to, change.in);
}
template <class Archive>
void serialize(Archive& archive, SetCurrent& set) {
  archive(set.device, set.guard);
}
template <class Archive>
void serialize(Archive&, EndStatement&) {}

}  // namespace fact

template <class Archive>
void serialize(Archive& archive, Fact& fact) {
  archive(fact.value, fact.spot, fact.what);
}
template <class Archive>
void serialize(Archive& archive, Variable& variable) {
  archive(variable.name, variable.type, variable.tracked, variable.global, variable.field,
          variable.constant, variable.reference, variable.parameter, variable.may_be_cuda,
          variable.referred, variable.unused_on_purpose, variable.pointer, variable.given,
          variable.guards_current);
}
template <class Archive>
void serialize(Archive& archive, Place& place) {
  archive(place.root, place.fields);
}
template <class Archive>
void serialize(Archive& archive, Block& block) {
  archive(block.facts, block.successors, block.predecessors, block.device_query, block.present,
          block.device_choice, block.data_choice, block.failed, block.loop, block.leaves,
          block.catches);
}
template <class Archive>
void serialize(Archive& archive, FunctionFacts& facts) {
  archive(facts.function, facts.name, facts.blocks, facts.entry, facts.exit, facts.parameters,
          facts.parameter_names, facts.variables, facts.places, facts.calls, facts.spots,
          facts.terms, facts.outside_names, facts.not_waited_for, facts.order, facts.loop_head,
          facts.is_constructor, facts.initialises, facts.is_forward, facts.gradients_off,
          facts.unreadable, facts.this_class);
}
template <class Archive>
void serialize(Archive& archive, ClassKey& key) {
  archive(key.name, key.file, key.line);
}
template <class Archive>
void serialize(Archive& archive, Class& known) {
  archive(known.name, known.key, known.identity, known.library, known.module, known.container,
          known.every_body_here, ModelReference{known.forward_model}, known.forward, known.bases,
          known.fields, known.constructors, known.elsewhere);
}
template <class Archive>
void serialize(Archive& archive, FieldChanges& changes) {
  archive(changes.methods, changes.constructed, changes.otherwise, changes.replaced,
          changes.unseen);
}
template <class Archive>
void serialize(Archive& archive, Field& field) {
  archive(field.name, field.type, field.object, field.owner, field.part, field.registered,
          field.unreadable, field.library, field.open, field.starts_empty, field.may_be_cuda,
          field.global, field.defined_at, field.identity, field.changes);
}
template <class Archive>
void serialize(Archive& archive, DefaultArgument& given) {
  archive(given.kind, given.device, given.function);
}
template <class Archive>
void serialize(Archive& archive, Parameter& parameter) {
  archive(parameter.role, parameter.object, parameter.by_default);
}
template <class Archive>
void serialize(Archive& archive, Setting& setting) {
  archive(setting.owner, setting.field, setting.given);
}
template <class Archive>
void serialize(Archive& archive, PointerUse& use) {
  archive(use.only_reads, use.writes, use.reads_first, use.unused, use.polls);
}
template <class Archive>
void serialize(Archive& archive, ParameterUse& use) {
  archive(static_cast<PointerUse&>(use), use.fields);
}
template <class Archive>
void serialize(Archive& archive, Function& function) {
  archive(function.qualified_name, function.link_name, function.identity, function.expected,
          function.defined_at, function.defined, function.kernel, function.owner, function.object,
          function.instance, function.is_virtual, function.lambda, function.stands_in,
          function.open, function.given_away, function.captures_object, function.constructor,
          function.copies, function.made_of_nothing, function.in_scope, function.device_too,
          function.current_device_changes, function.declared, function.parameters,
          function.overrides, ModelReference{function.model}, function.deciding, function.settings,
          function.facts);
}
template <class Archive>
void serialize(Archive& archive, SourceFile& file) {
  archive(file.name, file.path, file.text);
}
template <class Archive>
void serialize(Archive& archive, ModelRow& row) {
  archive(row.name, row.library, row.file, row.line, row.base, row.scope, row.header, row.since,
          row.until, row.doc, row.may_lack);
}
template <class Archive>
void serialize(Archive& archive, FunctionModel& model) {
  archive(static_cast<ModelRow&>(model), model.kind, model.requires_, model.operands, model.bytes,
          model.direction, model.way, model.asynchronous, model.zero_dim_cpu, model.result,
          model.rank, model.view, model.writes, model.writes_others, model.exposes, model.reseats,
          model.parts, model.indexes, model.syncs, model.pins, model.float_default,
          model.points_into, model.module_forward, model.module_parts, model.discard,
          model.min_args, model.max_args, model.keeps_element, model.random, model.asks_time,
          model.reads_ranges, model.references, model.sets, model.gradient, model.hands_out,
          model.non_blocking_if, model.copies_if, model.dims);
}
/// The annotated models first: the rest points to them.
template <class Archive>
void serialize(Archive& archive, Unit& unit) {
  archive(unit.annotated, unit.functions, unit.classes, unit.fields, unit.files, unit.order,
          unit.peers, unit.shares_memory, unit.follows_memory, unit.default_place, unit.incomplete,
          unit.tests, unit.folder, unit.faults);
}

std::string to_bytes(const Unit& unit, const ModelSet& models) {
  std::ostringstream out;
  Models known(models, unit);
  cereal::UserDataAdapter<Models, cereal::BinaryOutputArchive> archive(known, out);
  archive(const_cast<Unit&>(unit));
  return std::move(out).str();
}

Unit unit_from_bytes(std::string_view bytes, const ModelSet& models) {
  std::istringstream in{std::string(bytes)};
  Unit unit;
  Models known(models, unit);
  cereal::UserDataAdapter<Models, cereal::BinaryInputArchive> archive(known, in);
  archive(unit);
  return unit;
}

}  // namespace analyzer
}  // namespace xfer
