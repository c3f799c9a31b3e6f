/* SPDX-License-Identifier: Apache-2.0
 * mandel with the fewest instructions: lanes that have left compute on, and the mask keeps them from counting. */
#include <riscv_vector.h>
#include <stddef.h>

#include "kernels.h"

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
        const vfloat32m1_t xx = __riscv_vfmul_vv_f32m1(x, x, l), yy = __riscv_vfmul_vv_f32m1(y, y, l);
        const vbool32_t inside = __riscv_vmfle_vf_f32m1_b32(__riscv_vfadd_vv_f32m1(xx, yy, l), 4, l);
        alive = __riscv_vmand_mm_b32(alive, inside, l);
        if (__riscv_vfirst_m_b32(alive, l) < 0) break;
        steps = __riscv_vadd_vx_i32m1_mu(alive, steps, steps, 1, l);
        y = __riscv_vfmadd_vf_f32m1(__riscv_vfmul_vv_f32m1(x, y, l), 2, ci, l);
        x = __riscv_vfadd_vv_f32m1(__riscv_vfsub_vv_f32m1(xx, yy, l), cr, l);
      }
      __riscv_vse32_v_i32m1(count + r * w + i, steps, l);
    }
  }
}
