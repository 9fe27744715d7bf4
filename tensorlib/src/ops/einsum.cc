// einsum: a sum of products, told by a letter for each dimension. Two operands at a time are one
// batched product of matrices: [batch, own of a, summed] . [batch, summed, own of b].
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "core/check.h"
#include "core/tensor_impl.h"
#include "tensorlib/factories.h"
#include "tensorlib/ops.h"

namespace tensorlib {

namespace {

// A letter, or a dimension of the ellipsis, which is counted from its end: 256, 257, ...
using Label = int;
using Labels = std::vector<Label>;
constexpr Label kEllipsis = 256;

bool has(const Labels& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

struct Term {
  Tensor tensor;
  Labels labels;  // of its dimensions

  int64_t size(Label label) const {
    return tensor.size(std::find(labels.begin(), labels.end(), label) - labels.begin());
  }
  Tensor ordered(const Labels& order, CallSite site) const {
    std::vector<int64_t> dims;
    for (const Label label : order) {
      dims.push_back(std::find(labels.begin(), labels.end(), label) - labels.begin());
    }
    return dims.empty() ? tensor : tensor.permute(dims, site);
  }
};

class Equation {
 public:
  Equation(std::string_view text, CallSite site) : site_(site) {
    for (const char c : text) {
      if (c != ' ') text_ += c;
    }
    std::string_view left = text_;
    if (const size_t arrow = left.find("->"); arrow != left.npos) {
      explicit_ = true;
      result_ = left.substr(arrow + 2);
      left = left.substr(0, arrow);
    }
    while (true) {
      const size_t comma = left.find(',');
      parts_.push_back(left.substr(0, comma));
      if (comma == left.npos) break;
      left = left.substr(comma + 1);
    }
  }

  Equation(const Equation&) = delete;

  std::vector<Term> terms(ArrayRef<Tensor> tensors) {
    if (tensors.size() != parts_.size()) {
      refuse(str_cat("names ", parts_.size(), " operands, and ", tensors.size(), " are given"));
    }
    std::vector<Term> result;
    for (size_t i = 0; i < tensors.size(); ++i) {
      require_defined(tensors[i], "tensors[...]", "einsum", site_);
      const int64_t rank = tensors[i].dim();
      const int64_t named = letters_in(parts_[i]);
      const bool open = parts_[i].find("...") != std::string_view::npos;
      if (open ? named > rank : named != rank) {
        refuse(str_cat("names ", named, " dimensions of operand ", i, ", whose shape is ",
                       tensors[i].sizes()));
      }
      if (open) ellipsis_ = std::max(ellipsis_, rank - named);
      result.push_back({tensors[i], labels_of(parts_[i], rank - named)});
    }
    return result;
  }

  // The result's dimensions; without an arrow those that are met once, in order.
  Labels result(const std::vector<Term>& terms) const {
    Labels labels;
    if (explicit_) {
      letters_in(result_);
      labels = labels_of(result_, ellipsis_);
      for (size_t i = 0; i < labels.size(); ++i) {
        if (std::count(labels.begin(), labels.end(), labels[i]) > 1) {
          refuse("names a dimension of the result twice");
        }
        if (std::none_of(terms.begin(), terms.end(),
                         [&](const Term& t) { return has(t.labels, labels[i]); })) {
          refuse("names a dimension of the result that no operand has");
        }
      }
      return labels;
    }
    labels = labels_of("...", ellipsis_);
    for (Label letter = 0; letter < kEllipsis; ++letter) {
      int64_t met = 0;
      for (const Term& t : terms) met += std::count(t.labels.begin(), t.labels.end(), letter);
      if (met == 1) labels.push_back(letter);
    }
    return labels;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw ShapeError(str_cat("einsum: \"", text_, "\" ", why), site_);
  }

 private:
  int64_t letters_in(std::string_view part) const {
    int64_t count = 0, ellipses = 0;
    for (size_t i = 0; i < part.size(); ++i) {
      if (part.compare(i, 3, "...") == 0) {
        ++ellipses;
        i += 2;
      } else if (std::isalpha(static_cast<unsigned char>(part[i])) != 0) {
        ++count;
      } else {
        refuse(str_cat("has a '", part[i], "', which is not a letter"));
      }
    }
    if (ellipses > 1) refuse("has two ellipses in one operand");
    return count;
  }
  static Labels labels_of(std::string_view part, int64_t ellipsis) {
    Labels labels;
    for (size_t i = 0; i < part.size(); ++i) {
      if (part[i] != '.') {
        labels.push_back(static_cast<unsigned char>(part[i]));
        continue;
      }
      for (int64_t d = ellipsis - 1; d >= 0; --d) {
        labels.push_back(kEllipsis + static_cast<Label>(d));
      }
      i += 2;
    }
    return labels;
  }

  CallSite site_;
  std::string text_;
  std::vector<std::string_view> parts_;
  std::string_view result_;
  bool explicit_ = false;
  int64_t ellipsis_ = 0;  // dimensions of the longest
};

// "ii": the diagonal, as one dimension.
void join_repeated(Term& term, const Equation& equation, CallSite site) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const auto again = std::find(term.labels.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                 term.labels.end(), term.labels[i]);
    if (again == term.labels.end()) continue;
    const int64_t d = static_cast<int64_t>(i), other = again - term.labels.begin();
    const int64_t n = term.tensor.size(d);
    if (term.tensor.size(other) != n) equation.refuse("names dimensions of unequal sizes alike");
    const TensorOptions options = TensorOptions(term.tensor.device()).dtype(kLong);
    const Tensor diagonal = arange(0, n, options, site).mul(n + 1, site);
    const Tensor last = term.tensor.transpose(d, -2, site);
    // Where d was next to last, what was there is now at d.
    const int64_t moved = other == term.tensor.dim() - 2 ? d : other;
    const Tensor flat = last.transpose(moved, -1, site).flatten(-2, -1, site);
    Labels labels = term.labels;
    std::swap(labels[i], labels[labels.size() - 2]);
    std::swap(labels[static_cast<size_t>(moved)], labels.back());
    labels.pop_back();
    term = {flat.index_select(-1, diagonal, site), labels};
    i = static_cast<size_t>(-1);  // from the start: the labels have moved
  }
}

// Without the dimensions that nobody asks for.
template <class Wanted>
void sum_out(Term& term, const Wanted& wanted, CallSite site) {
  std::vector<int64_t> dims;
  Labels left;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (wanted(term.labels[i])) {
      left.push_back(term.labels[i]);
    } else {
      dims.push_back(static_cast<int64_t>(i));
    }
  }
  if (dims.empty()) return;
  term = {term.tensor.sum(dims, false, site), left};
}

