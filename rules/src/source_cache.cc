#include "source_cache.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace xfer {
namespace {

// No source that a person wrote is larger; a name that leads to /dev/zero or a core file must not
// hurt.
constexpr std::uintmax_t kLargestFile = 32u << 20;

bool is_source(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && !error &&
         std::filesystem::file_size(path, error) <= kLargestFile && !error;
}

}  // namespace

std::vector<std::filesystem::path> source_folders(const Report& report,
                                                  const std::filesystem::path& root) {
  std::vector<std::filesystem::path> folders;
  const auto add = [&](const std::filesystem::path& folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  };
  if (!root.empty()) add(root);
  for (const RunInfo& run : report.runs)
    if (!run.project.empty()) add(run.project);
  add({});
  for (const RunInfo& run : report.runs)
    if (!run.working_directory.empty()) add(run.working_directory);
  return folders;
}

// Empty when it is nowhere.
std::filesystem::path SourceCache::find(const std::string& file) const {
  const std::filesystem::path path(file);
  for (const std::filesystem::path& folder : folders_)
    if (const std::filesystem::path here = folder / path; is_source(here)) return here;
  if (path.is_relative()) return {};
  // Two parts of its path at least: a name alone may be another file's.
  for (auto part = std::next(path.begin()); part != path.end(); ++part) {
    std::filesystem::path tail;
    for (auto rest = part; rest != path.end(); ++rest) tail /= *rest;
    if (!tail.has_parent_path()) break;
    for (const std::filesystem::path& folder : folders_)
      if (const std::filesystem::path here = folder / tail; is_source(here)) return here;
  }
  return {};
}

const SourceCache::File& SourceCache::load(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  File& loaded = entry->second;
  if (!is_new) return loaded;
  const std::filesystem::path path = file.empty() ? std::filesystem::path() : find(file);
  if (path.empty()) return loaded;
  std::ifstream in(path, std::ios::binary);
  loaded.text.assign(std::istreambuf_iterator<char>(in), {});
  if (loaded.text.empty()) return loaded;
  loaded.starts.push_back(0);
  for (std::size_t i = 0; i < loaded.text.size(); ++i)
    if (loaded.text[i] == '\n' || i + 1 == loaded.text.size()) loaded.starts.push_back(i + 1);
  return loaded;
}

std::string_view SourceCache::line(const std::string& file, std::size_t number) {
  const File& loaded = load(file);
  if (number == 0 || number >= loaded.starts.size()) return {};
  std::string_view text(loaded.text);
  text = text.substr(loaded.starts[number - 1], loaded.starts[number] - loaded.starts[number - 1]);
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::size_t SourceCache::line_count(const std::string& file) {
  const File& loaded = load(file);
  return loaded.starts.empty() ? 0 : loaded.starts.size() - 1;
}

std::pair<std::size_t, std::size_t> SourceCache::position(const std::string& file,
                                                          std::uint64_t offset) {
  const File& loaded = load(file);
  if (loaded.starts.empty() || offset > loaded.text.size()) return {0, 0};
  const auto next = std::upper_bound(loaded.starts.begin(), loaded.starts.end() - 1, offset);
  const std::size_t line = static_cast<std::size_t>(next - loaded.starts.begin());
  return {line, offset - loaded.starts[line - 1] + 1};
}

}  // namespace xfer
