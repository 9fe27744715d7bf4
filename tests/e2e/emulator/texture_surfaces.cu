// Kernels that read and write surfaces.

#include "texture_program.cuh"

namespace {

template <cudaSurfaceBoundaryMode kBeyond>
__global__ void twice(cudaSurfaceObject_t surface, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  const auto value = surf2Dread<ushort2>(surface, x * sizeof(ushort2), y, kBeyond);
  surf2Dwrite<ushort2>(make_ushort2(value.x * 2, value.y + 1), surface, x * sizeof(ushort2), y,
                       kBeyond);
}

__global__ void in_layers(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, layer = blockIdx.x;
  surf2DLayeredwrite<float>(static_cast<float>(10 * layer + x), surface, x * 4, 0, layer);
}

__global__ void in_cuboid(cudaSurfaceObject_t surface) {
  const float4 value = make_float4(threadIdx.x, threadIdx.y, threadIdx.z, -1);
  surf3Dwrite(value, surface, threadIdx.x * sizeof(float4), threadIdx.y, threadIdx.z);
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  const cudaResourceDesc resource = resource_of(array);
  cudaSurfaceObject_t surface = 0;
  show("surface", cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

template <typename T>
void print_array(const char* what, cudaArray_t array, cudaExtent extent, int each) {
  std::vector<T> values(extent.width * extent.height * extent.depth * each);
  cudaMemcpy3DParms copy{};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(values.data(), extent.width * each * sizeof(T), extent.width,
                                    extent.height);
  copy.extent = extent;
  copy.kind = cudaMemcpyDeviceToHost;
  show("copy", cudaMemcpy3D(&copy));
  std::printf("%s:", what);
  for (const T value : values) std::printf(" %g", static_cast<double>(value));
  std::printf("\n");
}

template <typename T>
cudaArray_t empty(cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  show("array", cudaMalloc3DArray(&array, &channels, extent, flags | cudaArraySurfaceLoadStore));
  return array;
}

}  // namespace

void surfaces() {
  const auto array = empty<ushort2>(make_cudaExtent(2, 2, 0), 0);
  const unsigned short values[] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMemcpy2DToArray(array, 0, 0, values, 8, 8, 2, cudaMemcpyHostToDevice);
  const auto surface = surface_of(array);
  twice<cudaBoundaryModeTrap><<<2, 2>>>(surface, 2);
  twice<cudaBoundaryModeZero><<<3, 3>>>(surface, 2);  // what is beyond the edges is lost
  show("run", cudaDeviceSynchronize());
  print_array<unsigned short>("plane", array, make_cudaExtent(2, 2, 1), 2);
  const auto layered = empty<float>(make_cudaExtent(3, 1, 2), cudaArrayLayered);
  in_layers<<<2, 3>>>(surface_of(layered));
  print_array<float>("layers", layered, make_cudaExtent(3, 1, 2), 1);
  const auto cuboid = empty<float4>(make_cudaExtent(2, 1, 2), 0);
  in_cuboid<<<1, dim3(2, 1, 2)>>>(surface_of(cuboid));
  print_array<float>("cuboid", cuboid, make_cudaExtent(2, 1, 2), 4);
}

void beyond() {
  twice<cudaBoundaryModeTrap><<<1, 3>>>(surface_of(empty<ushort2>(make_cudaExtent(2, 2, 0), 0)), 2);
  show("run", cudaDeviceSynchronize());
}
