#include "core/check.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/transfer.h"

namespace tensorlib {

namespace {

std::string line_of(CallSite site) {
  return site.known() ? str_cat(" at ", site.file, ":", site.line) : std::string();
}

std::string placed(const Placement& placement) {
  switch (placement.how) {
    case Placement::How::kCreated:
      // Only a layer of the library makes a tensor without a line of the user's.
      if (!placement.site.known()) return "made there with its module";
      return str_cat("made there by ", placement.operation, "()", line_of(placement.site));
    case Placement::How::kMoved: return "moved there" + line_of(placement.site);
    case Placement::How::kComputed:
      return str_cat("result of ", placement.operation, line_of(placement.site));
    case Placement::How::kWrapped: return "wrapped by from_blob()" + line_of(placement.site);
  }
  return "";
}

// A module's parameter is known by its own name: "fc.weight".
std::string shown_name(const Argument& argument) {
  const std::string& own = argument.tensor.impl()->name;
  return own.empty() ? argument.name : own;
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

// One line per operand, in columns: name, type and shape, device, how it got there.
std::string operand_table(Arguments arguments) {
  struct Row {
    std::string name, what, device, placed;
  };
  std::vector<Row> rows;
  size_t widths[3] = {};
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) continue;
    const TensorImpl& impl = *argument.tensor.impl();
    rows.push_back({shown_name(argument),
                    str_cat(name_of(impl.dtype), " ", IntArrayRef(impl.sizes)),
                    "on " + impl.storage->device.str(), placed(impl.storage->placement)});
    widths[0] = std::max(widths[0], rows.back().name.size());
    widths[1] = std::max(widths[1], rows.back().what.size());
    widths[2] = std::max(widths[2], rows.back().device.size());
  }
  std::string table;
  for (const Row& row : rows) {
    table += str_cat("\n  ", padded(row.name, widths[0]), "  ", padded(row.what, widths[1]), "  ",
                     padded(row.device, widths[2]), "  ", row.placed);
  }
  return table;
}

// For a tensor that was made on the CPU under a guard that places none.
std::string guard_note(Arguments arguments) {
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) continue;
    const CallSite guard = argument.tensor.impl()->storage->placement.device_guard;
    if (!guard.known()) continue;
    return str_cat("\nnote: the current CUDA device was chosen", line_of(guard), " before ",
                   shown_name(argument),
                   " was made. That chooses the GPU which \"cuda\" without an "
                   "index means, and places no tensors: they are made on the CPU unless their "
                   "options or a torch::DefaultDevice scope say otherwise");
  }
  return "";
}

// The operand that stays where it is: one changed in place, or indexed; else a module's parameter
// before another tensor, then CUDA before the CPU, then the first.
const Argument& anchor(const char* operation, Arguments arguments) {
  const size_t length = std::strlen(operation);
  if ((length > 0 && operation[length - 1] == '_') || std::strcmp(operation, "index") == 0) {
    return *arguments.begin();
  }
  const auto rank = [](const Argument& argument) {
    if (!argument.tensor.defined()) return 0;
    const TensorImpl& impl = *argument.tensor.impl();
    return 1 + (impl.storage->device.is_cuda() ? 1 : 0) + (impl.name.empty() ? 0 : 2);
  };
  return *std::max_element(arguments.begin(), arguments.end(),
                           [&](const Argument& a, const Argument& b) { return rank(a) < rank(b); });
}

// A module that nobody moved, where the others are on a GPU: the module was forgotten there, not
// they.
bool left_behind(const Tensor& parameter, const Tensor& other) {
  const TensorImpl& impl = *parameter.impl();
  return !impl.name.empty() && impl.storage->device.is_cpu() && other.device().is_cuda() &&
         impl.storage->placement.how != Placement::How::kMoved;
}

}  // namespace

std::string describe(const Tensor& tensor) {
  return str_cat(name_of(tensor.dtype()), " ", tensor.sizes(), " on ", tensor.device());
}

