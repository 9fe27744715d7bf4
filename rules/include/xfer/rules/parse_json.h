#pragma once
// JSON that somebody else may have written or damaged: its faults are said in our words.

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace xfer {

/// One line: "base.json:3:14: not JSON: unexpected '}'".
struct JsonSyntaxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws JsonSyntaxError. `name` is what the message calls the text.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& name);
nlohmann::ordered_json parse_json(std::istream& in, const std::string& name);

}  // namespace xfer
