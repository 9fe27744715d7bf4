#include "whose_call.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace xfer {
namespace {

using Stack = std::vector<SymbolFrame>;
using std::string_view;

bool holds(const SymbolFrame& frame, string_view part) {
  return frame.location.function.find(part) != std::string::npos;
}

/// Profilers name files from where Python found them: "torch/nn/modules/module.py".
std::string file_from_root(const SymbolFrame& frame) {
  const std::string& file = frame.location.file;
  return file.starts_with('/') ? file : "/" + file;
}

bool is_of_file(const SymbolFrame& frame, string_view end) {
  return frame.python && file_from_root(frame).ends_with(end);
}

constexpr string_view kModule = "/torch/nn/modules/module.py";

bool passes_file(const Stack& stack, string_view end) {
  return std::any_of(stack.begin(), stack.end(),
                     [&](const SymbolFrame& frame) { return is_of_file(frame, end); });
}

bool is_of_program(const SymbolFrame& frame) {
  return frame.kind == FrameKind::kUser || frame.kind == FrameKind::kOutside;
}

/// The innermost Python call; null where there is none.
const SymbolFrame* python_caller(const Stack& stack) {
  const auto inner = std::find_if(stack.begin(), stack.end(),
                                  [](const SymbolFrame& frame) { return frame.python; });
  return inner != stack.end() ? &*inner : nullptr;
}

/// torch.cuda.synchronize(), Stream.synchronize() and their kin, as Python has them.
bool is_of_cuda(const SymbolFrame& frame) {
  const std::string file = file_from_root(frame);
  return file.find("/torch/cuda/") != std::string::npos ||
         file.find("/torch/accelerator/") != std::string::npos;
}

bool is_of_standard_library(const SymbolFrame& frame) {
  const std::string& file = frame.location.file;
  const bool is_module = file.find('/') == std::string::npos && frame.kind == FrameKind::kLibrary;
  return is_module || (file.find("/lib/python3") != std::string::npos &&
                       file.find("-packages/") == std::string::npos);
}

/// A tensor's own methods, CUDA's calls, and Python's standard library do what their caller asks
/// for. So does what has no file: built-in functions.
bool acts_for_its_caller(const SymbolFrame& frame) {
  return is_of_cuda(frame) || is_of_file(frame, "/torch/_tensor.py") ||
         is_of_standard_library(frame);
}

/// The innermost Python call that acts for itself; null where there is none.
const SymbolFrame* acting_caller(const Stack& stack) {
  const auto inner = std::find_if(stack.begin(), stack.end(), [](const SymbolFrame& frame) {
    return frame.python && !acts_for_its_caller(frame);
  });
  return inner != stack.end() ? &*inner : nullptr;
}

// Thrust's algorithms wait by themselves, and no line of the program can take that away.
bool is_of_algorithm(const Stack& stack, const SymbolFrame* place) {
  for (const SymbolFrame& frame : stack) {
    if (&frame == place) return false;
    if (holds(frame, "thrust::")) return true;
  }
  return false;
}

// PyTorch's allocators keep the memory that they get from CUDA, for later requests.
bool is_of_cache(const Stack& stack) {
  return std::any_of(stack.begin(), stack.end(), [](const SymbolFrame& frame) {
    return holds(frame, "CachingHostAllocator") || holds(frame, "CachingAllocator");
  });
}

// PyTorch asks for a value after the other to find out how wide they are.
bool is_of_printing(const Stack& stack) { return passes_file(stack, "/torch/_tensor_str.py"); }

// A few bytes that a library looks at or sends: an optimizer's own scalars, the test of a loop of
// its own.
bool is_small_and_of_library(const EngineFinding& found, const Stack& stack) {
  const SymbolFrame* const caller = acting_caller(stack);
  return found.largest_bytes <= EngineOptions{}.small_bytes && caller != nullptr &&
         caller->kind == FrameKind::kLibrary;
}

/// The operator of PyTorch's that the program, or Python, called: "_foreach_norm_Scalar"; empty
/// where the stack names none.
string_view called_operator(const Stack& stack) {
  constexpr string_view kOperators = "at::_ops::";
  string_view name;
  for (const SymbolFrame& frame : stack) {
    if (frame.python || is_of_program(frame)) break;
    string_view function = frame.location.function;
    if (!function.starts_with(kOperators)) continue;
    function.remove_prefix(kOperators.size());
    name = function.substr(0, function.find("::"));
  }
  return name;
}

/// An operator that sends tensors which it is given to a device, those that index others included.
bool sends_its_tensors(string_view name) {
  constexpr std::array kSenders = {
      string_view("to"),      string_view("_to_"),          string_view("copy"),
      string_view("_copy"),   string_view("index"),         string_view("_index"),
      string_view("where"),   string_view("_unsafe_index"), string_view("fill"),
      string_view("masked_"), string_view("lift"),          string_view("set_")};
  return name.empty() || std::any_of(kSenders.begin(), kSenders.end(),
                                     [&](string_view sender) { return name.starts_with(sender); });
}

bool is_about_copies(Rule rule) {
  switch (rule) {
    case Rule::kRepeatedTransfer:
    case Rule::kRoundTrip:
    case Rule::kUnusedTransfer:
    case Rule::kPageableAsync:
    case Rule::kSmallCopies: return true;
    default: return false;
  }
}

// Data that an operator sends for itself, such as the addresses of a list's tensors, is no tensor
// of the program.
bool is_of_operator(const EngineFinding& found, const Stack& stack) {
  return is_about_copies(found.rule) && found.device >= 0 && found.source_device < 0 &&
         !sends_its_tensors(called_operator(stack));
}

/// A module moves a parameter, or loads it.
const SymbolFrame* of_module(const Stack& stack) {
  const SymbolFrame* const caller = python_caller(stack);
  return caller != nullptr && is_of_file(*caller, kModule) ? caller : nullptr;
}

bool loads(const SymbolFrame& module) { return holds(module, "_load_from_state_dict"); }

// A model is moved to its device, and then its weights are loaded or set there.
bool is_of_moved_model(const EngineFinding& found, const Stack& stack) {
  if (found.reason != Reason::kOverwritten) return false;
  const SymbolFrame* const module = of_module(stack);
  return module != nullptr && !loads(*module);
}

// The last act may be to take the best weights.
bool is_of_loaded_model(const EngineFinding& found, const Stack& stack) {
  if (found.reason != Reason::kTooLate && found.reason != Reason::kNeverRead) return false;
  const SymbolFrame* const module = of_module(stack);
  return module != nullptr && loads(*module);
}

// Tensors that a model saves for its backward pass go by way of the host: its inputs too, and
// tensors that two operators save.
bool is_of_saved_tensors(const EngineFinding& found, const Stack& stack) {
  return is_about_copies(found.rule) && passes_file(stack, "/torch/autograd/graph.py");
}

// Each file that a state is saved to needs its bytes, and so does the device where it is loaded.
bool is_of_saving(const EngineFinding& found, const Stack& stack) {
  const bool brings = found.device < 0 && found.rule == Rule::kRepeatedTransfer;
  return (brings || found.rule == Rule::kRoundTrip || found.reason == Reason::kThroughHost) &&
         passes_file(stack, "/torch/serialization.py");
}

// A library moves what it was given, as a module its parameters piece by piece.
bool is_moved_by_library(const EngineFinding& found, const Stack& stack) {
  const SymbolFrame* const caller = acting_caller(stack);
  return (found.reason == Reason::kStackedFirst || found.reason == Reason::kWaitedForPinned) &&
         caller != nullptr && caller->kind >= FrameKind::kLibrary;
}

// The backward pass repeats the forward pass's copies: the forward pass's findings tell of them.
bool is_of_backward(const EngineFinding& found, const Stack& stack, const SymbolFrame* place) {
  if (found.reason != Reason::kThroughHost) return false;
  for (const SymbolFrame& frame : stack) {
    if (&frame == place) return false;
    if (holds(frame, "torch::autograd::Engine::")) return true;
  }
  return false;
}

}  // namespace

