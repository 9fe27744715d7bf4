#pragma once
// A report's stats, read with care: they may come from anybody's file.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace xfer {

/// The stats of each traced process: one run's, those of several, or those that a merged report
/// keeps under "trace". Of a report of source alone there are none.
inline std::vector<const nlohmann::ordered_json*> runs_of(const nlohmann::ordered_json& stats) {
  const nlohmann::ordered_json* run = &stats;
  if (stats.is_object())
    if (const auto trace = stats.find("trace"); trace != stats.end()) run = &*trace;
  std::vector<const nlohmann::ordered_json*> runs;
  if (!run->is_object()) return runs;
  if (const auto all = run->find("processes"); all != run->end() && all->is_array()) {
    for (const nlohmann::ordered_json& process : *all)
      if (process.is_object()) runs.push_back(&process);
  } else if (run->contains("copies") || run->contains("run_ns")) {
    runs.push_back(run);
  }
  return runs;
}

/// 0 for what is no number, or none that counts something.
inline std::uint64_t as_number(const nlohmann::ordered_json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_number_integer()) return 0;
  const auto number = value.get<std::int64_t>();
  return number > 0 ? static_cast<std::uint64_t>(number) : 0;
}

/// 0 when there is no such number. `path` as nlohmann's: "copies/host-to-device/bytes".
inline std::uint64_t number_at(const nlohmann::ordered_json& json, const std::string& path) {
  const nlohmann::ordered_json::json_pointer place('/' + path);
  if (!json.is_object() || !json.contains(place)) return 0;
  return as_number(json.at(place));
}

inline std::string text_at(const nlohmann::ordered_json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// At most `most` of them; what is no number is 0.
inline std::vector<std::uint64_t> numbers_at(const nlohmann::ordered_json& json, const char* key,
                                             std::size_t most) {
  std::vector<std::uint64_t> numbers;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return numbers;
  for (const nlohmann::ordered_json& value : *found) {
    if (numbers.size() == most) break;
    numbers.push_back(as_number(value));
  }
  return numbers;
}

}  // namespace xfer
