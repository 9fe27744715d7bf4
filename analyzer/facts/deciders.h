#pragma once
// Who decides on which device a function works: the parameters and fields that its choice rests on.

#include <clang/AST/DeclCXX.h>

#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// A plain value that a function puts into a field of its own object.
struct GivenField {
  const clang::FieldDecl* field;
  GivenValue given;
};

struct Decisions {
  Deciders deciding;  ///< fields: those that the function did not set itself
  std::vector<GivenField> settings;
};

/// Of what is chosen in the function.
Decisions decisions_of(const clang::FunctionDecl& function, Types& types);

}  // namespace xfer::analyzer
