#pragma once
// The API models of a run: the built-in ones, and the files of --models.

#include <string>
#include <vector>

#include "analyzer/models/api_models.h"

namespace xfer::lint {

/// Throws UsageError that names the file and what is wrong in it.
analyzer::ModelSet load_models(const std::vector<std::string>& files);

}  // namespace xfer::lint
