#include "cudart/kernel_report.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cudart/demangle.h"
#include "machine/machine.h"
#include "machine/say.h"

namespace xfer::emulator {
namespace {

using Json = nlohmann::ordered_json;

/// Names of templates fill a screen each.
std::string brief(const std::string& name) {
  constexpr std::size_t kMost = 160;
  return name.size() <= kMost ? name : name.substr(0, kMost) + "...";
}

Json of_kernel(const std::string& name, const KernelUse& use) {
  return {{"name", demangle(name.c_str())},
          {"from_ptx", use.from_ptx},
          {"from_host", use.from_host},
          {"skipped", use.skipped},
          {"failed", use.failed},
          {"approximate", use.approximate},
          {"why", use.why.empty() ? Json(nullptr) : Json(use.why)}};
}

void write_report(const std::string& path, const std::map<std::string, KernelUse>& uses) {
  std::ofstream file(path);
  file << kernel_report(uses, 1) << '\n';
  file.close();
  if (!file)
    say("xfercheck: emulate_report={}: the file cannot be written; the report is lost\n", path);
}

/// Some lines that name what was skipped; empty: nothing was.
std::string skipped_kernels_text(const std::map<std::string, KernelUse>& uses) {
  std::uint64_t launches = 0;
  std::string names;
  for (const auto& [name, use] : uses) {
    if (use.skipped == 0) continue;
    launches += use.skipped;
    names += fmt::format("xfercheck:   {} x {}{}\n", use.skipped, brief(demangle(name.c_str())),
                         use.why.empty() ? "" : ": " + use.why);
  }
  if (launches == 0) return {};
  return fmt::format(
      "xfercheck: {} not executed; {} hold old data:\n{}",
      launches == 1 ? "1 kernel launch was" : fmt::format("{} kernel launches were", launches),
      launches == 1 ? "its outputs" : "their outputs", names);
}

/// At exit.
struct LastWords {
  ~LastWords() try {
    const Machine* const machine = Machine::existing();
    if (machine == nullptr || !machine->usable()) return;
    const Options& options = machine->options();
    const auto uses = KernelRegistry::instance().uses();
    if (!options.report.empty()) write_report(options.report, uses);
    if (options.summary) say("{}", skipped_kernels_text(uses));
  } catch (const std::exception&) {  // out of memory: the program ends all the same
  }
};
const LastWords last_words;

}  // namespace

std::string first_skipped_text(const std::string& name, const std::string& why,
                               bool missing_is_nan) {
  return fmt::format(
      "{} is not executed{}; its outputs hold old data, or {} in memory allocated from now on",
      brief(demangle(name.c_str())), why.empty() ? "" : " (" + why + ")",
      missing_is_nan ? "NaN" : "zeros");
}

std::string kernel_report(const std::map<std::string, KernelUse>& uses, int indent) {
  std::uint64_t executed = 0, approximate = 0, skipped = 0, failed = 0;
  std::uint64_t launches = 0, launches_skipped = 0;
  Json kernels = Json::array();
  for (const auto& [name, use] : uses) {
    const std::uint64_t ran = use.from_ptx + use.from_host;
    executed += use.skipped + use.failed == 0 ? 1 : 0;
    approximate += ran != 0 && !use.approximate.empty() ? 1 : 0;
    skipped += use.skipped != 0 ? 1 : 0;
    failed += use.failed != 0 ? 1 : 0;
    launches += ran + use.skipped;
    launches_skipped += use.skipped;
    kernels.push_back(of_kernel(name, use));
  }
  const Json report{{"executed", executed},         {"approximate", approximate},
                    {"skipped", skipped},           {"failed", failed},
                    {"launches", launches},         {"launches_skipped", launches_skipped},
                    {"kernels", std::move(kernels)}};
  return report.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace xfer::emulator
