// CUDA arrays, and copies of three dimensions: one act per subcommand.

#include <cuda_runtime.h>

#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

void show(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

template <typename T>
void print(const char* what, const std::vector<T>& values) {
  std::printf("%s:", what);
  for (const T value : values) std::printf(" %g", static_cast<double>(value));
  std::printf("\n");
}

std::vector<float> numbers(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0F);
  return values;
}

cudaArray_t new_array(size_t width, size_t height) {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  show("array", cudaMallocArray(&array, &floats, width, height));
  return array;
}

/// All of a 4 x 3 array.
std::vector<float> content(cudaArray_t array) {
  std::vector<float> values(12);
  cudaMemcpy2DFromArray(values.data(), 16, array, 0, 0, 16, 3, cudaMemcpyDeviceToHost);
  return values;
}

void planes() {
  const cudaArray_t array = new_array(4, 3), other = new_array(4, 3);
  const std::vector<float> from = numbers(20);
  // Rows 5 floats apart, into all of it; then two rows of two in the middle.
  show("in", cudaMemcpy2DToArray(array, 0, 0, from.data(), 20, 16, 3, cudaMemcpyHostToDevice));
  print("all", content(array));
  show("part", cudaMemcpy2DToArrayAsync(array, 4, 1, &from[15], 8, 8, 2, cudaMemcpyHostToDevice));
  show("sync", cudaDeviceSynchronize());
  print("all", content(array));
  show("between", cudaMemcpy2DArrayToArray(other, 8, 0, array, 0, 1, 8, 2));
  std::vector<float> to(4, -1);
  float* device = nullptr;
  cudaMalloc(&device, 16);
  show("out", cudaMemcpy2DFromArrayAsync(device, 8, other, 8, 0, 8, 2, cudaMemcpyDeviceToDevice));
  cudaMemcpy(to.data(), device, 16, cudaMemcpyDefault);
  print("part", to);
  show("free", cudaFreeArray(array));
  show("free again", cudaFreeArray(array));
}

// These go on in the next row. Deprecated, and there.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
void runs() {
  const cudaArray_t array = new_array(4, 3), other = new_array(4, 3);
  const std::vector<float> from = numbers(12);
  show("in", cudaMemcpyToArray(array, 8, 1, from.data(), 24, cudaMemcpyHostToDevice));
  print("all", content(array));
  show("between", cudaMemcpyArrayToArray(other, 0, 0, array, 12, 1, 20));
  std::vector<float> to(5);
  show("out", cudaMemcpyFromArray(to.data(), other, 0, 0, 20, cudaMemcpyDeviceToHost));
  print("run", to);
  show("too many", cudaMemcpyToArray(array, 8, 1, from.data(), 28, cudaMemcpyHostToDevice));
}
#pragma GCC diagnostic pop

cudaMemcpy3DParms whole(cudaArray_t array, std::vector<float>& memory, cudaExtent extent) {
  cudaMemcpy3DParms copy{};
  copy.dstArray = array;
  copy.srcPtr = make_cudaPitchedPtr(memory.data(), extent.width * 4, extent.width, extent.height);
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  return copy;
}

void cuboids() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const cudaExtent extent = make_cudaExtent(3, 2, 2);
  cudaArray_t array = nullptr;
  show("array", cudaMalloc3DArray(&array, &floats, extent));
  std::vector<float> memory = numbers(12);
  const cudaMemcpy3DParms in = whole(array, memory, extent);
  show("in", cudaMemcpy3D(&in));

  // Its upper right corner, into pitched memory of zeros.
  cudaPitchedPtr volume{};
  show("volume", cudaMalloc3D(&volume, make_cudaExtent(12, 2, 2)));
  show("fill", cudaMemset3D(volume, 0, make_cudaExtent(12, 2, 2)));
  cudaMemcpy3DParms part{};
  part.srcArray = array;
  part.srcPos = make_cudaPos(1, 1, 0);
  part.dstPtr = volume;
  part.dstPos = make_cudaPos(4, 1, 0);
  part.extent = make_cudaExtent(2, 1, 2);
  part.kind = cudaMemcpyDeviceToDevice;
  show("part", cudaMemcpy3DAsync(&part));
  cudaMemcpy3DParms out{};
  std::vector<float> to(12, -1);
  out.srcPtr = volume;
  out.dstPtr = make_cudaPitchedPtr(to.data(), 12, 12, 2);
  out.extent = make_cudaExtent(12, 2, 2);
  out.kind = cudaMemcpyDeviceToHost;
  show("out", cudaMemcpy3D(&out));
  print("all", to);
  part.srcPos.x = 2;
  show("beyond the array", cudaMemcpy3D(&part));
  part.srcPos.x = 1;
  part.kind = cudaMemcpyHostToDevice;
  show("an array is no host memory", cudaMemcpy3D(&part));
}

