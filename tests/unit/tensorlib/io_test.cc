// Files of other programs: what they hold, and what is said of those that are damaged.
#include <tensorlib/io.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

std::string bytes_of(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// An .npy file with this header and these elements.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  return file + header + data;
}
std::string npy(const char* type, const char* order, const char* shape, const std::string& data) {
  return npy(std::string("{'descr': '") + type + "', 'fortran_order': " + order +
                 ", 'shape': " + shape + ", }",
             data);
}

Tensor read_npy(const std::string& bytes) {
  std::istringstream in(bytes);
  return io::load_npy(in, "x.npy");
}

TEST(Npy, TensorsOfEveryTypeComeBack) {
  for (const Device& device : devices()) {
    for (ScalarType type : kAllTypes) {
      if (type == kBFloat16) continue;  // which NumPy does not have
      const Tensor saved = arange(12, kFloat).view({3, 4}).to(device, type).t();
      std::stringstream stream;
      io::save_npy(stream, saved);
      EXPECT_EQ(stream.str().find('\n') % 64, 63u) << "the elements are aligned";
      const Tensor loaded = io::load_npy(stream, "x");
      EXPECT_EQ(loaded.dtype(), type);
      EXPECT_EQ(loaded.sizes(), saved.sizes());
      EXPECT_EQ(elements(loaded), elements(saved));
    }
  }
  for (const Tensor& saved : {full({}, 4.0), zeros({0, 3}), ones({5})}) {
    std::stringstream stream;
    io::save_npy(stream, saved);
    EXPECT_EQ(io::load_npy(stream, "x").sizes(), saved.sizes());
  }
}

TEST(Npy, RefusesATypeThatNumpyDoesNotHave) {
  std::stringstream stream;
  EXPECT_THROW(io::save_npy(stream, ones({2}, kBFloat16)), DTypeMismatchError);
  EXPECT_TRUE(stream.str().empty());
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const std::string one_two("\x01\0\0\0\x02\0\0\0", 8);
  EXPECT_EQ(elements(read_npy(npy("<i4", "False", "(2,)", one_two))), (std::vector<double>{1, 2}));
  const char* other_order = "{\"shape\": (1, 2), \"descr\": \"<i4\", \"fortran_order\": False}";
  EXPECT_EQ(elements(read_npy(npy(other_order, one_two, 2))), (std::vector<double>{1, 2}));
  const std::string big("\0\0\0\x01\0\0\0\x02", 8);
  EXPECT_EQ(elements(read_npy(npy(">i4", "False", "(2,)", big))), (std::vector<double>{1, 2}));
  const Tensor fortran = read_npy(npy("|u1", "True", "(2, 3)", "\1\2\3\4\5\6"));
  EXPECT_EQ(fortran.sizes(), std::vector<int64_t>({2, 3}));
  EXPECT_EQ(elements(fortran), (std::vector<double>{1, 3, 5, 2, 4, 6}));
}

TEST(Npy, DamageIsSaid) {
  const std::string four(4, '\0');
  const std::pair<std::string, const char*> cases[] = {
      {"", "does not begin as one"},
      {"PK and more bytes", "does not begin as one"},
      {npy("{}", ""), "lacks descr, fortran_order or shape"},
      {npy("{}", "").replace(6, 1, "\x09"), "its version is 9"},
      {npy("<i4", "False", "(1,)", "").substr(0, 30), "cut off in its header"},
      {npy("<i4", "False", "(2,)", four), "cut off: 4 bytes of 8"},
      {npy("<i4", "Maybe", "(1,)", four), "neither True nor False"},
      {npy("<i4", "False", "(-1,)", four), "not a tuple of sizes"},
      {npy("<i4", "False", "(x)", four), "not a tuple of sizes"},
      {npy("<i4", "False", "(4000000000,4000000000,4000000000)", four), "overflows"},
      {npy("<i4", "False", "(1,1,1,1,1,1,1,1,1)", four), "9 dimensions"},
      {npy("<c8", "False", "(1,)", four), "type '<c8', which tensorlib does not have"},
      {npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,)}", four), "records"},
      {npy("{'descr': '<i4', 'descr': '<i4'}", four), "has the key 'descr'"},
      {npy("{'descr': '<i4", four), "does not end"},
  };
  for (const auto& [bytes, expected] : cases) {
    const std::string text = error_of([&, &bytes = bytes] { (void)read_npy(bytes); });
    EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_NE(text.find("x.npy"), std::string::npos) << text;
  }
}

