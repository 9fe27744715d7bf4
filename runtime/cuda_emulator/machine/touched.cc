#include "machine/touched.h"

#include <algorithm>

namespace xfer::emulator {
namespace {

bool same_kind(const Touched& a, const Touched& b) {
  return a.reads == b.reads && a.writes == b.writes;
}
/// Of a piece, or of a row.
std::uint64_t width_of(const Touched& range) {
  return range.width != 0 ? range.width : range.end - range.begin;
}

constexpr std::size_t kMostInPeriod = 16;
constexpr std::size_t kFewest = 8;  // that are worth being rows

/// Pieces that come again, each after `period` of them.
struct Repetition {
  std::size_t period = 0;
  std::size_t length = 0;  ///< in pieces; 0: there is none
};

std::size_t length_with(std::size_t period, const std::vector<Touched>& pieces, std::size_t from) {
  if (from + period >= pieces.size()) return 0;
  const std::uint64_t pitch = pieces[from + period].begin - pieces[from].begin;
  std::size_t i = from + period;
  for (; i < pieces.size(); ++i) {
    const Touched& before = pieces[i - period];
    if (pieces[i].begin - before.begin != pitch || width_of(pieces[i]) != width_of(before) ||
        !same_kind(pieces[i], before))
      break;
  }
  return i - from;
}

Repetition best_from(const std::vector<Touched>& pieces, std::size_t from) {
  Repetition best;
  for (std::size_t period = 1; period <= kMostInPeriod; ++period) {
    const std::size_t length = length_with(period, pieces, from);
    const bool is_worth_it = length >= std::max(2 * period, kFewest);
    if (is_worth_it && length - period > best.length - best.period) best = {period, length};
  }
  return best;
}

void add_rows(std::vector<Touched>& all, const std::vector<Touched>& pieces, std::size_t from,
              const Repetition& repetition) {
  const std::size_t period = repetition.period;
  const std::uint64_t pitch = pieces[from + period].begin - pieces[from].begin;
  for (std::size_t i = from; i < from + period; ++i) {
    Touched rows = pieces[i];
    rows.width = width_of(rows);
    rows.pitch = pitch;
    const std::size_t more = (from + repetition.length - 1 - i) / period;
    rows.end += more * pitch;
    all.push_back(rows);
  }
}

}  // namespace

TouchedPieces::~TouchedPieces() {
  if (last_) put(*last_);
  if (!are_too_many()) find_rows();
}

void TouchedPieces::add(std::uintptr_t begin, std::uintptr_t end, bool reads, bool writes) {
  const Touched piece{begin, end, reads, writes, true};
  if (last_ && last_->end == begin && same_kind(*last_, piece)) {
    last_->end = end;
    return;
  }
  if (last_) put(*last_);
  last_ = piece;
}

void TouchedPieces::put(const Touched& piece) {
  if (are_too_many()) return widen(piece);
  if (continues_rows(piece)) return;
  all_.push_back(piece);
  ++singles_;
  if (all_.size() - first_ <= kMost) return;
  find_rows();
  if (all_.size() - first_ > kMost) join_all();
}

bool TouchedPieces::continues_rows(const Touched& piece) {
  if (period_ == 0) return false;
  Touched& rows = all_[rows_ + next_];
  const bool fits =
      same_kind(rows, piece) && width_of(piece) == rows.width && piece.end == rows.end + rows.pitch;
  if (fits) {
    rows.end = piece.end;
    next_ = (next_ + 1) % period_;
  } else {
    period_ = 0;
  }
  return fits;
}

/// Of the pieces that are in none.
void TouchedPieces::find_rows() {
  if (singles_ < kFewest) return;
  const std::vector<Touched> pieces(all_.end() - static_cast<std::ptrdiff_t>(singles_), all_.end());
  all_.resize(all_.size() - singles_);
  singles_ = 0;
  period_ = 0;
  for (std::size_t i = 0; i < pieces.size();) {
    const Repetition best = best_from(pieces, i);
    if (best.length == 0) {
      all_.push_back(pieces[i++]);
      ++singles_;
      continue;
    }
    rows_ = all_.size();
    add_rows(all_, pieces, i, best);
    i += best.length;
    singles_ = 0;
    if (i != pieces.size()) continue;
    period_ = best.period;
    next_ = best.length % best.period;
  }
}

void TouchedPieces::widen(const Touched& piece) {
  Touched& whole = all_[first_];
  whole.end = std::max(whole.end, piece.end);
  whole.reads |= piece.reads;
  whole.writes |= piece.writes;
}

void TouchedPieces::join_all() {
  for (std::size_t i = first_ + 1; i < all_.size(); ++i) widen(all_[i]);
  all_.resize(first_ + 1);
  Touched& whole = all_[first_];
  whole.every_byte = false;
  whole.width = whole.pitch = 0;
}

}  // namespace xfer::emulator
