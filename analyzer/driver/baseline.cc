#include "analyzer/driver/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <tuple>

#include "analyzer/driver/json_reader.h"
#include "analyzer/driver/usage_error.h"
#include "xfer/rules/parse_json.h"

namespace xfer::lint {
namespace {

constexpr const char* kSchema = "xfercheck-baseline/1";
constexpr const char* kMakeBaseline = "--write-baseline makes one";

struct BaselineFormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
using BaselineReader = JsonReader<BaselineFormatError>;

struct Entry {
  std::string rule;
  std::string file;
  unsigned count = 0;  ///< how many findings carry this fingerprint
};

std::map<std::string, Entry> read(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(fmt::format("--baseline: {} cannot be read ({})", file, kMakeBaseline));
  try {
    const nlohmann::ordered_json json = parse_json(in, file);
    const BaselineReader reader(json);
    if (reader.text("schema") != kSchema)
      throw BaselineFormatError(
          fmt::format("schema: expected \"{}\", got \"{}\"", kSchema, reader.text("schema")));
    std::map<std::string, Entry> entries;
    reader.at("findings").each([&](const BaselineReader& item) {
      Entry& entry = entries[item.text("fingerprint")];
      entry.rule = item.text("rule");
      entry.file = item.text("file");
      ++entry.count;
    });
    return entries;
  } catch (const JsonSyntaxError& error) {
    throw UsageError(fmt::format("--baseline: {} ({})", error.what(), kMakeBaseline));
  } catch (const BaselineFormatError& error) {
    throw UsageError(fmt::format("--baseline: {} is not a baseline of xferlint: {} ({})", file,
                                 error.what(), kMakeBaseline));
  }
}

}  // namespace

BaselineResult apply_baseline(const std::string& file, std::vector<Finding> findings,
                              const std::vector<std::string>& analyzed_files) {
  std::map<std::string, Entry> entries = read(file);
  BaselineResult result;
  for (Finding& finding : findings) {
    const auto entry = entries.find(finding.fingerprint);
    if (entry != entries.end() && entry->second.count > 0) {
      --entry->second.count;
      ++result.known;
    } else {
      result.fresh.push_back(std::move(finding));
    }
  }
  const std::set<std::string> analyzed(analyzed_files.begin(), analyzed_files.end());
  for (const auto& [fingerprint, entry] : entries)
    for (unsigned i = 0; i < entry.count; ++i)
      if (analyzed.contains(entry.file)) result.stale.push_back(entry.file + ": " + entry.rule);
  return result;
}

void write_baseline(const std::string& file, const std::vector<Finding>& findings) {
  std::vector<std::tuple<std::string, std::string, std::string>> rows;
  for (const Finding& finding : findings)
    rows.emplace_back(finding.location.file, info(finding.rule).slug, finding.fingerprint);
  std::ranges::sort(rows);
  std::ofstream out(file);
  out << "{\"schema\": \"" << kSchema << "\",\n \"findings\": [";
  const char* separator = "\n";
  for (const auto& [path, rule, fingerprint] : rows) {
    out << separator << "  "
        << nlohmann::ordered_json{{"file", path}, {"rule", rule}, {"fingerprint", fingerprint}}
               .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    separator = ",\n";
  }
  out << "\n ]}\n";
  if (!out.flush()) throw UsageError(fmt::format("--write-baseline: {} cannot be written", file));
}

}  // namespace xfer::lint
