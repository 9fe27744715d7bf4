#include "analyzer/driver/cache_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace xfer::lint {

bool replace_file(const fs::path& file, std::string_view text) {
  static std::atomic<unsigned> count = 0;
  const fs::path temporary = fmt::format("{}.{}-{}.tmp", file.string(), ::getpid(), count++);
  std::error_code error;
  {
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
      fs::remove(temporary, error);
      return false;
    }
  }
  fs::rename(temporary, file, error);
  if (!error) return true;
  fs::remove(temporary, error);
  return false;
}

std::string stored_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

void touch(const fs::path& file) { ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0); }

std::vector<CachedFile> longest_unused(const fs::path& folder,
                                       const std::vector<std::string>& extensions,
                                       std::uintmax_t max_bytes) {
  std::vector<CachedFile> files;
  std::uintmax_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& item : fs::directory_iterator(folder, error)) {
    const auto used = item.last_write_time(error);
    if (error) continue;
    const fs::path& file = item.path();
    if (file.extension() == ".tmp" && now - used > std::chrono::hours(1)) {
      fs::remove(file, error);
    } else if (std::ranges::find(extensions, file.extension().string()) != extensions.end()) {
      const std::uintmax_t bytes = item.file_size(error);
      if (error) continue;
      files.push_back({used, bytes, file});
      total += bytes;
    }
  }
  std::ranges::sort(files, {}, &CachedFile::used);
  auto kept = files.begin();
  for (; kept != files.end() && total > max_bytes; ++kept) total -= kept->bytes;
  files.erase(kept, files.end());
  return files;
}

}  // namespace xfer::lint
