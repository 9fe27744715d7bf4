#pragma once
// Guards: objects that change how their scope runs, as the rows of their classes say, and calls
// that change the current CUDA device.

#include "analyzer/facts/types.h"

namespace clang {
class VarDecl;
}  // namespace clang

namespace xfer::analyzer {

/// The variable is a guard of its scope: it begins here and ends with it.
bool guards_scope(const clang::VarDecl& variable, GuardEffect effect, Types& types);

/// The settings that a function, with the lambdas in it, changes.
struct GuardUses {
  bool default_place = false;   ///< where what is made without a device is
  bool current_device = false;  ///< which CUDA device is the current one
  bool unfollowed = false;      ///< that, but not by guards of scopes and calls alone
};

GuardUses find_guards(const clang::FunctionDecl& function, Types& types);

}  // namespace xfer::analyzer
