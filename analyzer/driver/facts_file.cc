#include "analyzer/driver/facts_file.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "analyzer/driver/json_reader.h"
#include "analyzer/driver/packed.h"
#include "analyzer/driver/usage_error.h"
#include "analyzer/facts/archive.h"
#include "xfer/rules/parse_json.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFactsSchema = "xfercheck-facts/1";
constexpr const char* kFactsRemedy = "make it again with xferlint --emit-facts";

struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
using Reader = JsonReader<FormatError>;

std::string hash_of(std::string_view text) {
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

std::optional<std::string> content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// The meaning of facts depends on the program that makes them and on the one that reads them.
const std::string& this_tool() {
  static const std::string text = fmt::format("xferlint {} (Clang {}) {}", XFER_VERSION,
                                              XFER_CLANG_VERSION, content_hash("/proc/self/exe"));
  return text;
}

/// Throws where the bytes are damaged.
std::string unpacked_facts(std::string_view bytes, std::size_t size) {
  std::optional<std::string> out = unpacked(bytes, size);
  if (!out) throw FormatError("its facts are damaged");
  return std::move(*out);
}

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw UsageError(fmt::format("{} {}; {}", file.string(), what, kFactsRemedy));
}

Json json_of(const ParseError& error) {
  return {{"file", error.file},
          {"line", error.line},
          {"column", error.column},
          {"message", error.message}};
}

ParseError parse_error(const Reader& json) {
  return {json.text("file"), json.at("line").number(), json.at("column").number(),
          json.text("message")};
}

/// Without the empty ones.
std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(fmt::format("@{}: the list cannot be read", file.string()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

}  // namespace

std::string content_hash(const fs::path& file) {
  const std::optional<std::string> text = content(file);
  return text ? hash_of(*text) : std::string();
}

FactsFormat::FactsFormat(const analyzer::ModelSet& models,
                         const std::vector<std::string>& model_files)
    : models_(models) {
  std::string hashes;
  for (const std::string& file : model_files) hashes += content_hash(file) + '\n';
  model_hash_ = hash_of(hashes);
}

std::string FactsFormat::identity() const { return this_tool() + '\n' + model_hash_; }

/// A line of JSON, and behind it the facts of each file in turn.
std::string FactsFormat::to_bytes(const std::vector<FileFacts>& facts) const {
  Json json = {{"schema", kFactsSchema},
               {"tool", this_tool()},
               {"models", model_hash_},
               {"files", Json::array()}};
  std::string bytes;
  for (const FileFacts& one : facts) {
    const std::string unit = one.unit ? analyzer::to_bytes(*one.unit, models_) : std::string();
    Json errors = Json::array();
    for (const ParseError& error : one.errors) errors.push_back(json_of(error));
    json["files"].push_back({{"file", one.file},
                             {"inputs", one.inputs},
                             {"errors", std::move(errors)},
                             {"bytes", unit.size()}});
    bytes += unit;
  }
  json["size"] = bytes.size();
  json["hash"] = hash_of(bytes);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n' + packed(bytes);
}

void FactsFormat::write(const fs::path& file, const std::vector<FileFacts>& facts) const {
  std::ofstream out(file, std::ios::binary);
  out << to_bytes(facts);
  if (!out.flush()) throw UsageError(fmt::format("{} cannot be written", file.string()));
}

std::vector<FileFacts> FactsFormat::read(const fs::path& file, const fs::path& root) const {
  const std::optional<std::string> text = content(file);
  if (!text) throw UsageError(fmt::format("{} cannot be read", file.string()));
  return from_bytes(*text, file, root);
}

std::vector<FileFacts> FactsFormat::from_bytes(std::string_view text, const fs::path& file,
                                               const fs::path& root) const {
  const std::size_t line = text.find('\n');
  std::vector<FileFacts> facts;
  try {
    if (line == std::string_view::npos) throw FormatError("it does not start with a line of JSON");
    const Json json = parse_json(std::string(text.substr(0, line)), file.string());
    const Reader reader(json);
    if (reader.text("schema") != kFactsSchema)
      refuse(file,
             fmt::format("has the schema \"{}\", not \"{}\"", reader.text("schema"), kFactsSchema));
    if (reader.text("tool") != this_tool())
      refuse(file, fmt::format("was made by {}, and this is {}", reader.text("tool"), this_tool()));
    if (reader.text("models") != model_hash_) refuse(file, "was made with other --models");
    const std::string bytes = unpacked_facts(text.substr(line + 1), reader.at("size").number());
    if (hash_of(bytes) != reader.text("hash")) throw FormatError("its facts are damaged");
    std::size_t at = 0;
    reader.at("files").each([&](const Reader& entry) {
      FileFacts& one = facts.emplace_back();
      one.file = entry.text("file");
      entry.at("inputs").each_entry([&](const std::string& input, const Reader& hash) {
        one.inputs[input] = hash.text();
        const std::string now = root.empty() ? std::string() : content_hash(root / input);
        // Where a build farm runs, the sources may not be there.
        if (!now.empty() && now != hash.text())
          refuse(file, fmt::format("was made before {} changed", input));
      });
      entry.at("errors").each(
          [&](const Reader& error) { one.errors.push_back(parse_error(error)); });
      const std::size_t size = entry.at("bytes").number();
      if (size != 0)
        one.unit = analyzer::unit_from_bytes(std::string_view(bytes).substr(at, size), models_);
      at += size;
    });
  } catch (const JsonSyntaxError& error) {
    throw UsageError(fmt::format("{}; {}", error.what(), kFactsRemedy));
  } catch (const FormatError& error) {
    refuse(file, fmt::format("is not a facts file: {}", error.what()));
  }
  return facts;
}

std::vector<fs::path> facts_files(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    const std::vector<std::string> named =
        path.starts_with('@') ? lines_of(path.substr(1)) : std::vector{path};
    all.insert(all.end(), named.begin(), named.end());
  }
  std::vector<fs::path> files;
  for (const std::string& path : all) {
    if (!fs::is_directory(path)) {
      files.emplace_back(path);
      continue;
    }
    const std::size_t before = files.size();
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.path().extension() == ".facts") files.push_back(entry.path());
    if (files.size() == before)
      throw UsageError(fmt::format(
          "{} holds no facts (*.facts); xferlint --emit-facts makes some of each source file",
          path));
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  return files;
}

}  // namespace xfer::lint
