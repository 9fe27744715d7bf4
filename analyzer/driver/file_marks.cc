#include "analyzer/driver/file_marks.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace xfer::lint {
namespace {

constexpr char kContent = '=';

std::string time_mark_of(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0) return {};
  return time_mark(static_cast<std::uint64_t>(info.st_size), info.st_mtim.tv_sec,
                   info.st_mtim.tv_nsec);
}

std::string content_mark_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return in ? content_mark(text.view()) : std::string();
}

/// Build systems take `a/..` away as text, which names another file where `a` is a link: /bin is
/// one.
std::string without_parents(const std::string& path) {
  if (path.find("/../") == std::string::npos) return path;
  std::error_code error;
  const std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  if (std::filesystem::equivalent(plain, path, error)) return plain.string();
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

std::string content_mark(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{}{:016x}{:016x}", kContent, hash.high64, hash.low64);
}

std::string time_mark(std::uint64_t size, std::int64_t seconds, std::int64_t nanoseconds) {
  return fmt::format("{} {}.{:09}", size, seconds, nanoseconds);
}

std::set<std::string> files_read(const FileMarks& marks, const FileMarks& shared) {
  std::set<std::string> files;
  for (const FileMarks* some : {&marks, &shared})
    for (const auto& [path, mark] : *some) {
      if (mark == kMissing || mark == kPresent) continue;
      std::error_code error;
      // The mark of a folder says what is in it.
      if (!std::filesystem::is_directory(path, error)) files.insert(without_parents(path));
    }
  return files;
}

std::string to_lines(const FileMarks& marks) {
  std::string lines;
  for (const auto& [path, mark] : marks) lines += mark + '\t' + path + '\n';
  return lines;
}

std::optional<FileMarks> marks_from_lines(std::string_view lines) {
  FileMarks marks;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::size_t tab = lines.find('\t');
    if (end == std::string_view::npos || tab == 0 || tab > end) return std::nullopt;
    marks.emplace_hint(marks.end(), lines.substr(tab + 1, end - tab - 1), lines.substr(0, tab));
    lines.remove_prefix(end + 1);
  }
  return marks;
}

bool FilesNow::unchanged(const std::string& path, const std::string& mark) {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = known_.try_emplace(path);
  Known& now = entry->second;
  if (is_new) now.time = time_mark_of(path);
  if (mark == kMissing || now.time.empty()) return mark == kMissing && now.time.empty();
  if (mark == kPresent) return true;
  const std::size_t content = std::min(mark.find(kContent), mark.size());
  if (content != 0 && mark.compare(0, content, now.time) != 0) return false;
  if (content == mark.size()) return true;
  if (!now.content) now.content = content_mark_of(path);
  return mark.compare(content, std::string::npos, *now.content) == 0;
}

bool FilesNow::unchanged(const FileMarks& marks) {
  return std::ranges::all_of(
      marks, [&](const auto& entry) { return unchanged(entry.first, entry.second); });
}

}  // namespace xfer::lint
