#pragma once
// The variables and fields of a function that decide, or are decided by, which device is used:
// conditions on them are choices of a device.

#include <clang/AST/Expr.h>

#include <set>
#include <string>
#include <utility>

namespace xfer::analyzer {

class DeviceFlags {
 public:
  void add(const clang::Decl& decl) { flags_.insert({&decl, {}}); }
  /// Adds the flags that the condition names: of options one alone, of `args["gpu"]` or
  /// `args.count("gpu")` that entry.
  void add_named(const clang::Stmt& condition);
  /// The condition names one.
  bool named_in(const clang::Stmt& condition) const;

 private:
  /// No entry: all of it.
  using Flag = std::pair<const clang::Decl*, std::string>;

  bool contains(const Flag& flag) const;

  std::set<Flag> flags_;
};

}  // namespace xfer::analyzer
