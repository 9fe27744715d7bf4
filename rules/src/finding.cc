#include "xfer/rules/finding.h"

#include <stdexcept>
#include <tuple>

namespace xfer {

std::string_view name(Confidence confidence) {
  switch (confidence) {
    case Confidence::kCertain: return "certain";
    case Confidence::kProven: return "proven";
    case Confidence::kContentDuplicate: return "content-duplicate";
    case Confidence::kLookAlike: return "look-alike";
  }
  return {};
}

StepShare& StepShare::operator+=(const StepShare& other) {
  // Shares of different steps have no sum: that of the longer ones stands.
  if (name != other.name && count != 0 && other.count != 0) {
    if (other.saving_ns > saving_ns) *this = other;
    return *this;
  }
  if (count == 0) name = other.name;
  count += other.count;
  ns += other.ns;
  saving_ns += other.saving_ns;
  return *this;
}

bool costs_more(const Cost& a, const Cost& b) {
  return std::tie(a.saving_ns, a.host_ns, a.device_ns, a.bytes, a.count) >
         std::tie(b.saving_ns, b.host_ns, b.device_ns, b.bytes, b.count);
}

bool costs_more(const Finding& a, const Finding& b) {
  if (!a.cost || !b.cost) return a.cost.has_value() && !b.cost.has_value();
  return costs_more(*a.cost, *b.cost);
}

std::string format_message(std::string_view message_template, const MessageFields& fields) {
  std::string text;
  while (!message_template.empty()) {
    const std::size_t open = message_template.find('{');
    text += message_template.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = message_template.find('}', open);
    if (close == std::string_view::npos)
      throw std::invalid_argument("message template: a { is not closed");
    const std::string_view wanted = message_template.substr(open + 1, close - open - 1);
    const std::string* value = nullptr;
    for (const auto& [field, field_value] : fields)
      if (field == wanted) value = &field_value;
    if (value == nullptr)
      throw std::invalid_argument("message template: no value for {" + std::string(wanted) + "}");
    text += *value;
    message_template.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace xfer
