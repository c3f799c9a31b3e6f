/* SPDX-License-Identifier: Apache-2.0
 * What the compiler does not vectorise as it should be, by hand for RISC-V V. One register an operand (LMUL 1). */
#include <riscv_vector.h>
#include <stddef.h>

#include "kernels.h"

void sgemm4(long m, long n, long k, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i += 4) {
    for (long j = 0, vl = 0; j < n; j += vl) {
      vl = (long)__riscv_vsetvl_e32m1((size_t)(n - j));
      const size_t l = (size_t)vl;
      vfloat32m1_t c0 = __riscv_vfmv_v_f_f32m1(0, l), c1 = c0, c2 = c0, c3 = c0;
      const float *row = a + i * k;
      for (long p = 0; p < k; p++) {
        const vfloat32m1_t v = __riscv_vle32_v_f32m1(b + p * n + j, l);
        c0 = __riscv_vfmacc_vf_f32m1(c0, row[p], v, l);
        c1 = __riscv_vfmacc_vf_f32m1(c1, row[p + k], v, l);
        c2 = __riscv_vfmacc_vf_f32m1(c2, row[p + 2 * k], v, l);
        c3 = __riscv_vfmacc_vf_f32m1(c3, row[p + 3 * k], v, l);
      }
      float *to = c + i * n + j;
      __riscv_vse32_v_f32m1(to, c0, l);
      __riscv_vse32_v_f32m1(to + n, c1, l);
      __riscv_vse32_v_f32m1(to + 2 * n, c2, l);
      __riscv_vse32_v_f32m1(to + 3 * n, c3, l);
    }
  }
}

/* All that belongs to a step is done under the mask of lanes that are still inside, as SIMT does it. */
void mandel(long h, long w, int limit, const float *restrict cx, const float *restrict cy, int *restrict count) {
  for (long r = 0; r < h; r++) {
    for (long i = 0, vl = 0; i < w; i += vl) {
      vl = (long)__riscv_vsetvl_e32m1((size_t)(w - i));
      const size_t l = (size_t)vl;
      const vfloat32m1_t cr = __riscv_vle32_v_f32m1(cx + i, l), ci = __riscv_vfmv_v_f_f32m1(cy[r], l);
      vfloat32m1_t x = __riscv_vfmv_v_f_f32m1(0, l), y = x;
      vint32m1_t steps = __riscv_vmv_v_x_i32m1(0, l);
      vbool32_t alive = __riscv_vmset_m_b32(l);
      for (int s = 0; s < limit; s++) {
        const vfloat32m1_t xx = __riscv_vfmul_vv_f32m1_m(alive, x, x, l), yy = __riscv_vfmul_vv_f32m1_m(alive, y, y, l);
        const vfloat32m1_t sum = __riscv_vfadd_vv_f32m1_m(alive, xx, yy, l);
        alive = __riscv_vmfle_vf_f32m1_b32_mu(alive, __riscv_vmclr_m_b32(l), sum, 4, l);
        if (__riscv_vfirst_m_b32(alive, l) < 0) break;
        steps = __riscv_vadd_vx_i32m1_mu(alive, steps, steps, 1, l);
        const vfloat32m1_t xy = __riscv_vfmul_vv_f32m1_m(alive, x, y, l);
        y = __riscv_vfmadd_vf_f32m1_m(alive, xy, 2, ci, l);
        x = __riscv_vfadd_vv_f32m1_m(alive, __riscv_vfsub_vv_f32m1_m(alive, xx, yy, l), cr, l);
      }
      __riscv_vse32_v_i32m1(count + r * w + i, steps, l);
    }
  }
}
