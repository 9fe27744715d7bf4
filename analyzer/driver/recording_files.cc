#include "analyzer/driver/recording_files.h"

#include <chrono>
#include <filesystem>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// No file system that is in use tells times apart less finely.
constexpr std::chrono::seconds kYoung{2};

std::string time_mark_of(const llvm::vfs::Status& status) {
  const auto since = status.getLastModificationTime().time_since_epoch();
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return time_mark(status.getSize(), seconds.count(),
                   std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds).count());
}

bool is_young(const llvm::vfs::Status& status) {
  return status.getLastModificationTime() + kYoung > std::chrono::system_clock::now();
}

}  // namespace

/// Notes what the file was when it was opened, and what was read.
class RecordingFiles::Opened : public llvm::vfs::File {
 public:
  Opened(std::unique_ptr<llvm::vfs::File> file, Seen& seen) : file_(std::move(file)), seen_(seen) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                               int64_t size, bool terminated,
                                                               bool is_volatile) override {
    const auto status = file_->status();
    auto buffer = file_->getBuffer(name, size, terminated, is_volatile);
    if (!status || !buffer) return buffer;
    const std::string content = content_mark((*buffer)->getBuffer());
    // Read twice, and not the same: what stays is a mark that fits nothing.
    seen_.content = seen_.content.empty() || seen_.content == content ? content : "changed";
    seen_.time = time_mark_of(*status);
    seen_.young = is_young(*status) || seen_.content != content;
    return buffer;
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
  Seen& seen_;
};

RecordingFiles::Seen& RecordingFiles::seen(const llvm::Twine& path) {
  fs::path full = path.str();
  if (full.is_relative()) full = fs::absolute(full);
  return seen_[full.string()];
}

llvm::ErrorOr<llvm::vfs::Status> RecordingFiles::status(const llvm::Twine& path) {
  auto status = ProxyFileSystem::status(path);
  seen(path).missing |= !status;
  return status;
}

bool RecordingFiles::exists(const llvm::Twine& path) {
  const bool found = ProxyFileSystem::exists(path);
  seen(path).missing |= !found;
  return found;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> RecordingFiles::openFileForRead(
    const llvm::Twine& path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  Seen& entry = seen(path);
  entry.missing |= !file;
  if (!file) return file;
  return std::make_unique<Opened>(std::move(*file), entry);
}

llvm::vfs::directory_iterator RecordingFiles::dir_begin(const llvm::Twine& folder,
                                                        std::error_code& error) {
  if (const auto status = ProxyFileSystem::status(folder)) {
    seen(folder).time = time_mark_of(*status);
  } else {
    seen(folder).missing = true;
  }
  return ProxyFileSystem::dir_begin(folder, error);
}

FileMarks RecordingFiles::marks(const std::function<bool(const std::string&)>& by_content) const {
  FileMarks marks;
  for (const auto& [path, seen] : seen_) {
    std::string& mark = marks[path];
    if (seen.missing)
      mark = kMissing;
    else if (!seen.content.empty() && by_content(path))
      mark = seen.content;
    else if (seen.young)
      mark = seen.time + seen.content;
    else
      mark = seen.time.empty() ? kPresent : seen.time;
  }
  return marks;
}

}  // namespace xfer::lint
