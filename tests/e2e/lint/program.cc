#include "program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

extern char** environ;

namespace xfer::lint {
namespace {

namespace fs = std::filesystem;

}  // namespace

Outcome run(const Invocation& invocation) {
  const TempFolder scratch;
  const std::string in = scratch.write("in", invocation.input), out = scratch.path() / "out",
                    err = scratch.path() / "err";
  std::vector<std::string> command = {"env", "-C", invocation.folder};
  for (const auto& [name, value] : invocation.environment) command.push_back(name + "=" + value);
  command.insert(command.end(), invocation.command.begin(), invocation.command.end());
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t pid = -1;
  if (::posix_spawnp(&pid, "env", &actions, nullptr, arguments.data(), environ) != 0)
    throw std::runtime_error("cannot start env");
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  ::waitpid(pid, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), scratch.read("out"),
          scratch.read("err")};
}

void Project::commands(const std::map<std::string, std::string>& command_by_file) const {
  nlohmann::json entries = nlohmann::json::array();
  for (const auto& [file, command] : command_by_file) {
    entries.push_back({{"directory", (path() / "build").string()},
                       {"command", command},
                       {"file", (path() / file).string()}});
  }
  write("build/compile_commands.json", entries.dump(1));
}

void Project::database(const std::vector<std::string>& files, const std::string& flags) const {
  std::map<std::string, std::string> commands_by_file;
  for (const std::string& file : files) {
    commands_by_file[file] = "/usr/bin/c++ -std=c++17 -isystem " XFER_LINT_MOCK " " + flags +
                             " -o x.o -c " + (path() / file).string();
  }
  commands(commands_by_file);
}

Outcome Project::lint(std::vector<std::string> arguments, const std::string& input,
                      std::map<std::string, std::string> environment) const {
  arguments.insert(arguments.begin(), XFERLINT);
  environment.emplace("XDG_CACHE_HOME", (path() / "cache").string());
  return run({arguments, std::move(environment), path().string(), input});
}

nlohmann::json Project::findings(std::vector<std::string> arguments) const {
  arguments.insert(arguments.end(), {"-p", "build", "--format", "json"});
  const Outcome outcome = lint(std::move(arguments));
  const nlohmann::json report = nlohmann::json::parse(outcome.out, nullptr, false);
  if (report.is_discarded())
    throw std::runtime_error("no JSON; exit code " + std::to_string(outcome.exit_code) + "\n" +
                             outcome.err);
  return report;
}

void Project::git(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(),
                   {"git", "-c", "user.name=t", "-c", "user.email=t@example.org"});
  const Outcome outcome = run({arguments, {}, path().string(), ""});
  if (outcome.exit_code != 0) throw std::runtime_error("git: " + outcome.err);
}

std::vector<std::string> places(const nlohmann::json& report) {
  std::vector<std::string> result;
  for (const nlohmann::json& finding : report.at("findings")) {
    const nlohmann::json& location = finding.at("location");
    result.push_back(finding.at("rule").get<std::string>() + " " +
                     location.at("file").get<std::string>() + ":" +
                     std::to_string(location.at("line").get<int>()));
  }
  return result;
}

}  // namespace xfer::lint
