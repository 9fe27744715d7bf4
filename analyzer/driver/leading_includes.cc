#include "analyzer/driver/leading_includes.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// Libraries whose headers take longer to parse than a precompiled header takes to load.
constexpr auto kHeavy = std::to_array<std::string_view>(
    {"torch/", "ATen/", "c10/", "tensorlib/", "opencv2/", "Eigen/", "boost/", "thrust/", "cub/",
     "cuda_runtime.h", "pybind11/", "llvm/", "clang/", "absl/", "folly/", "QtCore/", "QtWidgets/"});

bool is_heavy(std::string_view header) {
  return std::ranges::any_of(kHeavy,
                             [&](std::string_view start) { return header.starts_with(start); });
}

/// The standard library: no dot and no folder (<vector>), or C's headers. They neither change other
/// headers nor are changed by them, so their order does not matter.
bool is_standard(std::string_view header) {
  static const std::set<std::string_view> kC = {
      "assert.h", "ctype.h",  "errno.h", "float.h",  "inttypes.h", "limits.h", "math.h",
      "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",   "time.h",   "unistd.h"};
  return header.find_first_of("./") == std::string_view::npos || kC.contains(header);
}

/// Preprocessing directives of the start of a file, comments skipped.
class DirectiveReader {
 public:
  explicit DirectiveReader(std::string text) : text_(std::move(text)) {}

  /// The next directive without '#', nullopt at the first token that is none, or at the end.
  std::optional<std::string_view> next() {
    if (!skip_space_and_comments() || text_[at_] != '#') return std::nullopt;
    const std::size_t start = text_.find_first_not_of(" \t", at_ + 1);
    if (start == std::string::npos) return std::nullopt;
    std::size_t end = start;
    while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
    at_ = end;
    return std::string_view(text_).substr(start, end - start);
  }

  /// After next() gave nothing: nothing but directives was there.
  bool at_end() const { return at_ >= text_.size(); }

 private:
  /// False at the end of the text.
  bool skip_space_and_comments() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const std::string_view rest = std::string_view(text_).substr(at_);
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || rest.starts_with("\xEF\xBB\xBF")) {
        at_ += c == '\xEF' ? 3 : 1;
      } else if (rest.starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest.starts_with("/*")) {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string::npos) return false;
        at_ = close + 2;
      } else {
        return true;
      }
    }
    return false;
  }

  std::string text_;
  std::size_t at_ = 0;
};

std::string start_of(const fs::path& file) {
  constexpr std::size_t kEnough = 64 * 1024;
  std::ifstream in(file, std::ios::binary);
  std::string text(kEnough, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

std::string_view word_after(std::string_view directive, std::string_view keyword) {
  directive.remove_prefix(keyword.size());
  const std::size_t first = directive.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  directive.remove_prefix(first);
  return directive.substr(0, directive.find_first_of(" \t\r\n/"));
}

class Scanner {
 public:
  explicit Scanner(const IncludeContext& context) : context_(context) {}

  /// False: the scan met something that ends it for the including file too.
  bool scan(const fs::path& file, int depth) {
    if (depth > kMaxDepth) return false;
    if (!seen_.insert(file.string()).second) return true;
    DirectiveReader reader(start_of(file));
    std::string_view guard;
    while (const auto directive = reader.next()) {
      if (directive->starts_with("pragma")) {
        if (word_after(*directive, "pragma") != "once") return false;
      } else if (guard.empty() && directive->starts_with("ifndef")) {
        guard = word_after(*directive, "ifndef");
      } else if (!guard.empty() && directive->starts_with("define") &&
                 word_after(*directive, "define") == guard) {
        continue;
      } else if (!guard.empty() && directive->starts_with("endif")) {
        continue;
      } else if (!directive->starts_with("include") || !include(*directive, file, depth)) {
        return false;
      }
    }
    return reader.at_end();
  }

  std::vector<std::string> take() { return up_to_heavy(std::move(headers_)); }

 private:
  static constexpr int kMaxDepth = 16;

  bool include(std::string_view directive, const fs::path& includer, int depth) {
    const std::size_t open = directive.find_first_of("<\"");
    if (open == std::string_view::npos) return false;
    const bool quoted = directive[open] == '"';
    const std::size_t close = directive.find(quoted ? '"' : '>', open + 1);
    if (close == std::string_view::npos) return false;
    const std::string name(directive.substr(open + 1, close - open - 1));
    if (!quoted && is_standard(name)) return true;
    if (const auto own = find_project_file(name, quoted, includer)) return scan(*own, depth + 1);
    if (quoted && !is_heavy(name)) return false;
    if (std::ranges::find(headers_, name) == headers_.end()) headers_.push_back(name);
    return true;
  }

  std::optional<fs::path> find_project_file(const std::string& name, bool quoted,
                                            const fs::path& includer) const {
    std::error_code error;
    std::vector<fs::path> folders;
    if (quoted) folders.push_back(includer.parent_path());
    folders.insert(folders.end(), context_.folders.begin(), context_.folders.end());
    for (const fs::path& folder : folders) {
      const fs::path candidate = (folder / name).lexically_normal();
      if (!fs::is_regular_file(candidate, error)) continue;
      if (context_.is_project_file(candidate)) return candidate;
      return std::nullopt;
    }
    return std::nullopt;
  }

  const IncludeContext& context_;
  std::set<std::string> seen_;
  std::vector<std::string> headers_;
};

}  // namespace

std::vector<std::string> up_to_heavy(std::vector<std::string> headers) {
  while (!headers.empty() && !is_heavy(headers.back())) headers.pop_back();
  return headers;
}

bool holds_heavy_library(const fs::path& folder) {
  std::error_code error;
  return std::ranges::any_of(
      kHeavy, [&](std::string_view start) { return fs::exists(folder / start, error); });
}

std::vector<std::string> leading_includes(const fs::path& file, const IncludeContext& context) {
  Scanner scanner(context);
  scanner.scan(file, 0);
  return scanner.take();
}

}  // namespace xfer::lint
