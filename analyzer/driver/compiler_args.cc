#include "analyzer/driver/compiler_args.h"

#include <clang/Driver/ToolChain.h>
#include <clang/Options/Options.h>
#include <fmt/format.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>

#include "analyzer/driver/nvcc_args.h"
#include "analyzer/driver/shims.h"
#include "analyzer/driver/toolchain.h"

namespace fs = std::filesystem;

namespace xfer::lint {
namespace {

namespace options = clang::options;

bool is_launcher(const std::string& word) {
  static const std::set<std::string> kLaunchers = {"ccache", "sccache", "distcc", "icecc",
                                                   "buildcache"};
  return kLaunchers.contains(fs::path(word).filename().string());
}

bool is_nvcc(const std::string& compiler) {
  const std::string name = fs::path(compiler).filename().string();
  return name == "nvcc" || name.starts_with("nvcc-") || name == "nvcc_wrapper";
}

bool is_cuda_source(const fs::path& file) { return file.extension() == ".cu"; }

bool is_hip(const fs::path& file, const std::string& compiler) {
  const std::string name = fs::path(compiler).filename().string();
  return file.extension() == ".hip" || name == "hipcc" || name.starts_with("hipcc.");
}

/// Options that steer outputs, code generation or the build, not what the parser sees.
bool is_irrelevant(const llvm::opt::Option& option) {
  static const std::set<unsigned> kDropped = {options::OPT_o,
                                              options::OPT_c,
                                              options::OPT_S,
                                              options::OPT_E,
                                              options::OPT_M,
                                              options::OPT_MM,
                                              options::OPT_MD,
                                              options::OPT_MMD,
                                              options::OPT_MF,
                                              options::OPT_MT,
                                              options::OPT_MQ,
                                              options::OPT_MG,
                                              options::OPT_MP,
                                              options::OPT_MV,
                                              options::OPT_MJ,
                                              options::OPT_fsyntax_only,
                                              options::OPT_include_pch,
                                              options::OPT_save_temps,
                                              options::OPT_save_temps_EQ,
                                              options::OPT_fplugin_EQ,
                                              options::OPT_emit_llvm,
                                              options::OPT_fsanitize_EQ,
                                              options::OPT_fno_sanitize_EQ,
                                              options::OPT_gsplit_dwarf,
                                              options::OPT_gsplit_dwarf_EQ,
                                              options::OPT_coverage,
                                              options::OPT_resource_dir,
                                              options::OPT_ferror_limit_EQ,
                                              options::OPT_w,
                                              options::OPT_v,
                                              options::OPT__HASH_HASH_HASH,
                                              options::OPT_fcolor_diagnostics,
                                              options::OPT_fdiagnostics_color_EQ,
                                              options::OPT_l,
                                              options::OPT_L,
                                              options::OPT_Wl_COMMA,
                                              options::OPT_z,
                                              options::OPT_Xlinker,
                                              options::OPT_shared,
                                              options::OPT_r,
                                              options::OPT_pipe,
                                              options::OPT_fpch_preprocess};
  for (const unsigned id : kDropped)
    if (option.matches(id)) return true;
  return option.matches(options::OPT_W_Group) || option.matches(options::OPT_R_Group) ||
         option.matches(options::OPT_flto_EQ) || option.matches(options::OPT_pedantic_Group);
}

/// -Xclang -include-pch -Xclang FILE and plug-ins: of another Clang, or not wanted. True: drop it.
class XclangFilter {
 public:
  bool drops(llvm::StringRef value) {
    if (drop_next_) {
      drop_next_ = false;
      return true;
    }
    if (value == "-include-pch" || value == "-load" || value == "-plugin" ||
        value == "-add-plugin") {
      drop_next_ = true;
      return true;
    }
    return value.starts_with("-plugin-arg") || value.starts_with("-emit-pch") ||
           value.starts_with("-fpch");
  }

