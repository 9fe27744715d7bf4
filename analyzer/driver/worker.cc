#include "analyzer/driver/worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "analyzer/driver/models.h"

namespace xfer::lint {
namespace {

using nlohmann::json;

void reply(const json& answer) {
  const std::string line = answer.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t n = ::write(kReplyDescriptor, line.data() + sent, line.size() - sent);
    if (n <= 0) std::_Exit(1);
    sent += static_cast<std::size_t>(n);
  }
}

/// Parses leak their AST, which is quicker than freeing it: a worker that has grown large is
/// replaced.
bool is_larger_than(std::size_t bytes) {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) > bytes;
}

class Worker {
 public:
  explicit Worker(const json& setup)
      : memory_bytes_(setup.at("memory_bytes")),
        model_files_(setup.at("models").get<std::vector<std::string>>()),
        models_(load_models(model_files_)),
        format_(models_, model_files_) {
    options_.root = setup.at("root").get<std::string>();
    options_.check_models = setup.at("check_models");
  }

  json answer(const json& job) {
    json result =
        job.at("kind") == "pch" ? build(pch_job_from_json(job)) : parse(parse_job_from_json(job));
    result["last"] = is_larger_than(memory_bytes_);
    return result;
  }

 private:
  static json build(const PchJob& job) {
    const BuiltPch pch = build_pch(job.command, job.header, job.output);
    return {{"built", pch.built}, {"read", to_lines(pch.read)}, {"error_line", pch.error_line}};
  }

  json parse(const ParseJob& job) {
    ParseResult found = lint::parse(job.command, job.pch, models_, options_);
    std::vector<FileFacts> facts;
    facts.push_back(std::move(found.facts));
    format_.write(job.output, facts);
    return to_json(ParseReply{std::move(found.model_check), to_lines(found.read), found.used_pch,
                              found.pch_rejected, found.parse_seconds, found.read_seconds});
  }

  std::size_t memory_bytes_;
  std::vector<std::string> model_files_;
  analyzer::ModelSet models_;
  FactsFormat format_;
  ParseOptions options_;
};

}  // namespace

int run_worker() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  Worker worker(json::parse(line));
  while (std::getline(std::cin, line)) {
    const json result = worker.answer(json::parse(line));
    reply(result);
    // Without destructors: they would walk what the parses leaked.
    if (result.at("last")) std::_Exit(0);
  }
  std::_Exit(0);
}

}  // namespace xfer::lint
