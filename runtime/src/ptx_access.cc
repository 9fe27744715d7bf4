#include "ptx_access.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace xfer {
namespace {

using std::string_view;

/// What a register may hold: bit i, an address made from parameter i.
using Origins = std::uint64_t;
constexpr Origins kLoaded = Origins{1} << 63;  ///< came from memory, or is not understood
constexpr Origins kVariable = Origins{1}
                              << 62;  ///< an address of a variable: global, shared, local
constexpr std::size_t kMostParameters = 62;
constexpr std::size_t kMostRounds = 64;

// Functions that touch nothing of the program's.
constexpr auto kHarmlessCalls =
    std::to_array<string_view>({"vprintf", "__assertfail", "__internal_trig_reduction_slowpathd",
                                "__internal_trig_reduction_slowpath"});

// Their first operand is made from the others, but is no address.
constexpr auto kMakesNoAddress = std::to_array<string_view>(
    {"mul",   "mul24", "div",  "rem",  "shl",   "setp",    "set",   "popc",       "clz",
     "bfind", "brev",  "cnot", "neg",  "abs",   "sqrt",    "rsqrt", "rcp",        "sin",
     "cos",   "ex2",   "lg2",  "tanh", "fma",   "testp",   "vote",  "activemask", "match",
     "dp4a",  "dp2a",  "sad",  "mma",  "wgmma", "copysign"});

constexpr auto kNoMemory = std::to_array<string_view>(
    {"bar", "barrier", "membar", "fence", "bra", "brx", "ret", "exit", "trap", "brkpt", "nanosleep",
     "griddepcontrol", "pmevent", "prefetch", "prefetchu", "isspacep", "applypriority",
     "setmaxnreg", "elect"});

template <std::size_t N>
bool is_one_of(string_view word, const std::array<string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

string_view trim(string_view text) {
  constexpr string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

string_view name_at(string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_name_char(text[end])) ++end;
  return text.substr(0, end);
}

struct Instruction {
  string_view operation;  ///< "ld"
  string_view suffixes;   ///< ".global.u64"
  std::vector<string_view> operands;

  bool has(string_view suffix) const {
    for (std::size_t at = suffixes.find(suffix); at != string_view::npos;
         at = suffixes.find(suffix, at + 1)) {
      const std::size_t end = at + suffix.size();
      if (end == suffixes.size() || suffixes[end] == '.' || suffixes[end] == ':') return true;
    }
    return false;
  }
  bool is_wide() const {
    return has(".u64") || has(".b64") || has(".s64") || has(".f64") || has(".b128");
  }
};

// "{%r1, %r2}", "[%rd1+4]" and names are one operand each.
std::vector<string_view> split_operands(string_view text) {
  std::vector<string_view> operands;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '{' || c == '[' || c == '(') ++depth;
    if (c == '}' || c == ']' || c == ')') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    if (const string_view operand = trim(text.substr(begin, i - begin)); !operand.empty())
      operands.push_back(operand);
    begin = i + 1;
  }
  return operands;
}

/// Calls `use` with each register or symbol that a text names.
template <class Use>
void for_each_name(string_view text, Use use) {
  for (std::size_t i = 0; i < text.size();) {
    const string_view name = name_at(text.substr(i));
    if (!name.empty() && !(name[0] >= '0' && name[0] <= '9')) use(name);
    i += std::max<std::size_t>(name.size(), 1);
  }
}

/// `at`, or where the comments end that begin there.
std::size_t end_of_comment(string_view text, std::size_t at) {
  while (true) {
    const string_view rest = text.substr(at, 2);
    std::size_t end = string_view::npos;
    if (rest == "//")
      end = text.find('\n', at);
    else if (rest == "/*")
      end = text.find("*/", at + 2);
    else
      return at;
    if (end == string_view::npos) return text.size();
    at = end + (rest == "//" ? 1 : 2);
  }
}

/// The text of one kernel: its parameters' names and its body.
struct KernelText {
  std::vector<string_view> parameters;
  string_view body;
};

std::size_t find_entry(string_view ptx, string_view kernel) {
  constexpr string_view kEntry = ".entry";
  for (std::size_t at = ptx.find(kEntry); at != string_view::npos;
       at = ptx.find(kEntry, at + kEntry.size())) {
    const string_view rest = ptx.substr(at + kEntry.size(), kernel.size() + 16);
    const std::size_t begin = rest.find_first_not_of(" \t\r\n");
    if (begin != string_view::npos && name_at(rest.substr(begin)) == kernel)
      return at + kEntry.size() + begin + kernel.size();
  }
  return string_view::npos;
}

