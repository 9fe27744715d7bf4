#include "kernel_params.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xfer::tracer {
namespace {

using Kind = KernelParam::Kind;

// One letter per parameter: r read-only buffer, w buffer, s scalar, l pointer-sized integer, ?
// unknown; upper case R, W: what it points at may hold pointers.
std::string shape(const KernelSignature& signature) {
  std::string text;
  for (const KernelParam& param : signature.params) {
    switch (param.kind) {
      case Kind::kScalar: text += 's'; break;
      case Kind::kWord: text += 'l'; break;
      case Kind::kOpaque: text += '?'; break;
      case Kind::kPointer:
        text += param.pointee_opaque ? (param.writes ? 'W' : 'R') : (param.writes ? 'w' : 'r');
    }
  }
  return text;
}

struct Case {
  const char* mangled;
  const char* shape;
  bool may_touch_all;
};

class KernelNames : public testing::TestWithParam<Case> {};

TEST_P(KernelNames, TellTheirParameters) {
  const KernelSignature signature = read_kernel_signature(GetParam().mangled);
  EXPECT_TRUE(signature.known) << GetParam().mangled;
  EXPECT_EQ(shape(signature), GetParam().shape) << GetParam().mangled;
  EXPECT_EQ(signature.may_touch_all, GetParam().may_touch_all) << GetParam().mangled;
}

// Names as nvcc 13 gives them.
INSTANTIATE_TEST_SUITE_P(
    Symbols, KernelNames,
    testing::Values(
        Case{"_Z5scalePfif", "wss", false}, Case{"_Z3addPKfS0_Pfi", "rrws", false},
        Case{"_Z22bpnn_layerforward_CUDAPfS_S_S_ii", "wwwwss", false},
        Case{"_Z6KernelP4NodePiPbS2_S2_S1_i", "Wwwwwws", true},
        Case{"_Z4axpyIfEvPKT_PS0_S0_i", "rwss", false},
        Case{"_Z4axpyIdEvPKT_PS0_S0_m", "rwsl", false}, Case{"_Z5emptyv", "", false},
        Case{"_ZN3foo3barEPKvPv", "RW", true}, Case{"_ZN12_GLOBAL__N_14fillEPfx", "wl", false},
        Case{"_Z6gatherPKPKfPf", "Rw", true}, Case{"_Z6structP6float46float3", "ws", false},
        Case{"_Z7byvalue6ParamsPf", "?w", true}, Case{"_Z8callbackPFfiEPf", "?w", true},
        Case{"_Z5halfsPK6__halfP13__nv_bfloat16", "rw", false},
        Case{"_Z7complexPSt7complexIfE", "w", false}, Case{"_Z5boolsPKbb", "rs", false},
        Case{"_Z6pitchdP7double2yyj", "wlls", false}, Case{"_Z8volatilePVKiPVi", "rw", false},
        Case{"_Z6lambdaIZ4mainEUliE_EvT_i", "?s", true},
        Case{"_Z3gemILi16ELb1EEvPKfS1_Pfiii", "rrwsss", false},
        Case{"_Z4viewN2at16PackedAccessor64IfEEPl", "?w", true}));

TEST(KernelParams, UnmangledNamesSayNothing) {
  for (const char* name : {"my_kernel", "", "_Znonsense", "_Z"}) {
    const KernelSignature signature = read_kernel_signature(name);
    EXPECT_FALSE(signature.known) << name;
    EXPECT_TRUE(signature.may_touch_all) << name;
  }
  EXPECT_FALSE(read_kernel_signature(nullptr).known);
}

TEST(KernelParams, SizesOfScalars) {
  EXPECT_EQ(classify_parameter("float").size, 4);
  EXPECT_EQ(classify_parameter("double4").size, 32);
  EXPECT_EQ(classify_parameter("dim3").size, 12);
  EXPECT_EQ(classify_parameter("unsigned long long").size, 8);
  EXPECT_EQ(classify_parameter("float const* __restrict__").size, 8);
}

TEST(KernelParams, ConstOfThePointerIsNotConstOfTheBuffer) {
  EXPECT_TRUE(classify_parameter("float* const").writes);
  EXPECT_FALSE(classify_parameter("float const*").writes);
  EXPECT_FALSE(classify_parameter("float const* const").writes);
  EXPECT_FALSE(classify_parameter("float const volatile*").writes);
}

TEST(KernelParams, AClassIsNeverTakenForAScalar) {
  for (const char* type : {"Params", "ns::float4", "intx", "std::array<float, 4ul>", "float5",
                           "constant", "Functor<int, float*>"})
    EXPECT_EQ(classify_parameter(type).kind, Kind::kOpaque) << type;
}

TEST(KernelParams, SplitsAtTopLevelCommasOnly) {
  std::vector<std::string_view> parts;
  ASSERT_TRUE(split_parameters("void k<std::pair<int, int> >(std::pair<int, int>*, int)", parts));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0], "std::pair<int, int>*");
  ASSERT_TRUE(
      split_parameters("k(float (*)(int, int), A<((1)>(2))>, {lambda(int, int)#1})", parts));
  EXPECT_EQ(parts.size(), 3U);
  ASSERT_TRUE(split_parameters("(anonymous namespace)::k(int) [clone .part.0]", parts));
  EXPECT_EQ(parts.size(), 1U);
  EXPECT_FALSE(split_parameters("some_variable", parts));
  EXPECT_FALSE(split_parameters("(anonymous namespace)::variable", parts));
  EXPECT_FALSE(split_parameters("k(int", parts));
}

}  // namespace
}  // namespace xfer::tracer
