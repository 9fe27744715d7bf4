#include "analyzer/checks/moved_without.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/sibling_fields.h"

namespace xfer::analyzer {
namespace {

/// It is where a device says that some run has on CUDA.
bool to_cuda(const CheckContext& context, const Inflow& move) {
  const DeviceSet places = context.program->known(context.unit_number, move.sources).devices;
  if (places.sometimes_cuda()) return true;
  // A parameter or field of a device type is given CUDA sometimes.
  return std::ranges::any_of(move.sources, [&](const Source& source) {
    const auto* holder = std::get_if<Holder>(&source.says);
    if (holder == nullptr || places.always_cpu()) return false;
    if (holder->kind == Holder::Kind::kField)
      return context.unit.fields[holder->field_id()].type.role == Role::kDevice;
    const std::vector<Parameter>& parameters = context.unit[holder->function].parameters;
    return holder->kind == Holder::Kind::kParameter && holder->number < parameters.size() &&
           parameters[holder->number].role == Role::kDevice;
  });
}

}  // namespace

std::optional<MovedWithout::Part> MovedWithout::part_at(Device place) const {
  if (!place.is_symbol()) return std::nullopt;
  const Symbol& symbol = context_.symbols[place.symbol];
  if (symbol.origin != Origin::kField || !symbol.initial) return std::nullopt;
  return Part{symbol.base, symbol.field};
}

std::vector<MovedWithout::Part> MovedWithout::left_parts(const OperandView& view,
                                                         const std::vector<Device>& places) const {
  std::vector<Part> parts;
  for (const Device place : places)
    if (const auto part = part_at(place); part) parts.push_back(*part);
  const OriginTable::Entry& origin = context_.origins[view.id];
  if (view.object.device.is_cpu() && origin.origin == Origin::kField && origin.block == kNoBlock)
    parts.push_back({origin.whole(), origin.field()});
  return parts;
}

const Inflow* MovedWithout::move_without(const Part& left, const Part& moved) const {
  const auto& fields = context_.unit.fields;
  if (left.base != moved.base || left.field == moved.field || !is_own_tensor(fields[left.field]) ||
      !is_own_tensor(fields[moved.field]))
    return nullptr;
  const Inflow* found = nullptr;
  std::set<FunctionId> movers;
  for (const Inflow* move : context_.program->renewals(context_.unit_number, moved.field)) {
    if (move->by == context_.facts.function) return nullptr;
    if (context_.program->gives(context_.unit_number, move->by, left.field)) return nullptr;
    if (found == nullptr && to_cuda(context_, *move)) found = move;
    movers.insert(move->by);
  }
  const bool is_left = found != nullptr &&
                       given_alike(context_.unit, moved.field, left.field, movers) &&
                       may_be_left(context_, left.field, moved.field, movers);
  return is_left ? found : nullptr;
}

std::string MovedWithout::name(const Part& part) const {
  return "`" + context_.unit.fields[part.field].name + "`";
}

Location MovedWithout::first_move(FunctionId function, ClassId owner) const {
  for (const FieldId field : context_.unit[owner].fields)
    for (const Inflow* move : context_.program->renewals(context_.unit_number, field))
      if (move->by == function) return move->at;
  return {};
}

void MovedWithout::report(const Meeting& at, const Part& left, const Part& moved,
                          const Inflow& move) {
  const std::string function = "`" + context_.unit[move.by].qualified_name + "`";
  Finding finding = context_.make(Rule::kMissingTransfer,
                                  at.call.callee_spot ? at.call.callee_spot : at.call.spot,
                                  {{"operand", name(left)},
                                   {"operand_device", "the device that it was made on"},
                                   {"other", name(moved)},
                                   {"other_device", "the one that " + function + " moves it to"}});
  finding.notes.push_back(
      {move.at, function + " moves " + name(moved) + " here, and not " + name(left)});
  add_circumstances(at, finding);
  // Of all that come to where the two meet the first one tells, and none where the move itself
  // does.
  context_.share(std::move(finding), first_move(move.by, context_.unit.fields[moved.field].owner),
                 SharedFinding::Blame::kCallee);
  told_.push_back(left);
}

bool MovedWithout::judge_left(const Meeting& at, const OperandView& left, const OperandView& other,
                              bool left_first) {
  if (is_own(left) || (at.zero_dim_cpu && left.object.rank == Rank::kZero)) return false;
  OperandView cpu = left;
  cpu.object.device = Device::cpu();
  if (at.indexing && (!left_first || !wrong_index(cpu, other))) return false;
  std::vector<Device> lefts;
  add_places(context_.symbols, left.object.device, Places::kMet, lefts);
  const std::vector<Part> parts = left_parts(left, lefts);
  if (parts.empty()) return false;
  const std::vector<Device> there =
      agreements_.with(other.object.device, at.block, lefts, Places::kMet);
  for (const Part& part : parts) {
    // The first operation tells.
    if (std::ranges::find(told_, part) != told_.end()) return true;
    for (const Device place : there) {
      const std::optional<Part> moved = part_at(place);
      const Inflow* move = moved ? move_without(part, *moved) : nullptr;
      if (move == nullptr) continue;
      report(at, part, *moved, *move);
      return true;
    }
  }
  return false;
}

bool MovedWithout::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  return judge_left(at, a, b, true) || judge_left(at, b, a, false);
}

}  // namespace xfer::analyzer
