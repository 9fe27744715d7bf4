#pragma once
// Reads JSON that somebody else may have written: each value is asked for by what it must be, and
// the error names its path ("functions/_Z3addv/needs/0/first: expected a parameter").

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace xfer::lint {

template <typename Error>
class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonReader(const Json& json, std::string path = {})
      : json_(&json), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path_.empty() ? what : path_ + ": " + what);
  }

  const Json& value() const { return *json_; }
  const std::string& path() const { return path_; }
  bool has(const char* key) const { return json_->is_object() && json_->contains(key); }
  JsonReader at(const char* key) const {
    if (!json_->is_object()) fail("expected an object");
    const auto found = json_->find(key);
    if (found == json_->end()) fail(fmt::format("\"{}\" is missing", key));
    return JsonReader(*found, below(key));
  }

  bool is_text() const { return json_->is_string(); }
  std::string text() const {
    if (!json_->is_string()) fail("expected a string");
    return json_->template get<std::string>();
  }
  unsigned number() const {
    const bool fits = json_->is_number_unsigned() && json_->template get<std::uint64_t>() <=
                                                         std::numeric_limits<std::uint32_t>::max();
    if (!fits) fail("expected a whole number from 0");
    return json_->template get<unsigned>();
  }
  bool flag() const {
    if (!json_->is_boolean()) fail("expected true or false");
    return json_->template get<bool>();
  }
  /// False where `key` is left out.
  bool flag(const char* key) const { return has(key) && at(key).flag(); }
  std::string text(const char* key) const { return at(key).text(); }

  template <typename Visit>  // (JsonReader)
  void each(const Visit& visit) const {
    if (!json_->is_array()) fail("expected a list");
    std::size_t index = 0;
    for (const Json& item : *json_) visit(JsonReader(item, below(std::to_string(index++))));
  }
  template <typename Visit>  // (std::string, JsonReader)
  void each_entry(const Visit& visit) const {
    if (!json_->is_object()) fail("expected an object");
    for (const auto& [key, item] : json_->items()) visit(key, JsonReader(item, below(key)));
  }

 private:
  std::string below(const std::string& key) const {
    return path_.empty() ? key : path_ + '/' + key;
  }

  const Json* json_;
  std::string path_;
};

}  // namespace xfer::lint
