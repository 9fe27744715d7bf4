#include "xfer/copy_list.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "xfer/symbolize.h"
#include "xfer/trace_reader.h"

namespace xfer {

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
    Location place;
    const std::vector<SymbolFrame> stack = symbols.stack(reader, what.second);
    if (const SymbolFrame* frame = user_frame(stack)) place = frame->location;
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
