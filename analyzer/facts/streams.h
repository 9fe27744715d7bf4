#pragma once
// Streams and events of one function, as far as its own variables name them: which work a wait does
// not wait for. What is not known to be another stream is waited for.

#include <clang/AST/ExprCXX.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analyzer/facts/ids.h"
#include "analyzer/facts/types.h"

namespace xfer::analyzer {

class Streams {
 public:
  Streams(clang::ASTContext& context, Types& types) : context_(context), types_(types) {}

  /// A launch or a call of the runtime, in the order of the source.
  void add(const clang::Expr& expr, CallId call);
  /// By calls that wait: the work on other streams that may be under way after it.
  std::map<CallId, std::vector<CallId>> not_waited_for(const clang::FunctionDecl& function);

 private:
  /// What an argument names: a variable, or the element of an array that a constant names.
  struct Name {
    bool is_default = false;  ///< the stream that all of a program's threads share
    const clang::VarDecl* variable = nullptr;
    std::optional<std::int64_t> index;
  };
  struct Work {
    CallId call;
    Name stream;
  };
  struct Wait {
    CallId call;
    std::vector<Name> streams;
    std::optional<Name> event;
  };
  /// Of an event: recorded on the stream, or waited for by it.
  struct Mark {
    Name event, stream;
  };
  /// How a variable, or an array of them, gets its streams.
  struct Made {
    std::vector<std::optional<std::int64_t>> elements;
    bool non_blocking = true;  ///< all of them go on beside the default stream
  };

  Name name_of(const clang::Expr* argument) const;
  void add_made(const clang::CallExpr& call, const FunctionModel& row);
  bool is_own(const Name& stream) const { return own_.contains(stream.variable); }
  bool differ(const Name& a, const Name& b) const;
  /// None: any may be among them.
  std::optional<std::vector<Name>> covered_by(const Wait& wait) const;
  bool add_recorded(const Name& event, std::vector<Name>& streams) const;

  clang::ASTContext& context_;
  Types& types_;
  std::map<const clang::VarDecl*, Made> made_;
  std::set<const clang::VarDecl*> own_;  ///< of these: nothing else gives them a stream
  std::vector<Work> work_;
  std::vector<Wait> waits_;
  std::vector<Mark> recorded_, awaited_;
};

}  // namespace xfer::analyzer
