#include "analyzer/driver/model_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <vector>

#include "analyzer/driver/console.h"
#include "analyzer/driver/lint.h"
#include "analyzer/driver/usage_error.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// The main ones first: others may need what they declare.
std::vector<std::string> headers_of(const analyzer::ModelSet& models) {
  std::set<std::string> main, others;
  for (const analyzer::LibraryModel& library : models.libraries())
    main.insert(library.headers.begin(), library.headers.end());
  for (const analyzer::FunctionModel& row : models.functions())
    if (!row.header.empty()) others.insert(row.header);
  for (const analyzer::TypeModel& row : models.types())
    if (!row.header.empty()) others.insert(row.header);
  std::vector<std::string> headers(main.begin(), main.end());
  headers.insert(headers.end(), others.begin(), others.end());
  return headers;
}

// A CPU-only LibTorch has headers that need the CUDA toolkit, and so have the CUDA samples; HIP's
// want to know for which devices.
std::string condition_of(const std::string& header) {
  std::string condition = "__has_include(<" + header + ">)";
  const bool context = header.starts_with("ATen/cuda/");
  if (context || header.starts_with("c10/cuda/") || header.starts_with("helper_"))
    condition += " && __has_include(<cuda_runtime_api.h>)";
  if (header.starts_with("hip/"))
    condition += " && (defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__))";
  if (context) condition += " && __has_include(<cublas_v2.h>) && __has_include(<cusparse.h>)";
  return condition;
}

}  // namespace

ModelHeadersFile::ModelHeadersFile(const analyzer::ModelSet& models) {
  std::string folder = (fs::temp_directory_path() / "xferlint-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    throw UsageError(fmt::format("cannot make a folder in {}", fs::temp_directory_path().string()));
  path_ = fs::path(folder) / "check_models.cc";
  std::ofstream file(path_);
  for (const std::string& header : headers_of(models))
    file << "#if " << condition_of(header) << "\n#include <" << header << ">\n#endif\n";
}

ModelHeadersFile::~ModelHeadersFile() {
  std::error_code ignored;
  fs::remove_all(path_.parent_path(), ignored);
}

int say_model_check(const RunState& run) {
  std::set<std::string> unmatched, unchecked, libraries;
  for (const FileOutcome& file : run.files) {
    const analyzer::ModelCheck& check = file.parse.model_check;
    unmatched.insert(check.unmatched.begin(), check.unmatched.end());
    unchecked.insert(check.unchecked.begin(), check.unchecked.end());
    libraries.insert(check.libraries.begin(), check.libraries.end());
  }
  for (const std::string& row : unmatched) std::cout << row << '\n';
  for (const std::string& row : unchecked) say("not checked: " + row);
  if (failed_files(run) != 0) return kParseFailure;
  if (libraries.empty())
    throw UsageError(
        "--check-models: no library that the models know is included; "
        "give its include path: xferlint --check-models -- -I...");
  say(fmt::format("{}: {} model rows match no declaration", fmt::join(libraries, ", "),
                  unmatched.size()));
  return unmatched.empty() ? kClean : kFindings;
}

}  // namespace xfer::lint
