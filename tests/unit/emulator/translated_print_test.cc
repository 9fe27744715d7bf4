// printf of kernels.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "grid/print.h"
#include "unit/emulator/translated.h"

namespace xfer::emulator::grid {
namespace {

/// Arguments as nvcc stores them for vprintf.
class Arguments {
 public:
  template <typename T>
  Arguments& add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(&bytes_[at], &value, sizeof(T));
    return *this;
  }
  Printed print(const char* format) const {
    // In memory that is aligned as a kernel's stack.
    std::vector<std::max_align_t> memory(bytes_.size() / sizeof(std::max_align_t) + 1);
    std::copy(bytes_.begin(), bytes_.end(), reinterpret_cast<std::byte*>(memory.data()));
    return format_text(kernels::Block{}, reinterpret_cast<std::uintptr_t>(format),
                       reinterpret_cast<std::uintptr_t>(memory.data()));
  }

 private:
  std::vector<std::byte> bytes_;
};

TEST(TranslatedPrint, ConversionsOfC) {
  const Printed printed = Arguments()
                              .add(42)
                              .add(2.5)
                              .add(-7)
                              .add(std::int64_t{-1} << 40)
                              .add("text")
                              .add(int{'x'})
                              .add(0xffU)
                              .print("%d %f %5d|%lld %s %c %#x 100%%\n");
  EXPECT_EQ(printed.text, "42 2.500000    -7|-1099511627776 text x 0xff 100%\n");
  EXPECT_EQ(printed.arguments, 7);
}

TEST(TranslatedPrint, WidthsPrecisionsAndLengths) {
  EXPECT_EQ(Arguments().add(6).add(2).add(3.14159).print("[%*.*f]").text, "[  3.14]");
  EXPECT_EQ(Arguments().add(-6).add(1).print("[%*d]").text, "[1     ]");
  EXPECT_EQ(Arguments().add(0x1ff).print("%hhd").text, "-1");
  EXPECT_EQ(Arguments().add(0x1fffe).print("%hu").text, "65534");
  EXPECT_EQ(Arguments().add(std::uint64_t{1} << 63).print("%lu").text, "9223372036854775808");
  EXPECT_EQ(Arguments().add(-1).print("%u").text, "4294967295");
  EXPECT_EQ(Arguments().add("abcdef").print("%-5.3s|").text, "abc  |");
  EXPECT_EQ(Arguments().add(std::uintptr_t{0x10}).print("%p").text, "0x10");
  EXPECT_EQ(Arguments().add(1e10).add(1e-10).print("%g %e").text, "1e+10 1.000000e-10");
}

TEST(TranslatedPrint, BadFormatsDoNoHarm) {
  EXPECT_EQ(Arguments().print("%").text, "%");
  EXPECT_EQ(Arguments().print("%5").text, "%5");
  EXPECT_EQ(Arguments().print("%y%-").text, "%y%-");
  EXPECT_EQ(Arguments().add(std::uintptr_t{16}).add(5).print("a%nb%d").text, "ab5");
  EXPECT_EQ(Arguments().add(std::uintptr_t{0}).print("%s").text, "(null)");
  EXPECT_LT(Arguments().add(1).print("%999999999999d").text.size(), 70'000U);
  EXPECT_EQ(Arguments().print("").text, "");
}

TEST(TranslatedPrint, GoesToStdout) {
  testing::internal::CaptureStdout();
  std::vector<std::int32_t> results(2);
  const auto kernel = [](kernels::Thread* t) {
    const auto text = [](const void* what) { return reinterpret_cast<std::uintptr_t>(what); };
    const std::int32_t values[] = {static_cast<std::int32_t>(t->number), 5};
    auto& got = *parameters_of<std::vector<std::int32_t>*>(t);
    got[0] = ask(t).print(t, text("thread %d of %d\n"), text(values));
    got[1] = ask(t).print(t, 0, text(values));
  };
  EXPECT_EQ(launch(kernel, {.block = 2}, &results), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0 of 5\nthread 1 of 5\n");
  EXPECT_EQ(results, (std::vector<std::int32_t>{2, -1}));
}

}  // namespace
}  // namespace xfer::emulator::grid
