// The worked example of cupti_tracer/README.md: transfer budgets of plain CUDA code.

#include <cuda_runtime.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

#include "xfer/assert.h"

namespace {

__global__ void smooth(float* values, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i > 0 && i + 1 < n) values[i] = (values[i - 1] + values[i + 1]) / 2;
}

/// Values on the device that are smoothed step by step.
class Field {
 public:
  explicit Field(int n) : n_(n) { cudaMalloc(&values_, bytes()); }
  ~Field() { cudaFree(values_); }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  std::size_t bytes() const { return sizeof(float) * static_cast<std::size_t>(n_); }
  void load(const std::vector<float>& values) {
    cudaMemcpy(values_, values.data(), bytes(), cudaMemcpyHostToDevice);
  }
  void step() { smooth<<<(n_ + 255) / 256, 256>>>(values_, n_); }
  void fetch(float* to) const { cudaMemcpyAsync(to, values_, bytes(), cudaMemcpyDeviceToHost); }
  float at(int i) const {
    float value = 0;
    cudaMemcpy(&value, values_ + i, sizeof(value), cudaMemcpyDeviceToHost);
    return value;
  }

 private:
  int n_;
  float* values_ = nullptr;
};

TEST(Field, IsLoadedByOneCopy) {
  Field field(1024);
  const std::vector<float> values(1024, 1.0F);
  EXPECT_TRANSFERS(h2d == 1, bytes <= field.bytes()) { field.load(values); }
}

TEST(Field, StepsStayOnTheDevice) {
  Field field(1024);
  field.load(std::vector<float>(1024, 1.0F));
  EXPECT_NO_TRANSFERS {
    for (int i = 0; i < 10; ++i) field.step();
  }
  EXPECT_TRANSFERS(launches == 1, syncs == 0) { field.step(); }
}

TEST(Field, StepsDoNotMakeTheHostWait) {
  Field field(1024);
  float* pinned = nullptr;
  cudaMallocHost(&pinned, field.bytes());
  EXPECT_NO_SYNC {
    for (int i = 0; i < 10; ++i) field.step();
    field.fetch(pinned);
    if (field.bytes() != 0) {
      XFER_SYNC_ALLOWED("one value is printed at the end");
      field.at(5);
    }
  }
  cudaDeviceSynchronize();
  cudaFreeHost(pinned);
}

TEST(Field, OneValueIsReadWithoutTheOthers) {
  Field field(1024);
  EXPECT_TRANSFERS(d2h == 1, d2h_bytes == sizeof(float)) { field.at(5); }
}

TEST(Field, NothingIsSentTwice) {
  EXPECT_NO_FINDINGS {
    Field field(1024);
    field.load(std::vector<float>(1024, 1.0F));
    for (int i = 0; i < 10; ++i) field.step();
    field.at(5);
  }
}

// Messages of failing assertions: the numbers, and the lines that the copies come from.

TEST(FieldFailing, TheLinesOfTheCopies) {
  EXPECT_NONFATAL_FAILURE(
      {
        Field field(1024);
        const std::vector<float> values(1024, 1.0F);
        EXPECT_TRANSFERS(h2d == 1, d2h == 0) {
          field.load(values);
          field.load(values);
          field.at(5);
        }
      },
      "h2d is 2, not == 1\nd2h is 1, not == 0\n"
      "Its copies:\n  host to device: 2 x, 8 KiB, ");
}

TEST(FieldFailing, TheLinesThatWait) {
  EXPECT_NONFATAL_FAILURE(
      {
        Field field(1024);
        std::vector<float> values(1024);
        EXPECT_NO_SYNC {
          field.fetch(values.data());  // into pageable memory: it is no asynchronous copy
          field.step();
          cudaDeviceSynchronize();
          XFER_SYNC_ALLOWED("to see the first");
          field.at(0);
        }
      },
      "There are 2, and 1 under XFER_SYNC_ALLOWED\nAll of them:\n");
}

__global__ void only_reads(const float* values, int n) {
  if (n < 0) printf("%f", values[0]);
}

/// Values that kernels only read.
class Table {
 public:
  Table() { cudaMalloc(&values_, kBytes); }
  ~Table() { cudaFree(values_); }
  void load() { cudaMemcpy(values_, host_.data(), kBytes, cudaMemcpyHostToDevice); }
  void use() { only_reads<<<1, 1>>>(values_, 1); }

 private:
  static constexpr int kCount = 1 << 16;
  static constexpr std::size_t kBytes = kCount * sizeof(float);
  const std::vector<float> host_ = std::vector<float>(kCount, 1.0F);
  float* values_ = nullptr;
};

TEST(FieldFailing, WhatIsSentAgain) {
  EXPECT_NONFATAL_FAILURE(
      {
        Table table;
        table.load();
        table.use();
        EXPECT_NO_FINDINGS { table.use(); }
        EXPECT_NO_FINDINGS {
          table.load();
          table.use();
        }
        EXPECT_NO_FINDINGS_OF("round-trip") {
          table.load();
          table.use();
        }
      },
      "[repeated-transfer]");
}

}  // namespace
