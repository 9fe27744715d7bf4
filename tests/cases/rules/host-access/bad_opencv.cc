// A matrix of OpenCV is for the host.

#include <torch/torch.h>

namespace cv {
struct Mat {
  Mat();
  Mat(int rows, int cols, int type);
  Mat(int rows, int cols, int type, void* data, unsigned long step = 0);
  unsigned char* data;
};
}  // namespace cv

void over_a_tensor() {
  torch::Tensor x = torch::randn({8}, torch::kCUDA);
  cv::Mat over(2, 4, 5, x.data_ptr<float>());  // LINT: host-access
}
