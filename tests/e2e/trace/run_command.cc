#include "run_command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace xfer::test {
namespace {

std::string temporary_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = std::string(folder != nullptr ? folder : "/tmp") + "/xfer-e2e-XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::runtime_error("mkstemp failed: " + name);
  close(descriptor);
  return name;
}

std::string take(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  unlink(file.c_str());
  return text.str();
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& command,
                          const std::map<std::string, std::string>& environment) {
  const std::string out = temporary_file();
  const std::string err = temporary_file();
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(out.c_str(), O_WRONLY), STDOUT_FILENO);
    dup2(open(err.c_str(), O_WRONLY), STDERR_FILENO);
    for (const auto& [name, value] : environment)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CommandResult result;
  if (WIFSIGNALED(status))
    result.signal = WTERMSIG(status);
  else
    result.exit_code = WEXITSTATUS(status);
  result.out = take(out);
  result.err = take(err);
  return result;
}

}  // namespace xfer::test
