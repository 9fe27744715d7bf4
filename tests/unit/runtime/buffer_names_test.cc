#include "detect/buffer_names.h"

#include <gtest/gtest.h>

namespace xfer::test {
namespace {

Allocation allocation(std::uint64_t id) {
  Allocation its;
  its.id = id;
  its.begin = 0x1000;
  its.end = 0x9000;
  return its;
}

Event named(std::uint64_t address, std::uint64_t bytes, std::uint32_t name) {
  Event event;
  event.kind = EventKind::kBufferName;
  event.address = address;
  event.bytes = bytes;
  event.name = name;
  return event;
}

TEST(BufferNames, OfTheBufferAroundAnAddress) {
  const Allocation in = allocation(1);
  BufferNames names;
  names.add(named(0x2000, 0x100, 7), &in);
  names.add(named(0x2100, 0x100, 8), &in);
  EXPECT_EQ(names.of(in, 0x1fff), 0U);
  EXPECT_EQ(names.of(in, 0x2000), 7U);
  EXPECT_EQ(names.of(in, 0x20ff), 7U);
  EXPECT_EQ(names.of(in, 0x2100), 8U);
  EXPECT_EQ(names.of(in, 0x2200), 0U);
}

TEST(BufferNames, ALaterNameHoldsForAllThatItCovers) {
  const Allocation in = allocation(1);
  BufferNames names;
  names.add(named(0x2000, 0x10, 7), &in);
  names.add(named(0x2010, 0x10, 8), &in);
  names.add(named(0x2000, 0x100, 9), &in);
  EXPECT_EQ(names.of(in, 0x2000), 9U);
  EXPECT_EQ(names.of(in, 0x2018), 9U);
}

TEST(BufferNames, WhatComesToLieThereHasNone) {
  const Allocation before = allocation(1);
  const Allocation after = allocation(2);
  BufferNames names;
  names.add(named(0x2000, 0x100, 7), &before);
  names.add(named(0x4000, 0x100, 8), nullptr);  // memory that is not followed
  EXPECT_EQ(names.of(after, 0x2000), 0U);
  EXPECT_EQ(names.of(before, 0x4000), 0U);
}

}  // namespace
}  // namespace xfer::test
