#include "analyzer/driver/nvcc_args.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

/// An option of nvcc and what becomes of its value.
struct Kept {
  std::string_view name;
  std::string_view clang;  ///< the option for Clang, which takes the value as the next argument
};

constexpr auto kKept = std::to_array<Kept>({{"-I", "-I"},
                                            {"--include-path", "-I"},
                                            {"-isystem", "-isystem"},
                                            {"--system-include", "-isystem"},
                                            {"-iquote", "-iquote"},
                                            {"-idirafter", "-idirafter"},
                                            {"-D", "-D"},
                                            {"--define-macro", "-D"},
                                            {"-U", "-U"},
                                            {"--undefine-macro", "-U"},
                                            {"-include", "-include"},
                                            {"--pre-include", "-include"},
                                            {"-imacros", "-imacros"}});

/// Options that take their value as the next word and do not matter to a parse. The word must go
/// with them: it may look like an option or a file.
constexpr auto kDroppedWithValue =
    std::to_array<std::string_view>({"-o",
                                     "--output-file",
                                     "-odir",
                                     "--output-directory",
                                     "-ccbin",
                                     "--compiler-bindir",
                                     "-gencode",
                                     "--generate-code",
                                     "-arch",
                                     "--gpu-architecture",
                                     "-code",
                                     "--gpu-code",
                                     "-Xptxas",
                                     "--ptxas-options",
                                     "-Xnvlink",
                                     "--nvlink-options",
                                     "-Xlinker",
                                     "--linker-options",
                                     "-Xarchive",
                                     "--archive-options",
                                     "-Xcudafe",
                                     "-t",
                                     "--threads",
                                     "-maxrregcount",
                                     "--maxrregcount",
                                     "-MF",
                                     "--dependency-output",
                                     "-MT",
                                     "--dependency-target-name",
                                     "-MQ",
                                     "-cudart",
                                     "--cudart",
                                     "-rdc",
                                     "--relocatable-device-code",
                                     "-l",
                                     "--library",
                                     "-L",
                                     "--library-path",
                                     "-diag-suppress",
                                     "--diag-suppress",
                                     "-diag-error",
                                     "--diag-error",
                                     "-diag-warn",
                                     "--diag-warn",
                                     "-Werror",
                                     "--Werror",
                                     "-prec-div",
                                     "--prec-div",
                                     "-prec-sqrt",
                                     "--prec-sqrt",
                                     "-ftz",
                                     "--ftz",
                                     "-fmad",
                                     "--fmad",
                                     "-std-lib",
                                     "-x",
                                     "--x",
                                     "-m",
                                     "--machine",
                                     "-keep-dir",
                                     "--keep-dir",
                                     "-idp",
                                     "--dependency-drive-prefix",
                                     "-ddp",
                                     "-dp",
                                     "-target-dir",
                                     "--target-directory",
                                     "-split-compile",
                                     "--split-compile",
                                     "-jump-table-density",
                                     "-cudadevrt",
                                     "--cudadevrt",
                                     "-libdevice-directory",
                                     "-ldir",
                                     "-nvvm-options",
                                     "-Xopencc",
                                     "-allow-unsupported-compiler-version",
                                     "-time",
                                     "--time",
                                     "-fatbin-options",
                                     "-Xfatbin",
                                     "-dir",
                                     "-run-args",
                                     "--run-args",
                                     "-opt-level",
                                     "--optimize",
                                     "-profile-dir"});

bool takes_dropped_value(std::string_view name) {
  for (const std::string_view option : kDroppedWithValue)
    if (option == name) return true;
  return false;
}

