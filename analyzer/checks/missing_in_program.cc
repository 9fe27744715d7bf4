#include "analyzer/checks/missing_in_program.h"

#include <algorithm>
#include <set>

namespace xfer::analyzer {
namespace {

/// Facts of the whole program about an operand.
struct Inferred {
  std::vector<Source> sources;
  Inference::Known known;
  bool cpu = false;
  bool cuda = false;       ///< in some run, whoever gives it
  bool parameter = false;  ///< a call of the function gives it
  bool given = false;      ///< the same, or it is a part of what one gives
};

Inferred infer(const CheckContext& context, const OperandView& view) {
  Inferred inferred;
  inferred.sources = context.sources_of(view.object);
  inferred.known = context.program->known(context.unit_number, inferred.sources);
  const Device at = view.object.device;
  for_each_holder(inferred.sources, [&](const Holder& holder) {
    inferred.given = true;
    inferred.parameter |=
        holder.kind == Holder::Kind::kParameter && holder.number != kThisParameter;
  });
  inferred.cpu = at.is_cpu() || inferred.known.devices.always_cpu();
  // The program's facts about a device say more than a general expectation does.
  inferred.cuda =
      inferred.given ? inferred.known.devices.may_be_cuda() : context.symbols.may_be_cuda(at);
  return inferred;
}

/// The operation fails for all of the program that comes to it, in some run.
void report(const CheckContext& context, const Meeting& meeting, OperandView cpu,
            const OperandView& cuda, const Inferred& at, const Inferred& other) {
  cpu.object.device = Device::cpu();
  const std::string device = other.known.devices.has(static_cast<std::uint8_t>(~DeviceSet::kCuda))
                                 ? "a device that may be CUDA"
                                 : "CUDA";
  Finding finding = describe_on_cpu(context, meeting.call, cpu, cuda, device);
  for (const Inferred* one : {&at, &other})
    for (Note& note :
         context.program->trace(context.unit_number, one->sources, one->known.devices.kinds()))
      finding.notes.push_back(std::move(note));
  add_circumstances(meeting, finding);
  const bool callee =
      (at.given && other.given) || is_own(cuda) || (is_own(cpu) && cuda.operand != nullptr);
  say(context, meeting, std::move(finding),
      callee ? SharedFinding::Blame::kCallee : SharedFinding::Blame::kHere);
}

/// The parameters that say where either is.
std::set<VariableId> parameters_of(const CheckContext& context, const Inferred& one,
                                   const Inferred& other) {
  std::set<VariableId> given;
  for (const Inferred* judged : {&one, &other})
    for_each_holder(judged->sources, [&](const Holder& holder) {
      if (holder.kind == Holder::Kind::kParameter && holder.function == context.facts.function &&
          holder.number < context.facts.parameters.size())
        given.insert(context.facts.parameters[holder.number]);
    });
  return given;
}

/// The operand as the program has it.
OperandView seen(OperandView view, const Inferred& inferred) {
  if (without_holder(view.object.rank) == Rank::kUnknown) view.object.rank = inferred.known.rank;
  if (inferred.cpu) view.object.device = Device::cpu();
  return view;
}

}  // namespace

bool MissingInProgram::judge(const Meeting& at, const OperandView& a, const OperandView& b) {
  const Device one = a.object.device;
  const Device other = b.object.device;
  const Inferred first = infer(context_, a);
  const Inferred second = infer(context_, b);
  // Code that runs for some calls alone may be meant for others than these.
  if ((first.parameter || second.parameter) &&
      !context_.graph.runs_where_given(at.block, parameters_of(context_, first, second)))
    return false;
  // Objects that are in different places are given different things.
  const auto apart = [](const Inferred& given, const Inferred& settled) {
    return given.parameter && settled.known.devices.has(DeviceSet::kSettled);
  };
  if (apart(first, second) || apart(second, first)) return false;
  const bool forward = first.cpu && second.cuda;
  if (!forward && !(second.cpu && first.cuda && !at.indexing)) return false;
  const OperandView cpu = forward ? seen(a, first) : seen(b, second);
  const OperandView cuda = forward ? seen(b, second) : seen(a, first);
  if (at.indexing && !wrong_index(cpu, cuda)) return false;
  if (exempt(cpu, cuda, at.zero_dim_cpu)) return false;
  const auto [low, high] = std::minmax(one.symbol, other.symbol);
  if (low != high && !told_.emplace(low, high).second && one.is_symbol() && other.is_symbol())
    return true;
  report(context_, at, cpu, cuda, forward ? first : second, forward ? second : first);
  return true;
}

bool MissingInProgram::settles(const OperandView& view) const {
  const DeviceSet places = context_.places_in_program(view.object);
  return places.settled() || places.always_cpu();
}

}  // namespace xfer::analyzer
