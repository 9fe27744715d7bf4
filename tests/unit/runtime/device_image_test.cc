#include "src/device_image.h"

#include <gmock/gmock.h>

#include <random>

#include "fat_binary_writer.h"

namespace xfer {
namespace {

using Kind = FatEntry::Kind;
using test::entry;
using test::Packing;
using test::region;
using testing::ElementsAre;
using testing::IsEmpty;

std::string ptx_for(const std::string& target) {
  return "//\n// .target sm_10\n\n.version 9.0\n.target sm_" + target +
         ", debug\n.address_size 64\n" + std::string(300, ' ') + "// " + target + "\n";
}

std::string ptx_entry(std::uint32_t architecture, Packing packing = Packing::kZstd,
                      char variant = 0) {
  std::string target = std::to_string(architecture);
  if (variant != 0) target += variant;
  return entry(Kind::kPtx, architecture, ptx_for(target), packing, variant);
}

std::string code_entry(std::uint32_t architecture) {
  return entry(Kind::kMachineCode, architecture, "\177ELF", Packing::kNone);
}

/// The text that a device takes, or why it takes none.
std::string taken(std::string_view image, int capability = 90) {
  std::string why;
  const auto text = ptx_to_run(image, capability, &why);
  EXPECT_NE(text.has_value(), !why.empty());
  EXPECT_EQ(ptx_to_run(image, capability, nullptr), text);
  return text.value_or(why);
}

TEST(DeviceImage, TheHighestArchitectureThatTheDeviceHas) {
  const std::string image = region(ptx_entry(80) + ptx_entry(120) + ptx_entry(75) + ptx_entry(86));
  EXPECT_EQ(taken(image), ptx_for("86"));
  EXPECT_EQ(taken(image, 80), ptx_for("80"));
  EXPECT_EQ(taken(image, 121), ptx_for("120"));
}

TEST(DeviceImage, MachineCodeBesideItDoesNotCount) {
  EXPECT_EQ(taken(region(code_entry(90) + ptx_entry(80) + code_entry(86))), ptx_for("80"));
}

TEST(DeviceImage, EachWayToCompress) {
  for (const Packing packing : {Packing::kNone, Packing::kZstd, Packing::kLz4})
    EXPECT_EQ(taken(region(ptx_entry(90, packing))), ptx_for("90"));
  EXPECT_EQ(taken(region(ptx_entry(90, Packing::kUnknown))),
            "its PTX for compute_90 is compressed in an unknown way");
}

TEST(DeviceImage, PtxForOneArchitectureOrFamily) {
  const std::string image = region(ptx_entry(90, Packing::kZstd, 'a') + ptx_entry(90) +
                                   ptx_entry(100, Packing::kZstd, 'f'));
  EXPECT_EQ(taken(image), ptx_for("90a"));
  EXPECT_EQ(taken(image, 100), ptx_for("100f"));
  EXPECT_EQ(taken(image, 103), ptx_for("100f"));
  EXPECT_EQ(taken(image, 120), ptx_for("90"));
  EXPECT_EQ(taken(region(ptx_entry(90, Packing::kZstd, 'a')), 100),
            "its PTX is for compute_90a and the device has 10.0");
}

// As those wrote it who did not mark it.
TEST(DeviceImage, ATextSaysWhichOneArchitectureItIsFor) {
  const std::string unmarked = entry(Kind::kPtx, 90, ptx_for("90a"), Packing::kZstd);
  EXPECT_EQ(taken(region(unmarked + ptx_entry(80)), 100), ptx_for("80"));
  EXPECT_EQ(taken(region(unmarked + ptx_entry(80)), 90), ptx_for("90a"));
}

TEST(DeviceImage, SaysWhyThereIsNone) {
  EXPECT_EQ(taken(region(code_entry(90) + code_entry(80) + code_entry(80))),
            "it carries machine code for sm_80, sm_90 and no PTX");
  EXPECT_EQ(taken(region(ptx_entry(120) + code_entry(90) + ptx_entry(100))),
            "its PTX is for compute_100, compute_120 and the device has 9.0");
  EXPECT_EQ(taken(region("")), "it carries neither PTX nor machine code");
  EXPECT_EQ(taken("\177ELF\2\1\1"), "it is machine code without PTX");
  EXPECT_EQ(taken(""), "it is neither PTX nor a fat binary");
  EXPECT_EQ(taken("BC"), "it is neither PTX nor a fat binary");
}

TEST(DeviceImage, PlainPtx) {
  EXPECT_EQ(taken(ptx_for("80")), ptx_for("80"));
  EXPECT_EQ(taken(ptx_for("80") + '\0' + "what follows it"), ptx_for("80"));
  EXPECT_EQ(taken(ptx_for("120")), "its PTX is for compute_120 and the device has 9.0");
  EXPECT_EQ(taken("/* */ .version 8.0/*9*/.target sm_80"), "/* */ .version 8.0/*9*/.target sm_80");
  for (const char* broken : {".version", ".version 9.0 .target", ".version 9.0 .target sm_x"})
    EXPECT_EQ(taken(broken), broken) << "its reader names what is wrong";
}

TEST(DeviceImage, CutShort) {
  const std::string good = region(ptx_entry(80, Packing::kLz4) + ptx_entry(90));
  for (std::size_t size = 4; size < good.size(); ++size)
    EXPECT_EQ(taken(good.substr(0, size)), "it is cut short") << size;
  const std::string entries = ptx_entry(90, Packing::kLz4);
  for (std::size_t size = 64; size < entries.size(); ++size)
    EXPECT_EQ(taken(region(entries.substr(0, size))), "it is cut short") << size;
}

TEST(DeviceImage, DamageIsNoFault) {
  const std::string good = region(ptx_entry(80, Packing::kLz4) + ptx_entry(90) + code_entry(90));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      bad[random() % bad.size()] = static_cast<char>(random());
    taken(bad);
    architectures_of(bad);
  }
}

TEST(DeviceImage, AClaimOfMoreThanCanBeUnpacked) {
  for (const Packing packing : {Packing::kLz4, Packing::kZstd}) {
    std::string bad = region(ptx_entry(90, packing));
    bad[16 + 61] = 1;  // of the unpacked size
    if (packing == Packing::kZstd) bad[16 + 64 + 5] ^= 0x40;
    EXPECT_EQ(taken(bad), "its PTX for compute_90 cannot be unpacked");
  }
}

TEST(DeviceImage, Architectures) {
  EXPECT_THAT(architectures_of(region(code_entry(90) + ptx_entry(80))), ElementsAre(90, 80));
  EXPECT_THAT(architectures_of(ptx_for("75")), ElementsAre(75));
  EXPECT_THAT(architectures_of("\177ELF"), IsEmpty());
}

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* code;
  const void* parts;
};

