/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of n bodies, all pairs, softened: bodies (x, y, z, mass) pass through local memory, a tile a time. `nbody`
 * takes the inverse distance by IEEE division and root; `nbody_rsqrt` by the approximate reciprocal root. */
#pragma OPENCL FP_CONTRACT OFF

#define TILE 64

float inverse_exact(float d2) {
  return 1.0f / sqrt(d2);
}

float inverse_fast(float d2) {
  return __nvvm_rsqrt_approx_f(d2);
}

/* What body b adds to the acceleration at p. */
#define PULL(INVERSE)                                                                                                  \
  do {                                                                                                                 \
    const float4 b = tile[j];                                                                                          \
    const float dx = b.x - p.x, dy = b.y - p.y, dz = b.z - p.z;                                                        \
    const float d2 = fma(dx, dx, fma(dy, dy, fma(dz, dz, softening)));                                                 \
    const float inverse = INVERSE(d2), weight = b.w * (inverse * inverse * inverse);                                   \
    ax = fma(dx, weight, ax);                                                                                          \
    ay = fma(dy, weight, ay);                                                                                          \
    az = fma(dz, weight, az);                                                                                          \
  } while (0)

#define BODY(NAME, INVERSE)                                                                                            \
  __kernel __attribute__((reqd_work_group_size(TILE, 1, 1))) void NAME(                                                \
      __global const float4 *at, __global float4 *speed, __global float4 *next, uint n, float dt, float softening) {   \
    __local float4 tile[TILE];                                                                                         \
    const uint i = get_global_id(0), t = get_local_id(0);                                                              \
    const float4 p = at[min(i, n - 1)];                                                                                \
    float ax = 0.0f, ay = 0.0f, az = 0.0f;                                                                             \
    for (uint first = 0; first < n; first += TILE) {                                                                   \
      if (first + t < n) tile[t] = at[first + t];                                                                      \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
      const uint count = min(n - first, (uint)TILE);                                                                   \
      for (uint j = 0; j < count; j++) PULL(INVERSE);                                                                  \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                                    \
    }                                                                                                                  \
    if (i >= n) return;                                                                                                \
    float4 v = speed[i];                                                                                               \
    v.x = fma(ax, dt, v.x);                                                                                            \
    v.y = fma(ay, dt, v.y);                                                                                            \
    v.z = fma(az, dt, v.z);                                                                                            \
    speed[i] = v;                                                                                                      \
    next[i] = (float4)(fma(v.x, dt, p.x), fma(v.y, dt, p.y), fma(v.z, dt, p.z), p.w);                                  \
  }

BODY(nbody, inverse_exact)
BODY(nbody_rsqrt, inverse_fast)
