#include "analyzer/driver/compile_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "analyzer/driver/source_file.h"
#include "analyzer/driver/usage_error.h"

namespace xfer::lint {
namespace {

constexpr auto kCompile =
    std::to_array<std::string_view>({"-c", "--compile", "-dc", "--device-c", "-dw", "--device-w"});

/// The value of the option at `words[i]`: joined to it, behind an `=`, or the next word.
std::optional<std::string> value_of(std::string_view option, const std::vector<std::string>& words,
                                    std::size_t i) {
  const std::string_view word = words[i];
  if (!word.starts_with(option)) return std::nullopt;
  if (word.size() == option.size())
    return i + 1 < words.size() ? std::optional(words[i + 1]) : std::nullopt;
  const bool is_long = option.starts_with("--");
  if (word[option.size()] == '=') return std::string(word.substr(option.size() + 1));
  if (is_long) return std::nullopt;
  return std::string(word.substr(option.size()));
}

std::optional<std::string> last_value(std::initializer_list<std::string_view> options,
                                      const std::vector<std::string>& words) {
  for (std::size_t i = words.size(); i-- > 1;)
    for (const std::string_view option : options)
      if (auto value = value_of(option, words, i)) return value;
  return std::nullopt;
}

bool is_compile(std::string_view word) { return std::ranges::count(kCompile, word) != 0; }

/// Build systems write `-c FILE`; by hand the file may stand anywhere, so the last word with a
/// source's ending counts.
std::string source_of(const std::vector<std::string>& words) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (is_compile(words[i]) && !words[i + 1].starts_with('-')) return words[i + 1];
  for (std::size_t i = words.size(); i-- > 1;) {
    if (words[i].starts_with('-') || words[i - 1] == "-include" || words[i - 1] == "-o") continue;
    if (is_source(words[i])) return words[i];
  }
  throw UsageError("--as-compiler: the command names no C++ or CUDA file");
}

}  // namespace

CompileLine read_compile_line(const std::vector<std::string>& words) {
  if (words.empty() || words.front().starts_with('-'))
    throw UsageError("--as-compiler: the whole compile command comes after --, compiler first");
  if (std::ranges::none_of(words, is_compile))
    throw UsageError(
        fmt::format("--as-compiler: the command of {} does not compile: it has no -c", words[0]));
  CompileLine line;
  line.file = source_of(words);
  line.output = last_value({"-o", "--output-file"}, words).value_or("");
  if (line.output.empty())
    throw UsageError(fmt::format("--as-compiler: the command of {} has no -o", line.file));
  line.depfile = last_value({"-MF", "--dependency-output"}, words).value_or("");
  line.target = last_value({"-MT", "-MQ", "--dependency-target-name"}, words);
  return line;
}

}  // namespace xfer::lint
