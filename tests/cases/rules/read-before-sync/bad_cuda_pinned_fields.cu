// Pinned memory that another function allocated: fields of a class, of a struct, a global.
#include <cuda_runtime.h>

class Readout {
 public:
  explicit Readout(int n) : n_(n) {
    cudaMallocHost(&host_, n * sizeof(float));
    cudaMalloc(&device_, n * sizeof(float));
    cudaStreamCreate(&stream_);
  }
  float first() {
    cudaMemcpyAsync(host_, device_, n_ * sizeof(float), cudaMemcpyDeviceToHost, stream_);
    return host_[0];  // LINT: read-before-sync
  }

 private:
  int n_;
  float *host_ = nullptr, *device_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

struct Frame {
  float *pinned, *on_device;
};

Frame make_frame() {
  Frame frame;
  cudaHostAlloc(&frame.pinned, 128, cudaHostAllocDefault);
  cudaMalloc(&frame.on_device, 128);
  return frame;
}

float first_of(Frame& frame, cudaStream_t stream) {
  cudaMemcpyAsync(frame.pinned, frame.on_device, 128, cudaMemcpyDeviceToHost, stream);
  const float first = frame.pinned[0];  // LINT: read-before-sync
  cudaStreamSynchronize(stream);
  return first;
}

static int* flag;

void begin() { cudaMallocHost(&flag, sizeof(int)); }

bool has_ended(const int* on_device, cudaStream_t stream) {
  cudaMemcpyAsync(flag, on_device, sizeof(int), cudaMemcpyDeviceToHost, stream);
  return *flag != 0;  // LINT: read-before-sync
}

int main() {
  Readout readout(32);
  Frame frame = make_frame();
  begin();
  return readout.first() + first_of(frame, nullptr) > 0 ||
         has_ended(reinterpret_cast<int*>(frame.on_device), nullptr);
}
