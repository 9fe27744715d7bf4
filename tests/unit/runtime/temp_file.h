#pragma once
// A file path of its own for a test; the file goes when the test ends.

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace xfer::test {

class TempFile {
 public:
  TempFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "xfer-test-XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    if (descriptor >= 0) ::close(descriptor);
    path_ = pattern;
  }
  ~TempFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string text() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& text) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace xfer::test
