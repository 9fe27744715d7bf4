#pragma once
// The order of work on streams, as far as one function can name them: which work a wait does not
// wait for. A wait covers every stream that is not known to be another one.

#include <clang/AST/ExprCXX.h>

#include <map>
#include <vector>

#include "analyzer/facts/facts.h"
#include "analyzer/facts/stream_acts.h"
#include "analyzer/facts/stream_handles.h"

namespace xfer::analyzer {

/// The tools that answer questions about streams for a unit's functions.
struct StreamTools {
  StreamTools(clang::ASTContext& context, Types& types)
      : acts(context, types), handles(context, types), context(context) {}

  StreamActs acts;
  StreamHandles handles;
  clang::ASTContext& context;
};

class CallOrder;

class Streams {
 public:
  explicit Streams(StreamTools& tools) : tools_(tools) {}

  /// A launch or a call, whatever it runs.
  void add(const clang::Expr& expr, CallId call);
  /// By calls that wait: the work on other streams that may be under way after it.
  std::map<CallId, std::vector<CallId>> not_waited_for(const FunctionFacts& facts);

 private:
  struct Act : StreamAct {
    CallId call;
  };
  /// All that is on a stream before a call; on any, where it is not known which.
  struct Done {
    StreamName stream;
    CallId before;
  };

  void read_acts();
  StreamName resolved(StreamName name);
  bool is_own(const StreamName& stream) { return tools_.handles.is_own(stream.handle); }
  bool differ(const StreamName& a, const StreamName& b);
  /// Adds what is done where the event has come.
  void add_recorded(const StreamName& event, CallId before, const CallOrder& order,
                    std::vector<Done>& done) const;
  std::vector<Done> done_by(const Act& wait, const CallOrder& order);

  StreamTools& tools_;
  std::vector<std::pair<const clang::Expr*, CallId>> calls_;
  std::vector<Act> acts_;
};

}  // namespace xfer::analyzer
