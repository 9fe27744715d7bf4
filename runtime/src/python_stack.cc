#include "xfer/python_stack.h"

#include <dlfcn.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "careful_memory.h"
#include "python_layout.h"
#include "xfer/utf8.h"

namespace xfer {
namespace {

constexpr unsigned kMostDoubts = 16;
constexpr std::size_t kMostBytes = 160;     // of a frame or code object, as far as it is read
constexpr std::size_t kLongestText = 1024;  // characters
constexpr std::size_t kLongestTable = std::size_t{4} << 20;

template <class T>
T symbol(const char* name) noexcept {
  return reinterpret_cast<T>(dlsym(RTLD_DEFAULT, name));
}

/// Memory of this process, read directly or carefully.
class Memory {
 public:
  explicit Memory(bool careful) {
    if (careful) careful_.emplace();
  }

  /// `size` bytes at `address`: there, or copied to `room`. Null where they are not there.
  const char* view(std::uintptr_t address, std::size_t size, char* room) {
    if (address == 0) return nullptr;
    if (!careful_) return reinterpret_cast<const char*>(address);
    return careful_->read(address, room, size) ? room : nullptr;
  }
  /// For more than fits on the stack.
  std::string_view bytes(std::uintptr_t address, std::size_t size, std::string& room) {
    if (careful_) room.resize(size);
    const char* const found = size == 0 ? "" : view(address, size, room.data());
    return found != nullptr ? std::string_view(found, size) : std::string_view();
  }
  /// These will be looked at.
  void expect(std::span<const std::uintptr_t> addresses) {
    if (careful_) careful_->fetch(addresses);
  }
  bool careful() const { return careful_.has_value(); }

 private:
  std::optional<CarefulMemory> careful_;
};

template <class T>
T field(const char* object, std::size_t offset) noexcept {
  T value;
  std::memcpy(&value, object + offset, sizeof(value));
  return value;
}

std::uintptr_t pointer(const char* object, std::size_t offset) noexcept {
  return field<std::uintptr_t>(object, offset);
}

/// Of a frame: the object that it names.
std::uintptr_t reference(const char* frame, std::size_t offset) noexcept {
  return pointer(frame, offset) & ~kPythonTags;
}

/// The characters of a str, in the width that it keeps them in.
struct Text {
  std::string_view bytes;
  unsigned width = 1;
  bool ok = false;
};

Text read_text(Memory& memory, std::uintptr_t object, std::uintptr_t type,
               const PythonLayout& layout, std::string& room) {
  char header[kPythonTextState + sizeof(std::uint32_t)];
  const char* const text = memory.view(object, sizeof(header), header);
  if (text == nullptr || pointer(text, kPythonType) != type) return {};
  // Bits of the state: 2 interned, 3 kind, 1 compact, 1 ASCII. Since 3.3 all new text is compact.
  const auto state = field<std::uint32_t>(text, kPythonTextState);
  const unsigned width = state >> 2 & 7;
  const bool compact = (state >> 5 & 1) != 0;
  const bool ascii = (state >> 6 & 1) != 0;
  if (!compact || (width != 1 && width != 2 && width != 4)) return {};
  const auto length = std::min(field<std::size_t>(text, kPythonLength), kLongestText);
  const std::uintptr_t at = object + (ascii ? layout.ascii_text : layout.text);
  Text result{memory.bytes(at, length * width, room), width, false};
  result.ok = result.bytes.size() == length * width;
  return result;
}

std::string utf8(const Text& text) {
  std::string out;
  for (std::size_t at = 0; at + text.width <= text.bytes.size(); at += text.width) {
    std::uint32_t c = 0;
    for (unsigned i = 0; i < text.width; ++i)
      c |= std::uint32_t{static_cast<std::uint8_t>(text.bytes[at + i])} << 8 * i;
    // How Python keeps the bytes of a file name that are no UTF-8.
    if (c >= 0xdc80 && c <= 0xdcff)
      out.push_back(static_cast<char>(c - 0xdc00));
    else
      append_utf8(out, c);
  }
  return out;
}

/// The file, name and lines of a code object. The views live as long as the rooms, or the object.
struct Code {
  Text file;
  Text name;
  std::string_view lines;
  std::int32_t first_line = 0;
};

struct Rooms {
  std::string file;
  std::string name;
  std::string lines;
};

}  // namespace

struct PythonStacks::Python {
  const PythonLayout& layout;
  void* (*thread_state)() = nullptr;   // of this thread; asks for no lock
  void* (*current_state)() = nullptr;  // of the thread that holds the lock
  int (*is_finalizing)() = nullptr;
  std::uintptr_t code_type = 0;
  std::uintptr_t text_type = 0;
  std::uintptr_t bytes_type = 0;
  std::uintptr_t none = 0;

