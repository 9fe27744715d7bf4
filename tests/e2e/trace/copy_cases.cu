// Copies that are needed, and copies that are not.

#include "cases.cuh"
#include "xfer/annotate.h"

namespace {

struct View {
  float* data;
  int n;
};
// Its type does not say that it only reads `in`; its code does.
__global__ void sum_into(float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += in[n - 1 - i];
}
struct Edge {
  int from;
  int to;
};
__global__ void count_edges(Edge* edges, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[edges[i].to % n], 1.0F);
}
__global__ void follow(View* view) {
  if (threadIdx.x == 0) view->data[0] = 1;
}
__global__ void by_value(View view) {
  if (threadIdx.x == 0) view.data[0] = 1;
}

// The data changes each time.
void fresh() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    b.host[7] = static_cast<float>(i);
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    run_scale(b.in, b.out);
    b.bring(b.out);
  }
}

// The same content, but the kernel overwrites it in between: a reset, and needed.
void reset() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    add_to<<<kCount / 256, 256>>>(b.in, kCount);
  }
  check(cudaDeviceSynchronize());
}

// The same content to a buffer that a kernel may reach without a parameter of its own.
void hidden_writer() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    by_value<<<1, 32>>>(View{b.in, kCount});
  }
}

void round_trip() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  run_scale(b.in, b.out);
  check(cudaMemcpy(b.result.data(), b.in, kBytes, cudaMemcpyDeviceToHost));  // FIND: round_trip
}

// The kernels' parameters are not const, and one points at a class; but nothing is written there.
void only_read() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  sum_into<<<kCount / 256, 256>>>(b.in, b.out, kCount);
  count_edges<<<kCount / 512, 256>>>(reinterpret_cast<Edge*>(b.in), b.out, kCount / 2);
  check(cudaMemcpy(b.result.data(), b.in, kBytes, cudaMemcpyDeviceToHost));  // FIND: only_read
}

// A kernel that finds the buffer's address in memory.
void follows_pointers() {
  Buffers b;
  const View view{b.in, kCount};
  void* device_view = nullptr;
  check(cudaMalloc(&device_view, sizeof(view)));
  check(cudaMemcpy(device_view, &view, sizeof(view), cudaMemcpyHostToDevice));
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
    follow<<<1, 32>>>(static_cast<View*>(device_view));
  }
  check(cudaFree(device_view));
}

// Comes back changed by the kernel.
void computed() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  add_to<<<kCount / 256, 256>>>(b.in, kCount);
  b.bring(b.in);
}

void unused() {
  Buffers b;
  float* forgotten = device_buffer();
  check(cudaMemcpy(forgotten, b.result.data(), kBytes, cudaMemcpyHostToDevice));  // FIND: unused
  check(cudaMemcpy(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice));
  run_scale(b.in, b.out);
  b.bring(b.out);
  check(cudaFree(forgotten));
}

// Uploads through pinned memory on a stream, again and again.
void async_repeated() {
  Buffers b;
  cudaStream_t stream = nullptr;
  void* pinned = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaMallocHost(&pinned, kBytes));
  std::memcpy(pinned, b.host.data(), kBytes);
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpyAsync(b.in, pinned, kBytes, kEither, stream));  // FIND: async_repeated
    run_scale(b.in, b.out, stream);
    check(cudaStreamSynchronize(stream));
  }
  check(cudaFreeHost(pinned));
  check(cudaStreamDestroy(stream));
}

// Downloads on a stream; what came back is sent again after the sync that covers it.
void async_round_trip() {
  Buffers b;
  cudaStream_t stream = nullptr;
  void* pinned = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaMallocHost(&pinned, kBytes));
  check(cudaMemcpyAsync(b.in, b.host.data(), kBytes, cudaMemcpyHostToDevice, stream));
  run_scale(b.in, b.out, stream);
  check(cudaMemcpyAsync(pinned, b.out, kBytes, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaMemcpyAsync(b.out, pinned, kBytes, kUp, stream));  // FIND: async_round_trip
  run_scale(b.out, b.in, stream);
  check(cudaStreamSynchronize(stream));
  check(cudaFreeHost(pinned));
  check(cudaStreamDestroy(stream));
}

void pitched() {
  Buffers b;
  void* device = nullptr;
  size_t pitch = 0;
  check(cudaMallocPitch(&device, &pitch, 100, 64));
  for (int i = 0; i < 3; ++i) {
    check(cudaMemcpy2D(device, pitch, b.host.data(), 128, 100, 64, kUp));  // FIND: pitched
    run_scale(static_cast<float*>(device), b.out);
  }
  check(cudaDeviceSynchronize());
  check(cudaFree(device));
}

// A buffer that has a name, and the one after it.
void named() {
  Buffers b;
  xfer_name(b.in, kBytes, "weights");
  for (int i = 0; i < 3; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));  // FIND: named
    run_scale(b.in, b.out);
  }
  check(cudaFree(b.in));
  b.in = device_buffer();
  for (int i = 0; i < 3; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));
    run_scale(b.in, b.out);
  }
}

// Data that is copied on into an array, as textures are filled, has been used.
void into_array() {
  Buffers b;
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  check(cudaMalloc3DArray(&array, &floats, make_cudaExtent(64, 16, 0)));
  for (int i = 0; i < 4; ++i) {
    b.host[7] = static_cast<float>(i);
    check(cudaMemcpy(b.in, b.host.data(), 4096, cudaMemcpyHostToDevice));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(b.in, 256, 64, 16);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(64, 16, 1);
    copy.kind = cudaMemcpyDeviceToDevice;
    check(cudaMemcpy3D(&copy));
  }
  check(cudaDeviceSynchronize());
  check(cudaFreeArray(array));
}

const AddCases kAdded({
    {"fresh", fresh},
    {"into_array", into_array},
    {"named", named},
    {"reset", reset},
    {"hidden_writer", hidden_writer},
    {"only_read", only_read},
    {"follows_pointers", follows_pointers},
    {"round_trip", round_trip},
    {"computed", computed},
    {"unused", unused},
    {"async_repeated", async_repeated},
    {"async_round_trip", async_round_trip},
    {"pitched", pitched},
});

}  // namespace
