#pragma once
// What a function is told of the unit that it is in.

#include <optional>

#include "analyzer/summary.h"

namespace clang {
class FieldDecl;
class FunctionDecl;
class ValueDecl;
}  // namespace clang

namespace xfer::analyzer {

/// A field of which the class says where it is, whenever a method runs: it has kept what the
/// constructors gave it, or all that change it leave it where another field says.
struct SettledField {
  const clang::FieldDecl* field = nullptr;
  std::optional<Device> device;          ///< every constructor puts it there
  const clang::FieldDecl* as = nullptr;  ///< it is where this field of the object is, or says
  bool may_cuda = false;                 ///< some constructor may put it on CUDA
  bool changes = false;                  ///< a method may change it
  Rank rank = Rank::kUnknown;
};

class Surroundings {
 public:
  virtual ~Surroundings() = default;
  virtual const Summary& summary_of(const clang::FunctionDecl& function) = 0;
  /// Some run has CUDA in this variable or field of a device.
  virtual bool may_be_cuda(const clang::ValueDecl& device) = 0;
  /// Null: the field may change, or what it holds is not known.
  virtual const SettledField* settled(const clang::FieldDecl& field) = 0;
  /// Of a field that holds a container of modules: whether its forward needs its input where it is.
  virtual Strict strict(const clang::FieldDecl& field) = 0;
  /// Where new tensors and modules are made for which nothing says a place.
  virtual Device default_place() = 0;
};

}  // namespace xfer::analyzer
