#include "analyzer/flow/waiting.h"

#include <algorithm>

#include "analyzer/flow/summaries.h"

namespace xfer::analyzer {
namespace {

void early_access(const Step& step, const Call& call, const Operand& operand, DataUse use) {
  const ObjectId id = step.object_of(operand);
  const Object* object = step.find(id);
  if (object == nullptr) return;
  if ((use == DataUse::kEarlyRead && object->arriving) ||
      (use == DataUse::kEarlyWrite && object->leaving))
    step.tell(use, call, operand, *object);
  for (const auto& [key, part] : step.state.fields) {
    const Object* held = step.find(part.object);
    if (key.first == id && held != nullptr && held->arriving && use == DataUse::kEarlyRead &&
        object->kind == ObjectKind::kList)
      step.tell(use, call, operand, *held);
  }
}

}  // namespace

void before_call(Step& step, const Call& call) {
  if (call.form == CallForm::kKernel) return;  // nothing waits for a kernel
  const FunctionModel* model = call.model;
  const auto on_cuda = [&](const Operand& operand) {
    const ObjectId id = step.object_of(operand);
    return id && step.symbols.may_be_cuda(step.device_of(id));
  };
  const auto is_tensor = [](const Operand& operand) {
    return operand.role == Role::kTensor || operand.role == Role::kList;
  };
  if (model == nullptr) {
    if (call.at_once) return;
    if (const Summary* known = summary_for(step, call)) {
      if (known->may_wait) step.waited(&call);
      return;
    }
    // Code that is not known may wait for the device, unless it only asks a tensor of the CPU
    // something.
    bool host_only = call.library && !call.callee;
    bool tensors = false;
    const auto look = [&](const Operand& operand) {
      if (!is_tensor(operand)) return;
      tensors = true;
      const Device device = step.device_of(step.object_of(operand));
      host_only &= device.is_cpu();
    };
    if (call.has_receiver) look(call.receiver);
    for (const Operand& operand : call.arguments) look(operand);
    if (!host_only || !tensors) step.waited();
    return;
  }
  if (model->kind == CallKind::kSynchronize) return step.waited(&call);
  if (model->requires_ == Requirement::kLeaf) {
    const auto want = [&](const Operand& operand, ObjectId id) {
      const Object* object = step.find(id);
      if (object != nullptr && object->grad == Grad::kMoved)
        step.tell(DataUse::kLeaf, call, operand, *object);
    };
    const auto look = [&](const Operand& operand) {
      const ObjectId id = step.object_of(operand);
      if (operand.role == Role::kTensor) return want(operand, id);
      if (operand.role != Role::kList) return;
      for (const auto& [key, part] : step.state.fields)
        if (key.first == id && key.second >= kFirstElement) want(operand, part.object);
    };
    if (call.has_receiver) look(call.receiver);
    for (const Operand& operand : call.arguments) look(operand);
  }
  const bool receives = call.has_receiver && call.receiver.role == Role::kTensor;
  if (model->syncs && receives && on_cuda(call.receiver)) {
    step.tell(DataUse::kWait, call, call.receiver, step.view(call.receiver).object);
    step.waited();
  }
  const bool computes = model->kind == CallKind::kPlain && !model->view &&
                        model->result != Placement::kArgumentsOrFirst &&
                        model->result != Placement::kCommon &&
                        model->requires_ != Requirement::kLeaf &&
                        (model->result != Placement::kUnknown || model->writes || model->syncs ||
                         model->requires_ != Requirement::kNone);
  if (!computes) return;
  bool elsewhere = false;  // then the device's own order protects it
  if (call.has_receiver) elsewhere |= on_cuda(call.receiver);
  for (const Operand& operand : call.arguments) elsewhere |= on_cuda(operand);
  if (elsewhere) return;
  // A source that may be on a device is copied in that device's order.
  const bool from_host =
      std::all_of(call.arguments.begin(), call.arguments.end(), [&](const Operand& operand) {
        return !is_tensor(operand) || step.device_of(step.object_of(operand)).is_cpu();
      });
  if (model->writes && receives && from_host)
    early_access(step, call, call.receiver, DataUse::kEarlyWrite);
  if (call.has_receiver && is_tensor(call.receiver))
    early_access(step, call, call.receiver, DataUse::kEarlyRead);
  for (const Operand& operand : call.arguments)
    if (is_tensor(operand)) early_access(step, call, operand, DataUse::kEarlyRead);
}

}  // namespace xfer::analyzer
