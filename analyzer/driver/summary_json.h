#pragma once
// Summaries as JSON: between xferlint and its worker processes, and in the files that
// --emit-summaries writes (see summary_file.h). Parameters are their positions, or "this"; what is
// left out is not known, or false.

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "analyzer/program/summary_set.h"

namespace xfer::lint {

/// JSON that is no summary; the text names the place in it and what is wrong there.
class SummaryFormatError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

nlohmann::ordered_json to_json(const analyzer::UnitSummaries& unit);
/// `path` leads to `json` in errors. Throws SummaryFormatError.
analyzer::UnitSummaries unit_summaries_from_json(const nlohmann::ordered_json& json,
                                                 const std::string& path = {});

}  // namespace xfer::lint
