#include "foreign/places.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "src/scope_name.h"

namespace xfer::foreign {
namespace {

using std::string_view;

/// Of packages whose files profilers name from the package on: "torch/nn/modules/module.py".
constexpr std::array kPackages = {string_view("torch"),
                                  string_view("torchvision"),
                                  string_view("torchaudio"),
                                  string_view("torchdata"),
                                  string_view("transformers"),
                                  string_view("accelerate"),
                                  string_view("lightning"),
                                  string_view("pytorch_lightning"),
                                  string_view("deepspeed"),
                                  string_view("apex"),
                                  string_view("timm"),
                                  string_view("numpy"),
                                  string_view("scipy"),
                                  string_view("pandas"),
                                  string_view("PIL"),
                                  string_view("triton"),
                                  string_view("datasets"),
                                  string_view("tokenizers"),
                                  string_view("xformers"),
                                  string_view("tqdm"),
                                  string_view("tensorboard"),
                                  string_view("hydra"),
                                  string_view("vllm"),
                                  string_view("jax"),
                                  string_view("multiprocessing"),
                                  string_view("concurrent"),
                                  string_view("importlib"),
                                  string_view("asyncio"),
                                  string_view("logging"),
                                  string_view("unittest"),
                                  string_view("json"),
                                  string_view("collections"),
                                  string_view("encodings"),
                                  string_view("xml"),
                                  string_view("email"),
                                  string_view("http"),
                                  string_view("urllib"),
                                  string_view("ctypes"),
                                  string_view("_pytest"),
                                  string_view("pluggy"),
                                  string_view("IPython"),
                                  string_view("ipykernel"),
                                  string_view("tornado"),
                                  string_view("traitlets"),
                                  string_view("zmq")};

/// Of the standard library, named alone.
constexpr std::array kModules = {
    string_view("threading.py"),  string_view("runpy.py"),
    string_view("contextlib.py"), string_view("queue.py"),
    string_view("selectors.py"),  string_view("subprocess.py"),
    string_view("tempfile.py"),   string_view("random.py"),
    string_view("copy.py"),       string_view("functools.py"),
    string_view("enum.py"),       string_view("typing.py"),
    string_view("inspect.py"),    string_view("warnings.py"),
    string_view("weakref.py"),    string_view("pickle.py"),
    string_view("socket.py"),     string_view("os.py"),
    string_view("re.py"),         string_view("abc.py"),
    string_view("codecs.py"),     string_view("colab_kernel_launcher.py")};

bool is_of_library(string_view file) {
  const std::size_t slash = file.find('/');
  const auto is = [&](string_view known) { return file.substr(0, slash) == known; };
  return slash == string_view::npos ? std::any_of(kModules.begin(), kModules.end(), is)
                                    : std::any_of(kPackages.begin(), kPackages.end(), is);
}

/// "<built-in method to of Tensor object at 0x7f>" differs from object to object, and the place is
/// one.
std::string without_address(string_view name) {
  const std::size_t address = name.find(" at 0x");
  return address == string_view::npos ? std::string(name)
                                      : std::string(name.substr(0, address)) + ">";
}

/// "train.py(34): main", "<built-in method to of Tensor object>", "nn.Module: Linear_0".
TracePythonFrame python_frame(string_view name) {
  TracePythonFrame frame;
  const std::size_t close = name.find("): ");
  const std::size_t open = close == string_view::npos ? close : name.rfind('(', close);
  unsigned line = 0;
  if (open != string_view::npos &&
      std::from_chars(name.data() + open + 1, name.data() + close, line).ptr ==
          name.data() + close) {
    frame.file = name.substr(0, open);
    frame.function = name.substr(close + 3);
    frame.line = line;
    frame.of_library = is_of_library(frame.file);
    return frame;
  }
  frame.of_library = true;
  frame.function = without_address(name);
  return frame;
}

constexpr std::uint64_t kRounding = 2000;  // ns: older files have whole microseconds

constexpr string_view kBackward = "autograd::engine::evaluate_function: ";

string_view operator_name(string_view name) {
  if (name.starts_with(kBackward)) name.remove_prefix(kBackward.size());
  return name;
}

}  // namespace

Places::Places(Run& run) : run_(run), scopes_(std::move(run.scopes)) {
  std::stable_sort(scopes_.begin(), scopes_.end(), [](const Scope& a, const Scope& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.begin_ns != b.begin_ns ? a.begin_ns < b.begin_ns : a.end_ns > b.end_ns;
  });
  for (std::size_t i = 0; i < scopes_.size(); ++i) {
    const auto [entry, is_new] = threads_.try_emplace(scopes_[i].thread);
    if (is_new) entry->second.next = i;
    entry->second.end = i + 1;
  }
}

std::uint32_t Places::same_name(const Scope& scope) {
  const auto [entry, is_new] = same_names_.try_emplace(scope.name);
  if (!is_new) return entry->second;
  const std::string& from = run_.texts.text(scope.name);
  // Of modules, the number tells instances apart: "nn.Module: Linear_3".
  const bool is_function = scope.kind == Scope::Kind::kPython && !from.starts_with("nn.Module: ");
  const std::uint32_t number =
      run_.texts.number(is_function ? without_address(from) : without_numbers(from));
  return same_names_[scope.name] = number;
}

std::uint32_t Places::child(const Node& node, std::uint32_t same_as) {
  const auto [entry, is_new] =
      children_.try_emplace({node.parent, same_as, node.is_call, node.stack});
  if (is_new) {
    entry->second = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
  }
  return entry->second;
}

std::uint32_t Places::site(const Call& call, std::uint32_t launched) {
  std::uint32_t at = 0;
  const std::uint64_t time_ns = call.begin_ns;
  if (const auto known = threads_.find(call.thread); known != threads_.end()) {
    Thread& its = known->second;
    const auto node = [&] { return its.open.empty() ? 0 : its.open.back().second; };
    for (; its.next != its.end && scopes_[its.next].begin_ns <= time_ns; ++its.next) {
      const Scope& scope = scopes_[its.next];
      // A scope that ends later than another is not inside it, but for what rounding does.
      while (!its.open.empty() && (its.open.back().first <= scope.begin_ns ||
                                   its.open.back().first + kRounding < scope.end_ns))
        its.open.pop_back();
      const std::uint32_t same_as =
          scope.kind == Scope::Kind::kOperator ? scope.name : same_name(scope);
      its.open.emplace_back(scope.end_ns,
                            child({node(), scope.name, false, 0, scope.kind}, same_as));
    }
    while (!its.open.empty() && its.open.back().first < time_ns) its.open.pop_back();
    at = node();
  }
  return child({at, call.name, true, call.stack}, launched != 0 ? launched : call.name);
}

std::vector<TracePythonFrame> Places::frames(std::uint32_t site) const {
  std::vector<TracePythonFrame> frames;
  if (site >= nodes_.size()) return frames;
  // The outermost operator within the innermost annotation is what the program called.
  std::optional<std::size_t> called;
  string_view annotation;
  for (std::uint32_t at = site; at != 0; at = nodes_[at].parent) {
    const Node& node = nodes_[at];
    const std::string& name = run_.texts.text(node.name);
    TracePythonFrame frame;
    frame.is_native = node.is_call || node.kind != Scope::Kind::kPython;
    if (node.is_call || node.kind == Scope::Kind::kOperator) {
      frame.function = node.is_call ? name : operator_name(name);
      frame.of_library = true;
      if (annotation.empty()) called = frames.size();
    } else if (node.kind == Scope::Kind::kPython) {
      frame = python_frame(name);
    } else {
      frame.function = name;
      if (annotation.empty()) annotation = name;
    }
    frames.push_back(std::move(frame));
    if (const auto stack = run_.stacks.find(node.stack);
        node.stack != 0 && stack != run_.stacks.end())
      for (const NativeFrame& native : stack->second) {
        TracePythonFrame outer;
        outer.function = run_.texts.text(native.function);
        outer.module = run_.texts.text(native.module);
        outer.is_native = true;
        frames.push_back(std::move(outer));
        if (annotation.empty()) called.reset();
      }
  }
  if (called) {
    TracePythonFrame& operation = frames[*called];
    operation.of_library = false;
    if (!annotation.empty()) operation.function += " in " + std::string(annotation);
  }
  return frames;
}

}  // namespace xfer::foreign
