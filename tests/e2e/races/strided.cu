// Work that touches some bytes of a range and leaves others alone: columns of a matrix, fields of
// structures. Its neighbours are nobody's race.

#include "race_case.cuh"

namespace {

constexpr int kRows = 300;
constexpr int kColumns = 16;

struct Particle {
  float position[3];
  float weight;
  short cell;
  short is_alive;
};

__global__ void weigh(Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].weight = 2.0F * particles[i].position[1];
}

__global__ void place(Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].cell = static_cast<short>(particles[i].position[0]);
}

__global__ void write_every(float* values, int step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i * step] = static_cast<float>(i);
}

__global__ void add_column(float* sums, const float* matrix, int column) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kRows) sums[i] += matrix[i * kColumns + column];
}

constexpr std::size_t kPitch = kColumns * sizeof(float);

constexpr int kEdge = 16;  // of a volume

/// A copy to the host of a box of 8 x 8 x 8, which begins at 4 each way.
cudaMemcpy3DParms of_box(float* volume, float* to) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(volume, kEdge * sizeof(float), kEdge, kEdge);
  copy.srcPos = make_cudaPos(4 * sizeof(float), 4, 4);
  copy.dstPtr = make_cudaPitchedPtr(to, 8 * sizeof(float), 8, 8);
  copy.extent = make_cudaExtent(8 * sizeof(float), 8, 8);
  copy.kind = cudaMemcpyDeviceToHost;
  return copy;
}

}  // namespace

RACE_CASE(every_other_value) {
  Pinned<float> values(2 * kRows);
  Stream stream;
  std::memset(values.get(), 0, 2 * kRows * sizeof(float));
  write_every<<<2, 256, 0, stream>>>(values.get(), 2, kRows);
  if (right) stream.wait();
  const float first = values[40];  // RACE read-before-sync
  stream.wait();
  std::printf("%g\n", first);
}

SILENT_CASE(between_the_values) {
  Pinned<float> values(2 * kRows);
  Stream stream;
  write_every<<<2, 256, 0, stream>>>(values.get(), 2, kRows);
  for (int i = 0; i < kRows; ++i) values[2 * i + 1] = 1.0F;
  stream.wait();
  std::printf("%g\n", values[40]);
}

RACE_CASE(field_that_a_kernel_reads) {
  Pinned<Particle> particles(kRows);
  std::memset(particles.get(), 0, kRows * sizeof(Particle));
  Stream stream;
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < kRows; ++i)
      particles[i].position[1] = static_cast<float>(step);  // RACE async-source-reuse
    weigh<<<2, 256, 0, stream>>>(particles.get(), kRows);
    if (right) stream.wait();
  }
}

SILENT_CASE(fields_of_the_host) {
  Pinned<Particle> particles(kRows);
  std::memset(particles.get(), 0, kRows * sizeof(Particle));
  Stream first, second;
  for (int step = 0; step < 3; ++step) {
    weigh<<<2, 256, 0, first>>>(particles.get(), kRows);
    place<<<2, 256, 0, second>>>(particles.get(), kRows);
    for (int i = 0; i < kRows; ++i) particles[i].is_alive = static_cast<short>(step);
    first.wait();
    second.wait();
  }
}

RACE_CASE(column_of_another_stream) {
  OnDevice<float> matrix(kRows * kColumns), sums(kRows);
  Stream writes, reads;
  Event written;
  write_every<<<2, 256, 0, writes>>>(matrix.get() + 3, kColumns, kRows);
  written.record(writes);
  if (right) CHECK(cudaStreamWaitEvent(reads, written, 0));
  add_column<<<2, 256, 0, reads>>>(sums.get(), matrix.get(), 3);  // RACE read-before-sync
}

SILENT_CASE(columns_of_two_streams) {
  OnDevice<float> matrix(kRows * kColumns), sums(kRows);
  Stream writes, reads;
  write_every<<<2, 256, 0, writes>>>(matrix.get() + 3, kColumns, kRows);
  add_column<<<2, 256, 0, reads>>>(sums.get(), matrix.get(), 4);
}

