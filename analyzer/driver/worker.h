#pragma once
// The worker process: `xferlint --internal-worker` reads jobs as lines of JSON on standard input
// and answers each with one line on descriptor 3. A crash of Clang ends only its worker.

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
  bool check_models = false;
  std::size_t memory_bytes = 0;  ///< a worker that takes more is replaced
};

/// A file to parse; its facts are written to `output`.
struct ParseJob {
  ParseCommand command;
  std::string pch;
  std::string output;
};

/// A header to precompile.
struct PchJob {
  ParseCommand command;
  std::string header;
  std::string output;
};

/// The answer to a parse job, besides the facts.
struct ParseReply {
  analyzer::ModelCheck model_check;
  std::string read;  ///< marks of files, as lines
  bool used_pch = false;
  bool pch_rejected = false;
  double parse_seconds = 0;
  double read_seconds = 0;
};

nlohmann::json to_json(const WorkerSetup& setup);
nlohmann::json to_json(const ParseJob& job);
ParseJob parse_job_from_json(const nlohmann::json& json);
nlohmann::json to_json(const PchJob& job);
PchJob pch_job_from_json(const nlohmann::json& json);
nlohmann::json to_json(const ParseReply& reply);
ParseReply parse_reply_from_json(const nlohmann::json& json);

/// The process's main loop; the exit code. An answer with "last" says that the worker ends after
/// it.
int run_worker();

}  // namespace xfer::lint
