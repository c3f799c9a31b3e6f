/* SPDX-License-Identifier: Apache-2.0
 * What CUDA's headers call where an assertion fails: it says which, and traps. Hosts tell by the variable that it was an
 * assertion. build.sh makes PTX of it. */

extern "C" {
extern __attribute__((device)) volatile unsigned heddle_asserted;
__attribute__((device)) char heddle_assert_text[] =
    "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n";
__attribute__((device)) int vprintf(const char *format, const char *from);

__attribute__((device)) void __assertfail(const char *what, const char *file, unsigned line, const char *function,
                                          unsigned long) {
  struct {
    const char *file;
    unsigned line;
    const char *function;
    int block[3], thread[3];
    const char *what;
  } from = {file,
            line,
            function,
            {__nvvm_read_ptx_sreg_ctaid_x(), __nvvm_read_ptx_sreg_ctaid_y(), __nvvm_read_ptx_sreg_ctaid_z()},
            {__nvvm_read_ptx_sreg_tid_x(), __nvvm_read_ptx_sreg_tid_y(), __nvvm_read_ptx_sreg_tid_z()},
            what};
  vprintf(heddle_assert_text, (const char *)&from);
  heddle_asserted = 1;
  __nvvm_membar_gl();
  __builtin_trap();
}
}
