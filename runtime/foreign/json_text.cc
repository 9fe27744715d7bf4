#include "foreign/json_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "xfer/trace.h"

namespace xfer::foreign {
namespace {

constexpr std::size_t kBlock = 256 * 1024;
constexpr std::size_t kLongestEscape = 12;  // \ud83d\ude00

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_unicode_escape(std::string_view text) {
  return text.size() >= 6 && text[0] == '\\' && text[1] == 'u' &&
         std::all_of(text.begin() + 2, text.begin() + 6, is_hex);
}

/// \ud800 to \udbff begin a pair, \udc00 to \udfff end one.
bool is_surrogate(std::string_view escape, std::string_view third) {
  return (escape[2] == 'd' || escape[2] == 'D') && third.find(escape[3]) != std::string_view::npos;
}

/// zlib begins with the file's name.
std::string without_file(std::string_view words) {
  const std::size_t colon = words.rfind(": ");
  return std::string(colon == std::string_view::npos ? words : words.substr(colon + 2));
}

/// How many characters an escape has; 0: it is none that JSON knows.
std::size_t escape_length(std::string_view text) {
  if (text.size() >= 2 && std::strchr("\"\\/bfnrt", text[1]) != nullptr && text[1] != '\0')
    return 2;
  if (!is_unicode_escape(text)) return 0;
  if (is_surrogate(text, "cdefCDEF")) return 0;
  if (!is_surrogate(text, "89abAB")) return 6;
  const std::string_view second = text.substr(6);
  return is_unicode_escape(second) && is_surrogate(second, "cdefCDEF") ? 12 : 0;
}

}  // namespace

JsonText::JsonText(const std::filesystem::path& path)
    : file_(gzopen(path.c_str(), "rb")), raw_(kBlock + kLongestEscape) {
  if (file_ == nullptr)
    throw TraceError(path.string() + " cannot be read: " + std::strerror(errno));
  gzbuffer(file_, kBlock);
  text_.reserve(kBlock + 1);
  refill();
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(kByteOrderMark))
    at_ += kByteOrderMark.size();
}

JsonText::~JsonText() { gzclose(file_); }

void JsonText::refill() {
  before_ += static_cast<std::size_t>(at_ - text_.data());
  text_.clear();
  while (text_.empty() && !ended_) {
    const int read = gzread(file_, raw_.data() + kept_, kBlock);
    int error = Z_OK;
    const char* const words = gzerror(file_, &error);
    if (read < 0 || error == Z_BUF_ERROR)
      problem_ = error == Z_BUF_ERROR ? "is cut off" : "is damaged: " + without_file(words);
    ended_ = read <= 0 || error != Z_OK;
    mend(kept_ + static_cast<std::size_t>(std::max(read, 0)), ended_);
  }
  text_.push_back('\0');
  at_ = text_.data();
  end_ = at_ + text_.size() - 1;
}

void JsonText::mend(std::size_t size, bool last) {
  const char* const raw = raw_.data();
  std::size_t done = 0;
  while (done < size) {
    const void* const found = std::memchr(raw + done, '\\', size - done);
    const std::size_t escape =
        found == nullptr ? size : static_cast<std::size_t>(static_cast<const char*>(found) - raw);
    const std::size_t begin = text_.size();
    text_.insert(text_.end(), raw + done, raw + escape);
    // Between values any space will do, and no string may hold a control character.
    for (std::size_t i = begin; i < text_.size(); ++i)
      if (static_cast<unsigned char>(text_[i]) < 0x20) text_[i] = ' ';
    done = escape;
    if (done == size || (!last && size - done < kLongestEscape)) break;
    done = mend_escape(done, size);
  }
  kept_ = size - done;
  std::memmove(raw_.data(), raw_.data() + done, kept_);
}

/// Returns the end of the escape.
std::size_t JsonText::mend_escape(std::size_t at, std::size_t size) {
  const std::string_view rest(raw_.data() + at, size - at);
  const std::size_t length = escape_length(rest);
  if (length == 0) {
    text_.insert(text_.end(), {'\\', '\\'});
    return at + 1;
  }
  text_.insert(text_.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length));
  return at + length;
}

}  // namespace xfer::foreign
