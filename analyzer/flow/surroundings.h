#pragma once
// Facts about its unit that the analysis of a function asks for.

#include <optional>

#include "analyzer/flow/summary.h"

namespace xfer::analyzer {

/// A field of which the class says where it is, whenever a method runs: it has kept what the
/// constructors gave it, or all that change it leave it where another field says.
struct SettledField {
  FieldId field;
  std::optional<Device> device;  ///< every constructor puts it there
  FieldId as;                    ///< it is where this field of the object is, or says
  bool may_cuda = false;         ///< some constructor may put it on CUDA
  bool changes = false;          ///< a method may change it
  Rank rank = Rank::kUnknown;
};

class Surroundings {
 public:
  virtual ~Surroundings() = default;
  virtual const Summary& summary_of(FunctionId function) = 0;
  /// Of a call that names a virtual method: of it and all that override it.
  virtual const Summary& summary_of_any(FunctionId method) = 0;
  /// Null: the field may change, or what it holds is not known.
  virtual const SettledField* settled(FieldId field) = 0;
  /// Of a field that holds a container of modules: whether its forward needs its input where it is.
  virtual Strict strict(FieldId field) = 0;
};

}  // namespace xfer::analyzer
