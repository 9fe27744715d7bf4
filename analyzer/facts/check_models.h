#pragma once
// Model rows against real headers.

#include <string>
#include <vector>

#include "analyzer/models/api_models.h"

namespace clang {
class ASTContext;
class Preprocessor;
}  // namespace clang

namespace xfer::analyzer {

/// The model rows against what a unit declares, for the libraries of which it includes a header.
struct ModelCheck {
  std::vector<std::string> unmatched;  ///< one text per name or class of a row that is nowhere
  std::vector<std::string> unchecked;  ///< one text per row whose own header was not included
  std::vector<std::string> libraries;  ///< which were checked, with their versions
};
ModelCheck check_models(clang::Preprocessor& preprocessor, clang::ASTContext& context,
                        const ModelSet& models);

}  // namespace xfer::analyzer
