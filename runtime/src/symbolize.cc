#include "xfer/symbolize.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "function_name.h"
#include "python_calls.h"
#include "regular_file.h"

namespace xfer {
namespace {

// Where separate debug files are looked for: beside the module, in .debug there, in the folders
// given and where systems have them; in absolute ones by build id too.
std::string debug_path(const std::filesystem::path& debug_folder) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(debug_folder, error);
  return ":.debug" + (debug_folder.empty() ? "" : ":" + absolute.string()) + ":/usr/lib/debug";
}

// The debug file of a build id, as packages install them.
std::filesystem::path by_build_id(const std::filesystem::path& folder, const std::string& id) {
  if (folder.empty() || id.size() < 4) return {};
  return folder / ".build-id" / id.substr(0, 2) / (id.substr(2) + ".debug");
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

constexpr std::string_view kNvccSuffix = ".cudafe1.cpp";

bool is_made_by_nvcc(std::string_view path) {
  return path.substr(path.rfind('/') + 1).starts_with("tmpxft_") && path.ends_with(kNvccSuffix);
}

// nvcc gives what it generates from NAME.cu the name tmpxft_<pid>_<n>-<n>_NAME.cudafe1.cpp (with
// several architectures NAME.compute_90.cudafe1.cpp), in the temporary folder, and functions
// defined in a class keep it although their lines are those of NAME.cu.
std::string unmangle_nvcc_file(const std::string& file, Dwarf_Files* files, std::size_t count,
                               const char* compilation_folder) {
  if (!is_made_by_nvcc(file)) return file;
  const std::string name = base_name(file);
  const std::size_t dash = name.find('-');
  const std::size_t underscore = name.find('_', dash == std::string::npos ? 0 : dash);
  if (underscore == std::string::npos) return file;
  std::string source =
      name.substr(underscore + 1, name.size() - kNvccSuffix.size() - underscore - 1);
  if (const std::size_t dot = source.rfind('.');
      dot != std::string::npos && source.compare(dot, 9, ".compute_") == 0)
    source.resize(dot);
  source += ".cu";
  for (std::size_t i = 0; i < count; ++i) {
    const char* candidate = dwarf_filesrc(files, i, nullptr, nullptr);
    if (candidate != nullptr && base_name(candidate) == source) return candidate;
  }
  return compilation_folder != nullptr ? std::string(compilation_folder) + "/" + source : source;
}

struct Range {
  Dwarf_Addr begin;
  Dwarf_Addr end;
  Dwarf_Off unit;
};

/// The debug information of one module.
class ModuleSymbols {
 public:
  ModuleSymbols(const TraceModule& module, const std::filesystem::path& debug_folder)
      : path_(module.path), debug_folder_(debug_folder), debug_path_(debug_path(debug_folder)) {
    open(module);
  }
  ~ModuleSymbols() {
    if (dwfl_ != nullptr) dwfl_end(dwfl_);
  }
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;

  const std::string& problem() const { return problem_; }

  std::vector<SymbolFrame> frames(std::uint64_t address) {
    std::vector<SymbolFrame> frames;
    if (dwarf_ != nullptr) add_dwarf_frames(address - bias_, frames);
    if (frames.empty()) {
      SymbolFrame frame;
      if (module_ != nullptr)
        if (const char* symbol = dwfl_module_addrname(module_, address))
          frame.location.function = function_name(symbol);
      frames.push_back(std::move(frame));
    }
    for (SymbolFrame& frame : frames) frame.module = path_;
    return frames;
  }

 private:
  void open(const TraceModule& module) {
    if (path_.empty() || path_[0] != '/') return;  // vdso, or an unnamed mapping
    std::string file = path_;
    int descriptor = open_regular_file(file.c_str());
    if (descriptor < 0) {
      // A debug file alone has all that is wanted.
      file = by_build_id(debug_folder_, module.build_id).string();
      if (!file.empty()) descriptor = open_regular_file(file.c_str());
    }
    if (descriptor < 0) {
      problem_ = path_ + " is gone: its calls have no names";
      return;
    }
    callbacks_.find_elf = dwfl_build_id_find_elf;
    callbacks_.find_debuginfo = dwfl_standard_find_debuginfo;
    callbacks_.section_address = dwfl_offline_section_address;
    callbacks_.debuginfo_path = &debug_path_pointer_;
    dwfl_ = dwfl_begin(&callbacks_);
    if (dwfl_ == nullptr) {
      ::close(descriptor);
      return;
    }
    dwfl_report_begin(dwfl_);
    module_ = dwfl_report_elf(dwfl_, file.c_str(), file.c_str(), descriptor, 0, true);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    if (module_ == nullptr) {
      ::close(descriptor);
      problem_ = path_ + " cannot be read: " + dwfl_errmsg(-1);
      return;
    }
    if (!module.build_id.empty() && build_id() != module.build_id) {
      problem_ = path_ + " has changed since the trace was recorded: its calls have no names";
      module_ = nullptr;
      return;
    }
    dwarf_ = dwfl_module_getdwarf(module_, &bias_);
    if (dwarf_ != nullptr) list_units();
  }

  std::string build_id() const {
    GElf_Addr unused = 0;
    Dwfl_Module* module = module_;
    const unsigned char* bits = nullptr;
    dwfl_module_getelf(module, &unused);
    const int size = dwfl_module_build_id(module, &bits, &unused);
    std::string hex;
    for (int i = 0; i < size; ++i) {
      hex += "0123456789abcdef"[bits[i] >> 4];
      hex += "0123456789abcdef"[bits[i] & 15];
    }
    return hex;
  }

  // Not every compiler writes .debug_aranges, so the units' own ranges are collected.
  void list_units() {
    Dwarf_Off offset = 0;
    Dwarf_Off next = 0;
    std::size_t header = 0;
    while (dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
      Dwarf_Die unit;
      if (dwarf_offdie(dwarf_, offset + header, &unit) != nullptr) {
        Dwarf_Addr base = 0;
        Dwarf_Addr begin = 0;
        Dwarf_Addr end = 0;
        std::ptrdiff_t at = 0;
        while ((at = dwarf_ranges(&unit, at, &base, &begin, &end)) > 0)
          if (begin < end) ranges_.push_back({begin, end, offset + header});
      }
      offset = next;
    }
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
  }

  bool find_unit(Dwarf_Addr address, Dwarf_Die* unit) {
    auto next =
        std::upper_bound(ranges_.begin(), ranges_.end(), address,
                         [](Dwarf_Addr value, const Range& range) { return value < range.begin; });
    return next != ranges_.begin() && address < (--next)->end &&
           dwarf_offdie(dwarf_, next->unit, unit) != nullptr;
  }

  void add_dwarf_frames(Dwarf_Addr address, std::vector<SymbolFrame>& frames) {
    Dwarf_Die unit;
    if (!find_unit(address, &unit)) return;
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    dwarf_getsrcfiles(&unit, &files, &file_count);
    Dwarf_Attribute folder_attribute;
    const char* folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &folder_attribute));
    // The lines are the source's, the columns are those of the text that nvcc made from it.
    const char* unit_name = dwarf_diename(&unit);
    const bool has_columns = unit_name == nullptr || !is_made_by_nvcc(unit_name);
    const auto place = [&](const char* file, unsigned line, unsigned column) {
      Location location;
      if (file != nullptr) {
        location.file = unmangle_nvcc_file(file, files, file_count, folder);
        if (location.file[0] != '/' && folder != nullptr)
          location.file = std::string(folder) + "/" + location.file;
      }
      location.line = line;
      location.column = has_columns ? column : 0;
      return location;
    };

    Location here;
    if (Dwarf_Line* line = dwarf_getsrc_die(&unit, address)) {
      int number = 0;
      int column = 0;
      dwarf_lineno(line, &number);
      dwarf_linecol(line, &column);
      here = place(dwarf_linesrc(line, nullptr, nullptr), static_cast<unsigned>(number),
                   static_cast<unsigned>(column));
    }

    // The innermost scope's chain of concrete entries: each inlined call knows where it was called.
    Dwarf_Die* inner = nullptr;
    const int inner_count = dwarf_getscopes(&unit, address, &inner);
    Dwarf_Die* scopes = nullptr;
    const int count = inner_count > 0 ? dwarf_getscopes_die(&inner[0], &scopes) : 0;
    for (int i = 0; i < count; ++i) {
      const int tag = dwarf_tag(&scopes[i]);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      SymbolFrame frame;
      frame.location = here;
      frame.location.function = name_of(scopes[i]);
      frames.push_back(std::move(frame));
      if (tag == DW_TAG_subprogram) break;
      const Dwarf_Word file = number_of(scopes[i], DW_AT_call_file);
      here = place(file < file_count ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr,
                   static_cast<unsigned>(number_of(scopes[i], DW_AT_call_line)),
                   static_cast<unsigned>(number_of(scopes[i], DW_AT_call_column)));
    }
    free(scopes);
    free(inner);
    if (frames.empty() && !here.file.empty()) {
      SymbolFrame frame;
      frame.location = here;
      if (const char* symbol = dwfl_module_addrname(module_, address + bias_))
        frame.location.function = function_name(symbol);
      frames.push_back(std::move(frame));
    }
  }

