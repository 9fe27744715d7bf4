// A zip archive of .npy files, stored or deflated. Read by its directory, which stands at its end.
#include <zlib.h>

#include <array>
#include <istream>
#include <ostream>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/tensor_impl.h"
#include "io/file.h"
#include "tensorlib/io/npy.h"

namespace tensorlib::io {

namespace {

constexpr uint32_t kLocal = 0x04034b50, kEntry = 0x02014b50, kEnd = 0x06054b50;

uint32_t number(const std::string& bytes, size_t at, int size) {
  uint32_t value = 0;
  for (int i = size - 1; i >= 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<size_t>(i)]);
  }
  return value;
}

class Archive {
 public:
  Archive(std::istream& in, const std::string& name, CallSite site) : name_(name), site_(site) {
    std::ostringstream all;
    all << in.rdbuf();
    bytes_ = std::move(all).str();
  }

  NamedTensors read() {
    const size_t end = find_end();
    size_t at = number(bytes_, end + 16, 4);
    NamedTensors tensors;
    for (uint32_t count = number(bytes_, end + 10, 2); count > 0; --count) {
      at = read_entry(at, tensors);
    }
    return tensors;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(str_cat("load_npz: ", name_, " is not a valid .npz file: ", why), site_);
  }
  // `size` bytes at `at` are there.
  void check(size_t at, size_t size, const char* what) const {
    if (at > bytes_.size() || size > bytes_.size() - at)
      refuse(str_cat("its ", what, " is cut off"));
  }

  size_t find_end() const {
    constexpr size_t kSize = 22, kLongestComment = 65535;
    for (size_t back = kSize; back <= bytes_.size() && back <= kSize + kLongestComment; ++back) {
      if (number(bytes_, bytes_.size() - back, 4) == kEnd) return bytes_.size() - back;
    }
    refuse("it has no zip directory at its end");
  }

  // The entry at `at` of the directory; returns where the next one is.
  size_t read_entry(size_t at, NamedTensors& tensors) {
    check(at, 46, "directory");
    if (number(bytes_, at, 4) != kEntry) refuse("its directory is damaged");
    const uint32_t flags = number(bytes_, at + 8, 2), method = number(bytes_, at + 10, 2);
    const uint32_t crc = number(bytes_, at + 16, 4);
    const size_t packed = number(bytes_, at + 20, 4), size = number(bytes_, at + 24, 4);
    const size_t name_size = number(bytes_, at + 28, 2);
    const size_t next =
        at + 46 + name_size + number(bytes_, at + 30, 2) + number(bytes_, at + 32, 2);
    const size_t local = number(bytes_, at + 42, 4);
    check(at, 46 + name_size, "directory");
    std::string entry = bytes_.substr(at + 46, name_size);
    if (flags & 1) refuse(str_cat("\"", entry, "\" is encrypted"));
    check(local, 30, "data");
    if (number(bytes_, local, 4) != kLocal)
      refuse(str_cat("\"", entry, "\" is not where it should be"));
    const size_t data = local + 30 + number(bytes_, local + 26, 2) + number(bytes_, local + 28, 2);
    check(data, packed, "data");
    const std::string content = unpacked(entry, method, data, packed, size);
    if (crc32(0, reinterpret_cast<const Bytef*>(content.data()),
              static_cast<uInt>(content.size())) != crc) {
      refuse(str_cat("the checksum of \"", entry, "\" is wrong"));
    }
    std::istringstream in(content);
    const std::string called = name_ + ":" + entry;
    constexpr std::string_view kSuffix = ".npy";
    if (entry.size() > kSuffix.size() &&
        entry.compare(entry.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0) {
      entry.resize(entry.size() - kSuffix.size());
    }
    if (tensors.contains(entry)) refuse(str_cat("\"", entry, "\" is there twice"));
    tensors.insert(entry, load_npy(in, called, site_));
    return next;
  }

  std::string unpacked(const std::string& entry, uint32_t method, size_t at, size_t packed,
                       size_t size) const {
    if (method == 0) {
      if (packed != size) refuse(str_cat("the sizes of \"", entry, "\" differ"));
      return bytes_.substr(at, size);
    }
    if (method != 8) refuse(str_cat("\"", entry, "\" is packed by method ", method));
    // Deflate makes nothing more than 1032 times smaller: a larger size is a lie, and not
    // allocated.
    if (size / 1032 > packed) refuse(str_cat("\"", entry, "\" is said to be ", size, " bytes"));
    std::string content(size, '\0');
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes_.data() + at));
    stream.avail_in = static_cast<uInt>(packed);
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(size);
    int status = inflateInit2(&stream, -MAX_WBITS);
    if (status == Z_OK) {
      status = inflate(&stream, Z_FINISH);
      inflateEnd(&stream);
    }
    if (status != Z_STREAM_END || stream.avail_out != 0) {
      refuse(str_cat("\"", entry, "\" cannot be unpacked"));
    }
    return content;
  }

  const std::string& name_;
  CallSite site_;
  std::string bytes_;
};

void put(std::string& out, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace

NamedTensors load_npz(std::istream& in, const std::string& name, CallSite site) {
  return Archive(in, name, site).read();
}
NamedTensors load_npz(const std::string& path, CallSite site) {
  std::ifstream in = open_to_read(path, "load_npz", site);
  return load_npz(in, path, site);
}

void save_npz(std::ostream& out, const NamedTensors& tensors, CallSite site) {
  std::string directory;
  uint64_t at = 0;
  for (const auto& item : tensors) {
    std::ostringstream file;
    save_npy(file, item.value(), site);
    const std::string content = std::move(file).str(), name = item.key() + ".npy";
    if (at + content.size() > 0xffffffff) {
      throw Error("save_npz: more than 4 GiB do not fit one archive\nhelp: use save_safetensors()",
                  site);
    }
    // Common to both headers: version, flags, stored, 1980-01-01, checksum, sizes, name's length.
    std::string common;
    put(common, 20, 2), put(common, 0, 2), put(common, 0, 2), put(common, 0, 2), put(common, 33, 2);
    put(common,
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())),
        4);
    put(common, content.size(), 4), put(common, content.size(), 4), put(common, name.size(), 2);
    put(common, 0, 2);
    std::string local;
    put(local, kLocal, 4);
    local += common + name;
    out << local << content;
    put(directory, kEntry, 4), put(directory, 20, 2);
    directory += common;
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, at, 4);
    directory += name;
    at += local.size() + content.size();
  }
  std::string end;
  put(end, kEnd, 4), put(end, 0, 4);
  put(end, tensors.size(), 2), put(end, tensors.size(), 2);
  put(end, directory.size(), 4), put(end, at, 4), put(end, 0, 2);
  out << directory << end;
  if (!out) throw Error("save_npz: the stream cannot be written to", site);
}
void save_npz(const std::string& path, const NamedTensors& tensors, CallSite site) {
  write_file(path, "save_npz", site, [&](std::ostream& out) { save_npz(out, tensors, site); });
}

}  // namespace tensorlib::io
