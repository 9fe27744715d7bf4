#pragma once
// Objects that others may change or move: those that unknown code got, and modules that are held in
// several places, where a move through one place moves them for all.

#include <vector>

#include "analyzer/flow/step.h"

namespace xfer::analyzer {

/// The code that tells what becomes of an object that was handed on.
enum class ToldBy : std::uint8_t {
  kNobody,  ///< code that is not known has it
  kFields,  ///< it is held elsewhere: of a record all code that names its fields, of others nobody
  kCallee,  ///< the function that got it, whose own facts do
};

/// Others may have changed it, and moved it.
void lose(Step& step, ObjectId id, ToldBy told = ToldBy::kNobody, unsigned depth = 0);
/// Which modules hold the tensor is not known: any may be elsewhere now, in part.
void reseat(Step& step, ObjectId tensor);
/// The module is held where the flow does not follow it: any holder may move it. A module that is
/// registered in another goes where that goes.
void share(Step& step, ObjectId id, ToldBy told = ToldBy::kFields);
/// The same of all modules that are parts of a tuple, a record or a list.
void share_parts(Step& step, ObjectId whole, ToldBy told = ToldBy::kFields, unsigned depth = 0);
/// The same of what is one, and of its parts.
void share_whole(Step& step, ObjectId id, ToldBy told = ToldBy::kFields, unsigned depth = 0);
/// The memory to which its parts point, and theirs.
std::vector<ObjectId> memory_behind(const Step& step, ObjectId whole, unsigned depth = 0);
/// Others may point there too.
void escape_behind(Step& step, ObjectId whole);
/// Others changed what a field of a record holds, and their facts tell: it is where the whole
/// program finds that field.
void find_by_field(Step& step, ObjectId id, FieldId field);
/// A variable of this function, or a field, holds the object.
bool held_here(const Step& step, ObjectId id);

}  // namespace xfer::analyzer
