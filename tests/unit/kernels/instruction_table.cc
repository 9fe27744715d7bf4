#include "unit/kernels/instruction_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace xfer::instructions {
namespace {

const std::array kTypes = {
    Type{"pred", 1, 1, 0},    Type{"b16", 16, 1, 0},    Type{"b32", 32, 1, 0},
    Type{"b64", 64, 1, 0},    Type{"f16", 16, 1, 10},   Type{"bf16", 16, 1, 7},
    Type{"f32", 32, 1, 23},   Type{"f64", 64, 1, 52},   Type{"f16x2", 32, 2, 10},
    Type{"f32x2", 64, 2, 23}, Type{"bf16x2", 32, 2, 7},
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

std::uint64_t number(const std::string& word, int base) {
  std::size_t used = 0;
  const std::uint64_t value = std::stoull(word, &used, base);
  if (used != word.size()) throw std::invalid_argument(word);
  return value;
}

Type type_named(const std::string& name) {
  const auto* const found = std::ranges::find(kTypes, name, &Type::name);
  if (found == kTypes.end()) throw std::invalid_argument(name);
  return *found;
}

Expected expected_of(const std::string& word) {
  if (word == "nan") return {Expected::Kind::kNan};
  if (word == "*") return {Expected::Kind::kAnything};
  const std::size_t wave = word.find('~');
  Expected expected{.bits = number(word.substr(0, wave), 16)};
  if (wave != std::string::npos) expected.apart = number(word.substr(wave + 1), 10);
  return expected;
}

std::uint64_t ones(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }

std::vector<Expected> lanes_of(const Type& type, const std::string& word) {
  const std::size_t middle = word.find('/');
  if (middle != std::string::npos)
    return {expected_of(word.substr(middle + 1)), expected_of(word.substr(0, middle))};
  std::vector<Expected> lanes(type.lanes, expected_of(word));
  if (lanes[0].kind == Expected::Kind::kBits)
    for (unsigned i = 0; i < type.lanes; ++i)
      lanes[i].bits = lanes[i].bits >> (i * type.bits / type.lanes) & ones(type.bits / type.lanes);
  return lanes;
}

/// The words on each side of the arrow.
std::array<std::vector<std::string>, 2> sides(const std::string& text) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string::npos) throw std::invalid_argument("no arrow");
  return {words(text.substr(0, arrow)), words(text.substr(arrow + 2))};
}

Form form_of(std::string text) {
  Form form;
  if (text.starts_with("absent ")) form.absent = true, text.erase(0, 7);
  const std::size_t colon = text.find(" : ");
  if (colon == std::string::npos) throw std::invalid_argument("no colon");
  form.text = text.substr(colon + 3);
  const auto [inputs, results] = sides(text.substr(0, colon));
  std::ranges::transform(inputs, std::back_inserter(form.inputs), type_named);
  std::ranges::transform(results, std::back_inserter(form.results), type_named);
  return form;
}

Case case_of(const Form& form, const std::string& text) {
  Case one;
  const auto [inputs, results] = sides(text);
  if (inputs.size() != form.inputs.size() || results.size() != form.results.size())
    throw std::invalid_argument("not as many values as types");
  for (const std::string& word : inputs) one.inputs.push_back(number(word, 16));
  for (std::size_t i = 0; i < results.size(); ++i)
    one.results.push_back(lanes_of(form.results[i], results[i]));
  return one;
}

}  // namespace

Table read_table(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + " cannot be read");
  Table table{file.substr(file.rfind('/') + 1), {}, {}};
  unsigned line = 0;
  for (std::string text; std::getline(in, text);) {
    ++line;
    text.resize(std::min(text.size(), text.find('#')));
    text.resize(text.find_last_not_of(' ') + 1);
    if (text.empty()) continue;
    try {
      if (text.starts_with("target ")) {
        table.target = text.substr(7);
      } else if (text[0] != ' ') {
        table.forms.push_back(form_of(text));
        table.forms.back().line = line;
      } else {
        table.forms.at(table.forms.size() - 1).cases.push_back(case_of(table.forms.back(), text));
        table.forms.back().cases.back().line = line;
      }
    } catch (const std::exception& wrong) {
      throw std::runtime_error(file + ":" + std::to_string(line) + ": " + wrong.what());
    }
  }
  return table;
}

}  // namespace xfer::instructions
