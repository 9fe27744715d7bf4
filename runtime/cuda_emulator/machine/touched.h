#pragma once
// The parts of one block of memory that a kernel touched, as few ranges.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace xfer::emulator {

/// A range of one block of memory, of a device or of the host, or rows of it. Neighbours of the
/// same kind are one range. Neither read nor written, and empty: a place that the kernel's
/// parameters point to, in structures too.
struct Touched {
  std::uintptr_t begin;
  std::uintptr_t end;
  bool reads;
  bool writes;
  bool every_byte;       ///< else some between the first and the last, in too many pieces to tell
  bool in_block = true;  ///< else where none is, and may have been one
  std::uint64_t width = 0;  ///< of a row, of which every byte is meant; 0: there are no gaps
  std::uint64_t pitch = 0;  ///< bytes from row to row
};

/// The pieces of one block, in the order of their addresses. Those that come again at the same
/// distance (a column of a matrix, fields of structures) become rows. All that are still too many
/// are one range, of which no more is told than its end, and how it is touched.
class TouchedPieces {
 public:
  /// Adds to `all` what there is when this goes.
  explicit TouchedPieces(std::vector<Touched>& all) : all_(all), first_(all.size()) {}
  TouchedPieces(const TouchedPieces&) = delete;
  TouchedPieces& operator=(const TouchedPieces&) = delete;
  ~TouchedPieces();

  bool are_too_many() const { return all_.size() > first_ && !all_[first_].every_byte; }
  void add(std::uintptr_t begin, std::uintptr_t end, bool reads, bool writes);

 private:
  static constexpr std::size_t kMost = 64;

  void put(const Touched& piece);
  bool continues_rows(const Touched& piece);
  void find_rows();
  void widen(const Touched& piece);
  void join_all();

  std::vector<Touched>& all_;
  const std::size_t first_;
  std::optional<Touched> last_;  ///< that may go on
  std::size_t singles_ = 0;      ///< how many pieces at the end of `all_` are in no rows
  std::size_t rows_ = 0;         ///< where those begin that the next piece may continue
  std::size_t period_ = 0;       ///< how many they are; 0: none
  std::size_t next_ = 0;         ///< which of them comes next
};

}  // namespace xfer::emulator