  bool complete() const {
    return thread_state != nullptr && current_state != nullptr && is_finalizing != nullptr &&
           code_type != 0 && text_type != 0 && bytes_type != 0 && none != 0;
  }
};

namespace {

bool read_code(const PythonStacks::Python& python, Memory& memory, std::uintptr_t address,
               Rooms& rooms, Code& code) {
  const PythonLayout& layout = python.layout;
  char room[kMostBytes];
  const char* const object = memory.view(address, layout.code_bytes, room);
  if (object == nullptr || pointer(object, kPythonType) != python.code_type) return false;
  code.first_line = field<std::int32_t>(object, layout.code_first_line);
  const std::uintptr_t table = pointer(object, layout.code_lines);
  code.file =
      read_text(memory, pointer(object, layout.code_file), python.text_type, layout, rooms.file);
  code.name =
      read_text(memory, pointer(object, layout.code_name), python.text_type, layout, rooms.name);
  if (!code.file.ok || !code.name.ok) return false;
  char header[kPythonBytes];
  const char* const bytes = memory.view(table, sizeof(header), header);
  if (bytes == nullptr || pointer(bytes, kPythonType) != python.bytes_type) return false;
  const auto size = field<std::size_t>(bytes, kPythonLength);
  if (size > kLongestTable) return false;
  code.lines = memory.bytes(table + kPythonBytes, size, rooms.lines);
  return code.lines.size() == size;
}

// So that a careful look takes a few calls of the kernel instead of several a frame.
void expect_codes(Memory& memory, const PythonLayout& layout, std::span<const PythonCall> calls) {
  if (!memory.careful()) return;
  std::vector<std::uintptr_t> addresses;
  for (const PythonCall& call : calls) addresses.push_back(call.code);
  memory.expect(addresses);
  addresses.clear();
  char room[kMostBytes];
  for (const PythonCall& call : calls)
    if (const char* const code = memory.view(call.code, layout.code_bytes, room))
      for (const std::size_t at : {layout.code_file, layout.code_name, layout.code_lines})
        addresses.push_back(pointer(code, at));
  memory.expect(addresses);
}

// Code objects come and go, and another may be where one was: what they hold is what counts.
std::uint64_t hash_of(const Code& code, std::int64_t offset) {
  const auto mix = [](std::string_view bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
  };
  const auto place =
      static_cast<std::uint64_t>(offset) << 32 ^ static_cast<std::uint32_t>(code.first_line);
  return mix(code.name.bytes, mix(code.file.bytes, mix(code.lines, place)));
}

struct Walked {
  std::size_t count;
  bool as_expected;
};

// The chain of frames, without a look into their code objects.
Walked walk_frames(const PythonStacks::Python& python, std::uintptr_t thread, Memory& memory,
                   std::span<PythonCall> out) {
  const PythonLayout& layout = python.layout;
  char room[kMostBytes];
  const auto next = [&](std::uintptr_t object, std::size_t offset) -> std::uintptr_t {
    const char* const found = memory.view(object + offset, sizeof(std::uintptr_t), room);
    return found != nullptr ? pointer(found, 0) : 0;
  };
  std::uintptr_t at = next(thread, layout.thread_frame);
  if (layout.cframe_frame != PythonLayout::kNone && at != 0) at = next(at, layout.cframe_frame);

  std::size_t count = 0;
  while (at != 0 && count < out.size()) {
    const char* const frame = memory.view(at, layout.frame_bytes, room);
    if (frame == nullptr) return {count, false};
    at = pointer(frame, layout.frame_previous);
    if (layout.frame_owner != PythonLayout::kNone) {
      if (field<std::uint8_t>(frame, layout.frame_owner) >= kPythonShim) {
        if (count != 0) out[count - 1].entered = true;
        continue;
      }
      if (reference(frame, kPythonFunction) == python.none) continue;
    }
    PythonCall& call = out[count++];
    call = {};
    call.careful = memory.careful();
    call.code = reference(frame, layout.frame_code);
    if (layout.frame_entry != PythonLayout::kNone)
      call.entered = field<std::uint8_t>(frame, layout.frame_entry) != 0;
    else
      call.entered = layout.frame_owner == PythonLayout::kNone;
    if (layout.index_bytes != 0)
      call.offset = std::int64_t{field<std::int32_t>(frame, layout.frame_instruction)} *
                    static_cast<std::int64_t>(layout.index_bytes);
    else
      call.offset = static_cast<std::int64_t>(pointer(frame, layout.frame_instruction) -
                                              (call.code + layout.code_instructions));
  }
  return {count, true};
}

Walked walk(const PythonStacks::Python& python, std::uintptr_t thread, Memory& memory,
            std::span<PythonCall> out) {
  const Walked frames = walk_frames(python, thread, memory, out);
  expect_codes(memory, python.layout, out.first(frames.count));
  Rooms rooms;
  for (std::size_t i = 0; i < frames.count; ++i) {
    Code code;
    if (!read_code(python, memory, out[i].code, rooms, code)) return {i, false};
    out[i].what = hash_of(code, out[i].offset);
  }
  return frames;
}

}  // namespace

PythonStacks::PythonStacks() = default;
PythonStacks::~PythonStacks() = default;

void PythonStacks::find() {
  const auto get_version = symbol<const char* (*)()>("Py_GetVersion");
  if (get_version == nullptr) return;
  const std::string_view version = get_version();  // "3.11.7 (main, ...) [GCC ...]"
  version_ = version.substr(0, version.find(' '));
  if (version.find("free-threading") != std::string_view::npos || !version.starts_with("3."))
    return;
  unsigned minor = 0;
  for (std::size_t i = 2; i < version.size() && version[i] >= '0' && version[i] <= '9'; ++i)
    minor = minor * 10 + static_cast<unsigned>(version[i] - '0');
  const auto known = std::find_if(kPythonLayouts.begin(), kPythonLayouts.end(),
                                  [&](const PythonLayout& one) { return one.minor == minor; });
  if (known == kPythonLayouts.end()) return;

  Python python{*known};
  python.thread_state = symbol<void* (*)()>("PyGILState_GetThisThreadState");
  python.current_state = symbol<void* (*)()>("PyThreadState_GetUnchecked");
  if (python.current_state == nullptr)
    python.current_state = symbol<void* (*)()>("_PyThreadState_UncheckedGet");
  python.is_finalizing = symbol<int (*)()>("Py_IsFinalizing");
  if (python.is_finalizing == nullptr) python.is_finalizing = symbol<int (*)()>("_Py_IsFinalizing");
  python.code_type = symbol<std::uintptr_t>("PyCode_Type");
  python.text_type = symbol<std::uintptr_t>("PyUnicode_Type");
  python.bytes_type = symbol<std::uintptr_t>("PyBytes_Type");
  python.none = symbol<std::uintptr_t>("_Py_NoneStruct");
  if (python.complete()) python_ = std::make_unique<const Python>(python);
}

std::size_t PythonStacks::capture(std::span<PythonCall> out) noexcept try {
  if (python_ == nullptr || out.empty()) return 0;
  void* const thread = python_->thread_state();
  if (thread == nullptr) return 0;
  const bool holds_lock = python_->current_state() == thread;
  if (!holds_lock && python_->is_finalizing() != 0) return 0;
  static thread_local const bool is_first = gettid() == getpid();
  const bool proven = proven_.load(std::memory_order_relaxed);
  if (!proven && doubts_.load(std::memory_order_relaxed) >= kMostDoubts) return 0;
  Memory memory(!proven || !(holds_lock || is_first));
  const auto [count, as_expected] =
      walk(*python_, reinterpret_cast<std::uintptr_t>(thread), memory, out);
  if (as_expected && count != 0) proven_.store(true, std::memory_order_relaxed);
  if (as_expected) return count;
  doubts_.fetch_add(1, std::memory_order_relaxed);
  return proven ? count : 0;
} catch (...) {
  return 0;
}

PythonPlace PythonStacks::place(const PythonCall& call) const {
  PythonPlace place;
  Memory memory(call.careful);
  Rooms rooms;
  Code code;
  if (!read_code(*python_, memory, call.code, rooms, code)) return place;
  place.function = utf8(code.name);
  place.file = utf8(code.file);
  const std::int64_t line =
      python_line(python_->layout.lines, code.lines, code.first_line, call.offset);
  if (line > 0) place.line = static_cast<unsigned>(line);
  return place;
}

}  // namespace xfer
