#pragma once
// Lists, maps and tuples: where they are follows from their parts, and their parts from them.

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

Value apply(Step& step, const fact::List& list);
Value apply(Step& step, const fact::Tuple& tuple);
Value apply(Step& step, const fact::ElementOf& of);
Value apply(Step& step, const fact::Put& put);
Value apply(Step& step, const fact::PartOf& of);

/// The list is where all its elements are; one that its module registered, where that is, as long
/// as they are.
void add_element(Step& step, ObjectId list, ObjectId element);
/// `list[i] = x`: which element it replaces is known by constants only, so the others stay, and x
/// is one of them.
void put_element(Step& step, ObjectId list, ObjectId element, ElementKey key);
/// The same of a list of devices.
void add_device(Step& step, ObjectId list, Device device);

}  // namespace xfer::analyzer
