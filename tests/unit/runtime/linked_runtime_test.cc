// The CUDA runtime that is linked into a file, by the file's symbols.

#include "src/linked_runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "elf_writer.h"
#include "src/elf_sections.h"

namespace xfer {
namespace {

using test::elf_file;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

std::vector<std::string> names_of(const LinkedRuntime& runtime) {
  std::vector<std::string> names;
  for (const LinkedFunction& function : runtime.functions) names.push_back(function.name);
  return names;
}

TEST(ElfSections, HaveNamesAndContents) {
  const std::string file = elf_file({}, {".nv_fatbin"});
  EXPECT_THAT(
      elf_sections(file),
      ElementsAre(Field(&ElfSection::name, ""), Field(&ElfSection::name, ".symtab"),
                  Field(&ElfSection::content, std::string_view("\0", 1)),
                  Field(&ElfSection::name, ".shstrtab"), Field(&ElfSection::name, ".nv_fatbin")));
}

TEST(ElfSections, AreNoneInAFileThatIsCutShort) {
  const std::string file = elf_file({{"main", 0x10}}, {".nv_fatbin"});
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_THAT(elf_sections(std::string_view(file).substr(0, size)), IsEmpty()) << size;
}

TEST(ElfSections, AreNoneInAnotherKindOfFile) {
  std::string file = elf_file({});
  file[4] = 1;  // 32 bits
  EXPECT_THAT(elf_sections(file), IsEmpty());
  EXPECT_THAT(elf_sections("#!/bin/sh\n"), IsEmpty());
}

TEST(ElfSections, TextThatDoesNotEndIsNone) {
  EXPECT_EQ(elf_text(std::string_view("ab\0cd", 5), 0), "ab");
  EXPECT_EQ(elf_text(std::string_view("ab\0cd", 5), 3), "");
  EXPECT_EQ(elf_text("ab", 7), "");
}

TEST(LinkedRuntime, HasTheRuntimesFunctionsWithTheRoomForEach) {
  const LinkedRuntime runtime = linked_runtime(elf_file({{"cudaMalloc", 0x40},
                                                         {"__cudaRegisterFatBinary", 0x10},
                                                         {"main", 0x80, false},
                                                         {"helper", 0x50}}));
  ASSERT_THAT(names_of(runtime), ElementsAre("__cudaRegisterFatBinary", "cudaMalloc"));
  EXPECT_EQ(runtime.functions[0].address, 0x10U);
  EXPECT_EQ(runtime.functions[0].room, 0x30U);
  EXPECT_EQ(runtime.functions[1].room, 0x10U) << "up to helper";
  EXPECT_TRUE(runtime.has_current_calls);
}

TEST(LinkedRuntime, TwoNamesOfOneFunctionHaveTheSameRoom) {
  const LinkedRuntime runtime = linked_runtime(elf_file(
      {{"__cudaRegisterFatBinary", 0x10}, {"cudaFree", 0x10}, {"cudaMalloc", 0x30}, {"f", 0x38}}));
  ASSERT_EQ(runtime.functions.size(), 3U);
  EXPECT_EQ(runtime.functions[0].room, 0x20U);
  EXPECT_EQ(runtime.functions[1].room, 0x20U);
  EXPECT_EQ(runtime.functions[2].room, 8U);
}

TEST(LinkedRuntime, IsNoneInAProgramThatUsesASharedOne) {
  EXPECT_THAT(names_of(linked_runtime(elf_file({{"__cudaRegisterFatBinary", 0, false, false},
                                                {"cudaMalloc", 0, false, false}}))),
              IsEmpty());
}

TEST(LinkedRuntime, IsNoneWhereAProgramHasAFunctionOfItsOwnByThatName) {
  EXPECT_THAT(names_of(linked_runtime(elf_file({{"cudaMalloc", 0x10}, {"main", 0x20, false}}))),
              IsEmpty());
}

TEST(LinkedRuntime, IsNotTheSharedOneItself) {
  EXPECT_THAT(names_of(linked_runtime(elf_file(
                  {{"__cudaRegisterFatBinary", 0x10, false}, {"cudaMalloc", 0x30, false}}))),
              IsEmpty());
}

TEST(LinkedRuntime, OfCuda12IsTold) {
  EXPECT_FALSE(linked_runtime(elf_file({{"__cudaRegisterFatBinary", 0x10},
                                        {"cudaGetDeviceProperties_v2", 0x30}}))
                   .has_current_calls);
}

}  // namespace
}  // namespace xfer
