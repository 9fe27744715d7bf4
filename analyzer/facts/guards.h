#pragma once
// Guards: objects that change how their scope runs, as the rows of their classes say.

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The function makes, holds or names such a guard, in whatever way.
bool uses_guard(const clang::FunctionDecl& function, GuardEffect effect, Types& types);

}  // namespace xfer::analyzer
