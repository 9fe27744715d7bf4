#pragma once
// Files of facts: all that is known of a source file once it is parsed. Such a file says which
// xferlint and which models made it, and the project's files that it was made from with a hash of
// their content. Paths in it are relative to the project root and it holds the text that findings
// show, so that findings can be made of it on another machine, without sources and without Clang.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/facts/unit.h"

namespace xfer::lint {

struct ParseError {
  std::string file;  ///< empty: the command line
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

struct FileFacts {
  std::string file;  ///< the source file
  /// It and the project's headers -> hash of the content.
  std::map<std::string, std::string> inputs;
  std::vector<ParseError> errors;
  std::optional<analyzer::Unit> unit;  ///< none: there was nothing to look at
};

/// A hash of a file's content, as `inputs` has it; empty if it cannot be read.
std::string content_hash(const std::filesystem::path& file);

/// The format and the models that all facts of a run share.
class FactsFormat {
 public:
  /// `model_files`: the files of --models, which `models` was made with too.
  FactsFormat(const analyzer::ModelSet& models, const std::vector<std::string>& model_files);

  /// Throws UsageError where the file cannot be written.
  void write(const std::filesystem::path& file, const std::vector<FileFacts>& facts) const;

  std::string to_bytes(const std::vector<FileFacts>& facts) const;

  /// Throws UsageError for what is no file of facts, is damaged, or was made by another xferlint or
  /// with other models; with a root also where an input has changed since.
  std::vector<FileFacts> read(const std::filesystem::path& file,
                              const std::filesystem::path& root = {}) const;
  /// The same of the bytes of `file`.
  std::vector<FileFacts> from_bytes(std::string_view bytes, const std::filesystem::path& file,
                                    const std::filesystem::path& root = {}) const;

  /// The inputs of facts besides the command and the files: this program and the models.
  std::string identity() const;

 private:
  const analyzer::ModelSet& models_;
  std::string model_hash_;
};

/// The files of facts in `paths`: files, folders of *.facts at any depth, in order, and @FILE,
/// which lists such paths a line. Throws UsageError for a folder that holds none.
std::vector<std::filesystem::path> facts_files(const std::vector<std::string>& paths);

}  // namespace xfer::lint
