// PTX as nvcc writes it, and texts that are none.

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "ptx/instructions.h"
#include "ptx/reader.h"

namespace xfer::ptx {
namespace {

using Kind = Operand::Kind;

/// The body of a kernel that declares a few registers.
class PtxBody : public ::testing::Test {
 protected:
  const Body& read(const std::string& statements) {
    text_ =
        ".version 8.7\n.target sm_90a\n.address_size 64\n.entry k(.param .u64 p)\n{\n"
        ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n" +
        statements + "\n}\n";
    module_ = read_module(text_);
    EXPECT_TRUE(module_.faults.empty());
    body_ = read_body(*module_.function("k"));
    return body_;
  }
  const Instruction& first(const std::string& statement) {
    return read(statement).instructions.at(0);
  }
  /// The fault that the statements are, as "line: what".
  std::string fault(const std::string& statements) {
    try {
      read(statements);
    } catch (const Fault& fault) {
      return std::to_string(fault.line()) + ": " + fault.what();
    }
    return "none";
  }
  std::optional<std::string> wrong(const std::string& statement) {
    return wrong_with(first(statement));
  }

 private:
  std::string text_;
  Module module_;
  Body body_;
};

TEST_F(PtxBody, AnInstructionWithAGuardAndModifiers) {
  const Instruction& load = first("@!%p1 ld.global.nc.L1::no_allocate.v2.f32 {%f1, _}, [%rd2+-8];");
  EXPECT_EQ(load.operation, "ld");
  EXPECT_TRUE(load.has("L1::no_allocate"));
  EXPECT_FALSE(load.has("no_allocate"));
  EXPECT_EQ(load.line, 10U);
  ASSERT_TRUE(load.guard);
  EXPECT_TRUE(load.guard->negated);
  EXPECT_EQ(load.guard->reg, 1U);
  ASSERT_EQ(load.operands.size(), 2U);
  EXPECT_TRUE(load.operands[0].parts.at(0).is(Kind::kRegister));
  EXPECT_TRUE(load.operands[0].parts.at(1).is(Kind::kNothing));
  EXPECT_EQ(load.operands[1].parts.at(0).name, "%rd2");
  EXPECT_EQ(load.operands[1].offset, -8);
}

TEST_F(PtxBody, Numbers) {
  const auto last = [&](const std::string& number) {
    return first("mov.b64 %rd1, " + number + ";").operands[1];
  };
  EXPECT_EQ(last("-10").bits, static_cast<std::uint64_t>(-10));
  EXPECT_EQ(last("0xFFU").bits, 255U);
  EXPECT_EQ(last("017").bits, 15U);
  EXPECT_EQ(last("0b101").bits, 5U);
  EXPECT_EQ(last("0f3F800000").bits, 0x3F800000U);
  EXPECT_TRUE(last("0f3F800000").single);
  EXPECT_EQ(last("0d3FF0000000000000").bits, 0x3FF0000000000000U);
  EXPECT_EQ(std::bit_cast<double>(last("-1.5").bits), -1.5);
  EXPECT_EQ(last("WARP_SZ").bits, 32U);
}

TEST_F(PtxBody, NamesAreWhatTheirScopeSays) {
  const Body& body = read("{ .reg .b64 %r1; mov.b64 %r1, 0; } mov.b32 %r1, 0;");
  EXPECT_EQ(body.registers[body.instructions[0].operands[0].reg].bits, 64);
  EXPECT_EQ(body.registers[body.instructions[1].operands[0].reg].bits, 32);
}

TEST_F(PtxBody, SpecialRegistersAndSymbols) {
  const Body& body = read("mov.u32 %r1, %ctaid.y; mov.u64 %rd1, table+16;");
  EXPECT_TRUE(body.instructions[0].operands[1].is(Kind::kSpecial));
  EXPECT_EQ(body.instructions[0].operands[1].component, 'y');
  EXPECT_TRUE(body.instructions[1].operands[1].is(Kind::kSymbol));
  EXPECT_EQ(body.instructions[1].operands[1].offset, 16);
}

TEST_F(PtxBody, LabelsTargetsAndPrototypes) {
  const Body& body = read(R"(
$L__BB0_1:
	.loc	1 42 5, function_name $L__info_string0, inlined_at 1 7 3
	add.s32 %r1, %r1, 1;
	setp.lt.s32 %p1|%p2, %r1, 4;
	@%p1 bra $L__BB0_1;
$L_list: .branchtargets $L__BB0_1, $L_end;
	brx.idx %r1, $L_list;
$L_end:
prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b32 _);
	call (retval0), %rd1, (param0, param1), prototype_0;
	ret;)");
  EXPECT_EQ(body.labels.at("$L__BB0_1"), 0U);
  EXPECT_EQ(body.labels.at("$L_end"), 4U);
  EXPECT_EQ(body.targets.at("$L_list").size(), 2U);
  EXPECT_EQ(body.prototypes.at("prototype_0").parameters.size(), 2U);
  EXPECT_EQ(body.instructions[0].source_line, 42U);
  EXPECT_EQ(body.instructions[1].operands[0].parts.size(), 2U);
  EXPECT_TRUE(body.instructions[4].operands[2].is(Kind::kList));
}

TEST_F(PtxBody, TexturesTakeAListInTheirAddress) {
  const Instruction& texture = first("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];");
  EXPECT_EQ(texture.operands[1].parts.at(1).parts.size(), 2U);
}

TEST_F(PtxBody, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(fault("add.s32 %r1, %r99, 1;"),
            "10: expected a register that is declared, not %r99, before `,`");
  EXPECT_EQ(fault("\n\nadd.s32 %r1, ;"), "12: expected an operand before `;`");
  EXPECT_EQ(fault(".reg .b32 %many<4000000000>;"), "10: expected fewer registers before `;`");
  EXPECT_EQ(fault("mov.b32 %r1, " + std::string(9, '[') + ";"),
            "10: expected fewer brackets before `[`");
  EXPECT_EQ(fault(".nonsense 3;"), "10: no directive .nonsense is known");
}

TEST_F(PtxBody, TheTableKnowsWhatAnInstructionTakes) {
  EXPECT_EQ(wrong("mad.lo.s32 %r1, %r2, %r3, %r4;"), std::nullopt);
  EXPECT_EQ(wrong("atom.acq_rel.gpu.global.add.noftz.f16x2 %r1, [%rd1], %r2;"), std::nullopt);
  EXPECT_EQ(wrong("frob.u32 %r1, %r2;"), "PTX has no instruction `frob`");
  EXPECT_EQ(wrong("add.hi.u32 %r1, %r2, %r3;"), "`add` has no modifier .hi");
  EXPECT_EQ(wrong("add.u32 %r1, %r2;"), "`add` does not take 2 operands");
}

TEST_F(PtxBody, PartsOfRegisters) {
  const Instruction& add = first("vadd4.u32.u32.u32 %r1.b20, %r2.b3210, %r3, %r4;");
  EXPECT_EQ(add.operands.at(0).part, "b20");
  EXPECT_EQ(add.operands.at(1).part, "b3210");
  EXPECT_EQ(add.operands.at(2).part, "");
  EXPECT_EQ(first("vadd.u32.u32.u32 %r1, %r2.h1, %r3.b0;").operands.at(1).part, "h1");
  EXPECT_NE(fault("vadd.u32.u32.u32 %r1, %r2.b8, %r3;"), "none");
}

TEST(PtxModule, VariablesAndTheirValues) {
  const std::string text = R"(.version 9.0
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 room[];
.global .align 4 .u32 table[4] = {1, -2, 0x30};
.const .f32 half = 0f3F000000;
.visible .global .attribute(.managed) .v2 .f32 pair;
.global .u64 list[2] = {table, generic(table)+8};
.global .align 8 .b8 bytes[3] = {0xFF(table), 0xFF00(table), 7};
.weak .global .u8 grid[2][3];
)";
  const Module module = read_module(text);
  ASSERT_TRUE(module.faults.empty()) << module.faults[0].line() << module.faults[0].what();
  EXPECT_EQ(module.version, 90U);
  EXPECT_EQ(module.target, "sm_75");
  ASSERT_EQ(module.variables.size(), 7U);
  EXPECT_TRUE(module.variables[0].external);
  EXPECT_EQ(module.variables[0].size, 0U);
  EXPECT_EQ(module.variables[0].alignment, 16U);
  EXPECT_EQ(module.variables[1].size, 16U);
  EXPECT_EQ(module.variables[1].value,
            (std::vector<std::uint8_t>{1, 0, 0, 0, 0xFE, 0xFF, 0xFF, 0xFF, 0x30, 0, 0, 0}));
  EXPECT_EQ(module.variables[2].space, Space::kConst);
  EXPECT_EQ(module.variables[2].value, (std::vector<std::uint8_t>{0, 0, 0, 0x3F}));
  EXPECT_TRUE(module.variables[3].managed);
  EXPECT_EQ(module.variables[3].size, 8U);
  EXPECT_EQ(module.variables[3].alignment, 8U);
  EXPECT_EQ(module.variables[4].relocations.at(1).offset, 8);
  EXPECT_TRUE(module.variables[4].relocations.at(1).generic);
  EXPECT_EQ(module.variables[5].relocations.at(1).byte, 1);
  EXPECT_EQ(module.variables[5].value.at(2), 7);
  EXPECT_EQ(module.variables[6].size, 6U);
  EXPECT_TRUE(module.variables[6].weak);
}

