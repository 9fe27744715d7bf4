#include "kernel_params.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

namespace xfer::tracer {
namespace {

struct Scalar {
  std::string_view name;
  std::uint8_t size;
};

// Builtin types as __cxa_demangle spells them, and CUDA's plain-data types.
constexpr auto kScalars = std::to_array<Scalar>({
    {"bool", 1},
    {"char", 1},
    {"signed char", 1},
    {"unsigned char", 1},
    {"char8_t", 1},
    {"std::byte", 1},
    {"short", 2},
    {"unsigned short", 2},
    {"char16_t", 2},
    {"__half", 2},
    {"half", 2},
    {"__nv_bfloat16", 2},
    {"_Float16", 2},
    {"__bf16", 2},
    {"std::bfloat16_t", 2},
    {"__nv_fp8_e4m3", 1},
    {"__nv_fp8_e5m2", 1},
    {"int", 4},
    {"unsigned int", 4},
    {"wchar_t", 4},
    {"char32_t", 4},
    {"float", 4},
    {"__half2", 4},
    {"__nv_bfloat162", 4},
    {"long", 8},
    {"unsigned long", 8},
    {"long long", 8},
    {"unsigned long long", 8},
    {"double", 8},
    {"long double", 16},
    {"__int128", 16},
    {"unsigned __int128", 16},
    {"dim3", 12},
    {"decltype(nullptr)", 8},
    {"std::complex<float>", 8},
    {"std::complex<double>", 16},
    {"thrust::complex<float>", 8},
    {"thrust::complex<double>", 16},
    {"cuda::std::complex<float>", 8},
    {"cuda::std::complex<double>", 16},
});

struct VectorBase {
  std::string_view name;
  std::uint8_t size;
};

// float2, uint4, ... : a base and a digit from 1 to 4.
constexpr auto kVectorBases = std::to_array<VectorBase>({
    {"char", 1},
    {"uchar", 1},
    {"short", 2},
    {"ushort", 2},
    {"int", 4},
    {"uint", 4},
    {"long", 8},
    {"ulong", 8},
    {"longlong", 8},
    {"ulonglong", 8},
    {"float", 4},
    {"double", 8},
});

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Removes one trailing word such as "const"; false when it is not there.
bool drop_suffix_word(std::string_view& text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  const std::string_view rest = text.substr(0, text.size() - word.size());
  if (!rest.empty() && rest.back() != ' ' && rest.back() != '*' && rest.back() != '&') return false;
  text = trim(rest);
  return true;
}

// Removes trailing cv- and restrict-qualifiers; says whether const was among them.
bool drop_qualifiers(std::string_view& text) {
  bool is_const = false;
  while (true) {
    if (drop_suffix_word(text, "const")) {
      is_const = true;
    } else if (!drop_suffix_word(text, "volatile") && !drop_suffix_word(text, "__restrict") &&
               !drop_suffix_word(text, "restrict") && !drop_suffix_word(text, "__restrict__")) {
      return is_const;
    }
  }
}

std::optional<std::uint8_t> plain_data_size(std::string_view type) {
  for (const Scalar& scalar : kScalars)
    if (scalar.name == type) return scalar.size;
  if (type.size() < 2 || type.back() < '1' || type.back() > '4') return std::nullopt;
  const std::string_view base = type.substr(0, type.size() - 1);
  for (const VectorBase& candidate : kVectorBases)
    if (candidate.name == base)
      return static_cast<std::uint8_t>(candidate.size * (type.back() - '0'));
  return std::nullopt;
}

bool is_word(std::string_view type) {
  return type == "long" || type == "unsigned long" || type == "long long" ||
         type == "unsigned long long";
}

// The '(' that opens the group closed at `close`, or npos. Parentheses in a demangled name balance.
std::size_t opening(std::string_view text, std::size_t close) {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

KernelParam classify_parameter(std::string_view type) {
  KernelParam param;
  type = trim(type);
  drop_qualifiers(type);
  if (type.find("(*") != std::string_view::npos || type.find("(&") != std::string_view::npos ||
      type.empty() || type == "...")
    return param;
  if (const auto size = plain_data_size(type)) {
    param.kind = is_word(type) ? KernelParam::Kind::kWord : KernelParam::Kind::kScalar;
    param.size = *size;
    param.writes = false;
    return param;
  }
  if (type.back() != '*') return param;
  type = trim(type.substr(0, type.size() - 1));
  const bool pointee_const = drop_qualifiers(type);
  param.kind = KernelParam::Kind::kPointer;
  param.size = sizeof(void*);
  param.writes = !pointee_const;
  param.pointee_opaque = !plain_data_size(type).has_value();
  return param;
}

bool split_parameters(std::string_view demangled, std::vector<std::string_view>& out) {
  out.clear();
  // "f(int) [clone .x]", "f(int) const": the list ends at the last ')' outside brackets.
  if (const auto clone = demangled.find(" [clone"); clone != std::string_view::npos)
    demangled = demangled.substr(0, clone);
  const std::size_t close = demangled.rfind(')');
  if (close == std::string_view::npos) return false;
  const std::string_view tail = trim(demangled.substr(close + 1));
  if (!tail.empty() && tail != "const" && tail != "volatile") return false;
  const std::size_t open = opening(demangled, close);
  if (open == std::string_view::npos || open == 0) return false;
  const std::string_view list = demangled.substr(open + 1, close - open - 1);
  if (trim(list).empty() || trim(list) == "void") return true;

  int parentheses = 0;
  int angles = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '(' || c == '{' || c == '[') ++parentheses;
    if (c == ')' || c == '}' || c == ']') --parentheses;
    if (parentheses > 0) continue;  // angle brackets in an expression are comparisons
    if (c == '<') ++angles;
    if (c == '>' && (i == 0 || list[i - 1] != '-')) --angles;
    if (c == ',' && angles == 0) {
      out.push_back(trim(list.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (parentheses != 0 || angles != 0) return false;
  out.push_back(trim(list.substr(begin)));
  return true;
}

KernelSignature read_kernel_signature(const char* mangled) {
  KernelSignature signature;
  if (mangled == nullptr || std::string_view(mangled).substr(0, 2) != "_Z") return signature;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  std::vector<std::string_view> types;
  if (status != 0 || demangled == nullptr || !split_parameters(demangled.get(), types))
    return signature;
  signature.known = true;
  signature.may_touch_all = false;
  for (const std::string_view type : types) {
    const KernelParam param = classify_parameter(type);
    if (param.kind == KernelParam::Kind::kOpaque || param.pointee_opaque)
      signature.may_touch_all = true;
    signature.params.push_back(param);
  }
  return signature;
}

}  // namespace xfer::tracer
