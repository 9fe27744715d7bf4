// Kernels that read textures: one act per subcommand. Most hold the numbers 0, 1, 2... from the
// first texel on.

#include <map>
#include <string>

#include "texture_program.cuh"

namespace {

constexpr int kMost = 8;

struct Point {
  float x, y, z;
};

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureDesc how = {}) {
  cudaTextureObject_t texture = 0;
  show("texture", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

cudaTextureDesc linear() {
  cudaTextureDesc how{};
  for (cudaTextureAddressMode& mode : how.addressMode) mode = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  return how;
}

template <typename Kernel>
void print(const char* what, Kernel kernel, cudaTextureObject_t texture,
           const std::vector<Point>& points) {
  Point* at = nullptr;
  float* result = nullptr;
  cudaMalloc(&at, kMost * sizeof(Point));
  cudaMalloc(&result, kMost * sizeof(float));
  const int count = static_cast<int>(points.size());
  cudaMemcpy(at, points.data(), count * sizeof(Point), cudaMemcpyHostToDevice);
  kernel<<<1, count>>>(texture, at, result);
  show("run", cudaDeviceSynchronize());
  float values[kMost] = {};
  cudaMemcpy(values, result, count * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s:", what);
  for (int i = 0; i < count; ++i) std::printf(" %g", values[i]);
  std::printf("\n");
}

#define KERNEL(NAME, READ)                                                                \
  __global__ void NAME(cudaTextureObject_t texture, const Point* points, float* result) { \
    const Point at = points[threadIdx.x];                                                 \
    result[threadIdx.x] = READ;                                                           \
  }
KERNEL(of_buffer, tex1Dfetch<float>(texture, static_cast<int>(at.x)))
KERNEL(of_bytes, tex1Dfetch<unsigned char>(texture, static_cast<int>(at.x)))
KERNEL(of_row, tex1D<float>(texture, at.x))
KERNEL(of_plane, tex2D<float>(texture, at.x, at.y))
KERNEL(of_shorts, static_cast<float>(tex2D<short>(texture, at.x, at.y)))
KERNEL(of_cuboid, tex3D<float>(texture, at.x, at.y, at.z))
KERNEL(of_row_layer, tex1DLayered<float>(texture, at.x, static_cast<int>(at.y)))
KERNEL(of_layer, tex2DLayered<float>(texture, at.x, at.y, static_cast<int>(at.z)))
KERNEL(of_cube, texCubemap<float>(texture, at.x, at.y, at.z))
KERNEL(of_second_cube, texCubemapLayered<float>(texture, at.x, at.y, at.z, 1))
KERNEL(of_level, tex2DLod<float>(texture, at.x, at.y, at.z))
KERNEL(of_gradient, tex2DGrad<float>(texture, at.x, at.y, make_float2(at.z, 0), make_float2(0, 0)))
KERNEL(of_gather, [&] {
  const float4 all = tex2Dgather<float4>(texture, at.x, at.y, 0);
  return all.x * 1000 + all.y * 100 + all.z * 10 + all.w;
}())

void memory() {
  std::vector<float> values(256);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  float* device = nullptr;
  cudaMalloc(&device, 1024);
  cudaMemcpy(device, values.data(), 1024, cudaMemcpyHostToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {device, cudaCreateChannelDesc<float>(), 40};
  print("floats", of_buffer, texture_of(resource), {{0}, {9}, {10}, {-1}});
  resource.res.linear = {device, cudaCreateChannelDesc<unsigned char>(), 1024};
  print("bytes", of_bytes, texture_of(resource), {{6}, {7}});  // of 1.0F
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {device, cudaCreateChannelDesc<float>(), 3, 4, 256};
  print("pitched", of_plane, texture_of(resource, linear()), {{1.5F, 1.5F}, {1, 1}, {9, 9}});
}

void arrays() {
  const auto plane = numbered<float>(make_cudaExtent(4, 2, 0), cudaArrayTextureGather);
  print("nearest", of_plane, texture_of(resource_of(plane)), {{0, 0}, {3.9F, 1}, {-1, 7}});
  print("linear", of_plane, texture_of(resource_of(plane), linear()),
        {{2, 1}, {0.8F, 0.5F}, {9, 9}});
  print("gather", of_gather, texture_of(resource_of(plane)), {{1, 1}});
  cudaTextureDesc wraps{};
  wraps.normalizedCoords = 1;
  print("wrap", of_plane, texture_of(resource_of(plane), wraps), {{0.25F, 0}, {-0.25F, 1.5F}});
  cudaTextureDesc border = linear();
  border.addressMode[0] = cudaAddressModeBorder;
  border.borderColor[0] = 100;
  const auto row = numbered<float>(make_cudaExtent(3, 0, 0), 0);
  print("border", of_row, texture_of(resource_of(row), border), {{0}, {3}, {9}});
  const auto shorts = numbered<short>(make_cudaExtent(4, 2, 0), 0, -2);
  print("shorts", of_shorts, texture_of(resource_of(shorts)), {{1, 0}, {2, 1}});
  cudaTextureDesc normalized = linear();
  normalized.readMode = cudaReadModeNormalizedFloat;
  const auto bytes = numbered<unsigned char>(make_cudaExtent(4, 2, 0), 0, 51);
  print("normalized", of_plane, texture_of(resource_of(bytes), normalized), {{1.5F, 0.5F}, {1, 0}});
  const auto cuboid = numbered<float>(make_cudaExtent(2, 2, 2), 0);
  print("cuboid", of_cuboid, texture_of(resource_of(cuboid), linear()), {{1, 1, 1}, {1.5F, 0, 2}});
}

void layers() {
  const auto rows = numbered<float>(make_cudaExtent(4, 0, 3), cudaArrayLayered);
  print("rows", of_row_layer, texture_of(resource_of(rows), linear()), {{2, 0}, {2, 2}});
  const auto planes = numbered<float>(make_cudaExtent(4, 2, 3), cudaArrayLayered);
  print("planes", of_layer, texture_of(resource_of(planes), linear()), {{2, 1, 0}, {2, 1, 2}});
  const auto cube = numbered<float>(make_cudaExtent(1, 1, 6), cudaArrayCubemap);
  const std::vector<Point> around = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  print("cube", of_cube, texture_of(resource_of(cube)), around);
  const auto cubes =
      numbered<float>(make_cudaExtent(1, 1, 12), cudaArrayCubemap | cudaArrayLayered);
  print("cubes", of_second_cube, texture_of(resource_of(cubes)), around);
}

void mipmaps() {
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  show("array",
       cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &floats, make_cudaExtent(4, 4, 0), 3));
  for (unsigned i = 0; i < 3; ++i) {
    cudaArray_t level = nullptr;
    show("level", cudaGetMipmappedArrayLevel(&level, resource.res.mipmap.mipmap, i));
    const std::vector<float> values(16, static_cast<float>(i * 10));
    const size_t size = 4 >> i;
    show("copy", cudaMemcpy2DToArray(level, 0, 0, values.data(), size * 4, size * 4, size,
                                     cudaMemcpyHostToDevice));
  }
  cudaTextureDesc how{};
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = 2;
  print("nearest", of_level, texture_of(resource, how), {{0, 0, 0}, {0, 0, 0.6F}, {0, 0, 7}});
  how.mipmapFilterMode = cudaFilterModeLinear;
  print("linear", of_level, texture_of(resource, how), {{0, 0, 0.25F}, {0, 0, 1.5F}});
  print("gradients", of_gradient, texture_of(resource, how), {{0, 0, 0.25F}, {0, 0, 0.5F}});
}

void destroyed() {
  const auto texture = texture_of(resource_of(numbered<float>(make_cudaExtent(2, 2, 0), 0)));
  cudaDestroyTextureObject(texture);
  print("gone", of_plane, texture, {{0, 0}});
}

void errors() {
  cudaTextureObject_t object = 0;
  const auto plain = numbered<int>(make_cudaExtent(2, 2, 0), 0);
  const cudaResourceDesc resource = resource_of(plain), none = resource_of(nullptr);
  cudaTextureDesc how = linear();
  show("integers between", cudaCreateTextureObject(&object, &resource, &how, nullptr));
  how.readMode = cudaReadModeNormalizedFloat;
  show("ints normalized", cudaCreateTextureObject(&object, &resource, &how, nullptr));
  show("no array", cudaCreateTextureObject(&object, &none, &how, nullptr));
  show("no resource", cudaCreateTextureObject(&object, nullptr, &how, nullptr));
  show("no surface", cudaCreateSurfaceObject(&object, &resource));
  show("never made", cudaDestroySurfaceObject(99));
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> acts = {
      {"memory", memory},     {"arrays", arrays}, {"layers", layers},       {"mipmaps", mipmaps},
      {"surfaces", surfaces}, {"beyond", beyond}, {"destroyed", destroyed}, {"errors", errors},
  };
  const auto act = acts.find(argc > 1 ? argv[1] : "");
  if (act == acts.end()) return 2;
  act->second();
  return 0;
}
