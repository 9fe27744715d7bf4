// Two operations on a tile of one matrix, each on a stream of its own or by the host, with nothing
// that orders them:
//
//   race_pairs device|managed|pinned FIRST SECOND together|apart stream|graph
//
// together: on the same tile; apart: on neighbours in the same rows. graph: the first one is
// captured, and launched as a graph.

#include <cstring>
#include <string>

#include "race_case.cuh"

namespace {

constexpr int kEdge = 64;
constexpr int kTile = 16;
constexpr std::size_t kPitch = kEdge * sizeof(float);
constexpr std::size_t kWidth = kTile * sizeof(float);

__global__ void write_tile(float* tile) {
  tile[threadIdx.y * kEdge + threadIdx.x] = static_cast<float>(threadIdx.x);
}
__global__ void read_tile(const float* tile, float* out) {
  out[threadIdx.y * kTile + threadIdx.x] = tile[threadIdx.y * kEdge + threadIdx.x];
}
__global__ void add_to_tile(float* tile) {
  atomicAdd(&tile[threadIdx.y * kEdge + threadIdx.x], 1.0F);
}

/// Memory that an operation has for itself.
struct Own {
  OnDevice<float> on_device{kTile * kTile};
  Pinned<float> pinned{kTile * kTile};
};

void copy_box(float* to, std::size_t to_pitch, float* from, std::size_t from_pitch,
              cudaStream_t stream) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(from, from_pitch, kTile, kTile / 2);
  copy.dstPtr = make_cudaPitchedPtr(to, to_pitch, kTile, kTile / 2);
  copy.extent = make_cudaExtent(kWidth, kTile / 2, 2);
  copy.kind = cudaMemcpyDefault;
  CHECK(cudaMemcpy3DAsync(&copy, stream));
}

void copy_tile(float* to, std::size_t to_pitch, const float* from, std::size_t from_pitch,
               cudaStream_t stream) {
  CHECK(
      cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, kWidth, kTile, cudaMemcpyDefault, stream));
}

float sum_of(const float* tile) {
  float sum = 0;
  for (int i = 0; i < kTile; ++i)
    for (int k = 0; k < kTile; ++k) sum += tile[i * kEdge + k];
  return sum;
}

void run(const std::string& what, float* tile, Own& own, cudaStream_t stream) {
  const dim3 threads(kTile, kTile);
  if (what == "kernel-writes") write_tile<<<1, threads, 0, stream>>>(tile);
  if (what == "kernel-reads") read_tile<<<1, threads, 0, stream>>>(tile, own.on_device.get());
  if (what == "kernel-adds") add_to_tile<<<1, threads, 0, stream>>>(tile);
  if (what == "fill") CHECK(cudaMemset2DAsync(tile, kPitch, 0, kWidth, kTile, stream));
  if (what == "upload") copy_tile(tile, kPitch, own.pinned.get(), kWidth, stream);
  if (what == "download") copy_tile(own.pinned.get(), kWidth, tile, kPitch, stream);
  if (what == "copy-to") copy_tile(tile, kPitch, own.on_device.get(), kWidth, stream);
  if (what == "copy-from") copy_tile(own.on_device.get(), kWidth, tile, kPitch, stream);
  if (what == "box-to") copy_box(tile, kPitch, own.on_device.get(), kWidth, stream);
  if (what == "box-from") copy_box(own.on_device.get(), kWidth, tile, kPitch, stream);
  if (what == "host-reads") std::printf("%g\n", sum_of(tile));
  if (what == "host-writes")
    for (int i = 0; i < kTile; ++i) std::memset(tile + i * kEdge, 0, kWidth);
  CHECK(cudaGetLastError());
}

float* matrix_in(const std::string& memory) {
  constexpr std::size_t kBytes = kEdge * kPitch;
  void* matrix = nullptr;
  if (memory == "device") CHECK(cudaMalloc(&matrix, kBytes));
  if (memory == "managed") CHECK(cudaMallocManaged(&matrix, kBytes));
  if (memory == "pinned") CHECK(cudaHostAlloc(&matrix, kBytes, cudaHostAllocMapped));
  CHECK(cudaMemset(matrix, 0, kBytes));
  return static_cast<float*>(matrix);
}

}  // namespace

int main(int, char** argv) {
  const std::string memory = argv[1];
  const std::string first = argv[2];
  const std::string second = argv[3];
  const bool together = std::strcmp(argv[4], "together") == 0;
  float* const tile = matrix_in(memory) + 8 * kEdge + kTile;
  Own of_first;
  Own of_second;
  const Stream one;
  const Stream other;
  CHECK(cudaDeviceSynchronize());
  if (std::strcmp(argv[5], "graph") == 0)
    Graph(one, [&] { run(first, tile, of_first, one); }).launch(one);
  else
    run(first, tile, of_first, one);
  run(second, together ? tile : tile + kTile, of_second, other);
  CHECK(cudaDeviceSynchronize());
}
