// L-BFGS, with fixed steps or with a search for a length that meets the strong Wolfe conditions.
#include "tensorlib/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "autograd/record.h"
#include "core/check.h"
#include "core/transfer.h"
#include "optim/optimizer.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/ops.h"

namespace tensorlib::optim {

namespace {

// A step that is remembered: how far it went, how the gradient changed, and 1 over their product.
struct Remembered {
  Tensor step, change, inverse;
};

struct LBFGSState : Optimizer::State {
  explicit LBFGSState(int64_t size) : size(size) {}

  void follow(const Tensor& parameter, CallSite site) override {
    const auto each = [&](const std::string&, Tensor& kept) {
      optim::follow(kept, parameter, site);
    };
    visit(each, [](const std::string&, double&) {});
  }
  void visit(const TensorVisitor& tensor, const NumberVisitor& number) override {
    visit_as_number("func_evals", func_evals, number);
    visit_as_number("n_iter", n_iter, number);
    number("t", t);
    number("prev_loss", prev_loss);
    tensor("d", direction);
    tensor("prev_flat_grad", prev_grad);
    tensor("H_diag", scale);
    size_t remembered = memory.size();
    visit_as_number("history", remembered, number);
    memory.resize(remembered);
    for (size_t i = 0; i < remembered; ++i) {
      tensor(str_cat("old_stps.", i), memory[i].step);
      tensor(str_cat("old_dirs.", i), memory[i].change);
      tensor(str_cat("ro.", i), memory[i].inverse);
    }
  }
  std::vector<int64_t> sizes_of(const std::string& name, const Tensor&) const override {
    const bool number = name == "H_diag" || name.rfind("ro.", 0) == 0;
    return number ? std::vector<int64_t>() : std::vector<int64_t>{size};
  }

  int64_t size;  // of all parameters together
  int64_t func_evals = 0, n_iter = 0;
  double t = 0, prev_loss = 0;
  Tensor direction, prev_grad;
  Tensor scale;  // of the first estimate of the inverse Hessian
  std::deque<Remembered> memory;
};

// Numbers that are on a device, on the host: one copy for all.
std::vector<double> read(const std::vector<Tensor>& numbers, CallSite site) {
  std::vector<Tensor> same;
  for (const Tensor& number : numbers) {
    same.push_back(number.detach().to(kDouble, false, false, site).reshape({}, site));
  }
  const Tensor here = stack(same, 0, site).to(kCPU, false, false, site);
  const double* values = here.data_ptr<double>();
  return {values, values + numbers.size()};
}

// The lowest place, within bounds, of the cubic that has these values and slopes at two places.
double lowest_of_cubic(double x1, double f1, double g1, double x2, double f2, double g2, double low,
                       double high) {
  if (x1 > x2) {
    std::swap(x1, x2);
    std::swap(f1, f2);
    std::swap(g1, g2);
  }
  const double d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2);
  const double square = d1 * d1 - g1 * g2;
  if (!(square >= 0)) return (low + high) / 2;
  const double d2 = std::sqrt(square);
  const double lowest = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2));
  return std::min(std::max(lowest, low), high);
}

// Facts about a length of step: the loss there, and its slope along the step.
struct Trial {
  double t = 0, loss = 0, slope = 0;
  Tensor grad;
  double largest = 0;  // of the gradient's elements
};

}  // namespace

// One call of step().
struct LBFGS::Search {
  const std::vector<Tensor>& params;
  const LossClosure& closure;
  LBFGSState& state;
  const LBFGSOptions& o;
  CallSite site;
  Tensor loss_tensor;  // of the last call of the closure

  Tensor evaluate() {
    {
      AutoGradMode recording(true);
      loss_tensor = closure();
    }
    require_defined(loss_tensor, "the closure's loss", "LBFGS", site);
    std::vector<Tensor> grads;
    for (const Tensor& parameter : params) {
      const Tensor grad = parameter.grad(site);
      check_same_device("LBFGS", site,
                        {{"parameter", params[0]}, {"parameter", parameter}, {"gradient", grad}});
      grads.push_back(grad.defined() ? grad.reshape({-1}, site)
                                     : zeros_like(parameter.detach(), {}, site).view({-1}, site));
    }
    return cat(grads, 0, site);
  }

  // params += t * vector
  void advance(double t, const Tensor& vector) {
    int64_t offset = 0;
    for (const Tensor& parameter : params) {
      const int64_t count = parameter.numel();
      parameter.add_(vector.narrow(0, offset, count, site).view(parameter.sizes(), site), t, site);
      offset += count;
    }
  }

