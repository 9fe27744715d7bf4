#include "analyzer/facts/facts.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

struct Operands {
  std::vector<ValueId> operator()(const fact::Store& store) const { return {store.from}; }
  std::vector<ValueId> operator()(const fact::FieldOf& of) const { return {of.object}; }
  std::vector<ValueId> operator()(const fact::Select& select) const { return {select.a, select.b}; }
  std::vector<ValueId> operator()(const fact::Copy& copy) const { return {copy.from}; }
  std::vector<ValueId> operator()(const fact::List& list) const { return list.elements; }
  std::vector<ValueId> operator()(const fact::Tuple& tuple) const { return tuple.parts; }
  std::vector<ValueId> operator()(const fact::ElementOf& of) const { return {of.whole}; }
  std::vector<ValueId> operator()(const fact::Put& put) const { return {put.list, put.element}; }
  std::vector<ValueId> operator()(const fact::PartOf& of) const { return {of.tuple}; }
  std::vector<ValueId> operator()(const fact::Fresh& fresh) const { return {fresh.kind}; }
  std::vector<ValueId> operator()(const fact::Share& share) const { return {share.what}; }
  std::vector<ValueId> operator()(const fact::Capture& held) const { return {held.value}; }
  std::vector<ValueId> operator()(const fact::Lose& lose) const { return {lose.what}; }
  std::vector<ValueId> operator()(const fact::Access& access) const { return {access.pointer}; }
  std::vector<ValueId> operator()(const fact::KeepPointer& kept) const { return {kept.object}; }
  std::vector<ValueId> operator()(const fact::Return& leave) const { return {leave.value}; }
  template <class Other>
  std::vector<ValueId> operator()(const Other&) const {
    return {};
  }
};

}  // namespace

bool uses(const FunctionFacts& facts, const Fact& fact, ValueId value) {
  if (!value) return false;
  if (const Call* call = call_of(facts, fact))
    return (call->has_receiver && call->receiver.value == value) ||
           std::ranges::any_of(call->arguments,
                               [&](const Operand& operand) { return operand.value == value; });
  const std::vector<ValueId> operands = std::visit(Operands(), fact.what);
  return std::ranges::count(operands, value) != 0;
}

}  // namespace xfer::analyzer
