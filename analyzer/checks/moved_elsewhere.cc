#include "analyzer/checks/moved_elsewhere.h"

#include <algorithm>

namespace xfer::analyzer {
namespace {

constexpr std::size_t kMostNotes = 3;

}  // namespace

bool MovedElsewhere::has_device() const {
  const auto is_one = [&](const TransferEvent& event) {
    return event.given && may_be_cuda(context_, event.device);
  };
  if (std::ranges::any_of(context_.events.transfer_events, is_one)) return true;
  return std::ranges::any_of(context_.facts.parameters, [&](VariableId parameter) {
    return context_.facts.variables[parameter].type.role == Role::kDevice;
  });
}

bool MovedElsewhere::judge_left(const Meeting& at, const OperandView& left,
                                const OperandView& other) {
  const Device place = left.object.device;
  // The host may compute first and move the result; a network's input is moved before the call.
  if (is_own(left) || !other.module || !place.is_symbol() || other.object.device.is_cpu() ||
      context_.places_in_program(other.object).always_cpu())
    return false;
  const std::optional<Holder>& from = context_.symbols[place.symbol].held;
  if (!from || !nobody_knows(context_, place)) return false;
  // The first operation tells.
  if (has(told_, place)) return true;
  std::vector<const Handling*> moves;
  for (const Handling* handling : context_.program->handlings(context_.unit_number, *from)) {
    if (handling->moved)
      moves.push_back(handling);
    else if (handling->at.function != context_.facts.name ||
             handling->at.file != context_.at(at.call.spot).file)
      return false;  // nor does another
  }
  if (moves.empty() || !has_device()) return false;
  Finding finding = describe(context_, at.call, {&left, &other}, "the device that it was made on",
                             "a device that may be CUDA");
  for (const Handling* move : moves)
    if (finding.notes.size() < kMostNotes)
      finding.notes.push_back({move->at, "`" + move->at.function + "` moves it here, before use"});
  add_circumstances(at, finding);
  say(context_, at, std::move(finding));
  told_.push_back(place);
  return true;
}

bool MovedElsewhere::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  return judge_left(at, a, b) || judge_left(at, b, a);
}

}  // namespace xfer::analyzer
