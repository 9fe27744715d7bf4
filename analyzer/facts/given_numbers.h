#pragma once
// The arguments of a call to a function of one expression, which is read in the call's place.

#include <llvm/ADT/DenseMap.h>

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/facts/formula.h"

namespace clang {
class Decl;
}  // namespace clang

namespace xfer::analyzer {

/// An object, as the terms begin that speak of its fields.
struct NamedObject {
  std::string text;
  std::vector<std::uint32_t> names;  ///< see fact::Change
  bool own = false;                  ///< the one that the function being read runs on
  bool pointer = false;              ///< it is named by a pointer
  bool local = false;  ///< a variable of that function: what changes its fields names it
};

struct GivenNumbers {
  llvm::DenseMap<const clang::Decl*, Formula> numbers;      ///< of vectors, how many elements
  llvm::DenseMap<const clang::Decl*, NamedObject> objects;  ///< null: what the method runs on
  unsigned depth = 1;
};

}  // namespace xfer::analyzer
