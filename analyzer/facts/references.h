#pragma once
// Whether a reference to a part of something is a way to change it, or a name to read it by.

#include <clang/AST/Decl.h>

#include "analyzer/facts/types.h"

namespace xfer::analyzer {

/// The function gives nothing that the reference, or one of its bindings, names another value:
/// `auto& step = steps[i];`, `for (auto& [state, action] : steps)`.
bool only_read(const clang::VarDecl& reference, const clang::FunctionDecl* function, Types& types);

/// The function gives the variable, or the field of its own object, no other value than it has.
/// Null: the code stands in no function.
bool left_alone(const clang::ValueDecl& named, const clang::FunctionDecl* function, Types& types);

/// A container's method that gives access to its elements: it changes none, and their number not.
bool hands_out_elements(const clang::CXXMethodDecl& method);
/// The callee leaves the vector that it is given as `parameter` as many elements as it has, as far
/// as `depth` calls show.
bool keeps_count(const clang::FunctionDecl* callee, unsigned parameter, unsigned depth = 3);
/// The same of a vector that the function has from around it.
bool keeps_count(const clang::VarDecl& vector, const clang::FunctionDecl& function,
                 unsigned depth = 3);

/// The field of its object that a call of the method is another name of: of
/// `Net& net() { return net_; }`, or where it returns a copy of a handle. Null: there is none, or
/// its model says what it does.
const clang::FieldDecl* field_named_by(const clang::FunctionDecl* method, Types& types);
/// The pointer to memory that a method without parameters returns, and does nothing else:
/// `float* data() { return data_; }`; null: it is no such method.
const clang::FieldDecl* pointer_handed_out_by(const clang::FunctionDecl* method, Types& types);
/// The method returns where the elements of a container in its object begin, and does nothing else:
/// `float* data() { return values_.data(); }`.
bool hands_out_data(const clang::FunctionDecl* method, Types& types);

}  // namespace xfer::analyzer
