#include "analyzer/flow/operations.h"

#include <algorithm>
#include <iterator>

#include "analyzer/flow/data.h"
#include "analyzer/flow/functions.h"
#include "analyzer/flow/moves.h"
#include "analyzer/flow/sharing.h"

namespace xfer::analyzer {
namespace {

/// The number of the place where operands agree, among what a fact makes.
constexpr std::uint32_t kAgreed = 0x900;

/// Where all of them are; unknown if they are not at one place.
Device common_device(const std::vector<OperandView>& operands) {
  if (operands.empty()) return Device::unknown();
  const Device first = operands.front().object.device;
  const bool same = std::all_of(operands.begin(), operands.end(), [&](const OperandView& operand) {
    return relate(operand.object.device, first) == Relation::kSame;
  });
  return same ? first : Device::unknown();
}

constexpr std::size_t kMostAgreeing = 6;

/// Adds a device, or those that must agree for it.
void add_agreeing(const Step& step, Device device, std::vector<Device>& all) {
  std::vector<Device> added = {device};
  if (device.is_symbol() && !step.symbols[device.symbol].all_of.empty())
    added = step.symbols[device.symbol].all_of;
  for (const Device one : added)
    if (std::ranges::find(all, one) == all.end() && all.size() < kMostAgreeing) all.push_back(one);
}

/// Where several places are one, or the operation has failed: a symbol of the result.
Device agreed(Step& step, std::vector<Device> all) {
  const Device place = step.opaque(kAgreed);
  std::erase(all, place);
  if (all.size() == 1) return all.front();
  Symbol& symbol = step.symbols[place.symbol];
  for (const Device one : all) {
    if (!one.is_symbol()) continue;
    const Symbol& known = step.symbols[one.symbol];
    symbol.may_cpu |= known.may_cpu;
    symbol.may_cuda |= known.may_cuda;
    // A tensor's or a module's name is none of a device.
    if (symbol.name.empty() && known.may_cuda) symbol.name = known.name;
    if (!symbol.chosen) symbol.chosen = known.chosen;
  }
  symbol.all_of = std::move(all);
  return place;
}

/// Where one of them is. One without dimensions on the CPU does not count beside others.
Device some_device(Step& step, const std::vector<OperandView>& operands) {
  std::vector<Device> devices;
  for (const OperandView& operand : operands) {
    const Device at = operand.object.device;
    if (at.kind == DeviceKind::kUnknown || at.kind == DeviceKind::kBottom)
      return common_device(operands);
    const bool scalar = at.is_cpu() && operand.object.rank == Rank::kZero;
    if (!scalar && std::ranges::find(devices, at) == devices.end()) devices.push_back(at);
  }
  if (devices.size() < 2) return devices.empty() ? common_device(operands) : devices.front();
  const Device place = step.opaque(kAgreed);
  std::erase(devices, place);
  step.symbols[place.symbol].one_of = std::move(devices);
  return place;
}

/// The operands agree, or the operation would have failed: any of them that cannot be a CPU scalar
/// beside CUDA tensors says where the result is.
Device device_of_operands(Step& step, const FunctionModel& model,
                          const std::vector<OperandView>& operands) {
  std::vector<Device> deciding;
  for (const OperandView& operand : operands) {
    const Device at = operand.object.device;
    const bool decides = !model.zero_dim_cpu || operand.module || at.is_cuda() ||
                         operand.object.rank == Rank::kNonZero;
    if (!decides || at.kind == DeviceKind::kUnknown || at.kind == DeviceKind::kBottom) continue;
    // A place says more than the two or three that paths have come from.
    const auto of_paths = [&](Device one) {
      return one.is_symbol() && !step.symbols[one.symbol].one_of.empty() &&
             !step.symbols.may_be_cuda(one);
    };
    if (at.is_known() && std::ranges::all_of(deciding, of_paths)) return at;
    add_agreeing(step, at, deciding);
  }
  if (deciding.empty()) return some_device(step, operands);
  return deciding.size() == 1 ? deciding.front() : agreed(step, std::move(deciding));
}

std::vector<OperandView> required_operands(const Step& step, const Call& call) {
  std::vector<OperandView> operands;
  const FunctionModel& model = *call.model;
  const auto add = [&](const Operand& operand) {
    if (operand.role != Role::kTensor && operand.role != Role::kList &&
        operand.role != Role::kTuple)
      return;
    OperandView seen = step.view(operand);
    if (!seen.id) return;
    std::vector<OperandView> parts;
    if (operand.role != Role::kTensor) parts = step.parts_of(operand, seen.id);
    const bool whole = parts.empty() || seen.object.device.kind != DeviceKind::kUnknown;
    std::move(parts.begin(), parts.end(), std::back_inserter(operands));
    if (whole) operands.push_back(std::move(seen));
  };
  if (call.has_receiver) {
    if (call.receiver.role == Role::kModule) {
      OperandView seen = step.view(call.receiver);
      const bool part_of = model.module_parts && seen.object.strict == Strict::kYes;
      if (seen.id && (model.module_forward || part_of)) operands.push_back(std::move(seen));
    } else {
      add(call.receiver);
    }
  }
  if (model.operands.empty()) {
    for (const Operand& operand : call.arguments) add(operand);
  } else {
    for (const unsigned index : model.operands)
      if (index < call.arguments.size()) add(call.arguments[index]);
  }
  return operands;
}

Rank result_rank(const Call& call, const std::vector<OperandView>& operands) {
  // from_blob is given the data first.
  const std::size_t sizes = call.model->exposes && call.arguments.size() > 1 ? 1 : 0;
  const Form first = call.arguments.empty() ? Form::kOther : call.arguments[sizes].form;
  switch (call.model->rank) {
    case RankEffect::kUnknown: return Rank::kUnknown;
    case RankEffect::kZero: return Rank::kZero;
    case RankEffect::kNonZero: return Rank::kNonZero;
    case RankEffect::kSelf: return operands.empty() ? Rank::kUnknown : operands.front().object.rank;
    case RankEffect::kOperands: {
      Rank rank = Rank::kZero;
      std::optional<Device> held;  // where the one is that is as what held it
      for (const OperandView& operand : operands) {
        const Rank one = operand.object.rank;
        if (one == Rank::kNonZero) return Rank::kNonZero;
        const bool again = one == Rank::kHeld && (!held || *held == operand.object.device);
        if (one == Rank::kHeld) held = operand.object.device;
        if (one != Rank::kZero)
          rank = again && rank != Rank::kUnknown ? Rank::kHeld : Rank::kUnknown;
      }
      return operands.empty() ? Rank::kUnknown : rank;
    }
    case RankEffect::kReshaped:
      if (first == Form::kOther || first == Form::kRange)
        return operands.empty() ? Rank::kUnknown : operands.front().object.rank;
      [[fallthrough]];
    case RankEffect::kFromSizes:
      return first == Form::kEmptyBraces                        ? Rank::kZero
             : first == Form::kBraces || first == Form::kScalar ? Rank::kNonZero
                                                                : Rank::kUnknown;
    case RankEffect::kFromData:
      return first == Form::kScalar                            ? Rank::kZero
             : first == Form::kBraces || first == Form::kRange ? Rank::kNonZero
                                                               : Rank::kUnknown;
    case RankEffect::kFromIndices: return first == Form::kSlices ? Rank::kNonZero : Rank::kUnknown;
    case RankEffect::kZeroIfNoDims: return call.has_dims ? Rank::kUnknown : Rank::kZero;
  }
  return Rank::kUnknown;
}

/// `first`: where the receiver, or the first tensor, is.
Device result_device(Step& step, const Call& call, const std::vector<OperandView>& operands,
                     Device first) {
  const auto given = [&] { return device_argument(step, call, false); };
  switch (call.model->result) {
    case Placement::kUnknown: return Device::unknown();
    case Placement::kCpu: return Device::cpu();
    case Placement::kCuda: return step.state.current;
    case Placement::kSelf:
    case Placement::kFirst: return first;
    case Placement::kOperands: return device_of_operands(step, *call.model, operands);
    case Placement::kArguments: return given().value_or(step.unit.default_place);
    case Placement::kCommon: return given() ? Device::unknown() : some_device(step, operands);
    case Placement::kArgumentsOrFirst: return given().value_or(first);
  }
  return Device::unknown();
}

/// `x.index({mask, rows})`, `x[mask]`.
void tell_indices(const Step& step, const Call& call) {
  if (!call.has_receiver) return;
  auto event = step.event<OperandsEvent>(call);
  event.indexing = true;
  event.operands.push_back(step.view(call.receiver));
  // The first argument: what follows it are the values that are put there.
  const auto indices =
      std::find_if(call.arguments.begin(), call.arguments.end(), [](const Operand& operand) {
        return operand.role == Role::kIndex || operand.role == Role::kTensor;
      });
  if (indices == call.arguments.end()) return;
  OperandView seen = step.view(*indices);
  std::vector<OperandView> parts = step.parts_of(*indices, seen.id);
  if (parts.empty()) parts.push_back(std::move(seen));
  std::move(parts.begin(), parts.end(), std::back_inserter(event.operands));
  step.events.operands(event);
}

}  // namespace

Value apply_plain(Step& step, const Call& call) {
  const FunctionModel& model = *call.model;
  if (model.indexes) tell_indices(step, call);
  std::vector<OperandView> operands = required_operands(step, call);
  const bool same = model.requires_ == Requirement::kSameDevice;
  bool mismatch = false;
  if (same) {
    for (const OperandView& a : operands)
      for (const OperandView& b : operands)
        mismatch |= relate(a.object.device, b.object.device) == Relation::kDifferent &&
                    !(model.zero_dim_cpu &&
                      (a.object.rank != Rank::kNonZero || b.object.rank != Rank::kNonZero));
    if (operands.size() > 1) {
      auto event = step.event<OperandsEvent>(call);
      event.zero_dim_cpu = model.zero_dim_cpu;
      event.operands = operands;
      step.events.operands(event);
    }
  }

  const Operand* subject =
      call.has_receiver && call.receiver.role == Role::kTensor ? &call.receiver : nullptr;
  if (subject == nullptr)
    for (const Operand& operand : call.arguments)
      if (operand.role == Role::kTensor || operand.role == Role::kList) {
        subject = &operand;
        break;
      }
  const ObjectId first = subject == nullptr ? ObjectId() : step.object_of(*subject);
  // A module's parameters are where the module is.
  const ObjectId owner = !first && call.has_receiver ? step.object_of(call.receiver) : first;
  const Device first_device = !owner ? Device::unknown() : step.device_of(owner);

  Device device = result_device(step, call, operands, first_device);
  // Parts of which this function knows that they are no library's may move what they are given.
  const Object* container = model.module_parts ? step.find(step.object_of(call.receiver)) : nullptr;
  const bool opaque_parts = container != nullptr && container->placed == Placed::kMade &&
                            container->strict == Strict::kUnknown;
  if (opaque_parts || (mismatch && model.result == Placement::kOperands) ||
      device.kind == DeviceKind::kBottom)
    device = Device::unknown();
  const bool made_there =
      model.result == Placement::kArguments ||
      (model.result == Placement::kArgumentsOrFirst && device_argument(step, call, false));
  const Placed placed = made_there ? Placed::kMade : Placed::kComputed;

  std::vector<OperandView> ranked = operands;
  if (ranked.empty() && subject != nullptr) ranked.push_back(step.view(*subject));
  Rank rank = result_rank(call, ranked);
  // A rank that what holds it may tell goes with where that is.
  if (rank == Rank::kHeld && model.rank == RankEffect::kOperands &&
      std::ranges::none_of(ranked, [&](const OperandView& operand) {
        return operand.object.rank == Rank::kHeld && operand.object.device == device;
      }))
    rank = Rank::kUnknown;

  if (model.writes && first) {
    step.write(first);
    if (!model.non_blocking_if.empty()) copy_between(step, call, first);
    if (call.result.role == Role::kTensor) return Value::of(first);
  }
  if (model.exposes && call.has_receiver && first) step.escape(first);
  if (model.writes_others == OthersWritten::kEverything) step.write_everything();
  if (model.writes_others != OthersWritten::kNone) step.outside_written();
  if (model.reseats && !only_visits(step, call)) reseat(step, first);
  set_gradient(step, call, first);
  if (call.result.role == Role::kNone) {
    if (model.parts) share_parts(step, first);  // iterators are not followed
    return {};
  }
  if (call.result.role == Role::kDevice || call.result.role == Role::kOptions)
    return step.fresh(call.result.role, 0);
  Object made;
  made.kind = call.result.role == Role::kList     ? ObjectKind::kList
              : call.result.role == Role::kTuple  ? ObjectKind::kTuple
              : call.result.role == Role::kModule ? ObjectKind::kModule
              : call.result.role == Role::kRecord ? ObjectKind::kRecord
                                                  : ObjectKind::kTensor;
  made.device = device;
  made.rank = rank;
  made.placed = placed;
  made.placed_at = call.spot;
  made.escaped = model.exposes;
  if (placed == Placed::kComputed && first && device == first_device) {
    // Where it is follows from where its operand was put.
    const OperandView seen = step.view(*subject);
    if (model.view && seen.object.placed != Placed::kUnknown) {
      made.placed = seen.object.placed;
      made.placed_at = seen.object.placed_at;
    }
  }
  // Of a row for many functions: some of them return views.
  if ((model.view || model.result == Placement::kCommon) && first) {
    made.alias = step.find(first)->alias;
    made.escaped = step.find(first)->escaped;
  }
  if (model.view && made.kind == ObjectKind::kList && first) {
    const Object& whole = *step.find(first);
    made.memory = whole.memory;
    made.arriving = whole.arriving;
    made.leaving = whole.leaving;
  }
  const bool described = model.result != Placement::kCommon;
  if (made.kind == ObjectKind::kTensor && described) describe_result(step, call, first, made);
  if (device.kind == DeviceKind::kUnknown && made.kind == ObjectKind::kTensor && !mismatch)
    made.device = step.opaque(0);
  const Value result = Value::of(step.make(0, made));
  if (model.parts && call.has_receiver) hand_out_part(step, step.object_of(call.receiver), result);
  return result;
}

}  // namespace xfer::analyzer