  static std::string name_of(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    for (const unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
      if (const char* name = dwarf_formstring(dwarf_attr_integrate(&die, kind, &attribute)))
        return function_name(name);
    const char* name = dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attribute));
    return name != nullptr ? name : "";
  }

  static Dwarf_Word number_of(Dwarf_Die& die, unsigned kind) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(&die, kind, &attribute), &value);
    return value;
  }

  std::string path_;
  std::filesystem::path debug_folder_;
  std::string debug_path_;
  char* debug_path_pointer_ = debug_path_.data();
  Dwfl_Callbacks callbacks_{};
  std::string problem_;
  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  Dwarf_Addr bias_ = 0;
  std::vector<Range> ranges_;
};

}  // namespace

struct Symbolizer::State {
  std::filesystem::path project_root;
  std::filesystem::path debug_folder;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ModuleSymbols>> modules;
  std::map<std::pair<ModuleSymbols*, std::uint64_t>, std::vector<SymbolFrame>> known;
  std::vector<std::string> problems;
};

Symbolizer::Symbolizer(const std::filesystem::path& project_root,
                       const std::filesystem::path& debug_folder)
    : state_(std::make_unique<State>()) {
  state_->project_root = project_root;
  state_->debug_folder = debug_folder;
}
Symbolizer::~Symbolizer() = default;