  // The loss and its gradient at that length of step; the parameters stay where they are.
  Trial at(const std::vector<Tensor>& start, double t) {
    advance(t, state.direction);
    Trial trial;
    trial.t = t;
    trial.grad = evaluate();
    for (size_t i = 0; i < params.size(); ++i) params[i].copy_(start[i], false, site);
    const auto numbers = read(
        {loss_tensor, trial.grad.dot(state.direction, site), trial.grad.abs(site).max(site)}, site);
    trial.loss = numbers[0];
    trial.slope = numbers[1];
    trial.largest = numbers[2];
    return trial;
  }

  Trial strong_wolfe(const Trial& start, double t, double direction_size, int64_t& calls);
  void remember(const Tensor& grad, double product);
  Tensor direction_from(const Tensor& grad) const;
};

// A length between two where the loss is lower than the slope at the start promises, and the slope
// is flat: first the two are found, then they are brought together.
Trial LBFGS::Search::strong_wolfe(const Trial& start, double t, double direction_size,
                                  int64_t& calls) {
  constexpr double kLower = 1e-4, kFlat = 0.9;
  constexpr int kMostCalls = 25;
  std::vector<Tensor> from;
  for (const Tensor& parameter : params) from.push_back(parameter.detach().clone(site));
  const auto is_flat = [&](const Trial& trial) {
    return std::abs(trial.slope) <= -kFlat * start.slope;
  };
  const auto is_too_high = [&](const Trial& trial) {
    return trial.loss > start.loss + kLower * trial.t * start.slope;
  };

  Trial before = start, now = at(from, t);
  calls = 1;
  int i = 0;
  for (; i < kMostCalls; ++i) {
    if (is_too_high(now) || (i > 1 && now.loss >= before.loss)) break;
    if (is_flat(now)) return now;
    if (now.slope >= 0) break;
    const double next = lowest_of_cubic(before.t, before.loss, before.slope, now.t, now.loss,
                                        now.slope, now.t + 0.01 * (now.t - before.t), now.t * 10);
    before = now;
    now = at(from, next);
    ++calls;
  }
  if (i == kMostCalls) before = start;

  Trial low = before, high = now;
  const auto order = [&] {
    if (low.loss > high.loss) std::swap(low, high);
  };
  order();
  bool is_slow = false;
  while (i < kMostCalls) {
    const double least = std::min(low.t, high.t), most = std::max(low.t, high.t);
    if ((most - least) * direction_size < o.tolerance_change()) break;
    double next =
        lowest_of_cubic(low.t, low.loss, low.slope, high.t, high.loss, high.slope, least, most);
    // Too near to an end twice, or at one: a tenth away from it.
    const double tenth = 0.1 * (most - least);
    if (std::min(most - next, next - least) < tenth) {
      if (is_slow || next >= most || next <= least) {
        next = std::abs(next - most) < std::abs(next - least) ? most - tenth : least + tenth;
        is_slow = false;
      } else {
        is_slow = true;
      }
    } else {
      is_slow = false;
    }
    now = at(from, next);
    ++calls;
    ++i;
    if (is_too_high(now) || now.loss >= low.loss) {
      high = now;
      order();
      continue;
    }
    const bool done = is_flat(now);
    if (!done && now.slope * (high.t - low.t) >= 0) high = low;
    low = now;
    if (done) break;
  }
  return low;
}

void LBFGS::Search::remember(const Tensor& grad, double product) {
  if (!(product > 1e-10)) return;
  if (static_cast<int64_t>(state.memory.size()) >= o.history_size() && !state.memory.empty()) {
    state.memory.pop_front();
  }
  const Tensor change = grad.sub(state.prev_grad, 1, site);
  const Tensor step = state.direction.mul(state.t, site);
  const Tensor both = change.dot(step, site);
  state.scale = both.div(change.dot(change, site), site);
  if (o.history_size() > 0) state.memory.push_back({step, change, both.reciprocal(site)});
}

// The two loops over what is remembered; its numbers stay on the device.
Tensor LBFGS::Search::direction_from(const Tensor& grad) const {
  const auto& memory = state.memory;
  std::vector<Tensor> shares(memory.size());
  Tensor q = grad.neg(site);
  for (size_t i = memory.size(); i-- > 0;) {
    shares[i] = memory[i].step.dot(q, site).mul(memory[i].inverse, site);
    q.addcmul_(memory[i].change, shares[i], -1, site);
  }
  Tensor r = q.mul(state.scale, site);
  for (size_t i = 0; i < memory.size(); ++i) {
    const Tensor share = memory[i].change.dot(r, site).mul(memory[i].inverse, site);
    r.addcmul_(memory[i].step, shares[i].sub(share, 1, site), 1, site);
  }
  return r;
}

