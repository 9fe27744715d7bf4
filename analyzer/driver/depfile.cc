#include "analyzer/driver/depfile.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "analyzer/driver/usage_error.h"

namespace xfer::lint {
namespace {

/// As GCC does it, and as make and ninja undo it.
std::string escaped(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == ' ') {
      // Backslashes before a space count as escapes of each other.
      for (std::size_t j = i; j > 0 && name[j - 1] == '\\'; --j) out += '\\';
      out += '\\';
    } else if (c == '#') {
      out += '\\';
    } else if (c == '$') {
      out += '$';
    }
    out += c;
  }
  return out;
}

}  // namespace

std::string depfile_text(std::string_view target, const std::set<std::string>& files) {
  std::string text = escaped(target) + ":";
  for (const std::string& file : files) text += " \\\n  " + escaped(file);
  return text + '\n';
}

void write_depfile(const std::filesystem::path& depfile, std::string_view target,
                   std::set<std::string> files) {
  std::error_code unknown;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  if (!unknown) files.insert(self.string());
  std::ofstream out(depfile, std::ios::binary);
  out << depfile_text(target, files);
  if (!out.flush()) throw UsageError(fmt::format("{} cannot be written", depfile.string()));
}

}  // namespace xfer::lint
