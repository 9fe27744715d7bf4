// Stands where a compiler of kernels looks for NVIDIA's assembler, as Triton does: emulated devices
// run PTX, so what it gives is the PTX that it is given.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Compilers choose the version of the PTX that they write by this. Those that know the devices of
/// CUDA 12.8 ask the second name.
int say_version(std::string_view program) {
  const bool knows_blackwell = program.ends_with("blackwell");
  std::printf(
      "ptxas: xfercheck's, which leaves PTX as it is for emulated devices\n"
      "Cuda compilation tools, release %s, V%s.0\n",
      knows_blackwell ? "12.8" : "12.4", knows_blackwell ? "12.8" : "12.4");
  return 0;
}

int fail(const std::string& why) {
  std::fprintf(stderr, "ptxas (xfercheck's): %s\n", why.c_str());
  return 1;
}

int copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  return error ? fail(from + " cannot be copied to " + to + ": " + error.message()) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto is_given = [&](const char* option) {
    return std::ranges::find(words, option) != words.end();
  };
  if (is_given("--version") || is_given("-V")) return say_version(argv[0]);
  std::string input;
  std::string output = "elf.o";  // as ptxas does
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] == "-o" || words[i] == "--output-file") && i + 1 < words.size())
      output = words[++i];
    else if (words[i].ends_with(".ptx"))
      input = words[i];
  }
  return input.empty() ? fail("no file of PTX is given") : copy(input, output);
}
