#pragma once
// Where CPython keeps the calls of a thread, by version: byte offsets in its structures on 64-bit
// Linux, as its headers give them (release builds; Include/cpython and Include/internal).

#include <array>
#include <cstddef>
#include <cstdint>

#include "python_lines.h"

namespace xfer {

struct PythonLayout {
  static constexpr std::size_t kNone = SIZE_MAX;

  unsigned minor;
  PythonLines lines;

  // PyThreadState: the innermost frame, or (3.11, 3.12) the _PyCFrame that names it.
  std::size_t thread_frame;
  std::size_t cframe_frame;  ///< kNone: the thread state names the frame itself

  // PyFrameObject, since 3.11 _PyInterpreterFrame.
  std::size_t frame_bytes;  ///< read of it
  std::size_t frame_code;
  std::size_t frame_previous;
  std::size_t frame_instruction;
  std::size_t frame_entry;  ///< a flag: native code entered the interpreter for this frame
  std::size_t frame_owner;  ///< from kPythonShim on: a frame of no function, below such entries
  std::size_t index_bytes;  ///< the instruction is an int that counts so many bytes; 0: a pointer

  // PyCodeObject.
  std::size_t code_bytes;  ///< read of it
  std::size_t code_first_line;
  std::size_t code_file;
  std::size_t code_name;  ///< the qualified one where there is one
  std::size_t code_lines;
  std::size_t code_instructions;

  // The characters of a str, when all of them are ASCII, and when not.
  std::size_t ascii_text;
  std::size_t text;
};

inline constexpr std::uint8_t kPythonShim = 3;

// Of frames that have an owner: None where they belong to no function, although the interpreter
// calls one from them.
inline constexpr std::size_t kPythonFunction = 16;

// 3.14 keeps in a reference's low bits whether it is counted.
inline constexpr std::uintptr_t kPythonTags = 3;

// The same in all of them: PyObject, the length of a str or bytes, the state of a str, the content
// of a bytes.
inline constexpr std::size_t kPythonType = 8;
inline constexpr std::size_t kPythonLength = 16;
inline constexpr std::size_t kPythonTextState = 32;
inline constexpr std::size_t kPythonBytes = 32;

inline constexpr std::size_t kNo = PythonLayout::kNone;

inline constexpr std::array kPythonLayouts = {
    PythonLayout{9, PythonLines::kIncrements, 24, kNo, 112, 32, 24, 104, kNo, kNo, 1,  //
                 128, 40, 104, 112, 120, kNo, 48, 72},
    PythonLayout{10, PythonLines::kRanges, 24, kNo, 104, 32, 24, 96, kNo, kNo, 2,  //
                 128, 40, 104, 112, 120, kNo, 48, 72},
    PythonLayout{11, PythonLines::kLocations, 56, 8, 72, 32, 48, 56, 68, kNo, 0,  //
                 144, 72, 112, 128, 136, 184, 48, 72},
    PythonLayout{12, PythonLines::kLocations, 56, 0, 72, 0, 8, 56, kNo, 70, 0,  //
                 144, 68, 112, 128, 136, 192, 40, 56},
    PythonLayout{13, PythonLines::kLocations, 72, kNo, 72, 0, 8, 56, kNo, 70, 0,  //
                 144, 68, 112, 128, 136, 200, 40, 56},
    PythonLayout{14, PythonLines::kLocations, 72, kNo, 80, 0, 8, 56, kNo, 74, 0,  //
                 144, 68, 112, 128, 136, 208, 40, 56},
};

}  // namespace xfer