TEST(PtxModule, FunctionsAndTheirLimits) {
  const std::string text = R"(.version 8.0
.target sm_80, debug
.func  (.param .b32 func_retval0) helper(.param .b64 x) ;
.visible .entry k(
	.param .u64 .ptr .global .align 16 k_param_0,
	.param .align 8 .b8 k_param_1[24]
)
.maxntid 256, 1, 1
.minnctapersm 2
{ ret; }
.weak .func spare() { ret; }
.alias other, k;
.section .debug_str { info: .b8 1,2 }
)";
  const Module module = read_module(text);
  ASSERT_TRUE(module.faults.empty()) << module.faults[0].line() << module.faults[0].what();
  EXPECT_TRUE(module.function("helper")->declared);
  EXPECT_TRUE(module.function("spare")->weak);
  EXPECT_FALSE(module.function("k")->weak);
  const Function* kernel = module.function("other");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel->kernel);
  EXPECT_TRUE(kernel->parameters.at(0).pointer);
  EXPECT_EQ(kernel->parameters.at(1).size, 24U);
  EXPECT_EQ(kernel->limits.at("maxntid"), (std::vector<std::uint64_t>{256, 1, 1}));
  EXPECT_EQ(read_body(*kernel).instructions.size(), 1U);
  EXPECT_THROW(read_body(*module.function("helper")), Fault);
}

