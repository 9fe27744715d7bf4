#pragma once
// Moves of a module: its registered parts go along, and the whole that it is a part of is no longer
// in one place.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// It is on `device` now, with all that is registered in it.
void set_device(Step& step, ObjectId id, Device device, Placed placed, SpotId spot_id);
/// Some part of `whole` is on `device` now: so what it is a part of is there, or in several places.
void part_moved(Step& step, ObjectId whole, Device device, unsigned depth = 0);
/// All modules that a list holds were moved.
void move_elements(Step& step, ObjectId list, Device device, SpotId spot_id);
/// `net->children()`, `net[0]`, `net->at<Linear>(0)`: a move of the part moves a part of the
/// whole.
void hand_out_part(Step& step, ObjectId whole, const Value& part);

}  // namespace xfer::analyzer
