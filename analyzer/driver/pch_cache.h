#pragma once
// Precompiled headers shared between files, runs and processes, in $XDG_CACHE_HOME/xfercheck.
//
// An entry is KEY.h (the includes), KEY.pch, and KEY.deps (the marks of the files that it was
// made of, see file_marks.h: an entry of which one changed is stale). Entries are written to a
// temporary name and renamed, so readers and parallel writers never see half of one. Losing the
// folder costs time, nothing else.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/driver/compiler_args.h"

namespace xfer::lint {

class PchCache {
 public:
  /// `folder` empty: $XDG_CACHE_HOME/xfercheck, else ~/.cache/xfercheck, else a folder in /tmp.
  explicit PchCache(std::filesystem::path folder = {});

  const std::filesystem::path& folder() const { return folder_; }
  /// False: the folder cannot be made or written.
  bool usable() const { return usable_; }

  /// A hash of a precompiled header's inputs: compiler, options, headers.
  static std::string key(const ParseCommand& command, const std::vector<std::string>& headers);

  std::filesystem::path header(const std::string& key) const { return folder_ / (key + ".h"); }
  std::filesystem::path pch(const std::string& key) const { return folder_ / (key + ".pch"); }

  /// True if the entry is there and none of its headers changed. Removes a stale one.
  bool is_fresh(const std::string& key) const;

  /// Notes that a run would have used the entry; true if an earlier run noted it too. An entry pays
  /// for itself from the second file on.
  bool note_wanted(const std::string& key) const;
  /// Notes that the headers do not compile on their own, so that no run tries again; only the first
  /// `whole` of them do.
  void note_failed(const std::string& key, std::size_t whole) const;
  /// The `whole` that note_failed() noted within the last day.
  std::optional<std::size_t> failed(const std::string& key) const;

  /// Writes KEY.h. Same content each time, so that parallel writers agree.
  void write_header(const std::string& key, const std::vector<std::string>& headers) const;
  /// Which header, counted from 0, a line of KEY.h includes.
  static std::size_t header_at(unsigned line);
  /// A name beside KEY.pch for the compiler to write to.
  std::filesystem::path temporary(const std::string& key) const;
  /// Makes the entry visible. `made_of`: the marks of the files that it was made of, as lines.
  void publish(const std::string& key, const std::filesystem::path& written,
               const std::string& made_of) const;
  /// The `made_of` that publish() stored.
  std::string made_of(const std::string& key) const;

  /// Removes the entries that were not used for longest, beyond `max_bytes`.
  void trim(std::uintmax_t max_bytes) const;

 private:
  std::filesystem::path mark(const std::string& key, const char* kind) const;

  std::filesystem::path folder_;
  bool usable_ = false;
};

}  // namespace xfer::lint
