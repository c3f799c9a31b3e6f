// SPDX-License-Identifier: Apache-2.0
// What the prelude adds to libclc, each against what it must be: out[i] is 1 for each that is right.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
inline float doubled(float x) { // with -O0 it is no copy
  return 2 * x;
}
kernel void names(global int *out, global float *f, global half *h, local float3 *room, global float3 *three) {
  const int i = get_local_id(0);
  int k = 0;
#define IS(CONDITION) out[k++] = (CONDITION) ? 1 : 0
  if (i < 4) {
    three[i] = (float3)(i, i + 1, i + 2);
    f[i] = 0;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  event_t e = async_work_group_copy(room, three, 4, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i != 0 || get_local_id(1) != 0) return; // the second dimension is there to be counted
  IS(room[3].y == 4);
  IS(get_work_dim() == 2);
  IS(get_global_offset(0) == 0);
  const float x = f[0] + 0.5f;
  IS(fabs(native_sin(x) - 0.47942554f) < 1e-5f);
  IS(fabs(native_cos(x) - 0.87758256f) < 1e-5f);
  IS(fabs(native_tan((float2)(x)).y - 0.54630249f) < 1e-5f);
  IS(fabs(native_exp((float3)(x)).z - 1.64872127f) < 1e-5f);
  IS(fabs(native_exp2((float4)(x)).w - 1.41421356f) < 1e-5f);
  IS(fabs(native_exp10((float8)(x)).s7 - 3.16227766f) < 1e-4f);
  IS(fabs(native_log((float16)(x)).sf + 0.69314718f) < 1e-5f);
  IS(fabs(native_log2(x) + 1) < 1e-6f);
  IS(fabs(native_log10(x) + 0.30103f) < 1e-5f);
  /* Results that are no normal numbers; zeros with their signs; erfc far from 0. */
  IS(fabs(exp((float2)(-x * 190)).y / 5.521e-42f - 1) < 1e-3f && exp2(-doubled(x) * 149) == 0x1p-149f);
  IS(fabs(erfc((float3)(x + 8)).z / 2.7623e-33f - 1) < 1e-4f && erfc(-x) > 1.52f && erfc(x + 20) == 0);
  IS(as_uint(sinpi(doubled(x))) == 0 && as_uint(cospi((float4)(x)).w) == 0 && as_uint(tanpi(-x * 2)) == 0);
  IS(ldexp(0x1.8p-127f, 1 << 30) == INFINITY && ldexp((float8)(x * 3), -149).s7 == 0x1p-148f && ldexp(x, 3) == 4);
  IS(ldexp(0x1p-149f * doubled(x), 150) == 2 && ldexp(x, (int)0x80000000) == 0);
  IS(fmod((float4)(0x1.0e0da2p+126f) * doubled(x), (float4)(0x1.3dcf04p-127f)).w == 0x1.76872p-130f &&
     remainder(-0x1.af2204p-4f * doubled(x), -0x1.e6d698p-127f) == 0x1.7511ep-128f && fmod(x, -0.375f) == 0.125f);
  /* Second results in any memory, of vectors of each width. */
  global int4 *const quotient = (global int4 *)f;
  local int8 *const exponent = (local int8 *)room;
  IS(remquo((float4)(x * 10), (float4)(2), quotient).w == 1 && quotient->w == 2);
  IS(frexp((float8)(x * 6), exponent).s7 == 0.75f && exponent->s7 == 2);
  IS(fract((float16)(-x), (global float16 *)f).sf == x && f[15] == -1);
  vstore_half_rtp(doubled(x) * 0x1p-60f, 8, h);
  vstore_half2_rtn((float2)(-x, -0x1p-60f), 5, h);
  IS(vload_half(8, h) == 0x1p-24f && vload_half(10, h) == -0.5f && vload_half(11, h) == -0x1p-24f);
  const long far = (long)(x * 0x1p63f); /* 2^62 */
  IS(abs_diff(far, -2 * far) == 0xc000000000000000UL && abs_diff((int3)(far >> 32), (int3)(-far >> 31)).z == 0xc0000000);
  IS(get_global_size(3) == 1 && get_local_size(4) == 1 && get_num_groups(5) == 1 && get_global_size(0) == 32);
  IS(mad_hi((int)(x * 2) << 30, 8, 5) == 7);
  vstore_half(x, 2, h);
  IS(vload_half(2, h) == x);
  vstore_half4_rtz((float4)(1, 2, 3, x), 0, h);
  IS(vload_half4(0, h).w == x);
  IS(fabs(native_powr(x + 2, 3.0f) - 15.625f) < 1e-3f);
  IS(clamp((half)(x * 4), (half)0, (half)1) == (half)1);
  IS(max((half4)(x * 4), (half)1).w == 2 && min((half3)(x), (half3)(1)).z == x && exp((half16)(x - x)).sf == 1);
  const uchar16 odd = vload16(0, (global uchar *)three + 1); /* three[0].y is 1: 0x3f800000 */
  IS(odd.s5 == 0x80 && odd.s6 == 0x3f);
  global long *wide = (global long *)f;
  wide[0] = -5;
  IS(atom_add(wide, 7L) == -5 && atom_max(wide, 9L) == 2 && atom_cmpxchg(wide, 9L, 1L << 40) == 9 && wide[0] >> 40 == 1);
#ifdef __HEDDLE__
  IS(1);
#endif
}