/// Options of nvcc's own that begin as options for the host compiler do.
bool is_dropped(std::string_view word) {
  return word.starts_with("-forward-") || word == "-fatbin";
}

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> words_of_file(const fs::path& file) {
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

class NvccTranslator {
 public:
  explicit NvccTranslator(const fs::path& directory) : directory_(directory) {}

  void translate(const std::vector<std::string>& words, int depth = 0) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      const std::string* next = i + 1 < words.size() ? &words[i + 1] : nullptr;
      if (word.starts_with('@') && depth < 8) {
        translate(words_of_file(directory_ / word.substr(1)), depth + 1);
      } else if (!word.starts_with('-') || word == "-") {
        continue;
      } else if (keep(word, next, i) || language(word, next, i) || host(word, next, i) ||
                 option_file(word, next, i, depth) || feature(word, next, i)) {
        continue;
      } else if (takes_dropped_value(word)) {
        if (next != nullptr) ++i;
      } else if (takes_dropped_value(word.substr(0, word.find('='))) || is_dropped(word)) {
        continue;
      } else if (word.starts_with("-f") || (word.starts_with("-m") && word != "-m64") ||
                 word.starts_with("-pthread")) {
        result_.host_arguments.push_back(word);
      }
    }
  }

  NvccTranslation take() { return std::move(result_); }

 private:
  /// The value of option `name` at `word`: after =, joined, or the next word.
  static std::optional<std::string> value(std::string_view word, std::string_view name,
                                          const std::string* next, std::size_t& i, bool joined) {
    if (word == name) {
      if (next == nullptr) return std::nullopt;
      ++i;
      return *next;
    }
    if (!word.starts_with(name)) return std::nullopt;
    word.remove_prefix(name.size());
    if (word.starts_with('=')) return std::string(word.substr(1));
    if (joined) return std::string(word);
    return std::nullopt;
  }

  bool keep(const std::string& word, const std::string* next, std::size_t& i) {
    for (const Kept& option : kKept) {
      const bool joined = option.name.size() == 2 || option.name.starts_with("-i");
      if (option.name == "-include" && word.starts_with("-include-")) continue;
      const auto text = value(word, option.name, next, i, joined);
      if (!text) continue;
      const bool path = option.clang != "-D" && option.clang != "-U";
      const bool list =
          path && text->find(',') != std::string::npos && !fs::exists(directory_ / *text);
      for (const std::string& part : list ? split_commas(*text) : std::vector{*text}) {
        result_.arguments.emplace_back(option.clang);
        result_.arguments.push_back(part);
      }
      return true;
    }
    return false;
  }

  bool language(const std::string& word, const std::string* next, std::size_t& i) {
    for (const std::string_view name : {"--std", "-std"}) {
      if (const auto text = value(word, name, next, i, false)) {
        result_.arguments.push_back("-std=" + *text);
        return true;
      }
    }
    return false;
  }

  bool host(const std::string& word, const std::string* next, std::size_t& i) {
    for (const std::string_view name : {"-Xcompiler", "--compiler-options"}) {
      if (const auto text = value(word, name, next, i, false)) {
        for (std::string& part : split_commas(*text))
          if (!part.empty()) result_.host_arguments.push_back(std::move(part));
        return true;
      }
    }
    return false;
  }

  bool option_file(const std::string& word, const std::string* next, std::size_t& i, int depth) {
    for (const std::string_view name : {"--options-file", "-optf"}) {
      if (const auto text = value(word, name, next, i, false)) {
        if (depth < 8)
          for (const std::string& file : split_commas(*text))
            translate(words_of_file(directory_ / file), depth + 1);
        return true;
      }
    }
    return false;
  }

  /// Options that headers see as macros.
  bool feature(const std::string& word, const std::string* next, std::size_t& i) {
    const auto define = [&](std::string macro) {
      result_.arguments.push_back("-D" + std::move(macro));
      return true;
    };
    if (word == "--extended-lambda" || word == "-extended-lambda" ||
        word == "--expt-extended-lambda" || word == "-expt-extended-lambda")
      return define("__CUDACC_EXTENDED_LAMBDA__");
    if (word == "--expt-relaxed-constexpr" || word == "-expt-relaxed-constexpr")
      return define("__CUDACC_RELAXED_CONSTEXPR__");
    for (const std::string_view name : {"--default-stream", "-default-stream"}) {
      if (const auto text = value(word, name, next, i, false))
        return *text != "per-thread" || define("CUDA_API_PER_THREAD_DEFAULT_STREAM");
    }
    return false;
  }

  const fs::path& directory_;
  NvccTranslation result_;
};

}  // namespace

NvccTranslation translate_nvcc(const std::vector<std::string>& arguments,
                               const fs::path& directory) {
  NvccTranslator translator(directory);
  translator.translate(arguments);
  return translator.take();
}

}  // namespace xfer::lint
