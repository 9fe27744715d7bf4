// Any bytes as a program of tensor operations, with shapes, types, layouts and numbers that nobody
// would write. An operation that is refused (tensorlib::Error) is fine; a crash, another exception,
// or a result on a CUDA device (an emulated one, where there is one) unlike the CPU's is not. What
// is wrong with numbers alone is not tried there: an index out of range ends the use of the device.

#include <tensorlib/tensorlib.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace tl = tensorlib;
using tl::Tensor;

// The bytes as numbers; zeros when they have ended.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  bool ended() const { return at_ >= size_; }
  int byte() { return ended() ? 0 : data_[at_++]; }
  int below(int n) { return byte() % n; }
  int64_t dim() { return below(8) - 4; }
  // A size or an index: mostly small, now and then absurd.
  int64_t size() {
    constexpr int64_t kAbsurd[] = {-1,
                                   -2,
                                   int64_t{1} << 40,
                                   int64_t{1} << 62,
                                   std::numeric_limits<int64_t>::max(),
                                   std::numeric_limits<int64_t>::min()};
    const int choice = byte();
    return choice >= 250 ? kAbsurd[choice - 250] : choice % 6;
  }
  std::vector<int64_t> sizes() {
    std::vector<int64_t> result(static_cast<std::size_t>(below(5)));
    for (int64_t& each : result) each = size();
    return result;
  }
  double number() {
    // All are numbers of every floating type: the CPU rounds one to the tensor's type, as
    // LibTorch's.
    constexpr double kOdd[] = {0.0, -0.0, 0.5, -0.25, 2.5, 1024, -4096, 1};
    const int choice = byte();
    if (choice == 255) return std::nan("");
    if (choice == 254) return INFINITY;
    return choice >= 200 ? kOdd[choice % 8] : choice - 100;
  }
  tl::ScalarType type() {
    constexpr tl::ScalarType kTypes[] = {tl::kFloat,    tl::kFloat, tl::kDouble, tl::kHalf,
                                         tl::kBFloat16, tl::kLong,  tl::kInt,    tl::kShort,
                                         tl::kChar,     tl::kByte,  tl::kBool};
    return kTypes[below(11)];
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

// The work of an operation on operands of one device.
using Work = std::function<Tensor(const Tensor& a, const Tensor& b, const Tensor& c)>;
struct Step {
  const char* name;
  Work work;
  bool is_view = false;
};

#define STEP(text, ...)                                   \
  {text,                                                  \
   [=](const Tensor& a, [[maybe_unused]] const Tensor& b, \
       [[maybe_unused]] const Tensor& c) -> Tensor { return __VA_ARGS__; }}

// For what is not exact of large numbers, and for a convolution, which may or may not multiply its
// padding with the weights.
Tensor finite(const Tensor& t) { return t.masked_fill(t.isnan(), 1).clamp(-100, 100); }

Step views(Input& in) {
  const int64_t i = in.dim(), j = in.dim(), m = in.size(), n = in.size(), k = in.size();
  const std::vector<int64_t> sizes = in.sizes();
  const Step steps[] = {STEP("transpose", a.transpose(i, j)), STEP("slice", a.slice(i, m, n, k)),
                        STEP("select", a.select(i, m)),       STEP("narrow", a.narrow(i, m, n)),
                        STEP("unsqueeze", a.unsqueeze(i)),    STEP("squeeze", a.squeeze(i)),
                        STEP("expand", a.expand(sizes)),      STEP("view", a.view(sizes)),
                        STEP("reshape", a.reshape(sizes)),    STEP("permute", a.permute(sizes)),
                        STEP("flatten", a.flatten(i, j)),     STEP("contiguous", a.contiguous()),
                        STEP("detach", a.detach()),           STEP("t", a.t())};
  return steps[in.below(static_cast<int>(std::size(steps)))];
}

Step element_wise(Input& in) {
  const double x = in.number(), y = in.number();
  const tl::ScalarType type = in.type();
  const Step steps[] = {STEP("add", a.add(b, x)),
                        STEP("sub", a - b),
                        STEP("mul", a * b),
                        STEP("div", a / b),
                        STEP("add number", a + x),
                        STEP("div number", a / x),
                        STEP("number less", x - a),
                        STEP("remainder", a.remainder(b)),
                        STEP("pow", a.pow(y)),
                        STEP("exp", a.exp()),
                        STEP("log", a.log()),
                        STEP("sqrt", a.sqrt()),
                        STEP("tanh", a.tanh()),
                        STEP("sigmoid", a.sigmoid()),
                        STEP("relu", a.relu()),
                        STEP("abs", a.abs()),
                        STEP("neg", -a),
                        STEP("lt", a < b),
                        STEP("eq", a == b),
                        STEP("and", a & b),
                        STEP("clamp", a.clamp(x, y)),
                        STEP("where", tl::where(c, a, b)),
                        STEP("masked_fill", a.masked_fill(c, x)),
                        STEP("to", a.to(type)),
                        STEP("maximum", tl::maximum(a, b)),
                        STEP("logical_not", a.logical_not()),
                        STEP("isnan", a.isnan())};
  return steps[in.below(static_cast<int>(std::size(steps)))];
}

Step reductions(Input& in) {
  const int64_t i = in.dim(), k = in.size();
  const bool flag = in.below(2) == 1;
  std::vector<int64_t> dims(static_cast<std::size_t>(in.below(4)));
  for (int64_t& each : dims) each = in.dim();
  const Step steps[] = {STEP("sum", a.sum(dims, flag)),
                        STEP("mean", a.mean(dims, flag)),
                        STEP("sum all", a.sum()),
                        STEP("max", std::get<0>(a.max(i, flag))),
                        STEP("min", a.min()),
                        STEP("amax", a.amax(dims, flag)),
                        STEP("argmax", a.argmax(i, flag)),
                        STEP("prod", a.prod(i, flag)),
                        STEP("var", finite(a).var(dims, flag, true)),
                        STEP("norm", a.norm(2, dims, flag)),
                        STEP("softmax", a.softmax(i)),
                        STEP("log_softmax", a.log_softmax(i)),
                        STEP("cumsum", a.cumsum(i)),
                        STEP("topk", std::get<0>(a.topk(k, i, flag))),
                        STEP("sort", std::get<0>(a.sort(i, flag))),
                        STEP("all", a.all()),
                        STEP("logsumexp", a.logsumexp(dims, flag))};
  return steps[in.below(static_cast<int>(std::size(steps)))];
}

Step joined(Input& in) {
  const int64_t i = in.dim(), k = in.size(), m = in.size();
  const std::vector<int64_t> sizes = in.sizes();
  const Step steps[] = {STEP("matmul", a.matmul(b)),
                        STEP("addmm", c.addmm(a, b)),
                        STEP("bmm", a.bmm(b)),
                        STEP("linear", tl::linear(a, b)),
                        STEP("cat", tl::cat({a, b, c}, i)),
                        STEP("stack", tl::stack({a, b}, i)),
                        STEP("gather", a.gather(i, b)),
                        STEP("index_select", a.index_select(i, b)),
                        STEP("embedding", tl::embedding(a, b)),
                        STEP("masked_select", a.masked_select(c)),
                        STEP("repeat", a.repeat(sizes)),
                        STEP("flip", a.flip(sizes)),
                        STEP("roll", a.roll(k, i)),
                        STEP("tril", a.tril(k)),
                        STEP("diag", a.diag(k)),
                        STEP("split", a.split(k, i).at(0)),
                        STEP("nonzero", a.nonzero()),
                        STEP("one_hot", tl::one_hot(a, k)),
                        STEP("conv2d", tl::conv2d(finite(a), finite(b), {}, k, m)),
                        STEP("max_pool2d", tl::max_pool2d(a, k, m)),
                        STEP("avg_pool2d", tl::avg_pool2d(a, k, m)),
                        STEP("adaptive", tl::adaptive_avg_pool2d(a, {k, m})),
                        STEP("outer", a.outer(b)),
                        STEP("layer_norm", tl::layer_norm(a, sizes)),
                        STEP("cross_entropy", tl::nn::functional::cross_entropy(a, b)),
                        STEP("einsum", tl::einsum("ij,jk->ik", {a, b}))};
  return steps[in.below(static_cast<int>(std::size(steps)))];
}

// Elements that share memory, of which the thread that is last leaves its own.
bool shares_elements(const Tensor& t) {
  for (int64_t i = 0; i < t.dim(); ++i) {
    if (t.size(i) > 1 && t.stride(i) == 0) return true;
  }
  return false;
}

// Operations that change their first operand; they return a copy of it for the comparison.
Step in_place(Input& in) {
  const double x = in.number();
  const int64_t i = in.dim(), m = in.size();
  const auto changed = [](Tensor t, const std::function<void(Tensor&)>& change) {
    const tl::NoGradGuard no_grad;
    if (shares_elements(t)) t = t.clone();
    change(t);
    return t.clone();
  };
  const Step steps[] = {STEP("fill_", changed(a, [&](Tensor& t) { t.fill_(x); })),
                        STEP("add_", changed(a, [&](Tensor& t) { t.add_(b); })),
                        STEP("mul_", changed(a, [&](Tensor& t) { t.mul_(x); })),
                        STEP("copy_", changed(a, [&](Tensor& t) { t.copy_(b); })),
                        STEP("zero_", changed(a, [&](Tensor& t) { t.zero_(); })),
                        STEP("part", changed(a, [&](Tensor& t) { t.select(i, m).copy_(b); })),
                        STEP("put", changed(a, [&](Tensor& t) { t.index_put_({b}, c); }))};
  return steps[in.below(static_cast<int>(std::size(steps)))];
}

Step next(Input& in) {
  switch (in.below(5)) {
    case 0: {
      Step step = views(in);
      step.is_view = true;
      return step;
    }
    case 1: return element_wise(in);
    case 2: return reductions(in);
    case 3: return joined(in);
    default: return in_place(in);
  }
}

Tensor fresh(Input& in) {
  const tl::ScalarType type = in.type();
  std::vector<int64_t> sizes = in.sizes();
  Tensor made = tl::zeros(sizes, type);
  if (made.numel() > 0) made = (tl::arange(made.numel(), tl::kFloat) - 2).view(sizes).to(type);
  return made;
}

std::string shape_of(const Tensor& t) {
  std::ostringstream text;
  text << t.dtype() << t.sizes() << " by " << t.strides();
  return text.str();
}

// Small in every dimension, so that what is made of it takes no time.
bool is_small(const Tensor& t) {
  constexpr int64_t kLargest = 4096;
  for (int64_t size : t.sizes()) {
    if (size > kLargest) return false;
  }
  return t.numel() <= kLargest;
}

// Alike, as far as rounding lets them be.
bool alike(const Tensor& cpu, const Tensor& cuda) {
  if (cpu.sizes() != cuda.sizes() || cpu.dtype() != cuda.dtype()) return false;
  if (cpu.numel() == 0) return true;
  const bool reduced = cpu.dtype() == tl::kHalf || cpu.dtype() == tl::kBFloat16;
  const Tensor x = cpu.to(tl::kDouble).contiguous().view({-1});
  const Tensor y = cuda.to(tl::kCPU).to(tl::kDouble).contiguous().view({-1});
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double p = x.data_ptr<double>()[i], q = y.data_ptr<double>()[i];
    if (p == q || (std::isnan(p) && std::isnan(q))) continue;
    const double tolerance = reduced ? 0.05 : cpu.dtype() == tl::kDouble ? 1e-6 : 1e-3;
    if (!(std::fabs(p - q) <= tolerance * (1 + std::fabs(p)))) return false;
  }
  return true;
}