void LBFGSOptions::visit(const Visitor& visitor) {
  const NumberVisitor number = [&](const std::string& name, double& value) {
    visitor(name.c_str(), value);
  };
  number("lr", lr_);
  visit_as_number("max_iter", max_iter_, number);
  int64_t most = max_eval_.value_or(max_iter_ * 5 / 4);
  visit_as_number("max_eval", most, number);
  max_eval_ = most;
  number("tolerance_grad", tolerance_grad_);
  number("tolerance_change", tolerance_change_);
  visit_as_number("history_size", history_size_, number);
  bool searches = line_search_fn_.has_value();
  visit_as_number("strong_wolfe", searches, number);
  line_search_fn_ = searches ? std::optional<std::string>("strong_wolfe") : std::nullopt;
}

LBFGS::LBFGS(std::vector<OptimizerParamGroup> groups, LBFGSOptions defaults)
    : Optimizer(std::move(groups), defaults.clone()) {
  if (param_groups().size() != 1 || param_groups()[0].params().empty()) {
    throw Error("LBFGS: it takes one group of parameters", CallSite::none());
  }
}

std::unique_ptr<Optimizer::State> LBFGS::make_state() const {
  int64_t size = 0;
  for (const Tensor& parameter : param_groups()[0].params()) size += parameter.numel();
  return std::make_unique<LBFGSState>(size);
}

// Not called: step() changes all parameters at once.
void LBFGS::change(const Tensor&, const Tensor&, State&, const OptimizerOptions&, CallSite) const {}

Tensor LBFGS::step(const LossClosure& closure, CallSite site) {
  if (!closure) throw Error("LBFGS: step takes a closure", site);
  const auto& o = static_cast<const LBFGSOptions&>(param_groups()[0].options());
  if (o.line_search_fn() && *o.line_search_fn() != "strong_wolfe") {
    throw Error(str_cat("LBFGS: there is no line search \"", *o.line_search_fn(),
                        "\", only \"strong_wolfe\""),
                site);
  }
  NoGradGuard no_grad;
  const auto& params = param_groups()[0].params();
  auto& state = static_cast<LBFGSState&>(first_state());
  {
    const CauseScope cause(TransferCause::kModule);
    state.follow(params[0], site);
  }
  Search search{params, closure, state, o, site, {}};

  Tensor grad = search.evaluate();
  const Tensor first_loss = search.loss_tensor;
  ++state.func_evals;
  // Of the loss, the gradient, and the change since the last step.
  double loss = 0, largest = 0, sum = 0, product = 0, moved = 0;
  const auto look = [&] {
    const Tensor sizes = grad.abs(site);
    std::vector<Tensor> numbers = {search.loss_tensor, sizes.max(site), sizes.sum(site)};
    if (state.direction.defined()) {
      const Tensor step = state.direction.mul(state.t, site);
      numbers.push_back(grad.sub(state.prev_grad, 1, site).dot(step, site));
      numbers.push_back(step.abs(site).max(site));
    }
    const auto values = read(numbers, site);
    loss = values[0], largest = values[1], sum = values[2];
    if (values.size() > 3) product = values[3], moved = values[4];
  };
  look();
  if (largest <= o.tolerance_grad()) return first_loss;

  const int64_t most_calls = o.max_eval().value_or(o.max_iter() * 5 / 4);
  int64_t calls = 1;
  for (int64_t i = 1; i <= o.max_iter(); ++i) {
    const bool is_first = ++state.n_iter == 1;
    if (is_first) {
      state.memory.clear();
      state.direction = grad.neg(site);
      state.scale = ones_like(grad.narrow(0, 0, 1, site), {}, site).view({}, site);
    } else {
      search.remember(grad, product);
      state.direction = search.direction_from(grad);
    }
    state.prev_grad = grad;
    state.prev_loss = loss;
    state.t = (is_first ? std::min(1.0, 1 / sum) : 1.0) * o.lr();
    std::vector<Tensor> numbers = {grad.dot(state.direction, site)};
    if (o.line_search_fn()) numbers.push_back(state.direction.abs(site).max(site));
    const auto values = read(numbers, site);
    if (values[0] > -o.tolerance_change()) break;

    int64_t more = 0;
    if (o.line_search_fn()) {
      const Trial start{0, loss, values[0], grad, largest};
      const Trial found = search.strong_wolfe(start, state.t, values[1], more);
      state.t = found.t;
      search.advance(state.t, state.direction);
      grad = found.grad;
      loss = found.loss;
      largest = found.largest;
      moved = std::abs(state.t) * values[1];
      if (i < o.max_iter()) {
        product = state.t * (found.slope - values[0]);
      }
    } else {
      search.advance(state.t, state.direction);
      // The last step is not looked at: in training on batches its loss would be of no use.
      if (i < o.max_iter()) {
        grad = search.evaluate();
        more = 1;
        look();
      }
    }
    calls += more;
    state.func_evals += more;
    if (i == o.max_iter() || calls >= most_calls || largest <= o.tolerance_grad() ||
        moved <= o.tolerance_change() || std::abs(loss - state.prev_loss) < o.tolerance_change()) {
      break;
    }
  }
  return first_loss;
}

}  // namespace tensorlib::optim
