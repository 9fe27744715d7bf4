#pragma once
// Where the batches of a data loader are: by the row of a library's dataset, or by what the `get`
// of a team's own dataset does. A place that is not certain counts as unknown.

#include <clang/AST/Expr.h>

#include <optional>
#include <vector>

#include "analyzer/facts/declarations.h"
#include "analyzer/facts/facts.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

class Loaders {
 public:
  struct Dataset {
    const clang::CXXRecordDecl* record = nullptr;
    const TypeModel* loader = nullptr;  ///< the row of what hands it out
  };

  Loaders(Types& types, Declarations& declarations) : types_(types), declarations_(declarations) {}

  Dataset dataset_of(clang::QualType loader);
  /// The same of an iterator: `loader->begin()`, or a variable that was given it.
  Dataset dataset_behind(const clang::Expr* iterator);
  /// The functions that make the batches that a loader over the dataset hands out; none: not known.
  std::optional<std::vector<BatchMaker>> makers(Dataset dataset);

 private:
  bool add_makers(Dataset from, std::vector<BatchMaker>& makers, unsigned depth);
  bool add_transform(const clang::CXXRecordDecl& transform, std::vector<BatchMaker>& makers);

  Types& types_;
  Declarations& declarations_;
};

}  // namespace xfer::analyzer
