// Streams and events, and the checks of their order. With XFERCHECK_OPTIONS=emulate_schedule=lazy
// or random a missing wait shows in the values too.
#include <thread>

#include "unit/tensorlib/support.h"

namespace tensorlib::testing {
namespace {

using cuda::CUDAEvent;
using cuda::CUDAStream;
using cuda::CUDAStreamGuard;
using cuda::getCurrentCUDAStream;
using cuda::getDefaultCUDAStream;
using cuda::getStreamFromPool;
using Numbers = std::vector<double>;

class Streams : public ::testing::Test {
 protected:
  void SetUp() override { TENSORLIB_REQUIRE_CUDA(); }
  void TearDown() override { cuda::set_stream_checks(false); }
};

TEST_F(Streams, AGuardChoosesTheStreamAndItsDevice) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  const CUDAStream side = getStreamFromPool(false, 1);
  EXPECT_EQ(side.device(), Device(kCUDA, 1));
  EXPECT_NE(side, getDefaultCUDAStream(1));
  EXPECT_EQ(getCurrentCUDAStream(1), getDefaultCUDAStream(1));
  {
    const CUDAStreamGuard guard(side);
    EXPECT_EQ(cuda::current_device(), 1);
    EXPECT_EQ(getCurrentCUDAStream(), side);
    EXPECT_EQ(guard.original_stream(), getDefaultCUDAStream(1));
    std::thread([&] { EXPECT_EQ(getCurrentCUDAStream(1), getDefaultCUDAStream(1)); }).join();
  }
  EXPECT_EQ(cuda::current_device(), 0);
  EXPECT_EQ(getCurrentCUDAStream(1), getDefaultCUDAStream(1));
  EXPECT_THROW((void)getStreamFromPool(false, 99), DeviceError);
}

TEST_F(Streams, ThePoolIsARing) {
  const CUDAStream first = getStreamFromPool(true);
  for (int i = 1; i < 32; ++i) EXPECT_NE(getStreamFromPool(true), first);
  EXPECT_EQ(getStreamFromPool(true), first);
}

TEST_F(Streams, AnEventMakesOneStreamWaitForAnother) {
  cuda::set_stream_checks(true);
  const CUDAStream side = getStreamFromPool();
  const Tensor x = arange(1000, kFloat).pin_memory();
  CUDAEvent copied;
  EXPECT_TRUE(copied.query());  // nowhere: there is nothing to wait for
  Tensor there;
  {
    const CUDAStreamGuard guard(side);
    there = x.to(kCUDA, kFloat, true);
    copied.record();
  }
  EXPECT_TRUE(copied.isCreated());
  copied.block(getCurrentCUDAStream());
  there.record_stream(getCurrentCUDAStream());
  EXPECT_EQ((there * 2).sum().item<float>(), 999000);
  side.synchronize();
  EXPECT_TRUE(side.query());
  EXPECT_TRUE(copied.query());
}

TEST_F(Streams, AReadWithoutAWaitIsAnErrorThatNamesBothLines) {
  cuda::set_stream_checks(true);
  const CUDAStream side = getStreamFromPool();
  Tensor sum;
  int written = 0;
  {
    const CUDAStreamGuard guard(side);
    const Tensor x = ones({2, 3}, kCUDA);
    written = __LINE__ + 1;
    sum = x + x;
  }
  int line = 0;
  const std::string text = error_of([&] {
    line = __LINE__ + 1;
    (void)sum.exp();
  });
  EXPECT_EQ(text.find("exp: an operand was written in another stream, and this stream has not "
                      "waited for it\n  at " __FILE__ ":" +
                      std::to_string(line)),
            0u)
      << text;
  EXPECT_NE(text.find("float32 [2, 3] on cuda:0  written by add() at " __FILE__ ":" +
                      std::to_string(written) + " in stream "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("used here in the default stream of cuda:0"), std::string::npos) << text;
  EXPECT_THROW((void)sum.exp(), StreamError);
  EXPECT_THROW(sum.zero_(), StreamError) << "to overwrite it is as early";
  side.synchronize();
  EXPECT_EQ(sum.exp().sizes(), sum.sizes());
}

TEST_F(Streams, AWriteMayNotOvertakeAReadOfAnotherStream) {
  cuda::set_stream_checks(true);
  const CUDAStream side = getStreamFromPool();
  Tensor x = ones({2, 3}, kCUDA);
  CUDAEvent made, read;
  made.record();
  int line = 0;
  {
    const CUDAStreamGuard guard(side);
    made.block(side);
    line = __LINE__ + 1;
    const Tensor sum = x + x;
    read.record();
  }
  EXPECT_EQ(x.neg().sizes(), x.sizes()) << "two may read";
  const std::string text = error_of([&] { x.zero_(); });
  EXPECT_NE(text.find("an operand is to be written while another stream reads it, and this stream "
                      "has not waited for it"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("read by add() at " __FILE__ ":" + std::to_string(line) + " in stream "),
            std::string::npos)
      << text;
  EXPECT_THROW(x.copy_(ones({2, 3})), StreamError);
  read.block(getCurrentCUDAStream());
  x.zero_();
  {
    const CUDAStreamGuard guard(side);
    EXPECT_THROW((void)x.neg(), StreamError) << "and now it is the other way round";
  }
  EXPECT_EQ(x.sum().item<float>(), 0);
}

TEST_F(Streams, TheHostMayNotWriteWhatIsStillBeingCopied) {
  cuda::set_stream_checks(true);
  Tensor batch = ones({4}).pin_memory();
  const Tensor there = batch.to(kCUDA, kFloat, true);
  EXPECT_EQ(batch.sum().item<float>(), 4) << "to read it is no harm";
  const std::string text = error_of([&] { batch.zero_(); });
  EXPECT_NE(
      text.find("is to be written while another stream reads it, and the host has not waited"),
      std::string::npos)
      << text;
  cuda::synchronize();
  batch.zero_();
  EXPECT_EQ(elements(there), (Numbers{1, 1, 1, 1}));
  // The host waits for a copy of pageable memory by itself.
  Tensor pageable = ones({4});
  const Tensor also = pageable.to(kCUDA, kFloat, true);
  pageable.zero_();
  EXPECT_EQ(elements(also), (Numbers{1, 1, 1, 1}));
}

TEST_F(Streams, AWaitCountsForWhatTheOtherStreamHadWaitedFor) {
  cuda::set_stream_checks(true);
  const CUDAStream first = getStreamFromPool(), second = getStreamFromPool();
  Tensor x;
  CUDAEvent made, passed;
  {
    const CUDAStreamGuard guard(first);
    x = ones({4}, kCUDA);
    made.record();
  }
  {
    const CUDAStreamGuard guard(second);
    made.block(second);
    passed.record();
  }
  EXPECT_THROW((void)x.neg(), StreamError);
  passed.block(getCurrentCUDAStream());
  EXPECT_EQ(elements(x.neg()), (Numbers{-1, -1, -1, -1}));
}

TEST_F(Streams, AnEventBeforeTheWriteOrdersNothing) {
  cuda::set_stream_checks(true);
  const CUDAStream side = getStreamFromPool();
  Tensor x;
  CUDAEvent too_early;
  {
    const CUDAStreamGuard guard(side);
    too_early.record();
    x = ones({4}, kCUDA);
  }
  too_early.block(getCurrentCUDAStream());
  EXPECT_THROW((void)x.neg(), StreamError);
  too_early.synchronize();
  EXPECT_THROW((void)x.neg(), StreamError);
  cuda::synchronize();
  EXPECT_EQ(x.neg().sum().item<float>(), -4);
}

TEST_F(Streams, TheHostWaitsForACopyToIt) {
  cuda::set_stream_checks(true);
  const Tensor x = arange(4, kFloat).cuda();
  const Tensor host = x.to(kCPU, kFloat, true);
  const std::string text = error_of([&] { (void)host.sum(); });
  EXPECT_EQ(text.find("sum: an operand was written in another stream, and the host has not waited"),
            0u)
      << text;
  EXPECT_THROW((void)host.data_ptr<float>(), StreamError);
  CUDAEvent copied;
  copied.record();
  copied.synchronize();
  EXPECT_EQ(elements(host), (Numbers{0, 1, 2, 3}));
}

TEST_F(Streams, WhatWaitsByItselfIsNoError) {
  TENSORLIB_REQUIRE_TWO_GPUS();
  cuda::set_stream_checks(true);
  const CUDAStream side = getStreamFromPool(false, 1);
  Tensor x;
  {
    const CUDAStreamGuard guard(side);
    x = ones({4}, kCUDA);
    x += 1;                                  // the same stream
    x = x.to(Device(kCUDA, 0));              // a copy between devices joins their streams
    EXPECT_EQ(x.cpu()[0].item<float>(), 2);  // a copy to the host is waited for
  }
  EXPECT_EQ((x * 2)[0].item<float>(), 4);
}

TEST_F(Streams, WithoutChecksNothingIsRefused) {
  const CUDAStream side = getStreamFromPool();
  Tensor x;
  {
    const CUDAStreamGuard guard(side);
    x = ones({4}, kCUDA);
  }
  EXPECT_EQ(x.neg().sizes(), x.sizes());
  // The checks ignore writes from before they were on.
  cuda::set_stream_checks(true);
  EXPECT_EQ(x.neg().sizes(), x.sizes());
  side.synchronize();
}

TEST_F(Streams, AReleasedBlockIsNotReusedBeforeItsOtherStreamIsDone) {
  const CUDAStream side = getStreamFromPool();
  const void* memory = nullptr;
  Tensor sum;
  {
    const Tensor x = ones({1 << 16}, kCUDA);
    CUDAEvent made;
    made.record();
    memory = x.data_ptr();
    const CUDAStreamGuard guard(side);
    made.block(side);
    sum = x.sum();
    x.record_stream(side);
  }
  // Made in the default stream while `side` may still be reading: other memory, or it is done.
  const Tensor next = zeros({1 << 16}, kCUDA);
  EXPECT_TRUE(next.data_ptr() != memory || side.query());
  side.synchronize();
  EXPECT_EQ(sum.item<float>(), 1 << 16);
  EXPECT_EQ(next.sum().item<float>(), 0);
}

TEST_F(Streams, ProductsRunInTheirStream) {
  const CUDAStream streams[] = {getDefaultCUDAStream(), getStreamFromPool(), getStreamFromPool()};
  for (int round = 0; round < 3; ++round) {
    for (const CUDAStream& stream : streams) {
      const CUDAStreamGuard guard(stream);
      const Tensor x = full({8, 8}, 2.0, kCUDA);
      EXPECT_EQ(x.mm(x)[7][7].item<float>(), 32);
    }
  }
}

}  // namespace
}  // namespace tensorlib::testing
