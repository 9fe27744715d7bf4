// Runs a libFuzzer target without libFuzzer: random inputs and mutated seeds for a number of
// seconds. usage: TARGET SECONDS [SEED_FILE...]

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  std::vector<std::string> seeds = {""};
  for (int i = 2; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 10);
  std::mt19937_64 random(1);
  std::uint64_t runs = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs) {
    std::string input = seeds[random() % seeds.size()];
    if (input.empty() || random() % 8 == 0) {
      input.resize(random() % 512);
      for (char& byte : input) byte = static_cast<char>(random() % 4 == 0 ? 0 : random());
    }
    for (std::uint64_t i = random() % 8; i > 0 && !input.empty(); --i)
      input[random() % input.size()] = static_cast<char>(random());
    if (random() % 4 == 0) input.resize(random() % (input.size() + 1));
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  std::printf("%llu runs, no fault\n", static_cast<unsigned long long>(runs));
}