// By Python's zipfile, as numpy.savez_compressed calls it: w = int32 [1, 2, 3], b = float64 2.5.
const std::string kNpz = bytes_of(
    "504b03042d0000000800000021001d45748affffffffffffffff05001400772e6e7079010010004f000000000000"
    "0049000000000000009bec17ea1b10c9c860c950ad9e925a9c5ca46ea5a06e9369a2aea3a09e965f54529498179f"
    "5f94920a12774bcc294e058a17672416a402f91ac63a9a3a0ab58c0c0c0c4c40cc0cc400504b03042d0000000800"
    "00002100b5c89893ffffffffffffffff05001400622e6e707901001000490000000000000043000000000000009b"
    "ec17ea1b10c9c860ce50ad9e925a9c5ca46ea5a06e9366a1aea3a09e965f54529498179f5f94920a12774bcc294e"
    "058a17672416a402f91a9a3a0ab50c60c0e20000504b01022d032d0000000800000021001d45748a490000004f00"
    "0000050000000000000000000000800100000000772e6e7079504b01022d032d000000080000002100b5c8989343"
    "00000049000000050000000000000000000000800180000000622e6e7079504b0506000000000200020066000000"
    "fa0000000000");

io::NamedTensors read_npz(const std::string& bytes) {
  std::istringstream in(bytes);
  return io::load_npz(in, "x.npz");
}

