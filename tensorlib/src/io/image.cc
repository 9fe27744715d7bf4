// JPEG by libjpeg, PNG by libpng.
#include "tensorlib/io/image.h"

#include <cstdio>
// jpeglib.h needs FILE.
#include <jpeglib.h>
#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <iterator>
#include <vector>

#include "core/tensor_impl.h"
#include "io/file.h"
#include "tensorlib/factories.h"
#include "tensorlib/grad_mode.h"

namespace tensorlib::io {

namespace {

// More is no image that a model takes, and may be a file that lies.
constexpr uint64_t kMostBytes = uint64_t{1} << 31;

// Pixels in rows, freed with free().
struct Pixels {
  unsigned char* data = nullptr;
  int64_t height = 0, width = 0, channels = 0;
};

struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void leave(j_common_ptr info) {
  auto* const errors = reinterpret_cast<JpegErrors*>(info->err);
  info->err->format_message(info, errors->message);
  std::longjmp(errors->back, 1);
}
// libjpeg goes on after what it calls a warning, with pixels that it made up.
void leave_at_warning(j_common_ptr info, int level) {
  if (level < 0) leave(info);
}

// Nothing in here has a destructor: errors jump out of it. Whether it went well.
bool decode_jpeg(const unsigned char* data, size_t size, Pixels& pixels, JpegErrors& errors) {
  jpeg_decompress_struct info;
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = leave;
  errors.base.emit_message = leave_at_warning;
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&info);
    return false;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, data, static_cast<unsigned long>(size));
  jpeg_read_header(&info, TRUE);
  if (info.num_components != 1) info.out_color_space = JCS_RGB;
  jpeg_start_decompress(&info);
  pixels.height = info.output_height;
  pixels.width = info.output_width;
  pixels.channels = info.output_components;
  const uint64_t row = uint64_t{info.output_width} * static_cast<uint64_t>(info.output_components);
  if (row * info.output_height <= kMostBytes) {
    pixels.data = static_cast<unsigned char*>(std::malloc(row * info.output_height));
  }
  if (pixels.data == nullptr) {
    std::snprintf(errors.message, sizeof errors.message, "it is too large");
    jpeg_destroy_decompress(&info);
    return false;
  }
  while (info.output_scanline < info.output_height) {
    unsigned char* line = pixels.data + info.output_scanline * row;
    jpeg_read_scanlines(&info, &line, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return true;
}

bool decode_png(const unsigned char* data, size_t size, Pixels& pixels, std::string& message) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto read = [&] {
    if (png_image_begin_read_from_memory(&image, data, size) == 0) return false;
    image.format &= PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR;  // 8 bits, no palette
    pixels.height = image.height;
    pixels.width = image.width;
    pixels.channels = PNG_IMAGE_PIXEL_CHANNELS(image.format);
    const uint64_t bytes =
        uint64_t{image.height} * image.width * static_cast<uint64_t>(pixels.channels);
    if (bytes <= kMostBytes) pixels.data = static_cast<unsigned char*>(std::malloc(bytes));
    if (pixels.data == nullptr) {
      message = "it is too large";
      return false;
    }
    return png_image_finish_read(&image, nullptr, pixels.data, 0, nullptr) != 0;
  };
  const bool good = read() && (image.warning_or_error & PNG_IMAGE_ERROR) == 0;
  if (!good && message.empty()) message = image.message;
  png_image_free(&image);
  return good;
}

}  // namespace

Tensor decode_image(const void* data, size_t size, const std::string& name, CallSite site) {
  const auto* const bytes = static_cast<const unsigned char*>(data);
  const auto begins = [&](std::initializer_list<unsigned char> start) {
    return size >= start.size() && std::equal(start.begin(), start.end(), bytes);
  };
  Pixels pixels;
  std::string message;
  const char* kind = nullptr;
  bool good = false;
  if (begins({0xff, 0xd8, 0xff})) {
    kind = "JPEG";
    JpegErrors errors;
    good = decode_jpeg(bytes, size, pixels, errors);
    if (!good) message = errors.message;
  } else if (begins({0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'})) {
    kind = "PNG";
    good = decode_png(bytes, size, pixels, message);
  } else {
    throw Error(
        str_cat("read_image: ", name, size == 0 ? " is empty" : " is not a JPEG or PNG image"),
        site);
  }
  if (!good) {
    std::free(pixels.data);
    throw Error(str_cat("read_image: ", name, " is a damaged ", kind, " image: ", message), site);
  }
  NoGradGuard raw;
  const Tensor rows = from_blob(
      pixels.data, {pixels.height, pixels.width, pixels.channels},
      [](void* memory) { std::free(memory); }, TensorOptions(kCPU).dtype(kByte), site);
  return rows.permute({2, 0, 1}, site).clone(site);
}

Tensor read_image(const std::string& path, CallSite site) {
  std::ifstream in = open_to_read(path, "read_image", site);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(in),
                                std::istreambuf_iterator<char>()};
  return decode_image(bytes.data(), bytes.size(), path, site);
}

}  // namespace tensorlib::io
