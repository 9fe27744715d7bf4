#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t number(const Json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

template <class Visit>
void for_each_process(const Json& stats, Visit&& visit) {
  const auto processes = stats.is_object() ? stats.find("processes") : stats.end();
  if (processes == stats.end() || !processes->is_array()) return visit(stats);
  for (const Json& process : *processes) visit(process);
}

std::string describe_copies(const Json& stats, const char* way) {
  std::uint64_t bytes = 0, device_ns = 0, best = 0;
  for_each_process(stats, [&](const Json& process) {
    const auto copies = process.is_object() ? process.find("copies") : process.end();
    if (copies == process.end() || !copies->is_object() || !copies->contains(way)) return;
    const Json& sum = (*copies)[way];
    bytes += number(sum, "bytes");
    device_ns += number(sum, "device_ns");
    best = std::max(best, number(sum, "best_bytes_per_s"));
  });
  if (bytes == 0) return {};
  std::string text = format_bytes(bytes);
  if (device_ns != 0)
    text += " at " + format_rate(static_cast<double>(bytes) * 1e9 / static_cast<double>(device_ns));
  if (best != 0) text += ", the fastest copy " + format_rate(static_cast<double>(best));
  return text;
}

}  // namespace

std::uint64_t run_time_ns(const Report& report) {
  std::uint64_t sum = 0;
  for_each_process(report.stats, [&](const Json& process) { sum += number(process, "run_ns"); });
  return sum;
}

std::string describe_run(const Report& report) {
  const std::uint64_t run_ns = run_time_ns(report);
  if (run_ns == 0) return {};
  std::size_t processes = 0;
  for_each_process(report.stats, [&](const Json&) { ++processes; });
  std::string text = "the run: " + format_duration(run_ns);
  if (processes > 1) text += fmt::format(" in {} processes", processes);
  if (const std::string up = describe_copies(report.stats, "host-to-device"); !up.empty())
    text += "; to the devices " + up;
  if (const std::string down = describe_copies(report.stats, "device-to-host"); !down.empty())
    text += "; to the host " + down;
  return text;
}

}  // namespace xfer