void asked() {
  const cudaChannelFormatDesc shorts = cudaCreateChannelDesc<ushort2>();
  cudaArray_t array = nullptr;
  show("cube", cudaMalloc3DArray(&array, &shorts, make_cudaExtent(8, 8, 6),
                                 cudaArrayCubemap | cudaArraySurfaceLoadStore));
  cudaChannelFormatDesc channels{};
  cudaExtent extent{};
  unsigned flags = 0;
  show("info", cudaArrayGetInfo(&channels, &extent, &flags, array));
  std::printf("%d %d %d, %zu %zu %zu, %u\n", channels.x, channels.y, channels.f, extent.width,
              extent.height, extent.depth, flags);
  show("channels", cudaGetChannelDesc(&channels, array));
  cudaMipmappedArray_t levels = nullptr;
  show("mipmaps", cudaMallocMipmappedArray(&levels, &shorts, make_cudaExtent(8, 3, 0), 9));
  for (unsigned i = 0; i < 5; ++i) {
    const cudaError_t error = cudaGetMipmappedArrayLevel(&array, levels, i);
    cudaArrayGetInfo(nullptr, &extent, nullptr, array);
    std::printf("level %u: %s %zu x %zu\n", i, cudaGetErrorName(error), extent.width,
                extent.height);
  }
  show("a level is not freed", cudaFreeArray(array));
  show("free", cudaFreeMipmappedArray(levels));
  cudaDeviceReset();
  show("after a reset", cudaFreeArray(array));
}

void errors() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  const cudaChannelFormatDesc odd = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array = nullptr;
  show("empty", cudaMallocArray(&array, &floats, 0, 4));
  show("no address", cudaMallocArray(nullptr, &floats, 4, 4));
  show("too large", cudaMallocArray(&array, &floats, 1 << 20, 4));
  show("odd texels", cudaMallocArray(&array, &odd, 4, 4));
  show("oblong cube",
       cudaMalloc3DArray(&array, &floats, make_cudaExtent(4, 8, 6), cudaArrayCubemap));
  show("sparse", cudaMallocArray(&array, &floats, 4, 4, cudaArraySparse));
  array = new_array(4, 3);
  float values[12] = {};
  show("row", cudaMemcpy2DToArray(array, 4, 0, values, 16, 16, 1, cudaMemcpyHostToDevice));
  show("rows", cudaMemcpy2DToArray(array, 0, 1, values, 16, 16, 3, cudaMemcpyHostToDevice));
  show("pitch", cudaMemcpy2DToArray(array, 0, 0, values, 8, 16, 3, cudaMemcpyHostToDevice));
  show("way", cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 3, cudaMemcpyDeviceToHost));
  show("no array", cudaMemcpy2DToArray(nullptr, 0, 0, values, 16, 16, 3, cudaMemcpyHostToDevice));
  show("nothing", cudaMemcpy3D(nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> acts = {
      {"planes", planes}, {"runs", runs},     {"cuboids", cuboids},
      {"asked", asked},   {"errors", errors},
  };
  const auto act = acts.find(argc > 1 ? argv[1] : "");
  if (act == acts.end()) return 2;
  act->second();
  return 0;
}
