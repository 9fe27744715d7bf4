#include "analyzer/driver/project.h"

#include <algorithm>
#include <array>
#include <map>
#include <system_error>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// Folders below a project that hold other people's code.
constexpr auto kForeignFolders = std::to_array<std::string_view>(
    {"/_deps/", "/site-packages/", "/dist-packages/", "/node_modules/", "/include/torch/",
     "/include/ATen/", "/include/c10/"});

constexpr auto kSourceFolders = std::to_array<std::string_view>(
    {"src", "source", "sources", "lib", "app", "apps", "test", "tests"});

fs::path common_folder(const std::vector<fs::path>& files) {
  if (files.empty()) return {};
  fs::path common = files.front().parent_path();
  for (const fs::path& file : files) {
    fs::path shared;
    auto left = common.begin();
    for (auto right = file.begin(); left != common.end() && right != file.end(); ++left, ++right) {
      if (*left != *right) break;
      shared /= *left;
    }
    common = shared;
  }
  return common;
}

/// Empty when no work tree holds `folder`.
fs::path work_tree(fs::path folder) {
  std::error_code error;
  for (; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / ".git", error)) return folder;
  return {};
}

/// `src` beside `include`: the project is both. Not where a system installs into.
fs::path with_its_headers(const fs::path& sources) {
  const fs::path whole = sources.parent_path();
  const bool named =
      std::ranges::find(kSourceFolders, sources.filename().string()) != kSourceFolders.end();
  if (!named || whole == "/usr" || whole == "/usr/local" || whole == whole.root_path())
    return sources;
  std::error_code error;
  for (const char* headers : {"include", "inc"})
    if (fs::is_directory(whole / headers, error)) return whole;
  return sources;
}

fs::path largest_work_tree(const std::vector<fs::path>& files) {
  std::map<fs::path, std::size_t> files_by_folder;
  for (const fs::path& file : files) ++files_by_folder[file.parent_path()];
  std::map<fs::path, std::size_t> files_by_tree;
  for (const auto& [folder, count] : files_by_folder)
    if (const fs::path tree = work_tree(folder); !tree.empty()) files_by_tree[tree] += count;
  if (files_by_tree.empty()) return {};
  return std::ranges::max_element(files_by_tree, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

}  // namespace

fs::path project_root(const std::vector<fs::path>& files, const fs::path& wanted) {
  if (!wanted.empty()) return fs::absolute(wanted / "").lexically_normal().parent_path();
  const fs::path common = common_folder(files);
  for (const fs::path& tree : {work_tree(common), largest_work_tree(files)})
    if (!tree.empty()) return tree;
  return with_its_headers(common);
}

bool is_project_file(std::string_view file, std::string_view root) {
  if (!file.starts_with(root)) return false;
  file.remove_prefix(root.size());
  if (!root.ends_with('/') && !file.starts_with('/')) return false;
  for (const std::string_view folder : kForeignFolders)
    if (file.find(folder) != std::string_view::npos) return false;
  return true;
}

}  // namespace xfer::lint
