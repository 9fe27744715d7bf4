// Sound files for the fuzzers to damage. usage: file_seeds FOLDER

#include <tensorlib/io.h>
#include <tensorlib/tensorlib.h>

#include <fstream>
#include <string>

namespace {

// A grey PNG of 2x2 and a grey JPEG of 8x8 pixels.
constexpr char kPng[] =
    "89504e470d0a1a0a0000000d494844520000000200000002080000000057dd52f8000000017352474200aece1ce9"
    "0000000e49444154089963e4e26211e1020000a400380856fe5e0000000049454e44ae426082";
constexpr char kJpeg[] =
    "ffd8ffe000104a46494600010100000100010000ffdb004300030202030202030303030403030405080505040405"
    "0a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ffc000"
    "0b080008000801011100ffc40014000100000000000000000000000000000007ffc4001410010000000000000000"
    "0000000000000000ffda0008010100003f00347fffd9";

void write_hex(const std::string& path, const std::string& hex) {
  std::ofstream out(path, std::ios::binary);
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.put(static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  namespace io = tensorlib::io;
  io::NamedTensors tensors;
  tensors.insert("weight", tensorlib::rand({3, 4}));
  tensors.insert("steps", tensorlib::arange(5));
  io::save_safetensors(folder + "safetensors.a", tensors, {{"format", "pt"}});
  io::save_npz(folder + "npz.a", tensors);
  io::save_npy(folder + "npy.a", tensors["weight"]);
  write_hex(folder + "image.png", kPng);
  write_hex(folder + "image.jpg", kJpeg);
}
