#pragma once
// Two operands that must be on one device, and how a finding speaks of them.

#include <string>

#include "analyzer/checks/check.h"

namespace xfer::analyzer {

/// Where two operands meet.
struct Meeting {
  const Call& call;
  BlockId block;
  bool zero_dim_cpu;  ///< one without dimensions may be on the CPU
  bool indexing;      ///< the second is an index into the first
  bool again;         ///< from a loop's second iteration on
  const Need* need;   ///< of the callee; null: they meet in the call itself
};

struct Pair {
  const OperandView* operand = nullptr;  ///< the one to move
  const OperandView* other = nullptr;
};

/// A tensor on the CPU with an index on a device. One without dimensions is read there first.
bool wrong_index(const OperandView& indexed, const OperandView& index);

/// One may stay on the CPU.
bool exempt(const OperandView& a, const OperandView& b, bool zero_dim_cpu);

/// It is a device that a callee was given, and stands for what the callee has there.
inline bool is_device(const OperandView& view) { return view.operand != nullptr && !view.id; }

/// The callee's own: nothing in the call stands for it.
inline bool is_own(const OperandView& view) { return view.operand == nullptr || is_device(view); }

std::string operand_name(const CheckContext& context, const OperandView& view);

Finding describe(const CheckContext& context, const Call& call, Pair pair,
                 const std::string& operand_device, const std::string& other_device);

/// The same for an operand on the CPU and another on `device`. An operand that the callee made has
/// no name here: then the finding names the other.
Finding describe_on_cpu(const CheckContext& context, const Call& call, const OperandView& cpu,
                        const OperandView& other, const std::string& device);

/// Shares a finding that another function may report better.
void say(const CheckContext& context, const Meeting& at, Finding finding,
         SharedFinding::Blame blame);
/// The same where this function, or the callee, has the operand that does not fit.
void say(const CheckContext& context, const Meeting& at, Finding finding);

/// Says when they meet, and where the callee needs them on one device.
void add_circumstances(const Meeting& at, Finding& finding);

}  // namespace xfer::analyzer
