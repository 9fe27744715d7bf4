#include <array>
#include <fstream>
#include <string_view>

#include "foreign/imported_trace.h"
#include "foreign/kineto_reader.h"
#include "foreign/nsys_reader.h"
#include "xfer/trace.h"
#include "xfer/trace_reader.h"

namespace xfer {
namespace {

using std::string_view;

constexpr string_view kSqlite("SQLite format 3\0", 16);
constexpr string_view kGzip("\x1f\x8b", 2);

/// JSON begins with an object or an array; some editors put a byte-order mark before it.
bool is_json(string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != string_view::npos && (head[first] == '{' || head[first] == '[');
}

}  // namespace

std::unique_ptr<Trace> open_trace(const std::filesystem::path& path) {
  std::array<char, 64> bytes{};
  std::ifstream in(path, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  if (head.starts_with(kSqlite)) return foreign::imported_trace(foreign::read_nsys(path));
  if (head.starts_with(kGzip) || is_json(head))
    return foreign::imported_trace(foreign::read_kineto(path));
  return std::make_unique<TraceReader>(path);
}

}  // namespace xfer
