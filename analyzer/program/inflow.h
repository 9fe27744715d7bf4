#pragma once
// What functions put into parameters, results and fields: the edges along which the devices of a
// program are inferred. Plain values.

#include <vector>

#include "analyzer/flow/holder.h"
#include "analyzer/flow/state.h"
#include "analyzer/program/place_set.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

/// One of the things that say where a value is: a holder, or else a place.
struct Source {
  bool held = false;
  Holder holder;
  PlaceSet place;
};

struct Inflow {
  Holder to;
  std::vector<Source> sources;  ///< it is where one of these is
  Rank rank = Rank::kUnknown;
  bool moves = false;    ///< a module that was there before
  bool as_held = false;  ///< it is the very value of its source: it has its rank
  Location at;           ///< the call, or the assignment
  Placed placed = Placed::kUnknown;
  Location made;  ///< where the function made or moved it; no file: it did neither
};

}  // namespace xfer::analyzer
