#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "run_stats.h"

namespace xfer {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastRate = 0.1e9;

std::string describe_copies(const std::vector<const Json*>& runs, const std::string& way,
                            const char* modelled) {
  std::uint64_t bytes = 0, device_ns = 0, best = 0;
  for (const Json* run : runs) {
    const std::string copies = "copies/" + way;
    bytes += number_at(*run, copies + "/bytes");
    device_ns += number_at(*run, copies + "/device_ns");
    best = std::max(best, number_at(*run, copies + "/best_bytes_per_s"));
  }
  if (bytes == 0) return {};
  std::string text = format_bytes(bytes);
  const double rate =
      device_ns == 0 ? 0 : static_cast<double>(bytes) * 1e9 / static_cast<double>(device_ns);
  // Of a few bytes now and then it says nothing.
  if (rate >= kLeastRate) text += std::string(" at ") + modelled + format_rate(rate);
  if (best != 0)
    text += std::string(", the fastest ") + modelled + format_rate(static_cast<double>(best));
  return text;
}

/// "cuda:0 idle 43 % of 1.2 s, cuda:1 idle 12 % of 1.1 s", of one process whose times are measured.
std::string describe_idle(const std::vector<const Json*>& runs) {
  std::string text;
  if (runs.size() != 1) return text;
  const auto devices = runs.front()->find("devices");
  if (devices == runs.front()->end() || !devices->is_array()) return text;
  constexpr std::size_t kNamed = 4;
  std::size_t named = 0;
  for (const Json& device : *devices) {
    const std::uint64_t in_use = number_at(device, "in_use_ns");
    if (in_use == 0) continue;
    if (++named > kNamed) return text + fmt::format(" and {} more", devices->size() - kNamed);
    text += fmt::format(
        "{}cuda:{} idle {:.0f} % of {}", text.empty() ? "" : ", ", number_at(device, "device"),
        100 * static_cast<double>(number_at(device, "idle_ns")) / static_cast<double>(in_use),
        format_duration(in_use));
  }
  return text;
}

}  // namespace

std::uint64_t run_time_ns(const Report& report) {
  std::uint64_t sum = 0;
  for (const Json* run : runs_of(report.stats)) sum += number_at(*run, "run_ns");
  return sum;
}

bool is_modelled(const Report& report) {
  return std::any_of(report.runs.begin(), report.runs.end(),
                     [](const RunInfo& run) { return run.modelled(); });
}

std::string describe_run(const Report& report) {
  const std::uint64_t run_ns = run_time_ns(report);
  if (run_ns == 0) return {};
  const std::vector<const Json*> runs = runs_of(report.stats);
  const char* const modelled = is_modelled(report) ? "modelled " : "";
  std::string text = "the run: " + std::string(modelled) + format_duration(run_ns);
  if (runs.size() > 1) text += fmt::format(" in {} processes", runs.size());
  if (const std::string idle = modelled[0] == '\0' ? describe_idle(runs) : ""; !idle.empty())
    text += "; " + idle;
  if (const std::string up = describe_copies(runs, "host-to-device", modelled); !up.empty())
    text += "; uploads " + up;
  if (const std::string down = describe_copies(runs, "device-to-host", modelled); !down.empty())
    text += "; downloads " + down;
  return text;
}

}  // namespace xfer
