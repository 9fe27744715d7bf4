#include "xfer/copy_list.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "xfer/symbolize.h"
#include "xfer/trace_reader.h"

namespace xfer {
namespace {

Location place_of(Symbolizer& symbols, Trace& reader, std::uint32_t site) {
  const std::vector<SymbolFrame> stack = symbols.stack(reader, site);
  const SymbolFrame* const frame = user_frame(stack);
  return frame != nullptr ? frame->location : Location();
}

std::string what_waits(const Event& event) {
  switch (event.kind) {
    case EventKind::kSync: return "sync";
    case EventKind::kFree: return "free";
    default: break;
  }
  const bool pageable = event.space == Space::kPageable || event.source_space == Space::kPageable;
  return std::string(name(direction_of(event))) + " copy" + (pageable ? ", pageable" : "");
}

}  // namespace

std::vector<WaitsAt> list_host_waits(const std::filesystem::path& trace, const Window& window,
                                     const std::filesystem::path& project_root) {
  TraceReader reader(trace);
  std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> by_site;
  for (Event event; reader.next(event);)
    if (is_host_wait(event) && window.holds(event)) ++by_site[{what_waits(event), event.site}];
  Symbolizer symbols(project_root);
  std::map<std::tuple<std::string, std::string, unsigned, std::string>, WaitsAt> by_place;
  for (const auto& [call, count] : by_site) {
    Location place = place_of(symbols, reader, call.second);
    WaitsAt& waits = by_place[{call.first, place.file, place.line, place.function}];
    waits.what = call.first;
    waits.count += count;
    waits.place = std::move(place);
  }
  std::vector<WaitsAt> result;
  for (auto& [key, waits] : by_place) result.push_back(std::move(waits));
  std::stable_sort(result.begin(), result.end(),
                   [](const WaitsAt& a, const WaitsAt& b) { return a.count > b.count; });
  return result;
}

std::vector<CopiesAt> list_copies(const std::filesystem::path& trace, const Window& window,
                                  const std::filesystem::path& project_root) {
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
  };
  TraceReader reader(trace);
  std::map<std::pair<Direction, std::uint32_t>, Sum> by_site;
  for (Event event; reader.next(event);) {
    if (event.kind != EventKind::kCopy || (event.flags & (kFailed | kCaptured)) != 0 ||
        !window.holds(event))
      continue;
    Sum& sum = by_site[{direction_of(event), event.site}];
    ++sum.count;
    sum.bytes += event.bytes;
  }

  Symbolizer symbols(project_root);
  std::map<std::tuple<Direction, std::string, unsigned, std::string>, CopiesAt> by_place;
  for (const auto& [what, sum] : by_site) {
    Location place = place_of(symbols, reader, what.second);
    CopiesAt& copies = by_place[{what.first, place.file, place.line, place.function}];
    copies.direction = what.first;
    copies.count += sum.count;
    copies.bytes += sum.bytes;
    copies.place = std::move(place);
  }
  std::vector<CopiesAt> result;
  for (auto& [key, copies] : by_place) result.push_back(std::move(copies));
  std::stable_sort(result.begin(), result.end(), [](const CopiesAt& a, const CopiesAt& b) {
    return std::tie(a.bytes, a.count) > std::tie(b.bytes, b.count);
  });
  return result;
}

}  // namespace xfer
