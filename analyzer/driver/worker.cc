#include "analyzer/driver/worker.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "analyzer/driver/models.h"
#include "analyzer/driver/summary_file.h"

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

/// Parses leak their AST, which is quicker than freeing it, and kept units hold theirs: a worker
/// that has grown large is replaced.
bool is_larger_than(std::size_t bytes) {
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) > bytes;
}

bool may_learn(const analyzer::UnitSummaries& unit) {
  return !unit.calls.empty() ||
         std::ranges::any_of(unit.classes, [](const auto& entry) { return entry.second.wanted; });
}

class Worker {
 public:
  explicit Worker(const json& setup)
      : memory_bytes_(setup.at("memory_bytes")), keep_units_(setup.at("keep_units")) {
    const auto models = setup.at("models").get<std::vector<std::string>>();
    models_ = load_models(models);
    options_.root = setup.at("root").get<std::string>();
    for (const SummarisedUnit& unit : read_summaries(
             setup.at("summaries").get<std::vector<std::string>>(), models, options_.root))
      summaries_.add(unit.summaries);
    options_.hash_inputs = setup.at("hash_inputs");
    options_.check_models = setup.at("check_models");
    options_.analysis.explain_unknown = setup.at("explain_unknown");
    for (const std::string slug : setup.at("rules"))
      if (const auto rule = find_rule(slug)) options_.analysis.rules.insert(*rule);
  }

  json answer(const json& job) {
    json result = job.at("kind") == "pch" ? build(pch_job_from_json(job))
                                          : analyze(analyze_job_from_json(job));
    result["last"] = is_larger_than(memory_bytes_);
    return result;
  }

 private:
  static json build(const PchJob& job) {
    const BuiltPch pch = build_pch(job.command, job.header, job.output);
    return {{"built", pch.built}, {"files", pch.files}, {"error_line", pch.error_line}};
  }

  json analyze(const AnalyzeJob& job) {
    std::unique_ptr<Unit> unit;
    if (const auto kept = kept_.find(job.unit); kept != kept_.end())
      unit = std::move(kept->second);
    else
      unit = std::make_unique<Unit>(job.command, job.pch);
    analyzer::SummarySet told;
    if (job.others) told.add(*job.others);
    UnitOptions options = options_;
    options.analysis.others = job.others ? &told : &summaries_;
    const UnitResult found = unit->analyze(models_, options);
    json result = to_json(found);
    const bool keep = keep_units_ && may_learn(found.summaries);
    if (keep) kept_[job.unit] = std::move(unit);
    result["kept"] = keep;
    return result;
  }

  analyzer::ModelSet models_;
  UnitOptions options_;
  analyzer::SummarySet summaries_;
  std::size_t memory_bytes_;
  bool keep_units_;
  std::map<std::size_t, std::unique_ptr<Unit>> kept_;
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
