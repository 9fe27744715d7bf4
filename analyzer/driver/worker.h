#pragma once
// The worker process: `xferlint --internal-worker` reads jobs as lines of JSON on standard input
// and answers each with one line on descriptor 3. A crash of the analysis ends only its worker.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "analyzer/driver/compiler_args.h"
#include "analyzer/driver/parse.h"

namespace xfer::lint {

inline constexpr const char* kWorkerFlag = "--internal-worker";
inline constexpr int kReplyDescriptor = 3;

/// The first line that a worker gets.
struct WorkerSetup {
  std::string root;
  std::vector<std::string> models;
  std::vector<std::string> rules;
  std::vector<std::string> summaries;  ///< files of --use-summaries
  bool explain_unknown = false;
  bool check_models = false;
  bool hash_inputs = false;      ///< for --emit-summaries
  bool keep_units = false;       ///< other units of the run may yet tell what this one calls
  std::size_t memory_bytes = 0;  ///< a worker that takes more is replaced
};

/// A unit to analyse. The worker keeps it, if it calls functions of others, for a second job.
struct AnalyzeJob {
  std::size_t unit = 0;
  ParseCommand command;
  std::string pch;
  /// What it calls in other units, when that is known better than from WorkerSetup::summaries.
  std::optional<analyzer::UnitSummaries> others;
};

/// A header to precompile.
struct PchJob {
  ParseCommand command;
  std::string header;
  std::string output;
};

nlohmann::json to_json(const WorkerSetup& setup);
nlohmann::json to_json(const AnalyzeJob& job);
AnalyzeJob analyze_job_from_json(const nlohmann::json& json);
nlohmann::json to_json(const PchJob& job);
PchJob pch_job_from_json(const nlohmann::json& json);

/// What a job with a unit is answered with; besides, "kept" says that the worker kept the unit.
nlohmann::json to_json(const UnitResult& result);
UnitResult unit_result_from_json(const nlohmann::json& json);

/// The process's main loop; the exit code. An answer with "last" says that the worker ends after
/// it.
int run_worker();

}  // namespace xfer::lint
