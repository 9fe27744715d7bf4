#pragma once
// Properties of expressions, as far as their syntax tells.

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "analyzer/facts/choice.h"

namespace xfer::analyzer {

/// Skips what does not change the value: parentheses, implicit casts, temporaries.
const clang::Expr* strip(const clang::Expr* expr);

/// The same, and casts that are written.
const clang::Expr* without_casts(const clang::Expr* expr);

/// `x` of `&x`, whatever it is cast to; null: it is no address.
const clang::Expr* addressed_by(const clang::Expr* expr);

/// An argument as it is written, or else where its parameter is declared.
const clang::Expr* as_given(const clang::Expr* argument);

/// `nullptr`, `NULL`, `0` for a pointer.
bool is_null_pointer(const clang::Expr& expr, clang::ASTContext& context);

/// `nullptr`, or a handle or pointer made of it.
bool is_null(const clang::Expr* expr);

/// An object that is made without arguments.
bool is_made_of_nothing(const clang::Expr* expr);

/// The variable or field that an lvalue is a part of; null: it comes from no variable.
const clang::Decl* root_of(const clang::Expr* expr);

/// The expression that a pointer is made from: casts, arithmetic and `&p[i]` do not change whose
/// memory it is.
const clang::Expr* pointer_base(const clang::Expr* expr);

/// `v` of `v.size()`; null: the expression is no such call.
const clang::Expr* counted_by(const clang::Expr& expr);

/// The field of the function's own object that an expression is; null: it is none.
const clang::FieldDecl* own_field(const clang::Expr& expr);

/// A call that names the method may run another one.
bool may_be_overridden(const clang::CXXMethodDecl& method);

/// The expression that a function returns, and does nothing else. Null: it does more, or a call may
/// run another one.
const clang::Expr* only_returned(const clang::FunctionDecl* function);
/// The field of its object that a method returns, or a copy of it, and does nothing else. Null: it
/// does more, may be overridden, or is not where every caller sees its body.
const clang::FieldDecl* returned_field(const clang::FunctionDecl* method);

/// The variable, or the field of the own object, that an expression is; null: it is neither.
const clang::ValueDecl* variable_or_field(const clang::Expr& expr);

/// The variable that an expression names; null: it names none.
const clang::VarDecl* variable_named(const clang::Expr* expr);

/// The argument that a call or a constructor call gives for a parameter, or its object
/// (kThisParameter); null: none.
const clang::Expr* argument_of(const clang::Expr& call, std::uint32_t parameter);

/// The object of a method call, else the first argument of a call; null: it has neither.
const clang::Expr* subject_of(const clang::CallExpr& call);

/// The text that a value is made from, through constructors; null: none.
const clang::StringLiteral* find_literal(const clang::Expr* expr);

/// `v.at(i)`
bool is_at(const clang::CallExpr& call);

/// `Options{true, 3}`: each field, and what it is made with. Nothing of a union, or where the class
/// is not known.
std::vector<std::pair<const clang::FieldDecl*, const clang::Expr*>> fields_made(
    const clang::InitListExpr& list);

/// The cast takes the value of what it casts, or hands an object on by a reference to const.
bool only_looks(const clang::ImplicitCastExpr& cast);

bool is_mutable_reference(clang::QualType type);

/// The class that a class derives from first; null: none.
const clang::CXXRecordDecl* first_base(const clang::CXXRecordDecl& record);

bool is_in_system_header(const clang::Decl& decl);

/// The authors' own, and no template: of those, the instances are code.
bool is_code(const clang::Decl& decl);

}  // namespace xfer::analyzer
