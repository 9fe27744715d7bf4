#pragma once

#include <clang/AST/DeclCXX.h>

#include <vector>

#include "analyzer/facts/choice.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// A plain value that a function puts into a field.
struct GivenField {
  const clang::FieldDecl* field;
  GivenValue given;
};

/// The values that a function puts into the fields of its own object and of others; a constructor
/// also their initial values. Code that may set a field in another way gives an unknown value.
std::vector<GivenField> settings_of(const clang::FunctionDecl& function, Types& types);

}  // namespace xfer::analyzer
