#pragma once
// The worker process: `xferlint --internal-worker` reads jobs as lines of JSON on standard input
// and answers each with one line on descriptor 3. A crash of the analysis ends only its worker.

#include <nlohmann/json.hpp>
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
  bool explain_unknown = false;
  bool check_models = false;
};

nlohmann::json to_json(const WorkerSetup& setup);
nlohmann::json analyze_job(const ParseCommand& command, const std::string& pch);
nlohmann::json pch_job(const ParseCommand& command, const std::string& header,
                       const std::string& output);

/// What analyze_job is answered with.
nlohmann::json to_json(const UnitResult& result);
UnitResult unit_result_from_json(const nlohmann::json& json);

/// The process's main loop; the exit code. An answer with "last" says that the worker ends after
/// it.
int run_worker();

}  // namespace xfer::lint
