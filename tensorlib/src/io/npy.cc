// A header in Python's words, then the elements: "{'descr': '<f4', 'fortran_order': False, 'shape':
// (2, 3), }".
#include "tensorlib/io/npy.h"

#include <algorithm>
#include <charconv>
#include <istream>
#include <ostream>
#include <string_view>
#include <vector>

#include "core/dims.h"
#include "core/tensor_impl.h"
#include "io/file.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"
#include "tensorlib/ops.h"

namespace tensorlib::io {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct NpyType {
  ScalarType type;
  const char* name;
};
constexpr NpyType kNpyTypes[] = {
    {kByte, "u1"}, {kChar, "i1"},  {kShort, "i2"},  {kInt, "i4"},  {kLong, "i8"},
    {kHalf, "f2"}, {kFloat, "f4"}, {kDouble, "f8"}, {kBool, "b1"},
};

struct Header {
  ScalarType type = kFloat;
  bool swapped = false;  // big-endian
  bool fortran = false;  // the first index runs fastest
  std::vector<int64_t> shape;
};

[[noreturn]] void refuse_npy(const std::string& name, const std::string& why, CallSite site) {
  throw Error(str_cat("load_npy: ", name, " is not a valid .npy file: ", why), site);
}

// Reads the header's dictionary: three keys in any order.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name, CallSite site)
      : rest_(text), name_(name), site_(site) {}

