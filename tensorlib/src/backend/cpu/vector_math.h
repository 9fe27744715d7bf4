// Tells the compiler of the C library's vector versions of exp() and its kin, so that a loop over
// elements calls one of them for several elements at a time. Their results are within 4 units in
// the last place. To be included before <cmath>'s functions are used, in a file that is compiled
// with -fno-math-errno and linked with libmvec.
#pragma once

#include <cmath>

#if defined(TENSORLIB_HAVE_MVEC) && defined(__x86_64__) && !defined(__clang__)
#define TENSORLIB_VECTOR_FUNCTION(name)                                             \
  extern "C" __attribute__((__simd__("notinbranch"))) double name(double) noexcept; \
  extern "C" __attribute__((__simd__("notinbranch"))) float name##f(float) noexcept
TENSORLIB_VECTOR_FUNCTION(exp);
TENSORLIB_VECTOR_FUNCTION(log);
TENSORLIB_VECTOR_FUNCTION(sin);
TENSORLIB_VECTOR_FUNCTION(cos);
#if __GLIBC_PREREQ(2, 35)
TENSORLIB_VECTOR_FUNCTION(tanh);
TENSORLIB_VECTOR_FUNCTION(log1p);
#endif
#undef TENSORLIB_VECTOR_FUNCTION
#endif
