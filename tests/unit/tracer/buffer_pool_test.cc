#include "buffer_pool.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace xfer::tracer {
namespace {

TEST(BufferPool, ReusesBuffersAndKeepsOnlySome) {
  BufferPool pool(1);
  std::uint8_t* first = pool.take();
  std::uint8_t* second = pool.take();
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % BufferPool::kAlignment, 0U);
  first[BufferPool::kBufferBytes - 1] = 1;
  pool.give_back(first);
  pool.give_back(second);
  EXPECT_EQ(pool.take(), first);
  pool.give_back(first);
  pool.give_back(nullptr);
}

}  // namespace
}  // namespace xfer::tracer
