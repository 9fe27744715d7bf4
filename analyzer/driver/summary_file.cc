#include "analyzer/driver/summary_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "analyzer/driver/json_reader.h"
#include "analyzer/driver/summary_json.h"
#include "analyzer/driver/usage_error.h"
#include "xfer/rules/parse_json.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

using Json = nlohmann::ordered_json;
using Reader = JsonReader<SummaryFormatError>;

constexpr const char* kSchema = "xfercheck-summaries/1";
constexpr const char* kRemedy = "make it again with xferlint --emit-summaries";

std::string hash_of(const std::string& text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

std::optional<std::string> content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  // In blocks: the program itself is hashed too.
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// What a summary means depends on the program that makes it and on the one that reads it.
const std::string& this_tool() {
  static const std::string text = fmt::format("xferlint {} (Clang {}) {}", XFER_VERSION,
                                              XFER_CLANG_VERSION, content_hash("/proc/self/exe"));
  return text;
}

std::string hash_of_models(const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& file : files) text += content_hash(file) + '\n';
  return hash_of(text);
}

/// Sorted, so that what is said first does not depend on the file system.
std::vector<fs::path> summary_files(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    if (files.size() == before)
      throw UsageError(
          fmt::format("{} holds no summaries (*.json); xferlint "
                      "--emit-summaries makes one of each source file",
                      path));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

class FileReader {
 public:
  FileReader(const std::vector<std::string>& models, const fs::path& root)
      : models_(hash_of_models(models)), root_(root) {}

  void read(const fs::path& file, std::vector<SummarisedUnit>& units) {
    const std::optional<std::string> text = content(file);
    if (!text) throw UsageError(fmt::format("{} cannot be read", file.string()));
    try {
      const Json json = parse_json(*text, file.string());
      const Reader reader(json);
      if (reader.text("schema") != kSchema)
        refuse(file,
               fmt::format("has the schema \"{}\", not \"{}\"", reader.text("schema"), kSchema));
      if (reader.text("tool") != this_tool())
        refuse(file,
               fmt::format("was made by {}, and this is {}", reader.text("tool"), this_tool()));
      if (reader.text("models") != models_) refuse(file, "was made with other --models");
      reader.at("units").each([&](const Reader& unit) { units.push_back(read_unit(file, unit)); });
    } catch (const JsonSyntaxError& error) {
      throw UsageError(fmt::format("{}; {}", error.what(), kRemedy));
    } catch (const SummaryFormatError& error) {
      refuse(file, fmt::format("is not a summary file: {}", error.what()));
    }
  }

 private:
  [[noreturn]] static void refuse(const fs::path& file, const std::string& what) {
    throw UsageError(fmt::format("{} {}; {}", file.string(), what, kRemedy));
  }

  SummarisedUnit read_unit(const fs::path& file, const Reader& json) {
    SummarisedUnit unit;
    unit.file = json.text("file");
    json.at("inputs").each_entry([&](const std::string& input, const Reader& hash) {
      unit.inputs[input] = hash.text();
      // Where a build farm runs, the sources of other units may not be there.
      const std::string& now = hash_now(input);
      if (!now.empty() && now != hash.text())
        refuse(file, fmt::format("was made before {} changed", input));
    });
    unit.summaries = unit_summaries_from_json(json.value(), json.path());
    return unit;
  }

  const std::string& hash_now(const std::string& input) {
    const auto [entry, added] = hashes_.try_emplace(input);
    if (added) entry->second = content_hash(root_ / input);
    return entry->second;
  }

  std::string models_;
  const fs::path& root_;
  std::map<std::string, std::string> hashes_;
};

}  // namespace

std::string content_hash(const fs::path& file) {
  const std::optional<std::string> text = content(file);
  return text ? hash_of(*text) : std::string();
}

void write_summaries(const std::string& file, std::vector<SummarisedUnit> units,
                     const std::vector<std::string>& models) {
  std::ranges::stable_sort(units, {}, &SummarisedUnit::file);
  Json json = {{"schema", kSchema},
               {"tool", this_tool()},
               {"models", hash_of_models(models)},
               {"units", Json::array()}};
  for (const SummarisedUnit& unit : units) {
    Json entry = {{"file", unit.file}, {"inputs", unit.inputs}};
    entry.update(to_json(unit.summaries));
    json["units"].push_back(std::move(entry));
  }
  std::ofstream out(file, std::ios::binary);
  out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
  if (!out.flush()) throw UsageError(fmt::format("--emit-summaries: {} cannot be written", file));
}

std::vector<SummarisedUnit> read_summaries(const std::vector<std::string>& paths,
                                           const std::vector<std::string>& models,
                                           const fs::path& root) {
  std::vector<SummarisedUnit> units;
  FileReader reader(models, root);
  for (const fs::path& file : summary_files(paths)) reader.read(file, units);
  return units;
}

}  // namespace xfer::lint
