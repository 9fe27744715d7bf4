#pragma once
// One function for each instruction: it writes what the instruction does. instructions.cc says
// which is whose. All throw ptx::Fault for a form that cannot be run.

#include "kernels/translate/emitter.h"
#include "kernels/translate/form.h"

namespace xfer::kernels {

// integer.cc
void emit_add_integer(Emitter& e, const Form& form, bool minus);
void emit_addc(Emitter& e, const Form& form);
void emit_subc(Emitter& e, const Form& form);
void emit_mul_integer(Emitter& e, const Form& form);
void emit_mad_integer(Emitter& e, const Form& form);
void emit_madc(Emitter& e, const Form& form);
void emit_mul24(Emitter& e, const Form& form);
void emit_mad24(Emitter& e, const Form& form);
void emit_div_integer(Emitter& e, const Form& form);
void emit_rem(Emitter& e, const Form& form);
void emit_abs_integer(Emitter& e, const Form& form);
void emit_neg_integer(Emitter& e, const Form& form);
void emit_min_integer(Emitter& e, const Form& form);
void emit_max_integer(Emitter& e, const Form& form);
void emit_sad(Emitter& e, const Form& form);
void emit_dp2a(Emitter& e, const Form& form);
void emit_dp4a(Emitter& e, const Form& form);

// bits.cc
void emit_and(Emitter& e, const Form& form);
void emit_or(Emitter& e, const Form& form);
void emit_xor(Emitter& e, const Form& form);
void emit_not(Emitter& e, const Form& form);
void emit_cnot(Emitter& e, const Form& form);
void emit_shl(Emitter& e, const Form& form);
void emit_shr(Emitter& e, const Form& form);
void emit_shf(Emitter& e, const Form& form);
void emit_lop3(Emitter& e, const Form& form);
void emit_bfe(Emitter& e, const Form& form);
void emit_bfi(Emitter& e, const Form& form);
void emit_bfind(Emitter& e, const Form& form);
void emit_brev(Emitter& e, const Form& form);
void emit_popc(Emitter& e, const Form& form);
void emit_clz(Emitter& e, const Form& form);
void emit_fns(Emitter& e, const Form& form);
void emit_prmt(Emitter& e, const Form& form);
void emit_bmsk(Emitter& e, const Form& form);
void emit_szext(Emitter& e, const Form& form);

// floating.cc
void emit_add_float(Emitter& e, const Form& form, bool minus);
void emit_mul_float(Emitter& e, const Form& form);
void emit_fma(Emitter& e, const Form& form);
void emit_div_float(Emitter& e, const Form& form);
void emit_abs_float(Emitter& e, const Form& form);
void emit_neg_float(Emitter& e, const Form& form);
void emit_min_float(Emitter& e, const Form& form);
void emit_max_float(Emitter& e, const Form& form);
void emit_copysign(Emitter& e, const Form& form);
void emit_testp(Emitter& e, const Form& form);

// functions.cc
void emit_rcp(Emitter& e, const Form& form);
void emit_sqrt(Emitter& e, const Form& form);
void emit_rsqrt(Emitter& e, const Form& form);
void emit_sin(Emitter& e, const Form& form);
void emit_cos(Emitter& e, const Form& form);
void emit_lg2(Emitter& e, const Form& form);
void emit_ex2(Emitter& e, const Form& form);
void emit_tanh(Emitter& e, const Form& form);

// compare.cc
void emit_set(Emitter& e, const Form& form);
void emit_setp(Emitter& e, const Form& form);
void emit_selp(Emitter& e, const Form& form);
void emit_slct(Emitter& e, const Form& form);

// convert.cc
void emit_cvt(Emitter& e, const Form& form);

// move.cc
void emit_mov(Emitter& e, const Form& form);
void emit_cvta(Emitter& e, const Form& form);
void emit_isspacep(Emitter& e, const Form& form);

// memory.cc
void emit_alloca(Emitter& e, const Form& form);
void emit_stacksave(Emitter& e, const Form& form);
void emit_stackrestore(Emitter& e, const Form& form);
void emit_ld(Emitter& e, const Form& form);
void emit_st(Emitter& e, const Form& form);
void emit_cp(Emitter& e, const Form& form);
void emit_fence(Emitter& e, const Form& form);
void emit_nothing(Emitter& e, const Form& form);

// atomic.cc
void emit_atom(Emitter& e, const Form& form);
void emit_red(Emitter& e, const Form& form);

// meeting.cc
void emit_bar(Emitter& e, const Form& form);
void emit_shfl(Emitter& e, const Form& form);
void emit_vote(Emitter& e, const Form& form);
void emit_match(Emitter& e, const Form& form);
void emit_redux(Emitter& e, const Form& form);
void emit_activemask(Emitter& e, const Form& form);
void emit_elect(Emitter& e, const Form& form);

// mbarrier.cc
void emit_mbarrier(Emitter& e, const Form& form);

// call.cc
void emit_call(Emitter& e, const Form& form);
void emit_trap(Emitter& e, const Form& form);
void emit_nanosleep(Emitter& e, const Form& form);

// packed.cc
void emit_packed(Emitter& e, const Form& form);

// matrix.cc
void emit_mma(Emitter& e, const Form& form);
void emit_wmma(Emitter& e, const Form& form);
void emit_ldmatrix(Emitter& e, const Form& form);
void emit_stmatrix(Emitter& e, const Form& form);
void emit_movmatrix(Emitter& e, const Form& form);

// video.cc
void emit_video(Emitter& e, const Form& form);
void emit_video2(Emitter& e, const Form& form);
void emit_video4(Emitter& e, const Form& form);
void emit_video_shift(Emitter& e, const Form& form);
void emit_vmad(Emitter& e, const Form& form);

// texture.cc
void emit_tex(Emitter& e, const Form& form);
void emit_tld4(Emitter& e, const Form& form);
void emit_suld(Emitter& e, const Form& form);
void emit_sust(Emitter& e, const Form& form);
void emit_query(Emitter& e, const Form& form);

}  // namespace xfer::kernels
