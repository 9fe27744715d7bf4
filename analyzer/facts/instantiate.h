#pragma once
// Constructors that only skipped code calls, of class templates and those that nobody wrote: a
// module that a holder or make_shared makes is made in a library's function, whose body was not
// read.

#include <clang/AST/Decl.h>
#include <clang/Sema/Sema.h>

#include <vector>

namespace xfer::analyzer {

/// Instantiates the constructors of derived classes that are templates of `scope`, and defines the
/// default constructors of derived classes that have none of their own, where no code that was read
/// has. Says nothing of what does not compile in them: perhaps nobody calls it. At the end of a
/// unit. A copy of `scope`: the consumer that keeps it is told of what is instantiated.
void instantiate_constructors(clang::Sema& sema, std::vector<clang::Decl*> scope);

}  // namespace xfer::analyzer
