// cuRAND's host API. All pseudorandom generators are one here: the numbers are others than a GPU's,
// and the same for the same seed. Quasirandom ones are made of NVIDIA's tables.

#include <cuda_runtime_api.h>
#include <curand.h>

#include "curand/fill.h"
#include "curand/tables.h"
#include "machine/say.h"

using namespace xfer::emulator;

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  bool on_host = false;
  cudaStream_t stream = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  std::uint32_t dimensions = 1;

  bool is_quasirandom() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
};

namespace {

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (type < CURAND_RNG_TEST ||
      (type > CURAND_RNG_PSEUDO_PHILOX4_32_10 && type < CURAND_RNG_QUASI_DEFAULT) ||
      type > CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
    return CURAND_STATUS_TYPE_ERROR;
  SobolTables tables;
  if (type >= CURAND_RNG_QUASI_DEFAULT && !find_tables(type, &tables))
    return CURAND_STATUS_INTERNAL_ERROR;
  int device = 0;
  if (!on_host && cudaGetDevice(&device) != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  *generator = new curandGenerator_st{type, on_host};
  return CURAND_STATUS_SUCCESS;
}

template <typename Number>
curandStatus_t generate(curandGenerator_t generator, Number* numbers, std::size_t count,
                        Distribution distribution, double mean = 0, double deviation = 1) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool in_pairs =
      distribution == Distribution::kNormal || distribution == Distribution::kLogNormal;
  if (generator->is_quasirandom() ? count % generator->dimensions != 0 : in_pairs && count % 2 != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (count == 0) return CURAND_STATUS_SUCCESS;
  if (numbers == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  const Fill fill{distribution, numbers,   count,           generator->seed,      generator->offset,
                  mean,         deviation, generator->type, generator->dimensions};
  generator->offset += count / generator->dimensions;
  if (!generator->on_host) return fill_device<Number>(fill, generator->stream);
  fill_host<Number>(fill);
  return CURAND_STATUS_SUCCESS;
}

template <typename Change>
curandStatus_t change(curandGenerator_t generator, Change its) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  its(*generator);
  return CURAND_STATUS_SUCCESS;
}

template <typename Function, typename... Arguments>
curandStatus_t by_nvidia(Function, const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<Function>(nvidia_function(name));
  return function == nullptr ? CURAND_STATUS_INTERNAL_ERROR : function(arguments...);
}

}  // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create(generator, rng_type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t rng_type) {
  return create(generator, rng_type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
  switch (type) {
    case MAJOR_VERSION: *value = CURAND_VER_MAJOR; return CURAND_STATUS_SUCCESS;
    case MINOR_VERSION: *value = CURAND_VER_MINOR; return CURAND_STATUS_SUCCESS;
    case PATCH_LEVEL: *value = CURAND_VER_PATCH; return CURAND_STATUS_SUCCESS;
    default: return CURAND_STATUS_OUT_OF_RANGE;
  }
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return change(generator, [=](curandGenerator_st& its) { its.stream = stream; });
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  return change(generator, [=](curandGenerator_st& its) {
    its.seed = seed;
    its.offset = 0;
  });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return change(generator, [=](curandGenerator_st& its) { its.offset = offset; });
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int num_dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (!generator->is_quasirandom()) return CURAND_STATUS_TYPE_ERROR;
  if (num_dimensions == 0 || num_dimensions > kMostDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = num_dimensions;
  return CURAND_STATUS_SUCCESS;
}

// The tables of sequences that kernels compute by themselves are NVIDIA's own.
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return by_nvidia(&curandGetDirectionVectors32, "curandGetDirectionVectors32", vectors, set);
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return by_nvidia(&curandGetDirectionVectors64, "curandGetDirectionVectors64", vectors, set);
}
curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  return by_nvidia(&curandGetScrambleConstants32, "curandGetScrambleConstants32", constants);
}
curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  return by_nvidia(&curandGetScrambleConstants64, "curandGetScrambleConstants64", constants);
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t) {
  return change(generator, [](curandGenerator_st&) {});
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return change(generator, [](curandGenerator_st&) {});
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* outputPtr, size_t num) {
  if (generator != nullptr && is_wide(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  return generate(generator, outputPtr, num, Distribution::kBits);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* outputPtr,
                                      size_t num) {
  if (generator != nullptr && !is_wide(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  return generate(generator, outputPtr, num, Distribution::kBits);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* outputPtr, size_t num) {
  return generate(generator, outputPtr, num, Distribution::kUniform);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* outputPtr,
                                           size_t num) {
  return generate(generator, outputPtr, num, Distribution::kUniform);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* outputPtr, size_t n,
                                    float mean, float stddev) {
  return generate(generator, outputPtr, n, Distribution::kNormal, double{mean}, double{stddev});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* outputPtr, size_t n,
                                          double mean, double stddev) {
  return generate(generator, outputPtr, n, Distribution::kNormal, mean, stddev);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* outputPtr, size_t n,
                                       float mean, float stddev) {
  return generate(generator, outputPtr, n, Distribution::kLogNormal, double{mean}, double{stddev});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* outputPtr,
                                             size_t n, double mean, double stddev) {
  return generate(generator, outputPtr, n, Distribution::kLogNormal, mean, stddev);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* outputPtr, size_t n,
                                     double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate(generator, outputPtr, n, Distribution::kPoisson, lambda);
}

int xfer_emulated_curand_not_supported(const char* name) {
  say("xfercheck: {} is not emulated; it returns CURAND_STATUS_INTERNAL_ERROR\n", name);
  return CURAND_STATUS_INTERNAL_ERROR;
}
}
