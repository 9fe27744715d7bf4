#include "kernels/cache/store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "kernels/cache/file.h"
#include "kernels/cache/sweep.h"
#include "xfer/hold_write_signals.h"

namespace xfer::kernels {
namespace {

constexpr char kMagic[8] = {'x', 'f', 'e', 'r', 'k', 'c', '1', '\n'};

/// The beginning of a file; the content follows.
struct Head {
  char magic[sizeof(kMagic)];
  Digest digest;  ///< of the key and the content

  Head(const Digest& key, std::string_view content) : digest(digest_of({bytes_of(key), content})) {
    std::memcpy(magic, kMagic, sizeof(magic));
  }
  std::string_view bytes() const { return {reinterpret_cast<const char*>(this), sizeof(*this)}; }
};

File open_directory(const std::string& path) {
  File directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  return directory.is_ours(S_IFDIR, &status) ? std::move(directory) : File(-1);
}

/// With those that it lies in.
void make_directory(const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    mkdir(path.substr(0, end).c_str(), S_IRWXU);
    if (end == std::string::npos) return;
  }
}

bool read_all(const File& file, std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = read(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(const File& file, std::string_view bytes) {
  const HoldWriteSignals held;
  while (!bytes.empty()) {
    const ssize_t count = write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

/// A name that no other thread or process has.
std::string unfinished_name() {
  static std::atomic<unsigned> next{0};
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  char rest[64];
  std::snprintf(rest, sizeof(rest), "%ld-%u-%ld%09ld", static_cast<long>(getpid()), next++,
                static_cast<long>(now.tv_sec), now.tv_nsec);
  return std::string(kUnfinished) + rest;
}

}  // namespace

std::optional<std::string> Store::get(const Digest& key) const {
  const File directory = open_directory(directory_);
  if (!directory.is_open()) return std::nullopt;
  const File file(openat(directory.get(), file_name(key).c_str(),
                         O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status{};
  if (!file.is_ours(S_IFREG, &status)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < sizeof(Head) || size > most_bytes_) return std::nullopt;
  std::string content(size, '\0');
  if (!read_all(file, content)) return std::nullopt;
  const std::string head = content.substr(0, sizeof(Head));
  content.erase(0, sizeof(Head));
  if (head != Head(key, content).bytes()) return std::nullopt;
  futimens(file.get(), nullptr);  // it was used
  return content;
}

void Store::put(const Digest& key, std::string_view content) {
  const std::uint64_t part = most_bytes_ / 16;
  if (content.size() > part) return;
  make_directory(directory_);
  const File directory = open_directory(directory_);
  if (!directory.is_open()) return;
  const std::string name = unfinished_name();
  {
    const File file(openat(directory.get(), name.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                           S_IRUSR | S_IWUSR));
    if (!file.is_open()) return;
    if (!write_all(file, Head(key, content).bytes()) || !write_all(file, content) ||
        renameat(directory.get(), name.c_str(), directory.get(), file_name(key).c_str()) != 0) {
      unlinkat(directory.get(), name.c_str(), 0);
      return;
    }
  }
  // Looking at the size is dear: at first, and after each part.
  const std::uint64_t before = unswept_.load();
  const std::uint64_t now = before > part ? 0 : before + content.size();
  unswept_ = now;
  if (before > part) sweep(directory, most_bytes_);
}

}  // namespace xfer::kernels
