#include "git_commit.h"

#include <array>
#include <cstdio>
#include <memory>

namespace xfer::launcher {
namespace {

/// As one word of a shell's.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

}  // namespace

std::string git_commit(const std::filesystem::path& folder) {
  const std::string command =
      "git -C " + quoted(folder.string()) + " rev-parse --verify --quiet HEAD 2>/dev/null";
  struct Close {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "re"));
  std::array<char, 80> line{};
  if (pipe == nullptr || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return {};
  std::string commit = line.data();
  while (!commit.empty() && commit.back() == '\n') commit.pop_back();
  return commit;
}

}  // namespace xfer::launcher
