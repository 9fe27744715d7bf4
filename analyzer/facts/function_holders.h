#pragma once
// Variables, fields and parameters that hold functions: which of them an expression speaks of.

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// How the functions that a type holds are called: of a pointer to a function, a std::function, and
/// whatever the standard library makes of these. Null: it holds none.
const clang::FunctionProtoType* signature_held(clang::QualType type, Types& types);
bool holds_functions(clang::QualType type, Types& types);

/// The variable, field or parameter that holds the function that an expression is, or has it among
/// others: `f`, `stage.run`, `table.at(name)`, `it->second`; a function, if that returns it. Null:
/// none does.
const clang::ValueDecl* holder_of_function(const clang::Expr* expr, Types& types);

/// The holder whose function a call runs; null: it names its function, or it is not known.
const clang::ValueDecl* holder_called(const clang::CallExpr& call, Types& types);

/// Of all declarations of a function, a variable or a parameter, the one to know it by.
const clang::FunctionDecl* one_declaration(const clang::FunctionDecl& function);
const clang::ValueDecl* one_declaration(const clang::ValueDecl& decl);

/// The call operator of the type, if it is a lambda, and no template; else null.
const clang::CXXMethodDecl* closure_of(clang::QualType type);

/// `std::move(f)`, `std::make_pair("a", f)`, `begin(v)`: the functions are those that it is given.
/// Of what std::bind makes the parameters are others.
bool hands_on(const clang::CallExpr& call);

/// Of the standard library, or of one of its classes.
bool is_in_std(const clang::Decl* decl);

}  // namespace xfer::analyzer
