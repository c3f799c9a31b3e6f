// SPDX-License-Identifier: Apache-2.0
// Names of the header, each against what it must be: out[i] is 1 for each that is right.
#include <cuda_runtime.h>

#ifndef __HEDDLE__
#error "__HEDDLE__ is not defined"
#endif

__constant__ float table[4] = {1, 2, 3, 4};
__device__ int global_counter = 5;

template <typename T> __device__ T twice(T x) { return x + x; }

__global__ void names(int *out, int zero) {
  __shared__ int count, most;
  __shared__ float sum;
  const int lane = threadIdx.x;
  const unsigned all = 0xffffffff;
  int k = 0;
#define IS(CONDITION)                                                                                                 \
  do {                                                                                                                \
    const bool right = __all_sync(all, CONDITION);                                                                    \
    if (lane == 0) out[k] = right;                                                                                    \
    k++;                                                                                                              \
  } while (0)
  if (lane == 0) {
    count = 0;
    most = 0;
    sum = 0;
  }
  __syncthreads();
  IS(__shfl_sync(all, lane, 7) == 7);
  IS(__shfl_xor_sync(all, (double)lane, 1) == (lane ^ 1));
  IS(__shfl_up_sync(all, lane, 2) == (lane < 2 ? lane : lane - 2));
  IS(__shfl_down_sync(all, (long long)lane << 40, 2) == (long long)(lane > 29 ? lane : lane + 2) << 40);
  IS(__shfl_sync(all, 1.5f * lane, 3, 8) == 1.5f * ((lane & ~7) + 3));
  IS(__ballot_sync(all, lane & 1) == 0xaaaaaaaa);
  IS(__any_sync(all, lane == 9) && !__any_sync(all, lane == 99));
  IS(__activemask() == all);
  IS(__match_any_sync(all, lane >> 4) == (lane < 16 ? 0xffffu : 0xffff0000u));
  IS(__reduce_add_sync(all, lane) == 496 && __reduce_max_sync(all, lane) == 31);
  IS(__syncthreads_count(lane < 5) == 5);
  IS(__syncthreads_or(lane == 3) && !__syncthreads_and(lane == 3));
  atomicAdd(&count, 2);
  atomicMax(&most, lane);
  atomicAdd(&sum, 0.5f);
  __syncthreads();
  IS(count == 64 && most == 31 && sum == 16);
  __syncthreads();
  if (lane == 0) {
    atomicSub(&count, 4);
    atomicExch(&most, 77);
    atomicCAS(&most, 77, 78);
    atomicInc((unsigned *)&global_counter, 100);
  }
  __syncthreads();
  IS(count == 60 && most == 78 && global_counter == 6);
  const int n = zero + 40;
  IS(__popc(n) == 2 && __clz(n) == 26 && __ffs(n) == 4 && __brev(n) == 0x14000000u);
  IS(__popcll((long long)n << 33) == 2 && __clzll(n) == 58 && __ffsll((long long)n << 32) == 36);
  IS(__byte_perm(0x03020100 + zero, 0x07060504, 0x7531) == 0x07050301);
  IS(__funnelshift_l(0x80000000u + zero, 1, 4) == 0x18);
  IS(__mulhi(n << 24, n << 24) == 0x6400000 && __umulhi(0x80000000u + zero, 6) == 3);
  IS(__umul64hi((1ull << 63) + zero, 6) == 3 && __usad(zero, 9, 1) == 10);
  IS(__float_as_int(1.0f + zero) == 0x3f800000 && __double2hiint(1.0 + zero) == 0x3ff00000);
  IS(__float2int_rn(2.5f + zero) == 2 && __float2int_ru(2.1f + zero) == 3 && __int2float_rz(zero + 16777219) == 16777218);
  const float x = 0.5f + zero;
  IS(fabsf(sinf(x) - 0.47942554f) < 1e-6f && fabsf(__sinf(x) - 0.47942554f) < 1e-5f);
  IS(fabsf(expf(x) - 1.64872127f) < 1e-6f && fabsf(__expf(x) - 1.64872127f) < 1e-5f);
  IS(fabsf(powf(x, 3) - 0.125f) < 1e-6f && sqrtf(x * x) == x && rsqrtf(4 * x * x) == 1);
  IS(fabs(sin((double)x) - 0.479425538604203) < 1e-14);
  IS(fmaf(x, 2, 1) == 2 && floorf(-x) == -1 && fminf(x, 1) == x && max(zero, 3) == 3 && abs(zero - 3) == 3);
  IS(__fadd_rz(x, 1e-9f) == x && __fadd_ru(x, 1e-9f) > x && __saturatef(x + 1) == 1);
  IS(isnan(x / zero - x / zero) && isinf(x / zero));
  const float4 v = make_float4(x, 2, 3, 4);
  const dim3 d(threadIdx), g(4, 5);
  IS(v.w == 4 && twice(v.y) == 4 && d.x == lane && g.z == 1 && blockDim.x == 32 && warpSize == 32);
  IS(table[lane & 3] == 1 + (lane & 3) && __ldg(&table[2]) == 3);
}
