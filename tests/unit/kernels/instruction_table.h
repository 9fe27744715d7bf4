#pragma once
// Tables of PTX instructions against the bits that they give, and the kernels that ask a device for
// those bits. Knows neither the emulator nor CUDA: whoever can run PTX can run a table.
//
//     target sm_90                                # the least that ptxas wants for the whole table
//     b32 b32 -> b32 pred : add.sat.s32 %r, %a, %b; ...
//       7fffffff 00000001 -> 7fffffff 1
//
// A line that begins at the left is a form: the types of its inputs %a, %b, ... %h and of its
// results %r, %s, ... %y, then PTX. The indented lines below are its cases. %m is the address of 64
// bytes of global memory, `cell` 64 bytes of shared memory. A form behind `absent` is one that the
// translator does not have. A result is hexadecimal; `nan`: any NaN; `3f800000~2`: within two units
// in the last place; `3c00/nan`: the halves of a pair, the upper one first; `*`: anything.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xfer::instructions {

struct Type {
  std::string name;
  unsigned bits = 32;  ///< of all of it; 1: a predicate
  unsigned lanes = 1;
  unsigned mantissa = 0;  ///< bits of a float's; 0: it is none
};

struct Expected {
  enum class Kind : std::uint8_t { kBits, kNan, kAnything };
  Kind kind = Kind::kBits;
  std::uint64_t bits = 0;
  std::uint64_t apart = 0;  ///< units in the last place that it may be off
};

struct Case {
  unsigned line = 0;
  std::vector<std::uint64_t> inputs;
  std::vector<std::vector<Expected>> results;  ///< by lane, the lowest first
};

struct Form {
  unsigned line = 0;
  bool absent = false;
  std::vector<Type> inputs, results;
  std::string text;
  std::vector<Case> cases;
};

struct Table {
  std::string name, target;
  std::vector<Form> forms;
};

/// Throws std::runtime_error with the line that cannot be read.
Table read_table(const std::string& file);

/// A module with one kernel, `run(.u64 inputs, .u64 results, .u64 memory)`, for one thread: it goes
/// through all cases of all forms, eight bytes for each value. How many cases a form has stands
/// before them, so that no compiler knows it.
std::string module_of(const std::string& target, std::span<const Form> forms);
std::vector<std::uint64_t> inputs_of(std::span<const Form> forms);
std::size_t result_count(std::span<const Form> forms);

/// The cases whose results are not as expected, a text for each.
std::vector<std::string> differences(const Table& table, std::span<const Form> forms,
                                     std::span<const std::uint64_t> results);

}  // namespace xfer::instructions
