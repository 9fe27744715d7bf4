#pragma once
// Helpers that the JSON writers share.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "xfer/rules/diff.h"
#include "xfer/rules/report.h"

namespace xfer {

inline constexpr std::string_view kFindingsSchema = "xfercheck-findings/1";

nlohmann::ordered_json finding_to_json(const Finding& finding);
nlohmann::ordered_json report_to_json(const Report& report);
nlohmann::ordered_json diff_to_json(const ReportDiff& diff);

/// null: not recorded.
inline nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}
template <typename Number>
nlohmann::ordered_json number_or_null(const std::optional<Number>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(nullptr);
}

/// Indented; by -1: in one line. Symbol and file names may hold any bytes; those that are not UTF-8
/// become U+FFFD.
inline std::string dump(const nlohmann::ordered_json& json, int indent = 2) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace xfer
