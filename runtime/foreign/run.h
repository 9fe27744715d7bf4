#pragma once
// A run as another tool recorded it: calls of the host, work of the devices, and scopes, each with
// its times, in no particular order. A reader fills it; foreign/imported_trace.h makes events of
// it.
//
// Memory: 64 bytes a call, 72 bytes a piece of work, 40 bytes a scope, and each text once.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xfer/event.h"
#include "xfer/trace.h"

namespace xfer::foreign {

/// Texts with numbers from 1 on; 0 is the empty text.
class Texts {
 public:
  Texts() = default;
  Texts(Texts&&) = default;
  Texts& operator=(Texts&&) = default;

  std::uint32_t number(std::string_view text);
  const std::string& text(std::uint32_t number) const { return *texts_[number]; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_{{"", 0}};
  std::vector<const std::string*> texts_{&numbers_.begin()->first};
};

inline constexpr std::uint64_t kNoStream = UINT64_MAX;
inline constexpr std::int64_t kNoRecord = -1;

/// A call of the CUDA or HIP runtime or driver.
struct Call {
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t correlation = 0;  ///< joins it to the work that it gave; 0: to none
  std::uint64_t bytes = 0;        ///< that it names; 0: not recorded
  std::uint64_t stream = kNoStream;
  std::uint32_t thread = 0;
  std::uint32_t name = 0;   ///< "cudaMemcpyAsync", by Texts
  std::uint32_t stack = 0;  ///< of Run::stacks; 0: not recorded
  bool failed = false;
  std::uint32_t first_work = 0;  ///< of Run::work: see JoinedRun
  std::uint32_t works = 0;
};

/// A kernel, copy or fill on a device.
struct Work {
  enum class Kind : std::uint8_t { kKernel, kCopy, kFill };
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t correlation = 0;
  std::uint64_t bytes = 0;
  std::uint64_t stream = 0;
  std::uint64_t operator_id = 0;  ///< of the operator that asked for it; 0: not recorded
  std::uint32_t name = 0;         ///< of a kernel, by Texts
  std::int16_t device = 0;
  std::int16_t other_device = -1;  ///< of a copy between devices, the destination
  Kind kind = Kind::kKernel;
  Space from = Space::kUnknown;  ///< of a copy
  Space to = Space::kUnknown;    ///< of a copy or fill
};

/// More about a wait of the host, or of a stream, by the call's correlation.
struct Wait {
  std::int16_t device = 0;
  std::uint64_t stream = kNoStream;       ///< that the host waits for, or that waits
  std::uint64_t recorded_on = kNoStream;  ///< of an event: the stream that it was recorded on
  std::int64_t record = kNoRecord;  ///< of an event: the correlation of the call that recorded it
};

/// A span of a thread's time with a name.
struct Scope {
  enum class Kind : std::uint8_t {
    kAnnotation,  ///< record_function, NVTX: the program names a part of its run
    kOperator,    ///< a call of PyTorch's dispatcher: "aten::to"
    kPython,      ///< a Python function: "train.py(34): main"
  };
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t operator_id = 0;  ///< as Work has it
  std::uint32_t thread = 0;
  std::uint32_t name = 0;
  Kind kind = Kind::kOperator;
};

/// An allocation or a free of device memory that the tool gives an address of.
struct Memory {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::int16_t device = 0;
};

/// A function and its module, by Texts.
struct NativeFrame {
  std::uint32_t function = 0;
  std::uint32_t module = 0;
};
inline constexpr std::int64_t kMostFrames = 256;

struct Run {
  Texts texts;
  std::vector<Call> calls;
  std::vector<Work> work;
  std::vector<Scope> scopes;
  std::unordered_map<std::uint64_t, Wait> waits;     ///< by the call's correlation
  std::unordered_map<std::uint64_t, Memory> memory;  ///< by the call's correlation
  std::unordered_map<std::uint32_t, std::vector<NativeFrame>> stacks;  ///< innermost first
  Trace::Metadata metadata;
  std::vector<std::string> problems;
};

}  // namespace xfer::foreign
