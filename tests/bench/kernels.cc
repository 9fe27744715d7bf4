// The same work as one writes it in C++ for one core.

#include "kernels.h"

#include <cmath>

namespace {

using namespace bench;

void multiply(const float* a, const float* b, float* c) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) c[y * kSide + x] = 0;
    for (int k = 0; k < kSide; ++k)
      for (int x = 0; x < kSide; ++x) c[y * kSide + x] += a[y * kSide + k] * b[k * kSide + x];
  }
}

float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(d));
  const float tail =
      0.39894228f * std::exp(-0.5f * d * d) *
      (k * (0.31938153f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1 - tail : tail;
}

void black_scholes(const float* prices, float* calls, float* puts) {
  const float strike = 2, years = 1, rate = 0.02f, volatility = 0.3f;
  for (int i = 0; i < kCount; ++i) {
    const float price = prices[i] + 1;
    const float root = std::sqrt(years);
    const float d1 = (std::log(price / strike) + (rate + 0.5f * volatility * volatility) * years) /
                     (volatility * root);
    const float d2 = d1 - volatility * root;
    const float discount = std::exp(-rate * years);
    calls[i] = price * normal(d1) - strike * discount * normal(d2);
    puts[i] = strike * discount * (1 - normal(d2)) - price * (1 - normal(d1));
  }
}

void mandelbrot(int* out) {
  for (int y = 0; y < kPicture; ++y)
    for (int x = 0; x < kPicture; ++x) {
      const float cx = -2 + 3.f * static_cast<float>(x) / kPicture;
      const float cy = -1.5f + 3.f * static_cast<float>(y) / kPicture;
      float zx = 0, zy = 0;
      int turns = 0;
      for (; turns < kMostTurns && zx * zx + zy * zy < 4; ++turns) {
        const float next = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = next;
      }
      out[y * kPicture + x] = turns;
    }
}

}  // namespace

int main() {
  const std::vector<float> a = numbers(kCount), b = numbers(kCount);
  std::vector<float> c(kCount), d(kCount);
  const std::vector<int> where = columns();
  std::vector<int> pixels(std::size_t{kPicture} * kPicture);
  measure("vectorAdd", [&] {
    for (int i = 0; i < kCount; ++i) c[i] = a[i] + b[i];
  });
  const auto product = [&] { multiply(a.data(), b.data(), c.data()); };
  for (const char* name : {"matmul", "tiled-16", "tiled-32"}) measure(name, product);
  measure("reduction", [&] {
    for (int block = 0; block < kCount / 256; ++block) {
      float sum = 0;
      for (int i = 0; i < 256; ++i) sum += a[block * 256 + i];
      c[block] = sum;
    }
  });
  std::vector<int> counts(256);
  measure("histogram", [&] {
    const auto* bytes = reinterpret_cast<const unsigned char*>(a.data());
    for (int i = 0; i < kCount * 4; ++i) ++counts[bytes[i]];
  });
  measure("Black-Scholes", [&] { black_scholes(a.data(), c.data(), d.data()); });
  measure("mandelbrot", [&] { mandelbrot(pixels.data()); });
  measure("spmv", [&] {
    for (int row = 0; row < kRows; ++row) {
      float sum = 0;
      for (int k = row * kInRow; k < (row + 1) * kInRow; ++k) sum += a[k] * b[where[k]];
      c[row] = sum;
    }
  });
  // So that nothing is left out.
  if (c[1] == -1 && d[1] == -1 && pixels[1] == -1 && counts[1] == -1) return 1;
}