TEST(PtxModule, SeveralInOneText) {
  const std::string text = R"(// the first
.version 9.0
.target sm_75
.visible .global .u32 seen;
.global .u32 own;
.func own() { ret; }
// the second
.version 8.0
.extern .global .u32 seen;
.common .global .u32 shared;
.visible .func helper() { ret; }
.future;
)";
  const std::vector<Module> modules = read_modules(text);
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_EQ(modules[0].version, 90U);
  EXPECT_TRUE(modules[0].variables.at(0).visible);
  EXPECT_FALSE(modules[0].variables.at(1).visible);
  EXPECT_FALSE(modules[0].function("own")->visible);
  EXPECT_TRUE(modules[0].faults.empty());
  EXPECT_EQ(modules[1].version, 80U);
  EXPECT_TRUE(modules[1].variables.at(0).external);
  EXPECT_TRUE(modules[1].variables.at(1).visible);
  EXPECT_TRUE(modules[1].function("helper")->visible);
  ASSERT_EQ(modules[1].faults.size(), 1U);
  EXPECT_EQ(modules[1].faults[0].line(), 12U);
  EXPECT_EQ(read_module(text).functions.size(), 1U);
  EXPECT_EQ(read_modules("").size(), 1U);
}

TEST(PtxModule, ADeclarationThatNeverEndsTakesTheRest) {
  for (const char* endless : {".section x;\n", ".global .attribute(;\n", ".entry k() {\n"}) {
    const std::string text = std::string(endless) + endless + endless;
    EXPECT_EQ(read_module(text).faults.size(), 1U) << endless;
  }
}

TEST(PtxModule, NumbersThatNothingHolds) {
  EXPECT_EQ(read_module(".version 1.0e300\n").faults.size(), 1U);
  const std::string text =
      ".entry k() { .reg .b64 %rd<2>; ld.u64 %rd1, [t+9223372036854775807+9223372036854775807]; }"
      ".global .u64 t = generic(t+9223372036854775807)+9223372036854775807;";
  const Module module = read_module(text);
  EXPECT_EQ(module.variables.at(0).relocations.at(0).offset, -2);
  const Body body = read_body(*module.function("k"));
  EXPECT_EQ(body.instructions.at(0).operands.at(1).offset, -2);
}

TEST(PtxModule, WhatCannotBeReadIsLeftOut) {
  const std::string text = R"(.version 8.0
.target sm_80
.global .align 3 .u32 odd;
.future .thing { of { braces } }
.entry k() { ret; }
.global .u32 next;
.entry cut( )";
  const Module module = read_module(text);
  ASSERT_EQ(module.faults.size(), 3U);
  EXPECT_EQ(module.faults[0].line(), 3U);
  EXPECT_EQ(module.faults[1].line(), 4U);
  EXPECT_EQ(module.faults[2].line(), 7U);
  EXPECT_NE(module.function("k"), nullptr);
  ASSERT_EQ(module.variables.size(), 1U);
  EXPECT_EQ(module.variables[0].name, "next");
}

}  // namespace
}  // namespace xfer::ptx
