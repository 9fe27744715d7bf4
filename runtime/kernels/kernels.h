#pragma once
// Kernels as machine code of this CPU, made from the PTX that a program carries: libxfer_kernels.so
// seen from outside. The runner of kernels loads that library at the first of them (dlopen) and
// calls xfer_kernels_load; only that library knows LLVM. Thread-safe.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/frame.h"
#include "kernels/warp_frame.h"

namespace xfer::kernels {

struct Parameter {
  std::uint32_t offset = 0;  ///< bytes into Block::parameters
  std::uint32_t bytes = 0;
  bool pointer = false;  ///< known to be one
};

/// Work that code does besides its kernel's.
enum class Extra : std::uint32_t {
  kNone,
  kTouches,  ///< it records what it touches, if that can be done: see Code::records_touches
};

/// One kernel. Lives as long as its Program.
struct Code {
  using Run = void (*)(Thread*);

  Run run = nullptr;  ///< runs one thread to its end
  std::vector<Parameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t shared_bytes = 0;        ///< of static shared memory, a multiple of 16
  std::uint32_t local_bytes = 0;         ///< of Thread::local
  std::uint32_t max_threads = 1024;      ///< of a block (__launch_bounds__)
  std::vector<std::string> variables;    ///< names in Program::variables
  std::uint64_t length = 0;              ///< instructions of its text
  std::uint64_t weight = 0;              ///< about as many instructions as a thread runs
  std::uint64_t bytes = 0;               ///< and as it reads and writes of a device's memory
  bool waits = false;                    ///< it may ask for what lets other threads run
  bool counts_on_lane_order = false;     ///< see lane_order.h: only warps do what devices do
  std::vector<std::string> approximate;  ///< instructions whose result may differ in the last bits
  Extra extra = Extra::kNone;            ///< as it was asked for
  bool records_touches = false;          ///< all of them, in Block::touches
  bool tells_others = false;             ///< see translate/telling.h
};

/// Where a variable's first value holds the address of another, or of itself.
struct AddressIn {
  std::uint64_t at = 0;  ///< bytes into the value
  std::string variable;
  std::int64_t offset = 0;
};

/// A variable of the program: __device__, __constant__ or __managed__.
struct ModuleVariable {
  std::string name;
  std::uint64_t bytes = 0;
  bool managed = false;
  std::vector<std::byte> value;  ///< the first bytes; the rest is 0
  std::vector<AddressIn> addresses;
};

/// Texts of PTX that are linked, each of one module or more.
class Program {
 public:
  virtual ~Program() = default;
  virtual const std::vector<ModuleVariable>& variables() const = 0;
  virtual std::vector<std::string> kernels() const = 0;
  /// Translated when it is first asked for. Null: it cannot be run; *why says what stops it, with
  /// the line of the PTX.
  virtual const Code* code(const std::string& kernel, Extra extra, std::string* why) = 0;
  /// The same kernel for a warp at once, a few times as fast and as dear to make, for blocks of one
  /// shape. Null: its lanes cannot go in step; *why says why.
  virtual RunWarp warp_code(const std::string& kernel, Extra extra, WarpShape shape,
                            std::string* why) = 0;
  /// Of an address in a kernel's code: the line of the PTX, and of the source where the PTX says
  /// it, as in "line 12 of its PTX (sum.cu:7)". Empty: it is not known. Translates the kernel once
  /// more.
  virtual std::string place(const std::string& kernel, const void* at) = 0;
};

struct Settings {
  std::string cache;  ///< the directory where code is kept from run to run; empty: nowhere
};

/// Takes the texts. Null: none is PTX; *why says so. The caller owns what it returns.
/// libxfer_kernels.so exports it as `xfer_kernels_load`.
Program* load_program(std::vector<std::string> texts, std::string* why,
                      const Settings& settings = {});
using LoadProgram = Program* (*)(std::vector<std::string> texts, std::string* why,
                                 const Settings& settings);

/// How many kernels were translated in this process, those for warps counted by themselves; not
/// those whose code was kept from a run before. Exported as `xfer_kernels_translated`.
std::uint64_t translations();
using CountTranslations = std::uint64_t (*)();

}  // namespace xfer::kernels
