#include "analyzer/driver/worker.h"

#include <fmt/format.h>
#include <llvm/Support/Error.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "analyzer/driver/models.h"

namespace xfer::lint {
namespace {

using nlohmann::json;

ParseCommand command_of(const json& job) {
  ParseCommand command;
  command.file = job.at("file").get<std::string>();
  command.directory = job.at("directory").get<std::string>();
  command.arguments = job.at("arguments").get<std::vector<std::string>>();
  command.cuda = job.at("cuda");
  return command;
}

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
bool is_large() {
  constexpr std::size_t kLargeBytes = std::size_t{512} << 20;
  std::ifstream in("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) > kLargeBytes;
}

json answer(const json& job, const analyzer::ModelSet& models, const UnitOptions& options) {
  const ParseCommand command = command_of(job);
  if (job.at("kind") == "pch") {
    const auto files = build_pch(command, job.at("header").get<std::string>(),
                                 job.at("output").get<std::string>());
    return {{"built", files.has_value()}, {"files", files.value_or(std::vector<std::string>{})}};
  }
  return to_json(analyze_unit(command, job.at("pch").get<std::string>(), models, options));
}

}  // namespace

int run_worker() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  const json setup = json::parse(line);
  const analyzer::ModelSet models = load_models(setup.at("models").get<std::vector<std::string>>());
  UnitOptions options;
  options.root = setup.at("root").get<std::string>();
  options.check_models = setup.at("check_models");
  options.analysis.explain_unknown = setup.at("explain_unknown");
  for (const std::string slug : setup.at("rules"))
    if (const auto rule = find_rule(slug)) options.analysis.rules.insert(*rule);
  while (std::getline(std::cin, line)) {
    json result = answer(json::parse(line), models, options);
    const bool last = is_large();
    result["last"] = last;
    reply(result);
    // Without destructors: they would walk what the parses leaked.
    if (last) std::_Exit(0);
  }
  std::_Exit(0);
}

}  // namespace xfer::lint
