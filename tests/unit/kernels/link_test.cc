// Programs of several modules: what one names and another defines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace xfer::kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHead = ".version 9.0\n.target sm_80\n.address_size 64\n";

/// A kernel whose result is that of a function.
std::string kernel_of(const std::string& name, const std::string& function) {
  return ".visible .entry " + name +
         "(.param .u64 out) {\n"
         "  .reg .b64 %p;\n  .reg .b32 %r;\n"
         "  ld.param.u64 %p, [out];\n"
         "  { .param .b32 v; call.uni (v), " +
         function +
         "; ld.param.b32 %r, [v]; }\n"
         "  st.u32 [%p], %r;\n  ret;\n}\n";
}

/// A function that returns what stands there: `5`, `[variable]`.
std::string function_of(const std::string& linkage, const std::string& name,
                        const std::string& value) {
  return linkage + " .func (.param .b32 v) " + name + "() {\n  .reg .b32 %r;\n  " +
         (value[0] == '[' ? "ld.global.u32 %r, " : "mov.u32 %r, ") + value +
         ";\n  st.param.b32 [v], %r;\n  ret;\n}\n";
}

std::string declared(const std::string& function) {
  return ".extern .func (.param .b32 v) " + function + ";\n";
}

class Linked {
 public:
  explicit Linked(std::vector<std::string> texts) {
    std::string why;
    program_.reset(load_program(std::move(texts), &why));
    EXPECT_NE(program_, nullptr) << why;
  }

  Program& program() { return *program_; }

  /// The kernel's result. Variables hold their initial values.
  int run(const std::string& kernel) {
    std::string why;
    const Code* const code = program_->code(kernel, Extra::kNone, &why);
    EXPECT_NE(code, nullptr) << why;
    if (code == nullptr) return -1;
    std::vector<std::vector<std::byte>> memory;
    std::vector<std::uintptr_t> addresses;
    for (const std::string& name : code->variables)
      for (const ModuleVariable& variable : program_->variables())
        if (variable.name == name) {
          memory.push_back(variable.value);
          memory.back().resize(variable.bytes);
        }
    for (const auto& bytes : memory)
      addresses.push_back(reinterpret_cast<std::uintptr_t>(bytes.data()));
    EXPECT_EQ(addresses.size(), code->variables.size());
    int result = 0;
    const void* const parameters[] = {&result};
    Services services{};
    Block block;
    block.services = &services;
    block.parameters = reinterpret_cast<const std::byte*>(parameters);
    block.variables = addresses.data();
    Thread thread;
    thread.block = &block;
    code->run(&thread);
    return result;
  }

  std::string refusal(const std::string& kernel) {
    std::string why;
    EXPECT_EQ(program_->code(kernel, Extra::kNone, &why), nullptr);
    return why;
  }

 private:
  std::unique_ptr<Program> program_;
};

TEST(Link, FunctionsAndVariablesOfOtherModules) {
  Linked linked(
      {kHead + declared("get") + kernel_of("k", "get"),
       kHead + ".extern .global .u32 value;\n" + function_of(".visible", "get", "[value]"),
       kHead + ".visible .global .u32 value = 42;\n"});
  EXPECT_EQ(linked.run("k"), 42);
  ASSERT_EQ(linked.program().variables().size(), 1U);
}

TEST(Link, NamesOfTheirOwnStayApart) {
  const auto part = [](const std::string& kernel, const std::string& value) {
    return kHead + ".global .u32 own = " + value + ";\n" + function_of("", "get", "[own]") +
           kernel_of(kernel, "get");
  };
  Linked linked({part("first", "1"), part("second", "2"),
                 kHead + ".visible .global .u32 own = 3;\n" +
                     function_of(".visible", "get", "[own]") + kernel_of("third", "get")});
  EXPECT_EQ(linked.run("first"), 1);
  EXPECT_EQ(linked.run("second"), 2);
  EXPECT_EQ(linked.run("third"), 3);
  std::vector<std::string> names;
  for (const ModuleVariable& variable : linked.program().variables())
    names.push_back(variable.name);
  EXPECT_THAT(names, ElementsAre("own#2", "own#3", "own"));
}

TEST(Link, WeakDefinitionsAreOne) {
  const auto part = [](const std::string& kernel, const std::string& linkage, int value) {
    const std::string number = std::to_string(value);
    return kHead + linkage + " .global .u32 one = " + number + ";\n" +
           function_of(linkage, "get", number) + function_of("", kernel + "_one", "[one]") +
           kernel_of(kernel, "get") + kernel_of(kernel + "_variable", kernel + "_one");
  };
  Linked weak({part("first", ".weak", 1), part("second", ".weak", 2)});
  EXPECT_EQ(weak.run("second"), 1);
  EXPECT_EQ(weak.run("second_variable"), 1);
  Linked strong({part("first", ".weak", 1), part("second", ".visible", 2)});
  EXPECT_EQ(strong.run("first"), 2);
  EXPECT_EQ(strong.run("first_variable"), 2);
}

TEST(Link, AddressesOfFunctionsAreOfTheProgram) {
  Linked linked(
      {kHead + declared("get") + ".visible .global .u64 table = get;\n",
       kHead + function_of(".visible", "other", "6") + function_of(".visible", "get", "7"),
       kHead + ".extern .global .u64 table;\n"
               ".visible .entry k(.param .u64 out) {\n"
               "  .reg .b64 %p, %f;\n  .reg .b32 %r;\n"
               "  ld.param.u64 %p, [out];\n  ld.global.u64 %f, [table];\n"
               "  { .param .b32 v; prototype_0: .callprototype (.param .b32 _) _ ();\n"
               "    call (v), %f, prototype_0; ld.param.b32 %r, [v]; }\n"
               "  st.u32 [%p], %r;\n  ret;\n}\n"});
  EXPECT_EQ(linked.run("k"), 7);
}

TEST(Link, WhatNobodyDefinesIsNamed) {
  Linked linked({kHead + declared("get") + kernel_of("k", "get") + ".extern .global .u32 value;\n" +
                 function_of(".visible", "read", "[value]") + kernel_of("variable", "read")});
  EXPECT_THAT(linked.refusal("k"), HasSubstr("no module of the program has the function `get`"));
  EXPECT_THAT(linked.refusal("variable"), HasSubstr("no module of the program defines `value`"));
}

TEST(Link, OneTextMayHoldSeveralModules) {
  Linked linked({kHead + declared("get") + kernel_of("k", "get") + kHead +
                 function_of("", "hidden", "8") + function_of(".visible", "get", "9")});
  EXPECT_EQ(linked.run("k"), 9);
}

}  // namespace
}  // namespace xfer::kernels
