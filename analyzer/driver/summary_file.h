#pragma once
// Files of summaries: what --emit-summaries writes for one unit or many, and --use-summaries reads.
// A file says which xferlint and which models made it, and of each unit the project's files that it
// was made from with a hash of their content; whoever reads it is refused what no longer fits.
// Paths are relative to the project root, so that a file means the same on another machine.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analyzer/program/summary_set.h"

namespace xfer::lint {

struct SummarisedUnit {
  std::string file;  ///< the source file
  std::map<std::string, std::string>
      inputs;  ///< it and the project's headers -> hash of the content
  analyzer::UnitSummaries summaries;
};

/// A hash of a file's content, as `inputs` has it; empty if it cannot be read.
std::string content_hash(const std::filesystem::path& file);

/// `models`: the files of --models. Throws UsageError.
void write_summaries(const std::string& file, std::vector<SummarisedUnit> units,
                     const std::vector<std::string>& models);

/// All units of `paths`: files, and folders of *.json at any depth. Throws UsageError for what is
/// no summary file, was made by another xferlint or with other models, or before an input changed.
std::vector<SummarisedUnit> read_summaries(const std::vector<std::string>& paths,
                                           const std::vector<std::string>& models,
                                           const std::filesystem::path& root);

}  // namespace xfer::lint