bool is_one_call(const Stack& stack, const Stack& other) {
  const SymbolFrame* const place = user_frame(stack);
  const SymbolFrame* const other_place = user_frame(other);
  const auto is_library = [](const SymbolFrame& frame) {
    return frame.kind == FrameKind::kLibrary;
  };
  return place != nullptr && other_place != nullptr && is_of_program(*place) &&
         place->location == other_place->location && std::any_of(stack.data(), place, is_library) &&
         std::any_of(other.data(), other_place, is_library);
}

bool is_of_pinning_loader(const Stack& stack) {
  return passes_file(stack, "/torch/utils/data/_utils/pin_memory.py");
}

bool is_of_module(const Stack& stack) { return passes_file(stack, kModule); }

bool is_of_capture(const Stack& stack) { return passes_file(stack, "/torch/cuda/graphs.py"); }

bool is_of_library(const EngineFinding& found, const SymbolFrame* place) {
  return place != nullptr && place->kind >= FrameKind::kLibrary &&
         info(found.rule).severity != Severity::kError;
}

bool is_nobodys(const EngineFinding& found, const Stack& stack, const SymbolFrame* place) {
  // A few bytes that a library moves in a thread of its own are nothing that a person can change.
  if (is_of_library(found, place) && found.largest_bytes <= EngineOptions{}.small_bytes)
    return true;
  if (found.rule == Rule::kLeak && (is_of_library(found, place) || is_of_cache(stack))) return true;
  if (found.rule == Rule::kNeedlessSync && is_of_algorithm(stack, place)) return true;
  if (info(found.rule).severity == Severity::kError) return false;
  return is_of_printing(stack) || is_small_and_of_library(found, stack) ||
         is_of_operator(found, stack) || is_of_moved_model(found, stack) ||
         is_of_saving(found, stack) || is_of_backward(found, stack, place) ||
         is_moved_by_library(found, stack) || is_of_loaded_model(found, stack) ||
         is_of_saved_tensors(found, stack);
}

}  // namespace xfer
