#include "analyzer/driver/leading_includes.h"

#include <clang/Lex/DependencyDirectivesScanner.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// Libraries whose headers take longer to parse than a precompiled header takes to load, the
/// longest first.
constexpr auto kHeavy = std::to_array<std::string_view>(
    {"torch/", "ATen/", "c10/", "tensorlib/", "opencv2/", "Eigen/", "boost/", "thrust/", "cub/",
     "cuda_runtime.h", "pybind11/", "llvm/", "clang/", "absl/", "folly/", "QtCore/", "QtWidgets/"});

/// Its place in kHeavy; their number where it is of none.
std::ptrdiff_t lightness(std::string_view header) {
  const auto library = std::ranges::find_if(
      kHeavy, [&](std::string_view start) { return header.starts_with(start); });
  return library - kHeavy.begin();
}

bool is_heavy(std::string_view header) { return lightness(header) < std::ssize(kHeavy); }

/// The standard library: no dot and no folder (<vector>), or C's headers. They neither change other
/// headers nor are changed by them, so their order does not matter.
bool is_standard(std::string_view header) {
  static const std::set<std::string_view> kC = {
      "assert.h", "ctype.h",  "errno.h", "float.h",  "inttypes.h", "limits.h", "math.h",
      "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h",   "time.h",   "unistd.h"};
  return header.find_first_of("./") == std::string_view::npos || kC.contains(header);
}

/// Macros by which a library's headers are told what to be: a project's own names are none.
bool steers_libraries(llvm::StringRef macro) {
  constexpr auto kStarts = std::to_array<std::string_view>(
      {"_",    "AT_",        "BOOST_",  "C10_",   "CUB_", "CUDA",     "CV_",    "EIGEN_",
       "FMT_", "GLOG_",      "LLVM_",   "NDEBUG", "NO_",  "NOMINMAX", "OPENCV", "PYBIND11_",
       "QT_",  "TENSORLIB_", "THRUST_", "TORCH_", "USE_", "WIN32"});
  return std::ranges::any_of(kStarts,
                             [&](std::string_view start) { return macro.starts_with(start); });
}

namespace scan = clang::dependency_directives_scan;

/// The preprocessing directives of a file; all else in it is skipped.
class Directives {
 public:
  explicit Directives(const fs::path& file) {
    auto read = llvm::MemoryBuffer::getFile(file.string());
    if (!read) return;
    text_ = std::move(*read);
    if (clang::scanSourceForDependencyDirectives(text_->getBuffer(), tokens_, directives_))
      directives_.clear();
  }

  const llvm::SmallVectorImpl<scan::Directive>& all() const { return directives_; }
  /// The token after '#' and the keyword: a header, a macro, the start of a condition.
  llvm::StringRef operand(const scan::Directive& directive) const {
    return directive.Tokens.size() > 2 ? text_of(directive.Tokens[2]) : "";
  }
  /// Is `at` the condition of an include guard?
  bool is_guard(std::size_t at) const {
    const scan::Directive& condition = directives_[at];
    if (condition.Kind != scan::pp_ifndef && condition.Kind != scan::pp_if) return false;
    if (at > 1 || (at == 1 && directives_[0].Kind != scan::pp_pragma_once)) return false;
    if (at + 1 >= directives_.size() || directives_[at + 1].Kind != scan::pp_define) return false;
    const llvm::StringRef name = operand(directives_[at + 1]);
    return std::ranges::any_of(condition.Tokens,
                               [&](const scan::Token& token) { return text_of(token) == name; });
  }

 private:
  llvm::StringRef text_of(const scan::Token& token) const {
    return text_->getBuffer().substr(token.Offset, token.Length);
  }

  std::unique_ptr<llvm::MemoryBuffer> text_;
  llvm::SmallVector<scan::Token, 0> tokens_;
  llvm::SmallVector<scan::Directive, 0> directives_;
};

class Scanner {
 public:
  explicit Scanner(const IncludeContext& context) : context_(context) {}

  /// False: the scan met something that ends it for the including file too.
  bool scan(const fs::path& file, int depth) {
    if (depth > kMaxDepth) return false;
    if (!seen_.insert(file.string()).second) return true;
    const Directives directives(file);
    int conditions = 0;  // around the directive; an include guard is none
    for (std::size_t i = 0; i < directives.all().size(); ++i) {
      const scan::Directive& directive = directives.all()[i];
      switch (directive.Kind) {
        case scan::pp_if:
        case scan::pp_ifdef:
        case scan::pp_ifndef:
          if (directives.is_guard(i))
            ++i;  // its macro
          else
            ++conditions;
          break;
        case scan::pp_endif: conditions = std::max(conditions - 1, 0); break;
        case scan::pp_define:
        case scan::pp_undef:
          if (steers_libraries(directives.operand(directive))) return false;
          break;
        case scan::pp_include:
          if (conditions == 0 && !include(directives.operand(directive), file, depth)) return false;
          break;
        default: break;
      }
    }
    return true;
  }

  std::vector<std::string> take() { return up_to_heavy(std::move(headers_)); }

 private:
  static constexpr int kMaxDepth = 16;

  /// `spelled`: <name> or "name".
  bool include(llvm::StringRef spelled, const fs::path& includer, int depth) {
    if (spelled.size() < 3 || (spelled.front() != '<' && spelled.front() != '"')) return false;
    const bool quoted = spelled.front() == '"';
    const std::string name = spelled.drop_front().drop_back().str();
    if (!quoted && is_standard(name)) return true;
    if (const auto own = find_project_file(name, quoted, includer)) return scan(*own, depth + 1);
    if (quoted && !is_heavy(name)) return true;  // missing, or of no library that is known
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

std::vector<std::string> heavy_ones(const std::vector<std::string>& headers) {
  std::vector<std::string> result;
  std::ranges::copy_if(headers, std::back_inserter(result), is_heavy);
  std::ranges::stable_sort(result, {}, lightness);
  return result;
}

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
