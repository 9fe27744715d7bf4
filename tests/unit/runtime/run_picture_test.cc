#include "src/run_picture.h"

#include <gtest/gtest.h>

namespace xfer::test {
namespace {

using Doing = RunPicture::Doing;

std::string slices(const RunPicture& picture, std::size_t lane = 0) {
  return picture.to_json()["lanes"].at(lane)["slices"];
}

TEST(RunPicture, WhatALaneIsMostlyBusyWith) {
  RunPicture picture;
  picture.add({-1, 7}, Doing::kUpload, 1'000'000, 1'000'500);  // half of a bucket
  picture.add({-1, 7}, Doing::kWait, 1'002'000, 1'005'000);
  picture.add({-1, 7}, Doing::kUpload, 1'003'000, 1'003'100);
  EXPECT_EQ(slices(picture), "u0+1@50 w2+3@100");
  EXPECT_EQ(picture.to_json()["lanes"][0]["name"], "host thread 7");
  EXPECT_EQ(picture.begin_ns(), 1'000'000U);
}

TEST(RunPicture, ALongRunHasWiderBuckets) {
  RunPicture picture;
  picture.add({0, 0}, Doing::kKernel, 1, 1001);
  picture.add({0, 1}, Doing::kKernel, 1, 1001);
  EXPECT_EQ(picture.to_json()["bucket_ns"], 1000);
  picture.add({0, 1}, Doing::kUpload, 1'000'001, 1'024'001);
  EXPECT_EQ(picture.to_json()["bucket_ns"], 2000);
  EXPECT_EQ(slices(picture, 0), "k0+1@50");
  EXPECT_EQ(slices(picture, 1), "k0+1@50 u500+12@100");
  EXPECT_EQ(picture.to_json()["lanes"][1]["name"], "cuda:0 stream 1");
}

TEST(RunPicture, AnyTimesAreDrawnInside) {
  RunPicture picture;
  picture.add({0, 0}, Doing::kCopy, 500, 600);
  picture.add({0, 0}, Doing::kCopy, 100, 200);         // before the first call
  picture.add({0, 0}, Doing::kCopy, 600, 500);         // ends before it begins
  picture.add({0, 0}, Doing::kCopy, 0, 10);            // not known
  picture.add({0, 0}, Doing::kCopy, 700, UINT64_MAX);  // damaged
  EXPECT_EQ(slices(picture).find("c0+"), 0U) << slices(picture);
}

TEST(RunPicture, ManyLanesAreLeftOut) {
  RunPicture picture;
  for (std::uint64_t thread = 1; thread <= 30; ++thread)
    picture.add({-1, thread}, Doing::kWait, 1, 2);
  EXPECT_EQ(picture.to_json()["lanes"].size(), 24U);
  EXPECT_EQ(picture.to_json()["lanes_left_out"], 6);
}

}  // namespace
}  // namespace xfer::test
