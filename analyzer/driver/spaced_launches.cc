#include "analyzer/driver/spaced_launches.h"

#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

namespace xfer::lint {
namespace {

constexpr std::string_view kBlank = " \t";

/// Where the two parts of a launch's bracket begin.
struct Spaced {
  std::size_t pair, single;
};

/// `operator<< <T>` names an operator.
bool is_behind_operator(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(kBlank);
  return last != std::string_view::npos && text.substr(0, last + 1).ends_with("operator");
}

/// The first one that `pair` begins in `text`, from `from` to `until`.
std::optional<Spaced> find_spaced(std::string_view text, std::string_view pair, std::size_t from,
                                  std::size_t until) {
  for (std::size_t at = text.find(pair, from); at < until; at = text.find(pair, at + 1)) {
    const std::size_t next = text.find_first_not_of(kBlank, at + pair.size());
    if (next == std::string_view::npos) break;
    if (next > at + pair.size() && next < until && text[next] == pair[0] &&
        !is_behind_operator(text, at))
      return Spaced{at, next};
  }
  return std::nullopt;
}

/// The bracket's parts stand side by side, and the blanks behind them.
void close_up(std::string& text, const Spaced& bracket) {
  std::swap(text[bracket.pair + 2], text[bracket.single]);
}

class ClosedUpFile : public llvm::vfs::File {
 public:
  explicit ClosedUpFile(std::unique_ptr<llvm::vfs::File> file) : file_(std::move(file)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name,
                                                               int64_t size, bool terminated,
                                                               bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, is_volatile);
    if (!buffer) return buffer;
    const auto text = close_up_launches((*buffer)->getBuffer());
    if (!text) return buffer;
    return llvm::MemoryBuffer::getMemBufferCopy(*text, (*buffer)->getBufferIdentifier());
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
};

class ClosedUpFiles : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) return file;
    return std::make_unique<ClosedUpFile>(std::move(*file));
  }
};

}  // namespace

std::optional<std::string> close_up_launches(std::string_view text) {
  std::optional<std::string> closed;
  std::size_t at = 0;
  while (const auto open = find_spaced(text, "<<", at, text.size())) {
    if (!closed) closed = text;
    close_up(*closed, *open);
    at = open->single + 1;
    // The launch's own end lies before the statement's.
    const std::size_t end = std::min(text.find(';', at), text.size());
    if (const auto shut = find_spaced(text, ">>", at, end)) close_up(*closed, *shut);
  }
  return closed;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_launches_closed_up(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  return llvm::makeIntrusiveRefCnt<ClosedUpFiles>(std::move(files));
}

}  // namespace xfer::lint
