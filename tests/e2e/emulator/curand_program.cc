// Random numbers from cuRAND's host API: what they are like, and what may be asked of them.

#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t kCount = 100'000;

curandGenerator_t seeded(unsigned long long seed) {
  curandGenerator_t generator = nullptr;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(generator, seed);
  return generator;
}

/// The numbers that make(numbers on the device, how many) made.
template <typename Number, typename Make>
std::vector<Number> made(Make make, std::size_t count = kCount) {
  std::vector<Number> numbers(count);
  Number* device = nullptr;
  cudaMalloc(&device, count * sizeof(Number));
  make(device, count);
  cudaMemcpy(numbers.data(), device, count * sizeof(Number), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return numbers;
}

template <typename Number>
void describe(const char* name, const std::vector<Number>& numbers) {
  double sum = 0, squares = 0;
  for (const Number number : numbers) sum += static_cast<double>(number);
  const double mean = sum / static_cast<double>(numbers.size());
  for (const Number number : numbers)
    squares += (static_cast<double>(number) - mean) * (static_cast<double>(number) - mean);
  std::printf("%s: %.1f %.1f\n", name, mean,
              std::sqrt(squares / static_cast<double>(numbers.size())));
}

void distributions() {
  curandGenerator_t generator = seeded(1);
  describe("uniform",
           made<float>([=](float* to, std::size_t n) { curandGenerateUniform(generator, to, n); }));
  describe("double", made<double>([=](double* to, std::size_t n) {
             curandGenerateUniformDouble(generator, to, n);
           }));
  describe("normal", made<float>([=](float* to, std::size_t n) {
             curandGenerateNormal(generator, to, n, 5, 2);
           }));
  describe("log-normal", made<double>([=](double* to, std::size_t n) {
             curandGenerateLogNormalDouble(generator, to, n, 0, 0.5);
           }));
  describe("poisson", made<unsigned>([=](unsigned* to, std::size_t n) {
             curandGeneratePoisson(generator, to, n, 4);
           }));
  int outside = 0;
  for (const float number :
       made<float>([=](float* to, std::size_t n) { curandGenerateUniform(generator, to, n); }))
    outside += number <= 0 || number > 1;
  std::printf("outside: %d\n", outside);
}

void sequences() {
  const auto bits = [](curandGenerator_t generator) {
    return made<unsigned>([=](unsigned* to, std::size_t n) { curandGenerate(generator, to, n); },
                          4);
  };
  curandGenerator_t one = seeded(7);
  curandGenerator_t same = seeded(7);
  const std::vector<unsigned> first = bits(one);
  std::printf("same seed: %d\n", first == bits(same));
  std::printf("next: %d\n", first != bits(one));
  std::printf("other seed: %d\n", first != bits(seeded(8)));
  curandSetGeneratorOffset(same, 2);
  const std::vector<unsigned> later = bits(same);
  std::printf("offset: %d\n", later[0] == first[2] && later[1] == first[3]);
  curandGenerator_t host = nullptr;
  curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_MT19937);
  curandSetPseudoRandomGeneratorSeed(host, 7);
  std::vector<unsigned> on_host(4);
  curandGenerate(host, on_host.data(), on_host.size());
  std::printf("host: %d\n", on_host == first);
}

template <typename Number>
void list(const char* name, const std::vector<Number>& numbers) {
  std::printf("%s:", name);
  for (const Number number : numbers) std::printf(" %.3f", static_cast<double>(number));
  std::printf("\n");
}

void quasirandom() {
  curandGenerator_t sobol = nullptr, scrambled = nullptr, wide = nullptr;
  curandCreateGenerator(&sobol, CURAND_RNG_QUASI_DEFAULT);
  curandSetQuasiRandomGeneratorDimensions(sobol, 2);
  const auto uniform = [](curandGenerator_t generator, std::size_t count) {
    return made<float>([=](float* to, std::size_t n) { curandGenerateUniform(generator, to, n); },
                       count);
  };
  list("two dimensions", uniform(sobol, 8));
  list("behind them", uniform(sobol, 4));
  curandSetGeneratorOffset(sobol, 1);
  list("from the second on", uniform(sobol, 4));
  describe("normal of Sobol", made<double>([=](double* to, std::size_t n) {
             curandGenerateNormalDouble(sobol, to, n, 5, 2);
           }));
  curandCreateGenerator(&scrambled, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  describe("scrambled", uniform(scrambled, kCount));
  std::printf("other than plain: %d\n", uniform(scrambled, 1) != std::vector<float>{0.5F});
  curandCreateGeneratorHost(&wide, CURAND_RNG_QUASI_SOBOL64);
  unsigned long long bits[3];
  std::printf("wide: %d", curandGenerateLongLong(wide, bits, 3));
  for (const unsigned long long word : bits) std::printf(" %llx", word);
  std::printf("\nodd in two dimensions: %d\n", curandGenerateUniform(sobol, nullptr, 3));
  std::printf("no dimensions: %d\n", curandSetQuasiRandomGeneratorDimensions(sobol, 0));
  std::printf("narrow of wide: %d\n", curandGenerate(wide, nullptr, 2));
  std::printf("dimensions of others: %d\n", curandSetQuasiRandomGeneratorDimensions(seeded(1), 2));
}

void mistakes() {
  curandGenerator_t generator = seeded(1);
  float* device = nullptr;
  cudaMalloc(&device, 64);
  std::printf("odd: %d\n", curandGenerateNormal(generator, device, 3, 0, 1));
  std::printf("no generator: %d\n", curandGenerateUniform(nullptr, device, 4));
  std::printf("poisson of 0: %d\n",
              curandGeneratePoisson(generator, reinterpret_cast<unsigned*>(device), 4, 0));
  std::printf("no such type: %d\n", curandCreateGenerator(&generator, curandRngType_t(170)));
  std::printf("destroyed: %d\n", curandDestroyGenerator(seeded(1)));
  float on_host[4];
  curandGenerateUniform(seeded(1), on_host, 4);
  std::printf("host memory: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

}  // namespace

int main() {
  distributions();
  sequences();
  quasirandom();
  mistakes();
  return 0;
}