  Header parse() {
    expect('{');
    bool seen[3] = {};
    while (!take('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !seen[0]) {
        seen[0] = true;
        read_type();
      } else if (key == "fortran_order" && !seen[1]) {
        seen[1] = true;
        header_.fortran = truth();
      } else if (key == "shape" && !seen[2]) {
        seen[2] = true;
        read_shape();
      } else {
        fail(str_cat("its header has the key '", key, "'"));
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    if (!seen[0] || !seen[1] || !seen[2]) fail("its header lacks descr, fortran_order or shape");
    return header_;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { refuse_npy(name_, why, site_); }

  bool take(char wanted) {
    while (!rest_.empty() && rest_[0] == ' ') rest_.remove_prefix(1);
    if (rest_.empty() || rest_[0] != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(str_cat("its header lacks a '", wanted, "'"));
  }
  std::string_view quoted() {
    const char quote = take('\'') ? '\'' : (expect('"'), '"');
    const size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail("a text in its header does not end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return text;
  }
  bool truth() {
    take(' ');
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (rest_.substr(0, word.size()) == word) {
        rest_.remove_prefix(word.size());
        return value;
      }
    }
    fail("its fortran_order is neither True nor False");
  }
  void read_type() {
    if (!take('\'') && !take('"')) {
      throw DTypeMismatchError(
          str_cat("load_npy: ", name_, " has records for elements, which tensorlib does not have"),
          site_);
    }
    const size_t end = rest_.find_first_of("'\"");
    if (end == std::string_view::npos) fail("its descr does not end");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    const std::string_view type = text.substr(std::min<size_t>(1, text.size()));
    for (const NpyType& known : kNpyTypes) {
      if (type != known.name || std::string_view("<>|=").find(text[0]) == std::string_view::npos) {
        continue;
      }
      header_.type = known.type;
      header_.swapped = text[0] == '>' && elementSize(known.type) > 1;
      return;
    }
    throw DTypeMismatchError(str_cat("load_npy: ", name_, " has elements of type '", text,
                                     "', which tensorlib does not have"),
                             site_);
  }
  void read_shape() {
    expect('(');
    while (!take(')')) {
      take(' ');
      int64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc() || size < 0) fail("its shape is not a tuple of sizes");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      header_.shape.push_back(size);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view rest_;
  const std::string& name_;
  CallSite site_;
  Header header_;
};

Header read_header(std::istream& in, const std::string& name, CallSite site) {
  unsigned char start[12] = {};
  if (!in.read(reinterpret_cast<char*>(start), 10) ||
      std::string_view(reinterpret_cast<char*>(start), 6) != kMagic) {
    refuse_npy(name, "it does not begin as one", site);
  }
  const int version = start[6];
  if (version < 1 || version > 3) {
    refuse_npy(name, str_cat("its version is ", version, ", and 1 to 3 are known"), site);
  }
  int64_t length = start[8] | start[9] << 8;
  if (version > 1) {
    if (!in.read(reinterpret_cast<char*>(start + 10), 2)) refuse_npy(name, "it is cut off", site);
    length |= static_cast<int64_t>(start[10]) << 16 | static_cast<int64_t>(start[11]) << 24;
  }
  if (length > bytes_left(in)) refuse_npy(name, "it is cut off in its header", site);
  std::string text(static_cast<size_t>(length), '\0');
  in.read(text.data(), length);
  return HeaderParser(text, name, site).parse();
}

void swap_bytes(char* data, size_t size, int64_t count) {
  for (int64_t i = 0; i < count; ++i, data += size) std::reverse(data, data + size);
}

}  // namespace

Tensor load_npy(std::istream& in, const std::string& name, CallSite site) {
  NoGradGuard raw;
  Header header = read_header(in, name, site);
  if (header.shape.size() > size_t{kMaxDims}) {
    refuse_npy(
        name,
        str_cat("it has ", header.shape.size(), " dimensions; tensors have at most ", kMaxDims),
        site);
  }
  auto bytes = static_cast<int64_t>(elementSize(header.type));
  for (const int64_t size : header.shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) refuse_npy(name, "its size overflows", site);
  }
  if (const int64_t there = bytes_left(in); there < bytes) {
    refuse_npy(name, str_cat("it is cut off: ", there, " bytes of ", bytes, " are there"), site);
  }
  if (header.fortran) std::reverse(header.shape.begin(), header.shape.end());
  Tensor tensor = empty(header.shape, TensorOptions(kCPU).dtype(header.type), site);
  char* const data = static_cast<char*>(tensor.impl()->writable());
  if (bytes > 0 && !in.read(data, bytes)) refuse_npy(name, "it cannot be read", site);
  if (header.swapped) swap_bytes(data, elementSize(header.type), tensor.numel());
  if (header.type == kBool) {  // any other byte is no bool
    for (int64_t i = 0; i < tensor.numel(); ++i) data[i] = data[i] != 0;
  }
  if (!header.fortran) return tensor;
  std::vector<int64_t> order(header.shape.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(order.size() - 1 - i);
  return tensor.permute(order, site);
}
Tensor load_npy(const std::string& path, CallSite site) {
  std::ifstream in = open_to_read(path, "load_npy", site);
  return load_npy(in, path, site);
}

void save_npy(std::ostream& out, const Tensor& tensor, CallSite site) {
  NoGradGuard raw;
  const TensorImpl& impl = require_defined(tensor, "tensor", "save_npy", site);
  std::string type;
  for (const NpyType& known : kNpyTypes) {
    if (known.type == impl.dtype) type = known.name;
  }
  if (type.empty()) {
    throw DTypeMismatchError(str_cat("save_npy: NumPy has no ", name_of(impl.dtype),
                                     "\nhelp: save tensor.to(torch::kFloat)"),
                             site);
  }
  std::string header = str_cat("{'descr': '", elementSize(impl.dtype) == 1 ? '|' : '<', type,
                               "', 'fortran_order': False, 'shape': (");
  for (const int64_t size : impl.sizes) header += str_cat(size, ",");
  header += "), }";
  header.append(63 - (header.size() + 10) % 64, ' ');  // the elements begin at a multiple of 64
  header += '\n';
  out.write(kMagic.data(), 6);
  out.put(1).put(0);
  out.put(static_cast<char>(header.size() & 0xff)).put(static_cast<char>(header.size() >> 8));
  out << header;
  const Tensor plain = tensor.to(kCPU, impl.dtype, false, false, site).contiguous(site);
  out.write(static_cast<const char*>(plain.impl()->data()),
            static_cast<std::streamsize>(plain.nbytes()));
  if (!out) throw Error("save_npy: the stream cannot be written to", site);
}
void save_npy(const std::string& path, const Tensor& tensor, CallSite site) {
  write_file(path, "save_npy", site, [&](std::ostream& out) { save_npy(out, tensor, site); });
}

}  // namespace tensorlib::io