TEST(Npz, ReadsWhatNumpyWritesAndWritesItself) {
  const io::NamedTensors loaded = read_npz(kNpz);
  EXPECT_EQ(loaded.keys(), (std::vector<std::string>{"w", "b"}));
  EXPECT_EQ(elements(loaded["w"]), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(loaded["b"].item<double>(), 2.5);
  std::stringstream stream;
  io::save_npz(stream, loaded);
  const io::NamedTensors again = io::load_npz(stream, "x");
  EXPECT_EQ(again.keys(), loaded.keys());
  EXPECT_EQ(elements(again["w"]), elements(loaded["w"]));
}

TEST(Npz, DamageIsSaid) {
  const auto error = [](const std::string& bytes) {
    return error_of([&] { (void)read_npz(bytes); });
  };
  EXPECT_NE(error("").find("no zip directory at its end"), std::string::npos);
  EXPECT_NE(error(kNpz.substr(0, kNpz.size() - 5)).find("no zip directory"), std::string::npos);
  const size_t directory = kNpz.find(std::string("PK\x01\x02", 4));
  // A byte of the directory's first entry, and what is said when it has another value.
  const struct {
    size_t at;
    char value;
    const char* text;
  } cases[] = {{0, 'X', "its directory is damaged"},
               {8, 1, "is encrypted"},
               {10, 12, "packed by method 12"},
               {16, 1, "the checksum of \"w.npy\" is wrong"},
               {27, 0x7f, "is said to be"},
               {24, 1, "cannot be unpacked"},
               {23, 0x7f, "is cut off"},
               {45, 0x7f, "is cut off"},
               {42, 1, "is not where it should be"}};
  for (const auto& c : cases) {
    std::string damaged = kNpz;
    damaged[directory + c.at] = static_cast<char>(damaged[directory + c.at] ^ c.value);
    if (c.at == 10) damaged[directory + c.at] = c.value;
    EXPECT_NE(error(damaged).find(c.text), std::string::npos) << c.at << ": " << error(damaged);
  }
}

#ifdef XFER_HAVE_IMAGES

// 8x8, grey 100; 8x8, colour (200, 60, 30); 2x1 with transparency; 2x2, grey.
const std::string kGreyJpeg = bytes_of(
    "ffd8ffe000104a46494600010100000100010000ffdb004300030202030202030303030403030405080505040405"
    "0a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc000"
    "0b080008000801011100ffc40014000100000000000000000000000000000007ffc4001410010000000000000000"
    "0000000000000000ffda0008010100003f00347fffd9");
const std::string kColourJpeg = bytes_of(
    "ffd8ffe000104a46494600010100000100010000ffdb004300030202030202030303030403030405080505040405"
    "0a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffdb00"
    "430103040405040509050509140d0b0d141414141414141414141414141414141414141414141414141414141414"
    "1414141414141414141414141414141414141414ffc00011080008000803012200021101031101ffc40015000101"
    "00000000000000000000000000000007ffc40014100100000000000000000000000000000000ffc4001501010100"
    "000000000000000000000000000708ffc40014110100000000000000000000000000000000ffda000c0301000211"
    "0311003f00978017580fffd9");
const std::string kAlphaPng = bytes_of(
    "89504e470d0a1a0a0000000d4948445200000002000000010806000000f4227f8a000000017352474200aece1ce9"
    "0000001149444154089963646462fecfccccdc080005d10191b8594c960000000049454e44ae426082");
const std::string kGreyPng = bytes_of(
    "89504e470d0a1a0a0000000d494844520000000200000002080000000057dd52f8000000017352474200aece1ce9"
    "0000000e49444154089963e4e26211e1020000a400380856fe5e0000000049454e44ae426082");

Tensor decoded(const std::string& bytes) {
  return io::decode_image(bytes.data(), bytes.size(), "x.img");
}

TEST(Image, IsChannelsByHeightByWidth) {
  const Tensor grey = decoded(kGreyJpeg), colour = decoded(kColourJpeg);
  EXPECT_EQ(grey.sizes(), std::vector<int64_t>({1, 8, 8}));
  EXPECT_TRUE(near(elements(grey), std::vector<double>(64, 100), 0.02));
  EXPECT_EQ(colour.sizes(), std::vector<int64_t>({3, 8, 8}));
  const Tensor means = colour.to(kFloat).mean({1, 2});
  EXPECT_TRUE(near(elements(means), {200, 60, 30}, 0.05));
  EXPECT_EQ(elements(decoded(kAlphaPng)), (std::vector<double>{1, 4, 2, 5, 3, 6, 255, 128}));
  EXPECT_EQ(decoded(kAlphaPng).sizes(), std::vector<int64_t>({4, 1, 2}));
  EXPECT_EQ(elements(decoded(kGreyPng)), (std::vector<double>{10, 20, 30, 40}));
}

TEST(Image, ABadFileIsNamed) {
  const auto path =
      std::filesystem::temp_directory_path() / ("tensorlib_image_" + std::to_string(getpid()));
  const auto error = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    return error_of([&] { (void)io::read_image(path.string()); });
  };
  EXPECT_NE(error("").find(path.string() + " is empty"), std::string::npos);
  EXPECT_NE(error("GIF89a").find("is not a JPEG or PNG image"), std::string::npos);
  // Cut off at any length but within the marker that ends it.
  for (const auto* image : {&kGreyJpeg, &kColourJpeg}) {
    for (size_t size = 3; size + 2 < image->size(); size += 7) {
      EXPECT_NE(error(image->substr(0, size)).find("is a damaged JPEG image: "), std::string::npos)
          << size;
    }
  }
  for (size_t size = 8; size + 20 < kAlphaPng.size(); size += 3) {
    EXPECT_NE(error(kAlphaPng.substr(0, size)).find("is a damaged PNG image: "), std::string::npos)
        << size;
  }
  std::filesystem::remove(path);
  EXPECT_NE(error_of([&] { (void)io::read_image(path.string()); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(error_of([] { (void)io::read_image("/tmp"); }).find("it is a folder"),
            std::string::npos);
}

#endif

}  // namespace
}  // namespace tensorlib::testing
