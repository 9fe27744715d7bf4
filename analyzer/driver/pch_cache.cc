#include "analyzer/driver/pch_cache.h"

#include <clang/Basic/Version.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <cstdlib>
#include <fstream>

#include "analyzer/driver/cache_files.h"
#include "analyzer/driver/file_marks.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// Changes whenever the cache's layout or the way a header is precompiled does.
constexpr const char* kLayout = "3";
/// Of KEY.h.
constexpr unsigned kLinesPerHeader = 3;

fs::path default_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "xfercheck";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return fs::path(home) / ".cache" / "xfercheck";
  return fs::path("/tmp") / fmt::format("xfercheck-{}", ::getuid());
}

}  // namespace

PchCache::PchCache(fs::path folder)
    : folder_(folder.empty() ? default_folder() : std::move(folder)) {
  std::error_code error;
  const bool made = fs::create_directories(folder_, error);
  if (made) fs::permissions(folder_, fs::perms::owner_all, error);
  struct stat info{};
  // A folder of another user could hold anything: it is not used.
  usable_ = ::stat(folder_.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
            info.st_uid == ::geteuid() && ::access(folder_.c_str(), W_OK) == 0;
}

std::string PchCache::key(const ParseCommand& command, const std::vector<std::string>& headers) {
  std::string text =
      fmt::format("{}\n{}\n{}\n", kLayout, clang::getClangFullVersion(), command.cuda);
  for (const std::string& argument : command.arguments) text += argument + '\n';
  for (const std::string& header : headers) text += '<' + header + ">\n";
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

fs::path PchCache::mark(const std::string& key, const char* kind) const {
  return folder_ / (key + "." + kind);
}

bool PchCache::is_fresh(const std::string& key) const {
  std::error_code error;
  if (!fs::exists(pch(key), error)) return false;
  const auto marks = marks_from_lines(made_of(key));
  if (marks && !marks->empty() && FilesNow().unchanged(*marks)) {
    fs::last_write_time(pch(key), fs::file_time_type::clock::now(), error);
    return true;
  }
  fs::remove(pch(key), error);
  return false;
}

std::string PchCache::made_of(const std::string& key) const {
  return stored_text(mark(key, "deps"));
}

bool PchCache::note_wanted(const std::string& key) const {
  const int fd = ::open(mark(key, "wanted").c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (fd < 0) return errno == EEXIST;
  ::close(fd);
  return false;
}

void PchCache::note_failed(const std::string& key, std::size_t whole) const {
  replace_file(mark(key, "failed"), fmt::format("{}\n", whole));
}

std::optional<std::size_t> PchCache::failed(const std::string& key) const {
  struct stat info{};
  if (::stat(mark(key, "failed").c_str(), &info) != 0) return std::nullopt;
  // Headers get repaired: try again the next day.
  constexpr std::time_t kDay = 86400;
  if (std::time(nullptr) - info.st_mtime >= kDay) return std::nullopt;
  std::ifstream in(mark(key, "failed"));
  std::size_t whole = 0;
  in >> whole;
  return whole;
}

std::size_t PchCache::header_at(unsigned line) {
  return line == 0 ? 0 : (line - 1) / kLinesPerHeader;
}

void PchCache::write_header(const std::string& key, const std::vector<std::string>& headers) const {
  std::string text;
  // One that is missing changes nothing in the others: the file that includes it says so.
  for (const std::string& name : headers)
    text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", name);
  // Rewriting would change its time, which Clang compares with the one in the precompiled header.
  if (stored_text(header(key)) != text) replace_file(header(key), text);
}

fs::path PchCache::temporary(const std::string& key) const {
  return folder_ / fmt::format("{}.{}.pch.tmp", key, ::getpid());
}

void PchCache::publish(const std::string& key, const fs::path& written,
                       const std::string& made_of) const {
  replace_file(mark(key, "deps"), made_of);
  std::error_code error;
  fs::rename(written, pch(key), error);
  if (error) fs::remove(written, error);
}

void PchCache::trim(std::uintmax_t max_bytes) const {
  std::error_code error;
  for (const CachedFile& entry : longest_unused(folder_, {".pch"}, max_bytes))
    for (const char* kind : {".pch", ".deps", ".h", ".wanted", ".failed"})
      fs::remove(fs::path(entry.file).replace_extension(kind), error);
}

}  // namespace xfer::lint
