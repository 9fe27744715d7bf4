#include "detect/exposed_copy.h"

#include <algorithm>

namespace xfer {
namespace {

constexpr std::uint64_t kLeastPiece = 2'000;  // ns, of a row
constexpr std::uint64_t kLargeDownload = 64 << 10;
constexpr std::size_t kLeastRows = 2;
/// What the host makes of a download is not so much larger.
constexpr std::uint64_t kMadeOf = 16;

}  // namespace

void ExposedCopy::see(const Event& event) {
  if (event.kind != EventKind::kDeviceTime) return;
  const Span span{event.begin_ns, event.end_ns};
  const TransferPtr* const found = copies_.find(event.correlation);
  if (found == nullptr || span.length() == 0) return;
  const TransferPtr transfer = *found;
  const std::int16_t device = transfer->device();
  if (!transfer->is_upload()) downloads_[device].emplace_back(span, transfer->event.bytes);
  if (span.length() < kLeastPiece || transfer->event.site == 0 || kept_ == kMostLosses) return;
  ++kept_;
  lines_[{transfer->event.site, device, transfer->is_upload()}].push_back({transfer, span});
}

void ExposedCopy::remember(const TransferPtr& transfer) {
  copies_.put(transfer->event.correlation, transfer);
}

bool ExposedCopy::upload(const CopyView& copy) {
  if (copy.transfer->is_upload()) remember(copy.transfer);
  return false;
}

void ExposedCopy::download(const CopyView& copy) { remember(copy.transfer); }

void ExposedCopy::finish() {
  const auto by_begin = [](const auto& a, const auto& b) {
    return a.first.begin_ns < b.first.begin_ns;
  };
  for (auto& [device, downloads] : downloads_)
    std::stable_sort(downloads.begin(), downloads.end(), by_begin);
  for (auto& [line, copies] : lines_) judge(line, copies);
}

/// Copies of the line with no work of the device between them are one: a batch of several tensors.
std::vector<ExposedCopy::Row> ExposedCopy::rows_of(const Line& line,
                                                   const std::vector<Copy>& copies) const {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const Event& event = copies[i].transfer->event;
    const bool goes_on =
        !rows.empty() &&
        scene_.work.within(line.device, {rows.back().span.begin_ns, copies[i].span.begin_ns}) == 0;
    if (!goes_on) rows.push_back({&copies[i], copies[i].span, {}, {}, false});
    Row& row = rows.back();
    row.span.end_ns = std::max(row.span.end_ns, copies[i].span.end_ns);
    row.cost += {1, event.bytes, duration_ns(event), 0, 0};
    row.sizes.add(event.bytes);
    row.charged |= copies[i].transfer->charged != nullptr;
  }
  return rows;
}

void ExposedCopy::judge(const Line& line, std::vector<Copy>& copies) {
  std::stable_sort(copies.begin(), copies.end(),
                   [](const Copy& a, const Copy& b) { return a.span.begin_ns < b.span.begin_ns; });
  std::vector<Row> rows = rows_of(line, copies);
  std::vector<Loss> losses;
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].charged) continue;
    const std::uint64_t ns = exposed_ns(line, rows[i - 1], rows[i]);
    if (ns < scene_.options.least_exposed_ns) continue;
    rows[i].cost.device_ns = rows[i].cost.saving_ns = ns;
    losses.push_back({rows[i].first->transfer->event.begin_ns, ns});
    sum += ns;
  }
  if (losses.size() < kLeastRows) return;
  const std::uint64_t whole = rows.back().span.end_ns - rows.front().span.begin_ns;
  if (sum * 100 < whole * scene_.options.least_exposed_percent) return;
  const Reason reason = line.up ? Reason::kIdleDuringUpload : Reason::kIdleDuringDownload;
  FindingGroup* group = nullptr;
  for (const Row& row : rows) {
    if (row.cost.saving_ns == 0) continue;
    group = scene_.groups.charge(Rule::kExposedCopy, Confidence::kLookAlike, reason,
                                 row.first->transfer->event, row.cost, 0);
    group->add(row.sizes);
  }
  const Span calls{rows.front().first->transfer->event.begin_ns,
                   rows.back().first->transfer->event.begin_ns};
  group->finding.step += scene_.steps.share(losses, calls, rows.size());
}

/// How long the device did nothing else although it had work on either side, as far as the work
/// since the row before could hide it. 0: it is not known to have had.
std::uint64_t ExposedCopy::exposed_ns(const Line& line, const Row& before, const Row& row) const {
  const BusyTimes* const busy = scene_.work.of(line.device);
  if (busy == nullptr || before.span.end_ns > row.span.begin_ns) return 0;
  const BusyTimes& work = *busy;
  const Span& span = row.span;
  const std::uint64_t bytes = row.cost.bytes;
  if (!line.up && bytes < kLargeDownload) return 0;
  const bool are_small = bytes <= row.cost.count * scene_.options.small_copy_bytes;
  if (are_small && row.cost.count > 1) return 0;  // small-copies has them
  if (is_set_apart(*row.first->transfer, line.device)) return 0;
  const Span between{before.span.end_ns, span.begin_ns};
  if (line.up && largest_download(line.device, between) * kMadeOf >= bytes) return 0;
  const std::uint64_t last = work.last_end_before(span.begin_ns);
  const std::uint64_t next = work.next_begin_after(span.begin_ns);
  if (last + span.length() < span.begin_ns || next == UINT64_MAX ||
      next > span.end_ns + span.length())
    return 0;
  const std::uint64_t alone = span.length() - work.within(span);
  return alone * 2 >= span.length() ? std::min(alone, work.within(between)) : 0;
}

/// It may overlap already: the host does not wait for it, and its stream is for copies alone.
bool ExposedCopy::is_set_apart(const Transfer& transfer, std::int16_t device) const {
  const Event& event = transfer.event;
  return (event.flags & kAsync) != 0 && transfer.host_space() == Space::kPinned &&
         !scene_.work.has_kernels(device, event.stream);
}

std::uint64_t ExposedCopy::largest_download(std::int16_t device, Span between) const {
  const auto known = downloads_.find(device);
  if (known == downloads_.end()) return 0;
  const auto& all = known->second;
  auto at = std::lower_bound(
      all.begin(), all.end(), between.begin_ns,
      [](const auto& download, std::uint64_t ns) { return download.first.begin_ns < ns; });
  std::uint64_t largest = 0;
  for (; at != all.end() && at->first.begin_ns < between.end_ns; ++at)
    largest = std::max(largest, at->second);
  return largest;
}

}  // namespace xfer
