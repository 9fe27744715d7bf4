#pragma once
// The part of the CUDA samples' helper_math.h that code calls: arithmetic of CUDA's small vectors.
// Only the types count here, so nothing has a body.
#include <cmath>

#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>

typedef unsigned int uint;
typedef unsigned short ushort;

#define XFERLINT_MATH inline __host__ __device__
#define XFERLINT_OPERATOR(vector, number, sign)           \
  XFERLINT_MATH vector operator sign(vector, vector);     \
  XFERLINT_MATH vector operator sign(vector, number);     \
  XFERLINT_MATH vector operator sign(number, vector);     \
  XFERLINT_MATH void operator sign## = (vector&, vector); \
  XFERLINT_MATH void operator sign## = (vector&, number);
#define XFERLINT_VECTOR(vector, number)               \
  XFERLINT_OPERATOR(vector, number, +)                \
  XFERLINT_OPERATOR(vector, number, -)                \
  XFERLINT_OPERATOR(vector, number, *)                \
  XFERLINT_MATH vector min(vector, vector);           \
  XFERLINT_MATH vector max(vector, vector);           \
  XFERLINT_MATH number dot(vector, vector);           \
  XFERLINT_MATH vector clamp(vector, number, number); \
  XFERLINT_MATH vector clamp(vector, vector, vector);
#define XFERLINT_SIGNED(vector, number)    \
  XFERLINT_VECTOR(vector, number)          \
  XFERLINT_MATH vector operator-(vector&); \
  XFERLINT_MATH vector abs(vector);
#define XFERLINT_FLOATS(vector)                     \
  XFERLINT_SIGNED(vector, float)                    \
  XFERLINT_OPERATOR(vector, float, /)               \
  XFERLINT_MATH vector fminf(vector, vector);       \
  XFERLINT_MATH vector fmaxf(vector, vector);       \
  XFERLINT_MATH vector lerp(vector, vector, float); \
  XFERLINT_MATH float length(vector);               \
  XFERLINT_MATH vector normalize(vector);           \
  XFERLINT_MATH vector floorf(vector);              \
  XFERLINT_MATH vector fracf(vector);               \
  XFERLINT_MATH vector fmodf(vector, vector);       \
  XFERLINT_MATH vector fabs(vector);                \
  XFERLINT_MATH vector reflect(vector, vector);     \
  XFERLINT_MATH vector smoothstep(vector, vector, vector);
#define XFERLINT_MAKERS(name, number, unlike)            \
  XFERLINT_MATH name##2 make_##name##2(number);          \
  XFERLINT_MATH name##2 make_##name##2(name##3);         \
  XFERLINT_MATH name##2 make_##name##2(unlike##2);       \
  XFERLINT_MATH name##3 make_##name##3(number);          \
  XFERLINT_MATH name##3 make_##name##3(name##2);         \
  XFERLINT_MATH name##3 make_##name##3(name##2, number); \
  XFERLINT_MATH name##3 make_##name##3(name##4);         \
  XFERLINT_MATH name##3 make_##name##3(unlike##3);       \
  XFERLINT_MATH name##4 make_##name##4(number);          \
  XFERLINT_MATH name##4 make_##name##4(name##3);         \
  XFERLINT_MATH name##4 make_##name##4(name##3, number); \
  XFERLINT_MATH name##4 make_##name##4(unlike##4);

XFERLINT_MAKERS(float, float, int)
XFERLINT_MAKERS(int, int, float)
XFERLINT_MAKERS(uint, uint, int)
XFERLINT_MATH int2 make_int2(uint2);
XFERLINT_MATH int3 make_int3(uint3);
XFERLINT_MATH int4 make_int4(uint4);
XFERLINT_MATH float2 make_float2(uint2);
XFERLINT_MATH float3 make_float3(uint3);
XFERLINT_MATH float4 make_float4(uint4);
XFERLINT_FLOATS(float2)
XFERLINT_FLOATS(float3)
XFERLINT_FLOATS(float4)
XFERLINT_SIGNED(int2, int)
XFERLINT_SIGNED(int3, int)
XFERLINT_SIGNED(int4, int)
XFERLINT_VECTOR(uint2, uint)
XFERLINT_VECTOR(uint3, uint)
XFERLINT_VECTOR(uint4, uint)
XFERLINT_MATH float3 cross(float3, float3);
XFERLINT_MATH float lerp(float, float, float);
XFERLINT_MATH float clamp(float, float, float);
XFERLINT_MATH int clamp(int, int, int);
XFERLINT_MATH uint clamp(uint, uint, uint);
XFERLINT_MATH float fracf(float);
XFERLINT_MATH float smoothstep(float, float, float);
#ifndef __CUDACC__
inline float rsqrtf(float value) { return 1.0f / sqrtf(value); }
inline float fminf(float a, float b) { return a < b ? a : b; }
inline float fmaxf(float a, float b) { return a > b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
#endif
#endif
