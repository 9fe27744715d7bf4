#pragma once
// The inputs of a file of facts, as a compiler's `-MF` lists them: one rule in Makefile syntax,
// which make and ninja read.

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace xfer::lint {

/// `target: first second ...`, each name escaped.
std::string depfile_text(std::string_view target, const std::set<std::string>& files);

/// Adds this program to the files: another one refuses its facts. Throws UsageError.
void write_depfile(const std::filesystem::path& depfile, std::string_view target,
                   std::set<std::string> files);

}  // namespace xfer::lint