const std::vector<SymbolFrame>& Symbolizer::frames(const TraceModule* module,
                                                   std::uint64_t return_address) {
  ModuleSymbols* symbols = nullptr;
  if (module != nullptr) {
    auto& entry = state_->modules[{module->path, module->build_id}];
    if (entry == nullptr) {
      entry = std::make_unique<ModuleSymbols>(*module, state_->debug_folder);
      if (!entry->problem().empty()) state_->problems.push_back(entry->problem());
    }
    symbols = entry.get();
  }
  const auto [entry, is_new] = state_->known.try_emplace({symbols, return_address});
  if (is_new) {
    // The call is the instruction before the one that it returns to.
    if (symbols != nullptr)
      entry->second = symbols->frames(return_address - 1);
    else
      entry->second.emplace_back();
    for (SymbolFrame& frame : entry->second) frame.kind = frame_kind(frame, state_->project_root);
  }
  return entry->second;
}

/// nvcc's, of a kernel: "__device_stub__", and of a template "__wrapper__device_stub_". It is
/// called by a host function with the kernel's name and place.
static bool is_stub(const SymbolFrame& frame) {
  return frame.location.function.find("device_stub_") != std::string::npos;
}

std::vector<SymbolFrame> Symbolizer::stack(const Trace& trace, std::uint32_t site) {
  std::vector<SymbolFrame> stack;
  PythonCalls python(trace, site, state_->project_root);
  for (const TraceFrame& frame : trace.stack(site)) {
    const auto& found = frames(trace.module(frame.module), frame.address);
    if (python.take(found, stack)) continue;
    for (const SymbolFrame& next : found) {
      const bool is_kernel = !stack.empty() && is_stub(stack.back());
      stack.push_back(next);
      if (is_kernel) stack.back().kind = FrameKind::kInternal;
    }
  }
  python.take_rest(stack);
  return stack;
}

const std::vector<std::string>& Symbolizer::problems() const { return state_->problems; }

}  // namespace xfer
