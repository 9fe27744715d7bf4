// Tables of instructions, run by a device: prints a line for each case with another result.
//
// usage: gpu_instructions [--bits] TABLE...
//   --bits   a line for each case, with all that the device gives
//
// Exit code 1: a case has another result. Instructions that the device's compiler refuses are named
// and counted apart: a device need not have the instructions of others.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "gpu/kernels/device_kernel.h"
#include "unit/kernels/instruction_table.h"

namespace {

using namespace xfer;
using instructions::Form;
using instructions::Table;
using Forms = std::span<const Form>;

constexpr std::size_t kAtOnce = 32;      // forms in one module
constexpr std::size_t kMemory = 64;      // bytes at %m
constexpr std::size_t kStack = 1 << 17;  // bytes: what the tables take of it, twice
constexpr unsigned kBits = 64;

struct Count {
  std::size_t cases = 0, otherwise = 0, refused = 0;
};

/// Memory that host and device share.
template <typename T>
class Shared {
 public:
  explicit Shared(std::size_t count) : size_(count) {
    gpu::check(cudaMallocHost(reinterpret_cast<void**>(&data_), (count + 1) * sizeof(T)),
               "cudaMallocHost");
  }
  ~Shared() { cudaFreeHost(data_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

std::vector<std::uint64_t> results_of(const gpu::DeviceKernel& kernel, Forms forms) {
  const std::vector<std::uint64_t> given = instructions::inputs_of(forms);
  const Shared<std::uint64_t> inputs(given.size()), results(instructions::result_count(forms));
  std::ranges::copy(given, inputs.begin());
  void* memory = nullptr;
  gpu::check(cudaMalloc(&memory, kMemory), "cudaMalloc");
  kernel.run(1, {inputs.begin(), results.begin(), memory});
  cudaFree(memory);
  return {results.begin(), results.end()};
}

void print_bits(Forms forms, const std::vector<std::uint64_t>& results) {
  std::size_t next = 0;
  for (const Form& form : forms)
    for (const instructions::Case& one : form.cases) {
      std::printf("%s of", form.text.c_str());
      for (const std::uint64_t input : one.inputs)
        std::printf(" %llx", static_cast<unsigned long long>(input));
      std::printf(" ->");
      for (const instructions::Type& type : form.results)
        std::printf(" %llx", static_cast<unsigned long long>(
                                 results[next++] & ~std::uint64_t{0} >> (kBits - type.bits)));
      std::printf("\n");
    }
}

void ask(const Table& table, Forms forms, bool bits, Count& count) {
  std::optional<gpu::DeviceKernel> kernel;
  try {
    kernel.emplace(instructions::module_of(table.target, forms), "run");
  } catch (const std::exception& refused) {
    if (forms.size() > 1) {
      for (std::size_t i = 0; i < forms.size(); ++i) ask(table, forms.subspan(i, 1), bits, count);
      return;
    }
    ++count.refused;
    std::printf("%s:%u: refused: %s: %s\n", table.name.c_str(), forms[0].line,
                forms[0].text.c_str(), refused.what());
    return;
  }
  const std::vector<std::uint64_t> results = results_of(*kernel, forms);
  for (const Form& form : forms) count.cases += form.cases.size();
  if (bits) print_bits(forms, results);
  for (const std::string& difference : instructions::differences(table, forms, results)) {
    ++count.otherwise;
    std::printf("%s\n", difference.c_str());
  }
}

Count ask(const Table& table, bool bits) {
  Count count;
  std::vector<Form> present = table.forms;
  std::erase_if(present, [](const Form& form) { return form.absent; });
  const Forms forms = present;
  for (std::size_t i = 0; i < forms.size(); i += kAtOnce)
    ask(table, forms.subspan(i, std::min(kAtOnce, forms.size() - i)), bits, count);
  return count;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> words(argv + 1, argv + argc);
  gpu::check(cudaDeviceSetLimit(cudaLimitStackSize, kStack), "cudaDeviceSetLimit");
  bool bits = false;
  bool otherwise = false;
  for (const std::string& word : words) {
    if (word == "--bits") {
      bits = true;
      continue;
    }
    const Table table = instructions::read_table(word);
    const Count count = ask(table, bits);
    std::printf("%-20s %6zu cases, %zu otherwise, %zu forms refused\n", table.name.c_str(),
                count.cases, count.otherwise, count.refused);
    otherwise = otherwise || count.otherwise != 0;
  }
  return otherwise ? 1 : 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "gpu_instructions: %s\n", error.what());
  return 2;
}
