// The files are big-endian: a magic number, the sizes, the bytes.
#include "tensorlib/data/mnist.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "core/check.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::data::datasets {

namespace {

class IdxFile {
 public:
  IdxFile(const std::string& path, uint32_t magic, size_t dims, CallSite site)
      : path_(path), site_(site), file_(path, std::ios::binary) {
    if (!file_) refuse(str_cat("cannot be opened: ", std::strerror(errno)));
    if (const uint32_t found = number(); found != magic) {
      if (found >> 16 == 0x1f8b) refuse("is compressed\nhelp: unpack it first: gunzip");
      refuse(str_cat("is not such a file: it begins with ", found, ", not with ", magic));
    }
    for (size_t i = 0; i < dims; ++i) sizes_.push_back(number());
  }

  // The elements, uint8.
  Tensor read() {
    int64_t count = 1;
    for (const int64_t size : sizes_) {
      if (__builtin_mul_overflow(count, size, &count) || count > int64_t{1} << 34) {
        refuse(str_cat("says that it has ", IntArrayRef(sizes_), " elements"));
      }
    }
    const auto start = file_.tellg();
    file_.seekg(0, std::ios::end);
    const int64_t there = static_cast<int64_t>(file_.tellg() - start);
    if (there < count) {
      refuse(str_cat("is cut off: ", there, " bytes of ", count, " (shape ", IntArrayRef(sizes_),
                     ") are there"));
    }
    file_.seekg(start);
    Tensor bytes = empty(sizes_, TensorOptions(kCPU).dtype(kByte), site_);
    if (!file_.read(static_cast<char*>(bytes.data_ptr()), count)) refuse("cannot be read");
    return bytes;
  }

  int64_t count() const { return sizes_[0]; }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(str_cat("MNIST: ", path_, " ", why), site_);
  }

 private:
  uint32_t number() {
    std::array<unsigned char, 4> bytes{};
    if (!file_.read(reinterpret_cast<char*>(bytes.data()), 4)) refuse("is cut off in its header");
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 | bytes[3];
  }

  std::string path_;
  CallSite site_;
  std::ifstream file_;
  std::vector<int64_t> sizes_;
};

}  // namespace

MNIST::MNIST(const std::string& root, Mode mode, CallSite site) : mode_(mode) {
  const std::string prefix = root + (mode == Mode::kTrain ? "/train-" : "/t10k-");
  IdxFile images(prefix + "images-idx3-ubyte", 2051, 3, site);
  IdxFile labels(prefix + "labels-idx1-ubyte", 2049, 1, site);
  if (images.count() != labels.count()) {
    labels.refuse(str_cat("has ", labels.count(), " labels for ", images.count(), " images"));
  }
  NoGradGuard no_grad;
  images_ = images.read().unsqueeze(1, site).to(kFloat, false, false, site).div_(255, site);
  targets_ = labels.read().to(kLong, false, false, site);
}

Example<> MNIST::get(size_t index) { return {images_[index], targets_[index]}; }
std::optional<size_t> MNIST::size() const { return static_cast<size_t>(images_.size(0)); }

}  // namespace tensorlib::data::datasets
