#include "analyzer/driver/compile_db.h"

#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <fmt/format.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>

#include "analyzer/driver/compile_line.h"
#include "analyzer/driver/source_file.h"
#include "analyzer/driver/usage_error.h"
#include "xfer/rules/parse_json.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

using clang::tooling::CompilationDatabase;

constexpr const char* kDatabase = "compile_commands.json";
constexpr const char* kRemedy =
    "configure with cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON and give its folder with -p, or give "
    "files and compiler flags: xferlint FILE -- FLAGS";

fs::path normalised(const fs::path& path, const fs::path& directory) {
  fs::path full = (path.is_absolute() ? path : directory / path).lexically_normal();
  return full.has_filename() ? full : full.parent_path();
}

/// In our words: the standard library's differ from one to the next.
const char* problem_of(std::regex_constants::error_type code) {
  if (code == std::regex_constants::error_brack) return "a [ is not closed";
  if (code == std::regex_constants::error_paren) return "a parenthesis is not closed or not opened";
  if (code == std::regex_constants::error_brace) return "a brace is not closed or not opened";
  if (code == std::regex_constants::error_badrepeat) return "a *, + or ? repeats nothing";
  if (code == std::regex_constants::error_escape) return "a backslash stands before nothing known";
  if (code == std::regex_constants::error_range) return "a range such as z-a ends before it begins";
  return "it is not valid";
}