std::optional<KernelText> find_text(string_view ptx, string_view kernel) {
  std::size_t at = find_entry(ptx, kernel);
  if (at == string_view::npos) return std::nullopt;
  KernelText text;
  const std::size_t open = ptx.find_first_of("({;", at);
  if (open == string_view::npos) return std::nullopt;
  at = open;
  if (ptx[open] == '(') {
    const std::size_t close = ptx.find(')', open);
    if (close == string_view::npos) return std::nullopt;
    for (const string_view parameter : split_operands(ptx.substr(open + 1, close - open - 1))) {
      const string_view name = parameter.substr(parameter.find_last_of(" \t\r\n") + 1);
      text.parameters.push_back(name.substr(0, name.find('[')));
    }
    at = ptx.find_first_of("{;", close);
  }
  if (at == string_view::npos || ptx[at] != '{') return std::nullopt;
  int depth = 0;
  for (std::size_t i = at; i < ptx.size(); ++i) {
    i = end_of_comment(ptx, i);
    if (i >= ptx.size()) break;
    if (ptx[i] == '{') ++depth;
    if (ptx[i] == '}' && --depth == 0) {
      text.body = ptx.substr(at + 1, i - at - 1);
      return text;
    }
  }
  return std::nullopt;
}

/// The text's __managed__ variables, which the host sees as well:
/// ".global .attribute(.managed) .align 4 .u32 counts[8];".
std::unordered_set<string_view> managed_variables(string_view ptx) {
  constexpr string_view kManaged = ".managed";
  std::unordered_set<string_view> names;
  for (std::size_t at = ptx.find(kManaged); at != string_view::npos;
       at = ptx.find(kManaged, at + kManaged.size())) {
    const std::size_t end = std::min(ptx.find_first_of(";=[{", at), ptx.size());
    const string_view declaration = trim(ptx.substr(at, end - at));
    names.insert(declaration.substr(declaration.find_last_of(" \t\r\n)") + 1));
  }
  return names;
}

std::string without_comments(string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = end_of_comment(text, i);
    out += end == i ? text[i] : '\n';
    i = std::max(end, i + 1);
  }
  return out;
}

std::vector<Instruction> instructions_of(string_view body) {
  std::vector<Instruction> instructions;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find(';'), body.size());
    string_view text = trim(body.substr(0, end));
    body.remove_prefix(std::min(end + 1, body.size()));
    // Blocks, labels, line marks and predicates stand before the instruction.
    while (!text.empty()) {
      const string_view name = name_at(text);
      const string_view after = trim(text.substr(name.size()));
      if (text[0] == '{' || text[0] == '}') {
        text = trim(text.substr(1));
      } else if (text.starts_with(".loc") || text.starts_with(".pragma")) {
        const std::size_t line = text.find('\n');
        text = line == string_view::npos ? string_view() : trim(text.substr(line));
      } else if (text[0] == '@') {
        const std::size_t space = text.find_first_of(" \t\n");
        text = space == string_view::npos ? string_view() : trim(text.substr(space));
      } else if (!name.empty() && after.starts_with(':') && !after.starts_with("::")) {
        text = trim(after.substr(1));
      } else {
        break;
      }
    }
    const string_view word = name_at(text);
    if (word.empty() || word[0] == '.') continue;  // a declaration
    Instruction instruction;
    const std::size_t dot = std::min(word.find('.'), word.size());
    instruction.operation = word.substr(0, dot);
    // ".level::eviction" and the like have colons, which names have not.
    const std::size_t space = std::min(text.find_first_of(" \t\n"), text.size());
    instruction.suffixes = text.substr(dot, space - dot);
    instruction.operands = split_operands(text.substr(space));
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

class Analysis {
 public:
  Analysis(const KernelText& text, const std::unordered_set<string_view>& managed)
      : body_(without_comments(text.body)), instructions_(instructions_of(body_)) {
    for (std::size_t i = 0; i < text.parameters.size(); ++i) parameters_[text.parameters[i]] = i;
    access_.written.resize(text.parameters.size());
    access_.parameters_only = managed.empty() || !names_one_of(managed);
  }

  std::optional<KernelAccess> run() {
    if (parameters_.size() > kMostParameters) return std::nullopt;
    std::size_t rounds = 0;
    do {
      changed_ = false;
      for (const Instruction& instruction : instructions_)
        if (!follow(instruction)) return std::nullopt;
    } while (changed_ && ++rounds < kMostRounds);
    if (changed_) return std::nullopt;
    for (const Instruction& instruction : instructions_)
      if (!judge(instruction)) return std::nullopt;
    return access_;
  }

 private:
  bool names_one_of(const std::unordered_set<string_view>& names) const {
    bool found = false;
    for (const Instruction& instruction : instructions_)
      for (const string_view operand : instruction.operands)
        for_each_name(operand, [&](string_view name) { found = found || names.contains(name); });
    return found;
  }
  static bool is_load(const Instruction& i) {
    return i.operation == "ld" || i.operation == "ldu" || i.operation == "ldmatrix" ||
           (i.operation == "wmma" && i.has(".load"));
  }
  static bool is_store(const Instruction& i) {
    return i.operation == "st" || i.operation == "red" ||
           (i.operation == "wmma" && i.has(".store"));
  }
  static bool is_atomic(const Instruction& i) { return i.operation == "atom"; }
  static bool is_small_async_load(const Instruction& i) {
    return i.operation == "cp" && i.has(".async") && i.has(".shared") && i.has(".global") &&
           !i.has(".bulk");
  }
  static bool is_own_space(const Instruction& i) {
    return i.has(".shared") || i.has(".shared::cta") || i.has(".local") || i.has(".param");
  }

