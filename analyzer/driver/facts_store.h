#pragma once
// Facts kept between runs, in the folder `facts` beside the precompiled headers.
//
// An entry is KEY.facts: the facts of one source file, parsed in one way, and a mark of each file
// that the parse read or looked for. Marks that many entries have in common, those of a precompiled
// header, are a file of their own, HASH.files. An entry is taken only while all marks fit and its
// own hash does. Entries are written to a temporary name and renamed; losing the folder costs time,
// nothing else.

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "analyzer/driver/compiler_args.h"
#include "analyzer/driver/facts_file.h"
#include "analyzer/driver/file_marks.h"

namespace xfer::lint {

class FactsStore {
 public:
  /// `folder`: of the user's cache; `root`: of the project, from which facts name files.
  FactsStore(const std::filesystem::path& folder, const FactsFormat& format,
             const std::filesystem::path& root);

  /// A hash of all that a file's facts depend on besides the files that its parse reads; empty if
  /// the file cannot be read.
  std::string key(const ParseCommand& command) const;

  /// The facts of an entry that still fits. From any thread.
  std::optional<FileFacts> find(const std::string& key);
  /// Of each key in turn.
  std::vector<std::optional<FileFacts>> find_all(const std::vector<std::string>& keys,
                                                 unsigned threads);

  /// The files that the parse of an entry read; none where there is no entry.
  std::set<std::string> read(const std::string& key) const;

  /// Keeps what FactsFormat wrote of one file. `read`: what the parse read, `shared`: what its
  /// precompiled header was made of. Where it cannot be kept, nothing happens.
  void keep(const std::string& key, const std::string& facts, const FileMarks& read,
            const std::string& shared);

  /// Removes the entries that were not used for longest, beyond `max_bytes`.
  void trim(std::uintmax_t max_bytes) const;
  /// The same, if something was kept and the last time is an hour ago.
  void trim_at_times(std::uintmax_t max_bytes) const;

 private:
  std::filesystem::path entry(const std::string& key) const { return folder_ / (key + ".facts"); }
  bool fits(const std::string& shared);
  std::string keep_shared(const std::string& lines);

  const FactsFormat& format_;
  std::filesystem::path folder_;
  std::string common_;  ///< what all keys of a run have in common
  FilesNow now_;
  std::mutex mutex_;
  std::map<std::string, bool> fits_;  ///< shared marks, by hash
  std::atomic<bool> kept_ = false;
};

}  // namespace xfer::lint