 private:
  bool drop_next_ = false;
};

class HostTranslator {
 public:
  HostTranslator(ParseCommand& out) : out_(out) {}

  void translate(const std::vector<std::string>& words) {
    const llvm::opt::OptTable& table = clang::getDriverOptTable();
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    unsigned missing_index = 0, missing_count = 0;
    const llvm::opt::InputArgList parsed = table.ParseArgs(
        pointers, missing_index, missing_count, llvm::opt::Visibility(options::ClangOption));
    XclangFilter xclang;
    for (const llvm::opt::Arg* arg : parsed) {
      const llvm::opt::Option& option = arg->getOption();
      if (option.matches(options::OPT_INPUT)) continue;
      if (option.matches(options::OPT_UNKNOWN)) {
        out_.dropped.push_back(arg->getAsString(parsed));
        continue;
      }
      if (is_irrelevant(option)) continue;
      if (option.matches(options::OPT_Xclang) && xclang.drops(arg->getValue())) continue;
      append(*arg, parsed);
    }
  }

 private:
  void append(const llvm::opt::Arg& arg, const llvm::opt::InputArgList& parsed) {
    const llvm::opt::Option& option = arg.getOption();
    if (option.matches(options::OPT_I) || option.matches(options::OPT_isystem) ||
        option.matches(options::OPT_iquote) || option.matches(options::OPT_idirafter)) {
      // GCC reads -isystem=/dir as the folder "/dir" of the sysroot; build tools mean /dir.
      llvm::StringRef folder = arg.getValue();
      folder.consume_front("=");
      out_.arguments.push_back(option.getPrefixedName().str());
      out_.arguments.push_back(absolute(folder));
    } else if (option.matches(options::OPT_include) || option.matches(options::OPT_imacros)) {
      const std::string full = absolute(arg.getValue());
      out_.arguments.push_back(option.getPrefixedName().str());
      out_.arguments.push_back(fs::exists(full) ? full : arg.getValue());
    } else {
      llvm::opt::ArgStringList rendered;
      arg.render(parsed, rendered);
      out_.arguments.insert(out_.arguments.end(), rendered.begin(), rendered.end());
    }
  }

  std::string absolute(llvm::StringRef path) const {
    return (out_.directory / path.str()).lexically_normal().string();
  }

  ParseCommand& out_;
};

// cuda.h's CUDA_VERSION as Clang writes it: 13.0 of 13000. Empty: there is none.
std::string version_of_headers(const fs::path& toolkit) {
  std::ifstream file(toolkit / "include" / "cuda.h");
  constexpr std::string_view kDefine = "#define CUDA_VERSION ";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kDefine)) continue;
    const int number = std::atoi(line.c_str() + kDefine.size());
    return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
  }
  return {};
}

// Of a toolkit that is headers alone, as pip installs them: Clang takes none without programs.
void add_cuda_headers(std::vector<std::string>& out, const fs::path& toolkit,
                      const fs::path& resource_dir) {
  out.insert(
      out.end(),
      {"-nocudainc", "-isystem", (resource_dir / "include" / "cuda_wrappers").string(), "-isystem",
       (toolkit / "include").string(), "-include", "__clang_cuda_runtime_wrapper.h"});
  // How a kernel is launched depends on it.
  if (const std::string version = version_of_headers(toolkit); !version.empty())
    out.insert(out.end(), {"-Xclang", "-target-sdk-version=" + version});
}