  Origins origins_of(string_view operand) const {
    Origins origins = 0;
    for_each_name(operand, [&](string_view name) {
      if (name[0] != '%') {
        origins |= parameters_.contains(name) ? kLoaded : kVariable;
      } else if (const auto known = registers_.find(name); known != registers_.end()) {
        origins |= known->second;
      }
    });
    return origins;
  }

  void give(string_view operand, Origins origins) {
    if (origins == 0) return;
    for_each_name(operand, [&](string_view name) {
      Origins& known = registers_[name];
      changed_ = changed_ || (known | origins) != known;
      known |= origins;
    });
  }

  // What an instruction's results are made from. False: not understood.
  bool follow(const Instruction& i) {
    if (i.operation == "call" || i.operands.empty()) return true;
    const string_view result = i.operands[0];
    if (is_load(i) || is_atomic(i)) {
      if (i.operands.size() < 2) return false;
      Origins origins = i.is_wide() ? kLoaded : 0;
      if (i.operation == "ld" && i.has(".param")) {
        const string_view place = trim(i.operands[1].substr(
            std::min<std::size_t>(i.operands[1].find_first_not_of("["), i.operands[1].size())));
        if (const auto known = parameters_.find(name_at(place)); known != parameters_.end())
          origins = Origins{1} << known->second;
      }
      give(result, origins);
      return true;
    }
    if (is_store(i) || is_one_of(i.operation, kNoMemory)) return true;
    if (is_one_of(i.operation, kMakesNoAddress)) return true;
    // The product of mad is no address, the sum may be one.
    std::size_t first = i.operation == "mad" ? 3 : 1;
    Origins origins = 0;
    for (; first < i.operands.size(); ++first) origins |= origins_of(i.operands[first]);
    // Two halves make a word that may be anything.
    if (i.operation == "mov" && i.operands.size() > 1 && i.operands[1].starts_with('{') &&
        i.is_wide())
      origins |= kLoaded;
    give(result, origins);
    return true;
  }

  // What an instruction does to memory. False: not understood.
  bool judge(const Instruction& i) {
    if (i.operation == "call") return is_harmless(i);
    std::size_t address = 0;
    if (is_load(i) || is_atomic(i)) address = 1;
    const bool stores = is_store(i) || is_atomic(i);
    if (stores || is_load(i)) {
      if (address >= i.operands.size() || !i.operands[address].starts_with('[')) return false;
      if (is_own_space(i)) return true;
      return stores ? store(i.operands[address]) : load(i.operands[address]);
    }
    if (is_small_async_load(i)) return i.operands.size() >= 2 && load(i.operands[1]);
    if (i.operation == "cp" && i.has(".async") &&
        (i.has(".commit_group") || i.has(".wait_group") || i.has(".wait_all")))
      return true;
    if (is_one_of(i.operation, kNoMemory)) return true;
    if (i.operation == "tex" || i.operation == "tld4") {
      access_.parameters_only = false;
      return true;
    }
    return std::none_of(i.operands.begin(), i.operands.end(),
                        [](string_view operand) { return operand.starts_with('['); });
  }

  bool store(string_view address) {
    const Origins origins = origins_of(address);
    if (origins == 0 || (origins & kLoaded) != 0) return false;
    for (std::size_t i = 0; i < access_.written.size(); ++i)
      if ((origins >> i & 1) != 0) access_.written[i] = true;
    return true;
  }
  bool load(string_view address) {
    const Origins origins = origins_of(address);
    if (origins == 0 || (origins & kLoaded) != 0) access_.parameters_only = false;
    return true;
  }

  static bool is_harmless(const Instruction& call) {
    return std::any_of(call.operands.begin(), call.operands.end(),
                       [](string_view operand) { return is_one_of(operand, kHarmlessCalls); });
  }

  std::string body_;
  std::vector<Instruction> instructions_;
  std::unordered_map<string_view, std::size_t> parameters_;
  std::unordered_map<string_view, Origins> registers_;
  KernelAccess access_;
  bool changed_ = false;
};

}  // namespace

std::optional<KernelAccess> kernel_access(string_view ptx, string_view kernel) {
  const auto text = find_text(ptx, kernel);
  if (!text) return std::nullopt;
  return Analysis(*text, managed_variables(ptx)).run();
}

bool has_kernel(string_view ptx, string_view kernel) {
  return find_entry(ptx, kernel) != string_view::npos;
}

}  // namespace xfer
