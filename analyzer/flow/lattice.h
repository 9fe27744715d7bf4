#pragma once
// The device lattice: where a value may be. Plain values, no Clang types.
//
//   bottom < cpu, cuda(i), cuda(current), symbol(s) < unknown
//
// A symbol stands for one device that is not known but is the same wherever the symbol appears
// (`model.to(device)` and `x.to(device)` agree whatever `device` is). SymbolTable says which
// devices it may turn out to be.

#include <cstdint>

#include "analyzer/facts/device.h"

namespace xfer::analyzer {

/// Least upper bound; two different devices are unknown.
Device join(Device a, Device b);

/// The relation of two devices that is certain without knowing more of their symbols.
enum class Relation : std::uint8_t { kSame, kDifferent, kUnsure };

/// cuda(current) and cuda(guarded) may be any cuda(i), so the two are kUnsure.
Relation relate(Device a, Device b);

/// Whether a tensor has dimensions: one without any may be mixed with CUDA tensors from the CPU.
enum class Rank : std::uint8_t {
  kUnknown,
  kZero,
  kNonZero,
  kHeld,  ///< that of what held it before, which the whole program may know
};

/// The rank as far as it is known without the holder.
inline Rank without_holder(Rank rank) { return rank == Rank::kHeld ? Rank::kUnknown : rank; }

Rank join(Rank a, Rank b);

/// Host memory that a device can copy from by itself is pinned; managed memory is the host's and
/// the devices' alike.
enum class Memory : std::uint8_t { kUnknown, kPageable, kPinned, kManaged };

/// A tensor's part in the gradients.
enum class Grad : std::uint8_t {
  kUnknown,
  kLeaf,   ///< it was asked to collect its gradient
  kMoved,  ///< a copy of such a leaf: the gradient goes there
};

}  // namespace xfer::analyzer
