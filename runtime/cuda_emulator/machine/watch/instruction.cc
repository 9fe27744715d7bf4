#include "machine/watch/instruction.h"

#include <ucontext.h>

#if defined(XFER_HAVE_ZYDIS) && defined(__x86_64__)
#define XFER_DECODES 1
#include <Zydis/Zydis.h>
#endif

namespace xfer::emulator {

#if defined(__x86_64__)

namespace {

const greg_t* registers_of(const void* context) {
  return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
}

std::uintptr_t value_of(const void* context, int which) {
  return static_cast<std::uintptr_t>(registers_of(context)[which]);
}

}  // namespace

std::uintptr_t place_of(const void* context) { return value_of(context, REG_RIP); }

std::optional<bool> was_write(const void* context) {
  constexpr std::uintptr_t kWriteBit = 2;
  return (value_of(context, REG_ERR) & kWriteBit) != 0;
}

#else

std::uintptr_t place_of(const void*) { return 0; }
std::optional<bool> was_write(const void*) { return std::nullopt; }

#endif

#if defined(XFER_DECODES)

namespace {

void take_over(ZydisRegisterContext& to, const void* context) {
  constexpr struct {
    ZydisRegister name;
    int in_context;
  } kRegisters[] = {
      {ZYDIS_REGISTER_RAX, REG_RAX}, {ZYDIS_REGISTER_RCX, REG_RCX}, {ZYDIS_REGISTER_RDX, REG_RDX},
      {ZYDIS_REGISTER_RBX, REG_RBX}, {ZYDIS_REGISTER_RSP, REG_RSP}, {ZYDIS_REGISTER_RBP, REG_RBP},
      {ZYDIS_REGISTER_RSI, REG_RSI}, {ZYDIS_REGISTER_RDI, REG_RDI}, {ZYDIS_REGISTER_R8, REG_R8},
      {ZYDIS_REGISTER_R9, REG_R9},   {ZYDIS_REGISTER_R10, REG_R10}, {ZYDIS_REGISTER_R11, REG_R11},
      {ZYDIS_REGISTER_R12, REG_R12}, {ZYDIS_REGISTER_R13, REG_R13}, {ZYDIS_REGISTER_R14, REG_R14},
      {ZYDIS_REGISTER_R15, REG_R15}, {ZYDIS_REGISTER_RIP, REG_RIP}};
  for (const auto& [name, in_context] : kRegisters) to.values[name] = value_of(context, in_context);
}

/// Which elements it takes is in a register.
bool is_masked(const ZydisDecodedInstruction& instruction) {
  if (instruction.avx.mask.mode != ZYDIS_MASK_MODE_INVALID &&
      instruction.avx.mask.mode != ZYDIS_MASK_MODE_DISABLED)
    return true;
  switch (instruction.mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU: return true;
    default: return false;
  }
}

constexpr ZydisInstructionAttributes kRepeats =
    ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;

}  // namespace

bool can_decode() { return true; }

std::optional<Accesses> accesses_of(const void* context) {
  ZydisDecoder decoder;
  ZydisDecodedInstruction instruction;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
  if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
      // It has just been fetched, so its own bytes are there; no more are looked at.
      !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, reinterpret_cast<void*>(place_of(context)),
                                           ZYDIS_MAX_INSTRUCTION_LENGTH, &instruction, operands)) ||
      is_masked(instruction))
    return std::nullopt;
  ZydisRegisterContext registers{};
  take_over(registers, context);
  const std::uintptr_t times =
      (instruction.attributes & kRepeats) != 0 ? value_of(context, REG_RCX) : 1;
  constexpr std::uintptr_t kBackward = 0x400;  // the direction flag
  const bool backward = times > 1 && (value_of(context, REG_EFL) & kBackward) != 0;
  Accesses found;
  for (unsigned i = 0; i < instruction.operand_count; ++i) {
    const ZydisDecodedOperand& operand = operands[i];
    if (operand.type != ZYDIS_OPERAND_TYPE_MEMORY || operand.mem.type == ZYDIS_MEMOP_TYPE_AGEN)
      continue;
    ZyanU64 address = 0;
    if (operand.mem.type != ZYDIS_MEMOP_TYPE_MEM || operand.mem.segment == ZYDIS_REGISTER_FS ||
        operand.mem.segment == ZYDIS_REGISTER_GS || found.count == found.list.size() ||
        !ZYAN_SUCCESS(ZydisCalcAbsoluteAddressEx(&instruction, &operand, place_of(context),
                                                 &registers, &address)))
      return std::nullopt;
    const std::uintptr_t bytes = operand.size / 8;
    Access& access = found.list[found.count++];
    access.begin = backward ? address - (times - 1) * bytes : address;
    access.end = access.begin + times * bytes;
    access.writes = (operand.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  }
  return found;
}

#else

bool can_decode() { return false; }
std::optional<Accesses> accesses_of(const void*) { return std::nullopt; }

#endif

}  // namespace xfer::emulator