// The left half of each row goes to the host while a kernel writes there.
RACE_CASE(half_of_each_row) {
  OnDevice<float> matrix(kRows * kColumns);
  Pinned<float> left(kRows * kColumns / 2);
  Stream computes, copies;
  Event written;
  write_every<<<2, 256, 0, computes>>>(matrix.get() + 5, kColumns, kRows);
  written.record(computes);
  if (right) CHECK(cudaStreamWaitEvent(copies, written, 0));
  CHECK(cudaMemcpy2DAsync(left.get(), kPitch / 2, matrix.get(), kPitch,  // RACE read-before-sync
                          kPitch / 2, kRows, cudaMemcpyDeviceToHost, copies));
  copies.wait();
  std::printf("%g\n", left[5]);
}

SILENT_CASE(halves_of_two_streams) {
  OnDevice<float> matrix(kRows * kColumns);
  Pinned<float> left(kRows * kColumns / 2);
  Stream computes, copies;
  write_every<<<2, 256, 0, computes>>>(matrix.get() + 8, kColumns, kRows);
  CHECK(cudaMemcpy2DAsync(left.get(), kPitch / 2, matrix.get(), kPitch, kPitch / 2, kRows,
                          cudaMemcpyDeviceToHost, copies));
  CHECK(cudaMemset2DAsync(matrix.get() + kColumns / 2, kPitch, 0, kPitch / 2, kRows, computes));
  copies.wait();
  std::printf("%g\n", left[5]);
}

// The rectangle that a copy reads is filled again while it reads.
RACE_CASE(rectangle_filled_again) {
  OnDevice<float> matrix(kRows * kColumns);
  Pinned<float> left(kRows * kColumns / 2);
  Stream fills, copies;
  Event copied;
  CHECK(cudaMemcpy2DAsync(left.get(), kPitch / 2, matrix.get(), kPitch, kPitch / 2, kRows,
                          cudaMemcpyDeviceToHost, copies));
  copied.record(copies);
  if (right) CHECK(cudaStreamWaitEvent(fills, copied, 0));
  float* const third = matrix.get() + 4;
  CHECK(cudaMemset2DAsync(third, kPitch, 0, 8, kRows, fills));  // RACE async-source-reuse
  copies.wait();
  std::printf("%g\n", left[5]);
}

// A graph copies a tile to and fro, and the host works on the tile beside it.
SILENT_CASE(tile_of_a_graph) {
  Pinned<float> image(64 * 64);
  OnDevice<float> tile(16 * 16);
  Stream stream;
  float* const corner = image.get() + 16 * 64 + 32;
  const Graph step(stream, [&] {
    CHECK(cudaMemcpy2DAsync(tile.get(), 64, corner, 256, 64, 16, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpy2DAsync(corner, 256, tile.get(), 64, 64, 16, cudaMemcpyDeviceToHost, stream));
  });
  for (int i = 0; i < 3; ++i) {
    step.launch(stream);
    for (int row = 16; row < 32; ++row) image[row * 64 + 31] += image[row * 64 + 48];
    stream.wait();
  }
}

// A box of a volume, of which a kernel writes one plane.
RACE_CASE(plane_of_a_box) {
  OnDevice<float> volume(kEdge * kEdge * kEdge);
  Pinned<float> box(8 * 8 * 8);
  Stream paints, copies;
  Event painted;
  write_every<<<1, 256, 0, paints>>>(volume.get() + 6 * kEdge * kEdge, 1, kEdge * kEdge);
  painted.record(paints);
  if (right) CHECK(cudaStreamWaitEvent(copies, painted, 0));
  const cudaMemcpy3DParms copy = of_box(volume.get(), box.get());
  CHECK(cudaMemcpy3DAsync(&copy, copies));  // RACE read-before-sync
  copies.wait();
  std::printf("%g\n", box[0]);
}

SILENT_CASE(plane_beside_a_box) {
  OnDevice<float> volume(kEdge * kEdge * kEdge);
  Pinned<float> box(8 * 8 * 8);
  Stream paints, copies;
  write_every<<<1, 256, 0, paints>>>(volume.get() + 3 * kEdge * kEdge, 1, kEdge * kEdge);
  const cudaMemcpy3DParms copy = of_box(volume.get(), box.get());
  CHECK(cudaMemcpy3DAsync(&copy, copies));
  copies.wait();
  std::printf("%g\n", box[0]);
}