void throw_device_mismatch(const char* operation, CallSite site, Arguments arguments) {
  const Argument& stays = anchor(operation, arguments);
  const Device target = stays.tensor.device();
  std::vector<std::string> devices;
  const Argument* moves = nullptr;
  for (const Argument& argument : arguments) {
    if (!argument.tensor.defined()) continue;
    const std::string device = argument.tensor.device().str();
    if (std::find(devices.begin(), devices.end(), device) == devices.end()) {
      devices.push_back(device);
    }
    if (moves == nullptr && argument.tensor.device() != target) moves = &argument;
  }
  std::string headline = str_cat(operation, ": operands are on different devices");
  for (size_t i = 0; i < devices.size(); ++i) headline += (i == 0 ? ": " : ", ") + devices[i];
  std::string help;
  if (!moves->tensor.impl()->name.empty()) {
    // Both are parameters: one module has them on two devices.
    help = str_cat("move the whole module: module->to(torch::Device(\"", target, "\"))");
  } else if (left_behind(stays.tensor, moves->tensor)) {
    help = str_cat("move the module of ", shown_name(stays), ": module->to(torch::Device(\"",
                   moves->tensor.device(), "\"))");
  } else {
    help = str_cat("move ", moves->name, " to where ", shown_name(stays), " is: ", moves->name,
                   " = ", moves->name, ".to(torch::Device(\"", target, "\"))");
  }
  throw DeviceMismatchError(
      str_cat(headline, operand_table(arguments), guard_note(arguments), "\nhelp: ", help), site);
}

std::vector<Tensor> brought_together(const char* operation, CallSite site, Arguments arguments) {
  if (OperandPolicyScope::current() == OperandPolicy::kStrict) {
    throw_device_mismatch(operation, site, arguments);
  }
  const Device target = anchor(operation, arguments).tensor.device();
  const CauseScope cause(TransferCause::kOperand);
  std::vector<Tensor> together;
  for (const Argument& argument : arguments) {
    const Tensor& given = argument.tensor;
    together.push_back(given.defined() ? given.to(target, given.dtype(), false, false, site)
                                       : given);
  }
  return together;
}

void throw_dtype_mismatch(const char* operation, CallSite site, Arguments arguments) {
  const Argument& stays = anchor(operation, arguments);
  const ScalarType target = stays.tensor.dtype();
  const Argument* moves = nullptr;
  std::string headline =
      str_cat(operation, ": operands have different element types: ", name_of(target));
  for (const Argument& argument : arguments) {
    if (argument.tensor.defined() && argument.tensor.dtype() != target) {
      moves = &argument;
      headline += str_cat(", ", name_of(argument.tensor.dtype()));
      break;
    }
  }
  throw DTypeMismatchError(
      str_cat(headline, operand_table(arguments), "\nhelp: convert ", moves->name, ": ",
              moves->name, " = ", moves->name, ".to(torch::k", toString(target), ")"),
      site);
}

void check_floating(const char* operation, CallSite site, const Argument& argument) {
  if (argument.tensor.is_floating_point()) return;
  throw DTypeMismatchError(
      str_cat(operation, ": ", argument.name, " is ", name_of(argument.tensor.dtype()),
              ", but this operation works on floating-point tensors\nhelp: ", argument.name, " = ",
              argument.name, ".to(torch::kFloat)"),
      site);
}

void check_dim(const char* operation, CallSite site, const Argument& argument, int64_t dims) {
  if (argument.tensor.dim() == dims) return;
  throw ShapeError(str_cat(operation, ": ", argument.name, " must have ", dims,
                           " dimensions, but its shape is ", argument.tensor.sizes()),
                   site);
}

int64_t wrap_dim(int64_t dim, int64_t dims, const char* operation, CallSite site) {
  const int64_t range = std::max<int64_t>(dims, 1);
  if (dim < -range || dim >= range) {
    throw IndexError(str_cat(operation, ": dimension ", dim, " of a tensor with ", dims,
                             " dimensions (", -range, " to ", range - 1, " exist)"),
                     site);
  }
  return dim < 0 ? dim + range : dim;
}

}  // namespace tensorlib