TEST(DeviceImage, PointersWithoutAnEnd) {
  const std::string first = region(ptx_entry(80));
  const std::string bytes = first + region(ptx_entry(90));
  const Wrapper wrapper{0x466243b1, 1, bytes.data(), nullptr};
  const std::string text = ptx_for("80");
  EXPECT_EQ(region_at(bytes.data()), first);
  EXPECT_EQ(image_at(bytes.data()), first);
  EXPECT_EQ(image_at(&wrapper), first);
  EXPECT_EQ(image_at(text.c_str()), text);
  EXPECT_EQ(image_at("\177ELF"), "\177ELF");
  EXPECT_EQ(image_at(""), "");
  EXPECT_THAT(image_at(nullptr), IsEmpty());
  EXPECT_THAT(region_at(nullptr), IsEmpty());
  EXPECT_THAT(region_at("P"), IsEmpty());
}

TEST(DeviceImage, WhatRegistersItself) {
  const std::string whole = region(ptx_entry(80));
  const std::string empty = region("");
  const std::string part = region(ptx_entry(90));
  const void* parts[] = {part.data(), empty.data(), whole.data(), nullptr};
  const Wrapper plain{0x466243b1, 1, whole.data(), parts};
  const Wrapper linked{0x466243b1, 2, empty.data(), parts};
  const std::string machine_code =
      region(entry(FatEntry::Kind::kMachineCode, 80, "code", Packing::kNone));
  const Wrapper linked_to_code{0x466243b1, 2, machine_code.data(), parts};
  EXPECT_THAT(images_of(&plain), ElementsAre(whole));
  EXPECT_THAT(images_of(&linked), ElementsAre(part, whole));
  EXPECT_THAT(images_of(&linked_to_code), ElementsAre(part, whole, machine_code));
  EXPECT_THAT(images_of(whole.data()), IsEmpty());
  EXPECT_THAT(images_of(nullptr), IsEmpty());
}

}  // namespace
}  // namespace xfer