// The result, or why there is none.
std::pair<Tensor, std::string> run(const Step& step, const Tensor* const operands[3]) {
  try {
    return {step.work(*operands[0], *operands[1], *operands[2]), ""};
  } catch (const tl::Error& error) {
    return {Tensor(), error.what()};
  }
}

bool is_of_numbers(const std::string& error) {
  for (const char* part : {"index", "divided by 0", "class"}) {
    if (error.find(part) != std::string::npos) return true;
  }
  return false;
}

[[noreturn]] void fail(const Step& step, const Tensor* const operands[3], const std::string& cpu,
                       const std::string& cuda) {
  std::fprintf(stderr, "%s: the CPU and CUDA differ\n", step.name);
  for (int k = 0; k < 3; ++k) {
    std::ostringstream numbers;
    numbers << operands[k]->flatten().slice(0, 0, 8).to(tl::kDouble);
    std::fprintf(stderr, "  operand %d: %s, from\n%s\n", k, shape_of(*operands[k]).c_str(),
                 numbers.str().c_str());
  }
  std::fprintf(stderr, "  cpu: %s\n  cuda: %s\n", cpu.c_str(), cuda.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool has_cuda = tl::cuda::is_available();
  constexpr int kTensors = 5, kSteps = 24;
  Input in(data, size);
  Tensor cpu[kTensors], cuda[kTensors];
  const auto set = [&](int slot, const Tensor& on_cpu, const Tensor& on_cuda) {
    cpu[slot] = on_cpu;
    cuda[slot] = on_cuda;
  };
  for (int slot = 0; slot < kTensors; ++slot) {
    Tensor made = tl::zeros({2, 3}), mirrored;
    try {
      const Tensor wanted = fresh(in);
      if (!is_small(wanted)) throw tl::Error("large", tl::CallSite::none());
      if (has_cuda) mirrored = wanted.to(tl::kCUDA);
      made = wanted;
    } catch (const tl::Error&) {
      if (has_cuda) mirrored = made.to(tl::kCUDA);
    }
    set(slot, made, mirrored);
  }
  for (int step_number = 0; step_number < kSteps && !in.ended(); ++step_number) {
    const Step step = next(in);
    const int a = in.below(kTensors), b = in.below(kTensors), c = in.below(kTensors);
    const Tensor* const on_cpu[] = {&cpu[a], &cpu[b], &cpu[c]};
    const Tensor* const on_cuda[] = {&cuda[a], &cuda[b], &cuda[c]};
    const auto [result, error] = run(step, on_cpu);
    Tensor mirrored;
    if (has_cuda && !is_of_numbers(error)) {
      const auto [other, other_error] = run(step, on_cuda);
      if (result.defined() != other.defined()) fail(step, on_cpu, error, other_error);
      if (result.defined() && is_small(result) && !alike(result, other)) {
        std::ostringstream left, right;
        left << result;
        right << other;
        fail(step, on_cpu, left.str(), right.str());
      }
      mirrored = other;
      // Rounding must not grow from step to step.
      if (result.defined() && !step.is_view) mirrored.copy_(result);
    }
    if (result.defined() && is_small(result)) set(in.below(kTensors), result, mirrored);
  }
  return 0;
}
