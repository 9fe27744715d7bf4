#pragma once
// Options of the preloaded library, from XFERCHECK_OPTIONS=key=value:key=value as the sanitizers
// take theirs. The table is flags.inc. Never throws and never exits: what it does not understand
// becomes one line in `problems`, and the default stays.

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace xfer {

struct TracerOptions {
#define XFER_FLAG(type, name, default_value, help) type name = default_value;
#include "xfer/flags.inc"
#undef XFER_FLAG
};

/// Reads `text` into `options`, later settings over earlier ones. A value that holds ':' is put in
/// single or double quotes. Booleans: 1/0, true/false, yes/no, on/off. Numbers take K, M, G.
/// Returns one line for each setting that was not understood.
std::vector<std::string> parse_options(std::string_view text, TracerOptions& options);

/// A part of what a person wrote, as messages show it: in quotes, on one line.
std::string quoted(std::string_view item);

/// As help=1 prints it: name, default and meaning of every option.
void print_options_help(std::ostream& out);

/// "key=value:key=value" of every option, as set.
std::string format_options(const TracerOptions& options);

/// A path template with %p replaced by the process id, %e by the program's name and %% by %.
std::string expand_path(std::string_view path_template);

}  // namespace xfer
