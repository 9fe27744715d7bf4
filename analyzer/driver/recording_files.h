#pragma once
// The machine's files, for a parse, with a record of each that it read or looked for.

#include <llvm/Support/VirtualFileSystem.h>

#include <functional>

#include "analyzer/driver/file_marks.h"

namespace xfer::lint {

class RecordingFiles : public llvm::vfs::ProxyFileSystem {
 public:
  RecordingFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  /// Of the files so far. A file that `by_content` names is marked so, the others by time; one that
  /// changed a moment before it was read by both: its time may not tell the next change.
  FileMarks marks(const std::function<bool(const std::string&)>& by_content) const;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& folder,
                                          std::error_code& error) override;

 private:
  class Opened;
  struct Seen {
    std::string time;     ///< of a file that was read, or a folder that was listed
    std::string content;  ///< of a file that was read
    bool young = false;
    bool missing = false;
  };

  Seen& seen(const llvm::Twine& path);

  std::map<std::string, Seen> seen_;
};

}  // namespace xfer::lint
