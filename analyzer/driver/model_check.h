#pragma once
// xferlint --check-models: every row of the models against real headers.

#include <filesystem>

#include "analyzer/driver/console.h"
#include "analyzer/models/api_models.h"

namespace xfer::lint {

/// A source file in a folder of its own that includes each header which the models name and the
/// compiler finds; gone with the object.
class ModelHeadersFile {
 public:
  explicit ModelHeadersFile(const analyzer::ModelSet& models);
  ModelHeadersFile(const ModelHeadersFile&) = delete;
  ModelHeadersFile& operator=(const ModelHeadersFile&) = delete;
  ~ModelHeadersFile();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Prints the rows that match nothing and what was checked; the exit code.
int say_model_check(const RunState& run);

}  // namespace xfer::lint
