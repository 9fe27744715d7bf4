// Matrices of OpenCV over memory of the host, or of their own.

#include <torch/torch.h>

namespace cv {
struct Mat {
  Mat();
  Mat(int rows, int cols, int type);
  Mat(int rows, int cols, int type, void* data, unsigned long step = 0);
  unsigned char* data;
};
}  // namespace cv

cv::Mat over_the_host(torch::Tensor y) {
  torch::Tensor x = torch::randn({8}, torch::kCUDA).cpu();
  cv::Mat over(2, 4, 5, x.data_ptr<float>());
  cv::Mat own(2, 4, 5);
  return cv::Mat(2, 4, 5, y.data_ptr<float>());
}
