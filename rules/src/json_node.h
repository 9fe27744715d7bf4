#pragma once
// JSON that came from somewhere else, read with care.

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "text.h"
#include "xfer/rules/run_info.h"

namespace xfer {

// A value and the way to it ("findings[3].cost"), so that every complaint names its place.
class Node {
 public:
  Node(const nlohmann::ordered_json& json, std::string file, std::string path)
      : json_(json), file_(std::move(file)), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_ + ": " + (path_.empty() ? "" : path_ + ": ") + printable(what));
  }

  bool has(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && !found->is_null();
  }

  Node at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) fail(fmt::format("\"{}\" is missing", key));
    return {*found, file_, path_.empty() ? key : path_ + "." + key};
  }

  const nlohmann::ordered_json& json() const { return json_; }

  void expect_object() const {
    if (!json_.is_object()) fail(expected("an object"));
  }

  std::string string() const {
    if (!json_.is_string()) fail(expected("a string"));
    return json_.get<std::string>();
  }

  bool boolean() const {
    if (!json_.is_boolean()) fail(expected("true or false"));
    return json_.get<bool>();
  }

  std::uint64_t number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) const {
    if (!json_.is_number_unsigned()) fail(expected("a whole number that is not negative"));
    const auto value = json_.get<std::uint64_t>();
    if (value > most) fail(fmt::format("{} is too large", value));
    return value;
  }

  template <typename Read>
  void each(Read read) const {
    if (!json_.is_array()) fail(expected("an array"));
    for (std::size_t i = 0; i < json_.size(); ++i)
      read(Node(json_[i], file_, fmt::format("{}[{}]", path_, i)));
  }

 private:
  std::string expected(const char* what) const {
    return fmt::format("expected {}, found {}", what, kind());
  }

  std::string kind() const {
    if (json_.is_string()) return "a string";
    if (json_.is_object()) return "an object";
    if (json_.is_array()) return "an array";
    if (json_.is_number()) return fmt::format("the number {}", json_.dump());
    return json_.dump();  // null, true, false
  }

  const nlohmann::ordered_json& json_;
  std::string file_;
  std::string path_;
};

/// Reads a run that to_json(RunInfo) wrote.
RunInfo read_run(const Node& node);

}  // namespace xfer
