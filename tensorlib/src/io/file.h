// Files opened for reading and writing, with errors that name them.
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/check.h"

namespace tensorlib::io {

inline std::ifstream open_to_read(const std::string& path, const char* operation, CallSite site) {
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  std::error_code ignored;
  if (in && !std::filesystem::is_directory(path, ignored)) return in;
  throw Error(str_cat(operation, ": ", path,
                      " cannot be opened: ", in ? "it is a folder" : std::strerror(errno)),
              site);
}

// Writes beside the file and puts the result in its place at the end: a program that is stopped
// meanwhile leaves the file as it was.
template <class Write>
void write_file(const std::string& path, const char* operation, CallSite site, const Write& write) {
  const std::string unfinished = path + ".part";
  const auto refuse = [&] {
    throw Error(str_cat(operation, ": ", path, " cannot be written: ", std::strerror(errno)), site);
  };
  errno = 0;
  std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
  if (!out) refuse();
  try {
    write(out);
    out.close();
    if (!out) refuse();
    std::error_code failed;
    std::filesystem::rename(unfinished, path, failed);
    if (failed) {
      errno = failed.value();
      refuse();
    }
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw;
  }
}

// Bytes from here to the end of a stream.
inline int64_t bytes_left(std::istream& in) {
  const auto here = in.tellg();
  in.seekg(0, std::ios::end);
  const auto end = in.tellg();
  in.seekg(here);
  return in ? static_cast<int64_t>(end - here) : -1;
}

}  // namespace tensorlib::io
