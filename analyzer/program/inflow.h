#pragma once
// Values that functions put into parameters, results and fields: the edges along which the devices
// of a program are inferred. Plain values.

#include <variant>
#include <vector>

#include "analyzer/flow/holder.h"
#include "analyzer/flow/state.h"
#include "analyzer/program/device_set.h"
#include "xfer/rules/finding.h"

namespace xfer::analyzer {

struct Source;

/// It is where each of these says, or what made it has failed.
struct Agreeing {
  std::vector<std::vector<Source>> each;
};

/// The function chooses between devices; these decide.
struct Choice {
  FunctionId function;
  Deciders by;
};

/// One of the things that say where a value is.
struct Source {
  std::variant<DeviceSet, Holder, Agreeing, Choice> says;
  bool one_object = false;  ///< a holder: of an object that the function made
};

template <class Function>
void for_each_holder(const std::vector<Source>& sources, const Function& function) {
  for (const Source& source : sources) {
    if (const auto* holder = std::get_if<Holder>(&source.says)) function(*holder);
    if (const auto* agreeing = std::get_if<Agreeing>(&source.says))
      for (const std::vector<Source>& one : agreeing->each) for_each_holder(one, function);
  }
}

struct Inflow {
  FunctionId by;  ///< the function that puts it there
  Holder to;
  std::vector<Source> sources;  ///< it is where one of these is
  Rank rank = Rank::kUnknown;
  bool moves = false;    ///< a module that was there before
  bool module = false;   ///< a module, or all those of a list
  bool renewed = false;  ///< what a field held, moved to a device that is given
  bool same = false;     ///< it is the module that the source, a holder, has
  bool as_held = false;  ///< it is the very value of a source: it has its rank
  Location at;           ///< the call, or the assignment
  Placed placed = Placed::kUnknown;
  Location lost;  ///< what put it where nothing is known of it
  Location made;  ///< where the function made or moved it; no file: it did neither
};

}  // namespace xfer::analyzer
