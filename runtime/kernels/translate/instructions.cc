#include "kernels/translate/instructions.h"

#include <algorithm>
#include <array>

namespace xfer::kernels {
namespace {

/// By the type: integers by the first, floats by the second.
template <Emit kInteger, Emit kFloat>
void by_type(Emitter& e, const Form& form) {
  (is_float(form.type()) ? kFloat : kInteger)(e, form);
}

void emit_add(Emitter& e, const Form& form) {
  is_float(form.type()) ? emit_add_float(e, form, false) : emit_add_integer(e, form, false);
}

void emit_sub(Emitter& e, const Form& form) {
  is_float(form.type()) ? emit_add_float(e, form, true) : emit_add_integer(e, form, true);
}

/// Policies of caches change no results.
void emit_createpolicy(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.constant(64, 0));
}

/// The address in another block of the cluster: a block is a cluster of its own.
void emit_mapa(Emitter& e, const Form& form) {
  e.write(form.operand(0), e.read(form, 1, form.type()));
}

void emit_getctarank(Emitter& e, const Form& form) { e.write(form.operand(0), e.constant(32, 0)); }

struct Row {
  std::string_view operation;
  Emit emit;
};

constexpr auto kRows = std::to_array<Row>({
    {"abs", by_type<emit_abs_integer, emit_abs_float>},
    {"activemask", emit_activemask},
    {"add", emit_add},
    {"addc", emit_addc},
    {"alloca", emit_alloca},
    {"and", emit_and},
    {"applypriority", emit_nothing},
    {"atom", emit_atom},
    {"bar", emit_bar},
    {"barrier", emit_bar},
    {"bfe", emit_bfe},
    {"bfi", emit_bfi},
    {"bfind", emit_bfind},
    {"bmsk", emit_bmsk},
    {"brev", emit_brev},
    {"brkpt", emit_nothing},
    {"call", emit_call},
    {"clz", emit_clz},
    {"cnot", emit_cnot},
    {"copysign", emit_copysign},
    {"cos", emit_cos},
    {"cp", emit_cp},
    {"createpolicy", emit_createpolicy},
    {"cvt", emit_cvt},
    {"cvta", emit_cvta},
    {"discard", emit_nothing},
    {"div", by_type<emit_div_integer, emit_div_float>},
    {"dp2a", emit_dp2a},
    {"dp4a", emit_dp4a},
    {"elect", emit_elect},
    {"ex2", emit_ex2},
    {"fence", emit_fence},
    {"fma", emit_fma},
    {"fns", emit_fns},
    {"getctarank", emit_getctarank},
    {"griddepcontrol", emit_nothing},
    {"isspacep", emit_isspacep},
    {"ld", emit_ld},
    {"ldmatrix", emit_ldmatrix},
    {"ldu", emit_ld},
    {"lg2", emit_lg2},
    {"lop3", emit_lop3},
    {"mad", by_type<emit_mad_integer, emit_fma>},
    {"mad24", emit_mad24},
    {"madc", emit_madc},
    {"mapa", emit_mapa},
    {"match", emit_match},
    {"max", by_type<emit_max_integer, emit_max_float>},
    {"mbarrier", emit_mbarrier},
    {"membar", emit_fence},
    {"min", by_type<emit_min_integer, emit_min_float>},
    {"mma", emit_mma},
    {"mov", emit_mov},
    {"movmatrix", emit_movmatrix},
    {"mul", by_type<emit_mul_integer, emit_mul_float>},
    {"mul24", emit_mul24},
    {"nanosleep", emit_nanosleep},
    {"neg", by_type<emit_neg_integer, emit_neg_float>},
    {"not", emit_not},
    {"or", emit_or},
    {"pmevent", emit_nothing},
    {"popc", emit_popc},
    {"prefetch", emit_nothing},
    {"prefetchu", emit_nothing},
    {"prmt", emit_prmt},
    {"rcp", emit_rcp},
    {"red", emit_red},
    {"redux", emit_redux},
    {"rem", emit_rem},
    {"rsqrt", emit_rsqrt},
    {"sad", emit_sad},
    {"selp", emit_selp},
    {"set", emit_set},
    {"setmaxnreg", emit_nothing},
    {"setp", emit_setp},
    {"shf", emit_shf},
    {"shfl", emit_shfl},
    {"shl", emit_shl},
    {"shr", emit_shr},
    {"sin", emit_sin},
    {"slct", emit_slct},
    {"sqrt", emit_sqrt},
    {"st", emit_st},
    {"stackrestore", emit_stackrestore},
    {"stacksave", emit_stacksave},
    {"stmatrix", emit_stmatrix},
    {"sub", emit_sub},
    {"subc", emit_subc},
    {"suld", emit_suld},
    {"suq", emit_query},
    {"sust", emit_sust},
    {"szext", emit_szext},
    {"tanh", emit_tanh},
    {"testp", emit_testp},
    {"tex", emit_tex},
    {"tld4", emit_tld4},
    {"trap", emit_trap},
    {"txq", emit_query},
    {"vabsdiff", emit_video},
    {"vabsdiff2", emit_video2},
    {"vabsdiff4", emit_video4},
    {"vadd", emit_video},
    {"vadd2", emit_video2},
    {"vadd4", emit_video4},
    {"vavrg2", emit_video2},
    {"vavrg4", emit_video4},
    {"vmad", emit_vmad},
    {"vmax", emit_video},
    {"vmax2", emit_video2},
    {"vmax4", emit_video4},
    {"vmin", emit_video},
    {"vmin2", emit_video2},
    {"vmin4", emit_video4},
    {"vote", emit_vote},
    {"vset", emit_video},
    {"vset2", emit_video2},
    {"vset4", emit_video4},
    {"vshl", emit_video_shift},
    {"vshr", emit_video_shift},
    {"vsub", emit_video},
    {"vsub2", emit_video2},
    {"vsub4", emit_video4},
    {"wmma", emit_wmma},
    {"xor", emit_xor},
});

static_assert(std::ranges::is_sorted(kRows, {}, &Row::operation));

}  // namespace

Emit emit_of(std::string_view operation) {
  const auto found = std::ranges::lower_bound(kRows, operation, {}, &Row::operation);
  return found == kRows.end() || found->operation != operation ? nullptr : found->emit;
}

}  // namespace xfer::kernels