std::regex compiled(const std::string& expression, const std::string& what) {
  try {
    return std::regex(expression, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw UsageError(fmt::format("{}'{}' is neither a file nor a regular expression: {}", what,
                                 expression, problem_of(error.code())));
  }
}

/// Throws unless the file is a JSON list of objects: Clang's reader is less exact in what it says,
/// and says it on standard error.
void check_syntax(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(fmt::format("{} cannot be read", file.string()));
  try {
    const nlohmann::ordered_json json = parse_json(in, file.string());
    const auto is_entry = [](const nlohmann::ordered_json& entry) {
      return entry.is_object() && entry.contains("file") && entry.contains("directory") &&
             (entry.contains("command") || entry.contains("arguments"));
    };
    if (!json.is_array() || !std::ranges::all_of(json, is_entry)) {
      throw UsageError(fmt::format(
          "{}: expected a list of objects with file, directory, and command or arguments",
          file.string()));
    }
  } catch (const JsonSyntaxError& error) {
    throw UsageError(fmt::format("{} (configure the build again)", error.what()));
  }
}

/// Where a database may be when -p does not say: here, in build/, and upwards from the first file.
fs::path find_database(const Options& options) {
  if (!options.build_dir.empty()) {
    fs::path folder = fs::absolute(options.build_dir);
    if (folder.filename() == kDatabase) folder = folder.parent_path();
    if (fs::exists(folder / kDatabase)) return folder.lexically_normal();
    throw UsageError(fmt::format("no {} in {}: {}", kDatabase, folder.string(), kRemedy));
  }
  const auto try_folder = [](const fs::path& folder) -> fs::path {
    for (const fs::path& candidate : {folder, folder / "build"})
      if (fs::exists(candidate / kDatabase)) return candidate;
    return {};
  };
  const fs::path here = fs::current_path();
  if (fs::path found = try_folder(here); !found.empty()) return found;
  fs::path start = here;
  if (!options.files.empty() && fs::exists(options.files.front()))
    start = fs::absolute(options.files.front()).lexically_normal();
  for (fs::path folder = start; folder != folder.parent_path(); folder = folder.parent_path())
    if (fs::path found = try_folder(folder); !found.empty()) return found;
  throw UsageError(fmt::format("no {} here, in build/ or above {}: {}", kDatabase,
                               (start == here ? "this folder" : start.string()), kRemedy));
}

CompileCommand converted(const clang::tooling::CompileCommand& command, const fs::path& base) {
  CompileCommand result;
  result.directory = normalised(command.Directory, base);
  result.file = normalised(command.Filename, result.directory);
  result.arguments = command.CommandLine;
  return result;
}

/// The database's commands, and the selection among them.
class DatabaseSelector {
 public:
  DatabaseSelector(const Options& options, fs::path folder)
      : options_(options), folder_(std::move(folder)) {
    check_syntax(folder_ / kDatabase);
    std::string error;
    std::unique_ptr<CompilationDatabase> json =
        clang::tooling::JSONCompilationDatabase::loadFromFile(
            (folder_ / kDatabase).string(), error,
            clang::tooling::JSONCommandLineSyntax::AutoDetect);
    if (json == nullptr) {
      std::ranges::replace(error, '\n', ' ');
      throw UsageError(fmt::format("{}: {}", (folder_ / kDatabase).string(), error));
    }
    database_ =
        clang::tooling::expandResponseFiles(std::move(json), llvm::vfs::getRealFileSystem());
    for (const clang::tooling::CompileCommand& command : database_->getAllCompileCommands()) {
      CompileCommand entry = converted(command, folder_);
      if (is_source(entry.file)) entries_.push_back(std::move(entry));
    }
    if (entries_.empty())
      throw UsageError(
          fmt::format("{}: it lists no C++ or CUDA file", (folder_ / kDatabase).string()));
  }

  Selection run() {
    Selection selection;
    selection.database = folder_;
    for (const CompileCommand& entry : entries_) selection.all_files.push_back(entry.file);
    chosen_.assign(entries_.size(), options_.files.empty());
    for (const std::string& pattern : options_.files) choose(pattern, selection);
    if (!options_.exclude.empty()) leave_out(compiled(options_.exclude, "--exclude: "));
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (chosen_[i]) selection.commands.push_back(entries_[i]);
    if (selection.commands.empty())
      throw UsageError("no file is left to lint: --exclude leaves out all of them");
    return selection;
  }

 private:
  void choose(const std::string& pattern, Selection& selection) {
    bool matched = false;
    const auto take_if = [&](auto&& predicate) {
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (!predicate(entries_[i].file)) continue;
        chosen_[i] = true;
        matched = true;
      }
    };
    std::error_code unreadable;
    const fs::path path = normalised(pattern, fs::current_path());
    const fs::path real = fs::weakly_canonical(path, unreadable);
    const auto same_file = [&](const fs::path& file) {
      return file == path ||
             (file.filename() == path.filename() && fs::weakly_canonical(file) == real);
    };
    if (fs::is_directory(path)) {
      const std::string prefix = (path / "").string();
      const std::string real_prefix = (real / "").string();
      take_if([&](const fs::path& file) {
        return file.string().starts_with(prefix) || file.string().starts_with(real_prefix);
      });
      if (!matched)
        throw UsageError(
            fmt::format("no file of {} lies in {}", (folder_ / kDatabase).string(), pattern));
    } else if (fs::exists(path)) {
      take_if(same_file);
      if (!matched) infer(path, selection);
    } else {
      const std::regex expression = compiled(pattern, "");
      take_if([&](const fs::path& file) { return std::regex_search(file.string(), expression); });
      if (!matched) {
        throw UsageError(fmt::format("'{}': no such file, and no path in {} matches it", pattern,
                                     (folder_ / kDatabase).string()));
      }
    }
  }

  /// A file that the database does not list is parsed with the flags of the most similar one.
  void infer(const fs::path& path, Selection& selection) {
    std::string error;
    auto json = clang::tooling::JSONCompilationDatabase::loadFromFile(
        (folder_ / kDatabase).string(), error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
    const auto guessing = clang::tooling::inferMissingCompileCommands(
        clang::tooling::expandResponseFiles(std::move(json), llvm::vfs::getRealFileSystem()));
    const auto commands = guessing->getCompileCommands(path.string());
    if (commands.empty()) {
      throw UsageError(
          fmt::format("{} is not in {}, and no similar file is: give its flags after --",
                      path.string(), (folder_ / kDatabase).string()));
    }
    CompileCommand entry = converted(commands.front(), folder_);
    entry.file = path;
    selection.remarks.push_back(
        fmt::format("{} is not in {}: parsed with the flags of a similar file", path.string(),
                    (folder_ / kDatabase).string()));
    selection.commands.push_back(std::move(entry));
  }

  void leave_out(const std::regex& expression) {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (std::regex_search(entries_[i].file.string(), expression)) chosen_[i] = false;
  }

  const Options& options_;
  fs::path folder_;
  std::unique_ptr<CompilationDatabase> database_;
  std::vector<CompileCommand> entries_;
  std::vector<bool> chosen_;
};

Selection from_flags(const Options& options) {
  if (options.files.empty()) throw UsageError("no file given: with -- the files come before it");
  Selection selection;
  const fs::path here = fs::current_path();
  for (const std::string& name : options.files) {
    const fs::path file = normalised(name, here);
    std::error_code error;
    if (!fs::is_regular_file(file, error))
      throw UsageError(
          fmt::format("{}: no such file (with -- files are paths, not expressions)", name));
    CompileCommand command{file, here, {file.extension() == ".c" ? "clang" : "clang++"}};
    command.arguments.insert(command.arguments.end(), options.compiler_flags->begin(),
                             options.compiler_flags->end());
    command.arguments.push_back(file.string());
    selection.commands.push_back(std::move(command));
    selection.all_files.push_back(file);
  }
  return selection;
}

/// A build system's own command, which runs in the current folder.
Selection from_compile_line(const Options& options) {
  const fs::path here = fs::current_path();
  const fs::path file = normalised(options.files.front(), here);
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw UsageError(fmt::format("--as-compiler: {}: no such file", file.string()));
  return {{{file, here, *options.compiler_flags}}, {}, {file}, {}};
}

}  // namespace

Options with_compile_line(const Options& options) {
  if (!options.compiler_flags || !options.files.empty() || !options.emit_facts.empty())
    throw UsageError(
        "--as-compiler: give the whole compile command after --; it says where the facts go");
  Options completed = options;
  clang::tooling::addExpandedResponseFiles(*completed.compiler_flags, fs::current_path().string(),
                                           llvm::cl::TokenizeGNUCommandLine,
                                           *llvm::vfs::getRealFileSystem());
  CompileLine line = read_compile_line(*completed.compiler_flags);
  completed.files = {line.file};
  completed.emit_facts = line.output;
  completed.depfile = line.depfile;
  completed.depfile_target = line.target.value_or(line.output);
  return completed;
}

Selection select_commands(const Options& options) {
  if (options.as_compiler) return from_compile_line(options);
  if (options.compiler_flags) return from_flags(options);
  return DatabaseSelector(options, find_database(options)).run();
}

}  // namespace xfer::lint
