#pragma once
// The headers of a C and a C++ library that an installed xferlint brings, for machines without a
// compiler.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace xfer::lint {

/// The headers that a machine lacks, and the folder of those that are read instead.
struct LibraryHeaders {
  std::filesystem::path folder;  ///< like a /usr/include
  std::filesystem::path cxx;     ///< the C++ library's own, below it
  std::filesystem::path target;  ///< of its architecture, below it
  bool c_is_there = false;       ///< the machine has a C library's
};

/// Those beside the program, where the machine below `root` (/) has no C++ library. None: it has
/// one, or none was installed.
std::optional<LibraryHeaders> own_library_headers(const std::filesystem::path& beside,
                                                  const std::filesystem::path& root);

/// Clang's arguments that bring them in; empty where `arguments` name a library themselves.
std::vector<std::string> with_library_headers(const LibraryHeaders& headers,
                                              const std::vector<std::string>& arguments);

}  // namespace xfer::lint
