#pragma once
// The text of a JSON file, plain or gzip, as RapidJSON reads it: a stream of characters, mended
// where profilers write what no JSON parser takes (backslashes of Windows paths, control characters
// in strings, halves of surrogate pairs).
//
// Memory: two blocks of 256 KiB. Cost: a pass over the bytes, beside zlib's.

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace xfer::foreign {

class JsonText {
 public:
  using Ch = char;  ///< RapidJSON asks for it

  /// Throws TraceError when the file cannot be opened.
  explicit JsonText(const std::filesystem::path& path);
  ~JsonText();
  JsonText(const JsonText&) = delete;
  JsonText& operator=(const JsonText&) = delete;

  /// '\0' at the end.
  char Peek() const { return *at_; }
  char Take() {
    const char taken = *at_;
    if (at_ != end_ && ++at_ == end_) refill();
    return taken;
  }
  std::size_t Tell() const { return before_ + static_cast<std::size_t>(at_ - text_.data()); }

  // The rest of RapidJSON's stream concept, for parsing in place: never called.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  void Flush() {}
  std::size_t PutEnd(char*) { return 0; }

  /// Why the text ends before the file does: "is cut off" or zlib's words; empty: it does not.
  const std::string& problem() const { return problem_; }

 private:
  void refill();
  void mend(std::size_t size, bool last);
  std::size_t mend_escape(std::size_t at, std::size_t size);

  gzFile file_;
  std::vector<char> raw_;
  std::size_t kept_ = 0;    ///< of raw_, the start of an escape that the next block goes on with
  std::vector<char> text_;  ///< ends with '\0'
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::size_t before_ = 0;  ///< bytes of earlier blocks
  bool ended_ = false;
  std::string problem_;
};

}  // namespace xfer::foreign
