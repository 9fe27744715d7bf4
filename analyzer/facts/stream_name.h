#pragma once
// How code names a stream or an event: a variable, the field of an object, an element of either.

#include <clang/AST/ExprCXX.h>

#include <optional>

namespace xfer::analyzer {

struct StreamName {
  bool is_default = false;                   ///< the stream that all of a program's threads share
  const clang::ValueDecl* handle = nullptr;  ///< the variable or field; null: it is not known
  /// Of a field: the variable or field that is its object; null: the function's own object, or one
  /// that is not known.
  const clang::ValueDecl* object = nullptr;
  bool own = false;  ///< a field of the function's own object
  std::optional<std::int64_t> index;

  bool known() const { return handle != nullptr; }
};

/// The stream or event that an argument is, or the address of; a call of a getter is its field.
StreamName stream_name(const clang::Expr* argument, clang::ASTContext& context);

/// As a callee's name reads where it is called.
StreamName name_at_call(StreamName name, const clang::FunctionDecl& callee, const clang::Expr& call,
                        clang::ASTContext& context);

/// The variable or field that holds the handle: `s` of `s`, `&s[i]`, `x->s`; null: it is none that
/// lasts for all of a function.
const clang::ValueDecl* handle_behind(const clang::Expr* expr);

/// Both may name the same place. Of handles that no copy of their object holds as well, those of
/// two objects are two.
bool may_be_one(const StreamName& a, const StreamName& b);

/// A handle of a stream or an event, which is a pointer to a class.
bool is_stream_handle(clang::QualType type);

}  // namespace xfer::analyzer
