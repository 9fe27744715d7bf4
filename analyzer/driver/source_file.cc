#include "analyzer/driver/source_file.h"

#include <set>
#include <string>

namespace xfer::lint {

bool is_source(const std::filesystem::path& file) {
  static const std::set<std::string> kExtensions = {".c",   ".cc",  ".cp",  ".cpp", ".cxx",
                                                    ".c++", ".C",   ".CPP", ".cu",  ".cppm",
                                                    ".ixx", ".ipp", ".hip"};
  return kExtensions.contains(file.extension().string());
}

}  // namespace xfer::lint
