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
