// Memory that is used wrongly: by the host, after its end, on another device.

#include <thread>

#include "cases.cuh"

namespace {

// Host code follows a pointer into device memory.
void host_read() {
  Buffers b;
  const volatile float* values = b.in;
  std::printf("%f\n", values[3]);  // FIND: host_read
}
void fill_on_host(float* values) {
  std::memset(values, 0, kBytes);  // FIND: host_write
}
void host_write() {
  Buffers b;
  fill_on_host(b.out);
}

// Structures say nothing of what a kernel reads and writes.
struct Pair {
  const float* in;
  float* out;
};
__global__ void copy_pair(Pair pair) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  pair.out[i] = pair.in[i];
}
void output_uploaded() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));
  check(cudaMemcpy(b.out, b.result.data(), kBytes, kUp));  // FIND: output_uploaded
  copy_pair<<<kCount / 256, 256>>>({b.in, b.out});
  b.bring(b.out);
}
// Half of it is not the kernel's to write.
void output_kept() {
  Buffers b;
  check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));
  check(cudaMemcpy(b.out, b.result.data(), kBytes, kUp));
  copy_pair<<<kCount / 512, 256>>>({b.in, b.out});
  b.bring(b.out);
}
void structure_repeated() {
  Buffers b;
  for (int i = 0; i < 4; ++i) {
    check(cudaMemcpy(b.in, b.host.data(), kBytes, kUp));  // FIND: structure_repeated
    copy_pair<<<kCount / 256, 256>>>({b.in, b.out});
    b.bring(b.out);
  }
}

void use_after_free() {
  Buffers b;
  float* const gone = device_buffer();
  check(cudaFree(gone));
  cudaMemcpy(b.result.data(), gone, kBytes, cudaMemcpyDeviceToHost);  // FIND: use_after_free
  cudaGetLastError();
}
void double_free() {
  float* const gone = device_buffer();
  check(cudaFree(gone));
  cudaFree(gone);  // FIND: double_free
  cudaGetLastError();
}
// Destructors that run after the device was reset.
void late_destructor() {
  Buffers b;
  check(cudaDeviceReset());
}

void leak() {
  Buffers b;
  for (int i = 0; i < 8; ++i) {
    float* scratch = nullptr;
    check(cudaMalloc(&scratch, kBytes));  // FIND: leak
    run_scale(b.in, scratch);
  }
  check(cudaDeviceSynchronize());
}

// The second device's stream, in a thread that did not make that device current.
void wrong_device() {
  check(cudaSetDevice(1));
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  std::thread([stream] {
    Buffers b;
    scale<<<kCount / 256, 256, 0, stream>>>(b.in, b.out, kCount);  // FIND: wrong_device
    cudaGetLastError();
  }).join();
  check(cudaStreamDestroy(stream));
}

const AddCases kAdded({
    {"host_read", host_read},
    {"host_write", host_write},
    {"use_after_free", use_after_free},
    {"double_free", double_free},
    {"late_destructor", late_destructor},
    {"output_kept", output_kept},
    {"output_uploaded", output_uploaded},
    {"structure_repeated", structure_repeated},
    {"leak", leak},
    {"wrong_device", wrong_device},
});

}  // namespace
