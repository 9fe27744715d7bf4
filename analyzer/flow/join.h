#pragma once
// States where paths meet: what is certain after either of two.

#include <vector>

#include "analyzer/flow/state.h"

namespace xfer::analyzer {

/// `joined` is one of two objects where paths meet, in `block`. If one of them was moved away from
/// the CPU and the other was not, that is where it is: a symbol of this place
/// and of `what` is joined here, or joins it.
void note_move(Object& joined, const Object& a, const Object& b, BlockId block, Part what,
               SymbolTable& symbols);

/// One of two devices, as `either`, which is no other device.
void add_either(Symbol& either, SymbolId id, Device a, Device b);

/// The state after either of two paths that meet at `block`. Values that differ get an id of the
/// join.
class Joiner {
 public:
  Joiner(OriginTable& origins, SymbolTable& symbols, BlockId block, bool loop_head)
      : origins_(origins), symbols_(symbols), block_(block), loop_head_(loop_head) {}

  void join(State& into, State from);

 private:
  void look_up(State& state, const State& other);
  void join_parts(State& state, const State& into, const State& from);
  Value join_value(State& state, const State& into, const State& from, Value a, Value b,
                   std::uint32_t space, Part key, Part key2);
  Object join_object(const Object& a, const Object& b, ObjectId id);
  Device join_device(Device a, Device b, std::uint32_t space, Part key, Part key2);

  OriginTable& origins_;
  SymbolTable& symbols_;
  BlockId block_;
  bool loop_head_;
  /// A record or a tuple that is one of two: it has the parts that both have.
  struct Whole {
    ObjectId joined, left, right;
  };
  std::vector<Whole> wholes_;  ///< whose parts are yet to be joined
};

}  // namespace xfer::analyzer
