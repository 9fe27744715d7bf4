#include "analyzer/driver/project.h"

#include <array>
#include <system_error>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// Folders below a project that hold other people's code.
constexpr auto kForeignFolders = std::to_array<std::string_view>(
    {"/_deps/", "/site-packages/", "/dist-packages/", "/node_modules/", "/include/torch/",
     "/include/ATen/", "/include/c10/"});

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

}  // namespace

fs::path project_root(const std::vector<fs::path>& files, const fs::path& wanted) {
  if (!wanted.empty()) return fs::absolute(wanted / "").lexically_normal().parent_path();
  const fs::path common = common_folder(files);
  std::error_code error;
  for (fs::path folder = common; folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / ".git", error)) return folder;
  return common;
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
