// From tables to PTX, and from its results to what is wrong with them.

#include <algorithm>
#include <cstdio>

#include "unit/kernels/instruction_table.h"

namespace xfer::instructions {
namespace {

constexpr std::string_view kInputs = "abcdefgh";
constexpr std::string_view kResults = "rstuvwxy";

std::uint64_t ones(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

/// Floats as integers of the same order.
std::int64_t place_of(std::uint64_t bits, unsigned width) {
  const auto size = static_cast<std::int64_t>(bits & ones(width - 1));
  return (bits >> (width - 1) & 1) != 0 ? -size : size;
}

bool fits(const Type& type, const Expected& expected, std::uint64_t bits) {
  const unsigned width = type.bits / type.lanes;
  if (expected.kind == Expected::Kind::kAnything) return true;
  const std::uint64_t size = type.mantissa == 0 ? 0 : bits & ones(width - 1);
  const std::uint64_t infinity = ones(width - 1) & ~ones(std::max(type.mantissa, 1U));
  const bool is_nan = type.mantissa != 0 && size > infinity;
  if (expected.kind == Expected::Kind::kNan) return is_nan;
  if (expected.apart == 0 || is_nan) return bits == expected.bits;
  const std::int64_t apart = place_of(bits, width) - place_of(expected.bits, width);
  return static_cast<std::uint64_t>(apart < 0 ? -apart : apart) <= expected.apart;
}

bool fits(const Type& type, const std::vector<Expected>& lanes, std::uint64_t bits) {
  const unsigned width = type.bits / type.lanes;
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (!fits(type, lanes[i], bits >> (i * width) & ones(width))) return false;
  return true;
}

std::string hex(std::uint64_t value, unsigned bits) {
  char text[17];
  std::snprintf(text, sizeof(text), "%0*llx", static_cast<int>((bits + 3) / 4),
                static_cast<unsigned long long>(value));
  return text;
}

/// `%a` of the n-th input, as PTX declares and moves it.
std::string declared(const Type& type, char name) {
  return std::string("    .reg .") + (type.bits == 1 ? "pred" : "b" + std::to_string(type.bits)) +
         " %" + name + ";\n";
}

std::string loaded(const Type& type, char name, std::size_t at) {
  const std::string from = "[%in+" + std::to_string(at * 8) + "];\n";
  if (type.bits != 1)
    return "    ld.global.b" + std::to_string(type.bits) + " %" + name + ", " + from;
  return "    ld.global.u32 %word, " + from + "    setp.ne.u32 %" + name + ", %word, 0;\n";
}

std::string stored(const Type& type, char name, std::size_t at) {
  const std::string to = "[%out+" + std::to_string(at * 8) + "], ";
  if (type.bits != 1)
    return "    st.global.b" + std::to_string(type.bits) + " " + to + "%" + name + ";\n";
  return std::string("    selp.u32 %word, 1, 0, %") + name + ";\n    st.global.u32 " + to +
         "%word;\n";
}

/// Begins at the `first` of all forms' inputs and results, in words of eight bytes.
std::string loop_over(const Form& form, std::size_t number, std::size_t first_input,
                      std::size_t first_result) {
  const std::string label = "L" + std::to_string(number);
  std::string text = "  add.u64 %in, %inputs, " + std::to_string(first_input * 8) +
                     ";\n  add.u64 %out, %results, " + std::to_string(first_result * 8) +
                     ";\n  ld.global.u32 %left, [%in];\n  add.u64 %in, %in, 8;\n" + label +
                     ":\n  {\n";
  std::string before, after;
  for (std::size_t i = 0; i < form.inputs.size(); ++i) {
    text += declared(form.inputs[i], kInputs[i]);
    before += loaded(form.inputs[i], kInputs[i], i);
  }
  for (std::size_t i = 0; i < form.results.size(); ++i) {
    text += declared(form.results[i], kResults[i]);
    after += stored(form.results[i], kResults[i], i);
  }
  text +=
      before + "    " + form.text + (form.text.starts_with('{') ? "\n" : ";\n") + after + "  }\n";
  text += "  add.u64 %in, %in, " + std::to_string(form.inputs.size() * 8) + ";\n";
  text += "  add.u64 %out, %out, " + std::to_string(form.results.size() * 8) + ";\n";
  return text + "  sub.u32 %left, %left, 1;\n  setp.ne.u32 %more, %left, 0;\n  @%more bra " +
         label + ";\n";
}

}  // namespace

std::string module_of(const std::string& target, std::span<const Form> forms) {
  std::string text = ".version 9.0\n.target " + target +
                     "\n.address_size 64\n\n"
                     ".visible .entry run(.param .u64 inputs, .param .u64 results,"
                     " .param .u64 memory)\n{\n"
                     "  .shared .align 16 .b8 cell[64];\n"
                     "  .reg .b64 %inputs, %results, %in, %out, %m;\n  .reg .b32 %left, %word;\n"
                     "  .reg .pred %more;\n"
                     "  ld.param.u64 %inputs, [inputs];\n  ld.param.u64 %results, [results];\n"
                     "  ld.param.u64 %m, [memory];\n";
  for (std::size_t i = 0; i < forms.size(); ++i)
    if (!forms[i].cases.empty())
      text +=
          loop_over(forms[i], i, inputs_of(forms.first(i)).size(), result_count(forms.first(i)));
  return text + "  ret;\n}\n";
}

std::vector<std::uint64_t> inputs_of(std::span<const Form> forms) {
  std::vector<std::uint64_t> all;
  for (const Form& form : forms) {
    if (!form.cases.empty()) all.push_back(form.cases.size());
    for (const Case& one : form.cases) all.insert(all.end(), one.inputs.begin(), one.inputs.end());
  }
  return all;
}

std::size_t result_count(std::span<const Form> forms) {
  std::size_t count = 0;
  for (const Form& form : forms) count += form.cases.size() * form.results.size();
  return count;
}

std::vector<std::string> differences(const Table& table, std::span<const Form> forms,
                                     std::span<const std::uint64_t> results) {
  std::vector<std::string> all;
  std::size_t next = 0;
  for (const Form& form : forms)
    for (const Case& one : form.cases) {
      std::string values;
      bool right = true;
      for (std::size_t i = 0; i < form.results.size(); ++i) {
        const std::uint64_t bits = results[next++];
        right = right && fits(form.results[i], one.results[i], bits);
        values += " " + hex(bits, form.results[i].bits);
      }
      if (right) continue;
      std::string text = table.name + ":" + std::to_string(one.line) + ": " + form.text + " of";
      for (std::size_t i = 0; i < form.inputs.size(); ++i)
        text += " " + hex(one.inputs[i], form.inputs[i].bits);
      all.push_back(text + " gives" + values);
    }
  return all;
}

}  // namespace xfer::instructions
