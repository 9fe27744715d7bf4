#include "ptx_access.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "ptx/instructions.h"
#include "ptx/reader.h"

namespace xfer {
namespace {

using ptx::Effect;
using ptx::Instruction;
using ptx::Operand;
using std::string_view;

/// The values that a register may hold: bit i, an address made from parameter i.
using Origins = std::uint64_t;
constexpr Origins kLoaded = Origins{1} << 63;    ///< came from memory, or is not understood
constexpr Origins kVariable = Origins{1} << 62;  ///< an address of a variable
constexpr std::size_t kMostParameters = 62;
constexpr std::size_t kMostRounds = 64;

// Functions that touch nothing of the program's.
constexpr auto kHarmlessCalls =
    std::to_array<string_view>({"vprintf", "__assertfail", "__internal_trig_reduction_slowpathd",
                                "__internal_trig_reduction_slowpath"});

bool has_any(const Instruction& instruction, std::initializer_list<string_view> modifiers) {
  return std::ranges::any_of(modifiers, [&](string_view one) { return instruction.has(one); });
}

bool is_wide(const Instruction& instruction) {
  return std::ranges::any_of(instruction.modifiers, [](string_view modifier) {
    const auto type = ptx::type_named(modifier);
    return type && type->size() >= 8;
  });
}

/// Memory that only the kernel's own threads see.
bool is_own_space(const Instruction& instruction) {
  return has_any(instruction,
                 {"shared", "shared::cta", "local", "param", "param::entry", "param::func"});
}

/// Calls `use` with each operand that is in this one, and with this one.
template <class Use>
void for_each_part(const Operand& operand, const Use& use) {
  use(operand);
  for (const Operand& part : operand.parts) for_each_part(part, use);
}

class Analysis {
 public:
  Analysis(const ptx::Module& module, const ptx::Function& kernel)
      : body_(ptx::read_body(kernel)), registers_(body_.registers.size()) {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      parameters_[kernel.parameters[i].name] = i;
    access_.written.resize(kernel.parameters.size());
    std::unordered_set<string_view> managed;
    for (const ptx::Variable& variable : module.variables)
      if (variable.managed) managed.insert(variable.name);
    access_.parameters_only = !names_one_of(managed);
  }

  std::optional<KernelAccess> run() {
    if (parameters_.size() > kMostParameters) return std::nullopt;
    for (const Instruction& instruction : body_.instructions)
      if (ptx::wrong_with(instruction)) return std::nullopt;
    std::size_t rounds = 0;
    do {
      changed_ = false;
      for (const Instruction& instruction : body_.instructions) follow(instruction);
    } while (changed_ && ++rounds < kMostRounds);
    if (changed_) return std::nullopt;
    for (const Instruction& instruction : body_.instructions)
      if (!judge(instruction)) return std::nullopt;
    return access_;
  }

 private:
  static Effect effect_of(const Instruction& instruction) {
    const Effect effect = ptx::row_of(instruction.operation)->effect;
    if (effect != Effect::kMatrix) return effect;
    if (instruction.has("load")) return Effect::kLoad;
    return instruction.has("store") ? Effect::kStore : Effect::kNumber;
  }

  bool names_one_of(const std::unordered_set<string_view>& names) const {
    bool found = false;
    for (const Instruction& instruction : body_.instructions)
      for (const Operand& operand : instruction.operands)
        for_each_part(operand, [&](const Operand& part) {
          found |= part.is(Operand::Kind::kSymbol) && names.contains(part.name);
        });
    return found;
  }

  Origins origins_of(const Operand& operand) const {
    Origins origins = 0;
    for_each_part(operand, [&](const Operand& part) {
      if (part.is(Operand::Kind::kSymbol))
        origins |= parameters_.contains(part.name) ? kLoaded : kVariable;
      if (part.is(Operand::Kind::kRegister)) origins |= registers_[part.reg];
    });
    return origins;
  }

  void give(const Operand& operand, Origins origins) {
    for_each_part(operand, [&](const Operand& part) {
      if (!part.is(Operand::Kind::kRegister)) return;
      Origins& known = registers_[part.reg];
      changed_ = changed_ || (known | origins) != known;
      known |= origins;
    });
  }