// A dimension of one is as long as the other's.
void match(Term& a, Term& b, const Equation& equation, CallSite site) {
  for (Term* const term : {&a, &b}) {
    const Term& other = term == &a ? b : a;
    std::vector<int64_t> sizes = term->tensor.sizes().vec();
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (!has(other.labels, term->labels[i])) continue;
      const int64_t n = other.size(term->labels[i]);
      if (sizes[i] != n && sizes[i] != 1 && n != 1) {
        equation.refuse(str_cat("gives one dimension the sizes ", sizes[i], " and ", n));
      }
      sizes[i] = std::max(sizes[i], n);
      if (n == 0) sizes[i] = 0;
    }
    term->tensor = term->tensor.expand(sizes, site);
  }
}

// The product of two, without what only they have.
template <class Wanted>
Term product(Term a, Term b, const Wanted& wanted, const Equation& equation, CallSite site) {
  sum_out(a, [&](Label label) { return has(b.labels, label) || wanted(label); }, site);
  sum_out(b, [&](Label label) { return has(a.labels, label) || wanted(label); }, site);
  match(a, b, equation, site);
  Labels batch, own_a, own_b, summed;
  int64_t n_batch = 1, n_a = 1, n_b = 1, n_summed = 1;
  for (const Label label : a.labels) {
    const bool shared = has(b.labels, label);
    (!shared ? own_a : wanted(label) ? batch : summed).push_back(label);
    (!shared ? n_a : wanted(label) ? n_batch : n_summed) *= a.size(label);
  }
  for (const Label label : b.labels) {
    if (has(a.labels, label)) continue;
    own_b.push_back(label);
    n_b *= b.size(label);
  }
  const auto joined = [](Labels first, const Labels& second, const Labels& third) {
    first.insert(first.end(), second.begin(), second.end());
    first.insert(first.end(), third.begin(), third.end());
    return first;
  };
  const Tensor left = a.ordered(joined(batch, own_a, summed), site);
  const Tensor right = b.ordered(joined(batch, summed, own_b), site);
  const Tensor result = left.reshape({n_batch, n_a, n_summed}, site)
                            .bmm(right.reshape({n_batch, n_summed, n_b}, site), site);
  const Labels labels = joined(batch, own_a, own_b);
  std::vector<int64_t> sizes;
  for (const Label label : labels) sizes.push_back((has(a.labels, label) ? a : b).size(label));
  return {result.reshape(sizes, site), labels};
}

}  // namespace

Tensor einsum(std::string_view text, ArrayRef<Tensor> tensors, CallSite site) {
  if (tensors.empty()) throw Error("einsum: the list of tensors is empty", site);
  Equation equation(text, site);
  std::vector<Term> terms = equation.terms(tensors);
  const Labels result = equation.result(terms);
  for (Term& term : terms) {
    check_same_device("einsum", site, {{"tensors[0]", tensors[0]}, {"tensors[...]", term.tensor}});
    join_repeated(term, equation, site);
  }
  Term all = terms[0];
  for (size_t next = 1; next < terms.size(); ++next) {
    const auto wanted = [&](Label label) {
      return has(result, label) ||
             std::any_of(terms.begin() + static_cast<std::ptrdiff_t>(next) + 1, terms.end(),
                         [&](const Term& term) { return has(term.labels, label); });
    };
    all = product(all, terms[next], wanted, equation, site);
  }
  sum_out(all, [&](Label label) { return has(result, label); }, site);
  return all.ordered(result, site);
}

}  // namespace tensorlib
