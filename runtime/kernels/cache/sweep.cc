#include "kernels/cache/sweep.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <tuple>
#include <vector>

namespace xfer::kernels {
namespace {

constexpr std::string_view kSuffix = ".kernel";
constexpr std::time_t kLongestWrite = 3600;  // seconds

struct Kept {
  std::int64_t used_ns;
  std::string name;
  std::uint64_t bytes;
};

bool is_kept(std::string_view name) {
  return name.size() == 2 * std::tuple_size_v<Digest> + kSuffix.size() && name.ends_with(kSuffix) &&
         name.find_first_not_of("0123456789abcdef") == name.size() - kSuffix.size();
}

}  // namespace

std::string file_name(const Digest& key) { return hexadecimal(key).append(kSuffix); }

void sweep(const File& directory, std::uint64_t most_bytes) {
  // Of its own position: that of the descriptor belongs to whoever opened it.
  File again(openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* const entries = again.is_open() ? fdopendir(again.get()) : nullptr;
  if (entries == nullptr) return;
  again.release();
  std::vector<Kept> all;
  std::uint64_t bytes = 0;
  while (const dirent* const entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    const bool unfinished = name.starts_with(kUnfinished);
    struct stat status{};
    if ((!unfinished && !is_kept(name)) ||
        fstatat(directory.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (!unfinished) {
      const auto size = static_cast<std::uint64_t>(status.st_size);
      all.push_back({status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec,
                     std::string(name), size});
      bytes += size;
    } else if (std::time(nullptr) - status.st_mtime > kLongestWrite) {
      unlinkat(directory.get(), entry->d_name, 0);
    }
  }
  closedir(entries);
  if (bytes <= most_bytes) return;
  std::ranges::sort(all, {}, [](const Kept& kept) { return std::tie(kept.used_ns, kept.name); });
  for (const Kept& kept : all) {
    if (bytes <= most_bytes - most_bytes / 8) break;
    unlinkat(directory.get(), kept.name.c_str(), 0);
    bytes -= kept.bytes;
  }
}

}  // namespace xfer::kernels