  /// Marks an instruction's results with the origins that they are made from.
  void follow(const Instruction& instruction) {
    switch (effect_of(instruction)) {
      case Effect::kLoad:
      case Effect::kAtomic: return give(instruction.operands[0], loaded_by(instruction));
      case Effect::kAddress: return give(instruction.operands[0], made_from(instruction, 1));
      case Effect::kSum: return give(instruction.operands[0], made_from(instruction, 3));
      case Effect::kMemory:
      case Effect::kTexture:
      case Effect::kCopy:
        if (instruction.operands.size() > 1) give(instruction.operands[0], kLoaded);
        return;
      default: return;
    }
  }
  Origins loaded_by(const Instruction& load) const {
    const Operand& from = load.operands[1];
    if (load.operation == "ld" && load.has("param") && !from.parts.empty())
      if (const auto known = parameters_.find(from.parts[0].name); known != parameters_.end())
        return Origins{1} << known->second;
    return is_wide(load) ? kLoaded : 0;
  }
  Origins made_from(const Instruction& instruction, std::size_t first) const {
    Origins origins = 0;
    for (std::size_t i = first; i < instruction.operands.size(); ++i)
      origins |= origins_of(instruction.operands[i]);
    // Two halves make a word that may be anything.
    const bool joins = instruction.operation == "mov" && is_wide(instruction) &&
                       instruction.operands[1].is(Operand::Kind::kVector);
    return joins ? origins | kLoaded : origins;
  }

  /// Records an instruction's effect on memory. False: not understood.
  bool judge(const Instruction& instruction) {
    switch (effect_of(instruction)) {
      case Effect::kNothing: return true;
      case Effect::kCall: return is_harmless(instruction);
      case Effect::kMemory: return false;
      case Effect::kTexture: access_.parameters_only = false; return true;
      case Effect::kCopy: return judge_copy(instruction);
      case Effect::kLoad: return judge_access(instruction, instruction.operands[1], false);
      case Effect::kAtomic: return judge_access(instruction, instruction.operands[1], true);
      case Effect::kStore:
        return !instruction.has("async") && !instruction.has("bulk") &&
               judge_access(instruction, instruction.operands[0], true);
      default:
        return std::ranges::none_of(instruction.operands, [](const Operand& operand) {
          return operand.is(Operand::Kind::kAddress);
        });
    }
  }
  bool judge_access(const Instruction& instruction, const Operand& address, bool stores) {
    if (!address.is(Operand::Kind::kAddress)) return false;
    if (is_own_space(instruction)) return true;
    return stores ? store(address) : load(address);
  }
  /// `cp.async.ca.shared.global [%r1], [%rd1], 16`
  bool judge_copy(const Instruction& copy) {
    if (!copy.has("async") || copy.has("bulk")) return false;
    if (has_any(copy, {"commit_group", "wait_group", "wait_all"})) return true;
    return has_any(copy, {"shared", "shared::cta"}) && copy.has("global") &&
           copy.operands.size() >= 2 && load(copy.operands[1]);
  }

  bool store(const Operand& address) {
    const Origins origins = origins_of(address);
    if (origins == 0 || (origins & kLoaded) != 0) return false;
    for (std::size_t i = 0; i < access_.written.size(); ++i)
      if ((origins >> i & 1) != 0) access_.written[i] = true;
    return true;
  }
  bool load(const Operand& address) {
    const Origins origins = origins_of(address);
    if (origins == 0 || (origins & kLoaded) != 0) access_.parameters_only = false;
    return true;
  }

  static bool is_harmless(const Instruction& call) {
    return std::ranges::any_of(call.operands, [](const Operand& operand) {
      return operand.is(Operand::Kind::kSymbol) &&
             std::ranges::find(kHarmlessCalls, operand.name) != kHarmlessCalls.end();
    });
  }

  ptx::Body body_;
  std::unordered_map<string_view, std::size_t> parameters_;
  std::vector<Origins> registers_;
  KernelAccess access_;
  bool changed_ = false;
};

}  // namespace

std::optional<KernelAccess> kernel_access(const ptx::Module& module, string_view kernel) {
  if (!has_kernel(module, kernel)) return std::nullopt;
  try {
    return Analysis(module, *module.function(kernel)).run();
  } catch (const ptx::Fault&) {
    return std::nullopt;
  }
}

bool has_kernel(const ptx::Module& module, string_view kernel) {
  const ptx::Function* function = module.function(kernel);
  return function != nullptr && function->kernel && !function->declared;
}

}  // namespace xfer