void add_cuda(ParseCommand& command, const std::string& compiler, const Toolchain& toolchain) {
  const auto has = [&](std::string_view prefix) {
    return std::ranges::any_of(command.arguments,
                               [&](const std::string& word) { return word.starts_with(prefix); });
  };
  auto& out = command.arguments;
  out.insert(out.end(), {"-x", "cuda", "--cuda-host-only", "-nocudalib"});
  if (!has("--cuda-gpu-arch") && !has("--offload-arch")) out.push_back("--cuda-gpu-arch=sm_80");
  if (has("-nocudainc")) return;
  const auto toolkit =
      has("--cuda-path") ? std::nullopt : cuda_toolkit(toolchain.cuda_path, compiler);
  if (toolkit) {
    if (fs::exists(*toolkit / "bin"))
      out.push_back("--cuda-path=" + toolkit->string());
    else
      add_cuda_headers(out, *toolkit, toolchain.resource_dir);
    const fs::path cccl = *toolkit / "include" / "cccl";
    if (fs::exists(cccl)) out.insert(out.end(), {"-isystem", cccl.string()});
    out.insert(out.end(), {"-include", fmt::format("{}/{}", kShimFolder, kCudaLegacyHeader)});
  }
}

void add_hip(ParseCommand& command) {
  // The headers of ROCm before 7 ask for it on the host too, and Clang tells it no more.
  command.arguments.insert(command.arguments.end(), {"-x", "hip", "--cuda-host-only", "-nogpulib",
                                                     "-D__AMDGCN_WAVEFRONT_SIZE=64"});
}

}  // namespace

ParseCommand translate_command(const CompileCommand& command, const Toolchain& toolchain) {
  ParseCommand result;
  result.file = command.file;
  result.directory = command.directory;
  std::size_t first = 0;
  while (first + 1 < command.arguments.size() && is_launcher(command.arguments[first])) ++first;
  const std::string compiler = command.arguments.empty() ? "clang++" : command.arguments[first];
  std::vector<std::string> words;
  if (!command.arguments.empty())
    words.assign(command.arguments.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                 command.arguments.end());
  const bool hip = is_hip(command.file, compiler);
  result.cuda = hip || is_cuda_source(command.file) || is_nvcc(compiler);

  const auto target = clang::driver::ToolChain::getTargetAndModeFromProgramName(
      fs::path(compiler).filename().string());
  const bool cxx = result.cuda || compiler.find("++") != std::string::npos ||
                   target.ModeSuffix.find("++") != std::string::npos ||
                   command.file.extension() != ".c";
  result.arguments.push_back(cxx ? "clang++" : "clang");
  if (llvm::Triple(target.TargetPrefix).getArch() != llvm::Triple::UnknownArch)
    result.arguments.push_back("--target=" + target.TargetPrefix);

  HostTranslator host(result);
  if (is_nvcc(compiler)) {
    NvccTranslation nvcc = translate_nvcc(words, command.directory);
    host.translate(nvcc.arguments);
    host.translate(nvcc.host_arguments);
  } else {
    host.translate(words);
  }
  if (hip)
    add_hip(result);
  else if (result.cuda)
    add_cuda(result, is_nvcc(compiler) ? compiler : "", toolchain);

  auto& out = result.arguments;
  if (toolchain.library) {
    const auto added = with_library_headers(*toolchain.library, out);
    out.insert(out.end(), added.begin(), added.end());
  }
  // -w leaves on what Clang makes an error by itself, narrowing for one, which GCC compiles.
  // A name that is not declared must not become another one that is spelled like it.
  out.insert(out.end(),
             {"-fsyntax-only", "-w", "-Wno-everything", "-Qunused-arguments", "-ferror-limit=0",
              "-fno-spell-checking", "-resource-dir=" + toolchain.resource_dir.string()});
  out.insert(out.end(), {"-idirafter", std::string(kShimFolder)});
  if (!toolchain.gcc_include.empty())
    out.insert(out.end(), {"-idirafter", toolchain.gcc_include.string()});
  return result;
}

std::vector<fs::path> include_folders(const ParseCommand& command) {
  std::vector<fs::path> folders;
  for (const std::string_view option : {"-iquote", "-I", "-isystem"})
    for (std::size_t i = 0; i + 1 < command.arguments.size(); ++i)
      if (command.arguments[i] == option) folders.emplace_back(command.arguments[i + 1]);
  return folders;
}

}  // namespace xfer::lint
