#pragma once
// Tensors of one object: what the move of one says of another that stays.

#include <set>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

/// A tensor of an object of the program's own classes.
bool is_own_tensor(const Field& field);

/// The same functions give both fields their values, `movers` aside.
bool given_alike(const Unit& unit, FieldId one, FieldId other, const std::set<FunctionId>& movers);

/// The program is known. Nothing says that `left` is right where it is while `movers` move `moved`:
/// that somebody puts it elsewhere, but not the other, or that the host wants it.
bool may_be_left(const CheckContext& context, FieldId left, FieldId moved,
                 const std::set<FunctionId>& movers);

}  // namespace xfer::analyzer
