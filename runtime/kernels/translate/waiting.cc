#include "kernels/translate/waiting.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace xfer::kernels {
namespace {

using ptx::Instruction;
using ptx::Operand;

/// The registers that something depends on, as a set that grows.
class RegisterSet {
 public:
  explicit RegisterSet(std::size_t count) : has_(count) {}

  bool has_any_of(const Operand& operand) const {
    if (operand.is(Operand::Kind::kRegister)) return has_[operand.reg];
    return std::ranges::any_of(operand.parts, [&](const auto& part) { return has_any_of(part); });
  }
  bool has_any_source(const Instruction& instruction) const {
    for (std::size_t n = 1; n < instruction.operands.size(); ++n)
      if (has_any_of(instruction.operands[n])) return true;
    return false;
  }
  void add(const Operand& operand) {
    if (operand.is(Operand::Kind::kRegister)) has_[operand.reg] = true;
    for (const Operand& part : operand.parts) add(part);
  }

 private:
  std::vector<bool> has_;
};

class Loop {
 public:
  Loop(const ptx::Body& body, std::size_t first, std::size_t last)
      : body_(body), first_(first), last_(last), read_(body.registers.size()) {
    // A value that one turn reads may come back in the next.
    for (int turn = 0; turn < 2; ++turn)
      follow(read_, [](const Instruction& instruction) {
        return instruction.operation == "ld" || instruction.operation == "atom";
      });
  }

  /// It goes on or ends by what others change.
  bool turns_on_others() const {
    RegisterSet found(body_.registers.size());
    bool turns = false;
    follow(
        found, [&](const Instruction& instruction) { return looks(instruction); },
        [&](const Instruction& jump) {
          turns = turns || (jump.guard && found.has_any_of(*jump.guard));
        });
    return turns;
  }

 private:
  static void nothing(const Instruction&) {}

  /// Adds what comes from the instructions that `begins` names, and calls `jumps` for each jump.
  template <typename Begins, typename Jumps = void (*)(const Instruction&)>
  void follow(RegisterSet& set, Begins begins, Jumps jumps = nothing) const {
    for (std::size_t i = first_; i <= last_; ++i) {
      const Instruction& instruction = body_.instructions[i];
      if (instruction.branches() || instruction.returns())
        jumps(instruction);
      else if (!instruction.operands.empty() &&
               (begins(instruction) || set.has_any_source(instruction)))
        set.add(instruction.operands[0]);
    }
  }

  /// It looks at what another thread may have changed.
  bool looks(const Instruction& instruction) const {
    const std::string_view name = instruction.operation;
    if (name == "ld")
      return instruction.has("volatile") || instruction.has("acquire") ||
             instruction.has("relaxed") || instruction.has("mmio");
    if (name == "atom") return !gets_on(instruction);
    return name == "mbarrier" && (instruction.has("test_wait") || instruction.has("try_wait"));
  }

  /// An atomic operation that changes what it looks at, so that no two turns are the same: it
  /// tries again with what it read, or counts on. One that counts back and forth is a semaphore.
  bool gets_on(const Instruction& atom) const {
    if (atom.operands.size() < 3) return false;
    const Operand& operand = atom.operands[2];
    if (atom.has("cas")) return read_.has_any_of(operand);
    return atom.has("add") && operand.is(Operand::Kind::kInteger) && operand.bits != 0 &&
           std::count_if(body_.instructions.begin() + static_cast<std::ptrdiff_t>(first_),
                         body_.instructions.begin() + static_cast<std::ptrdiff_t>(last_),
                         [](const Instruction& other) { return other.operation == "atom"; }) == 1;
  }

  const ptx::Body& body_;
  const std::size_t first_, last_;
  RegisterSet read_;  ///< registers that come from what it reads
};

/// A function that may look at what another thread changes.
bool looks_at_others(const ptx::Function& function) {
  for (const std::string_view sign : {".volatile", ".acquire", ".relaxed", "atom.", "nanosleep"})
    if (function.text.find(sign) != std::string_view::npos) return true;
  return false;
}

/// It calls one of the program's functions by name, and that looks.
bool calls_one_that_looks(const Instruction& instruction, const LinkedModules& modules,
                          const ptx::Module& home) {
  if (instruction.operation != "call") return false;
  for (const Operand& operand : instruction.operands)
    if (operand.is(Operand::Kind::kSymbol))
      if (const Definition callee = modules.function(home, operand.name))
        return looks_at_others(*callee.function);
  return false;
}

}  // namespace

bool loop_waits(const ptx::Body& body, std::size_t first, std::size_t last,
                const LinkedModules& modules, const ptx::Module& home) {
  for (std::size_t i = first; i < last; ++i)
    if (body.instructions[i].operation == "nanosleep" ||
        calls_one_that_looks(body.instructions[i], modules, home))
      return true;
  return Loop(body, first, last).turns_on_others();
}

}  // namespace xfer::kernels
