/* SPDX-License-Identifier: Apache-2.0
 * One kernel (-DKERNEL=1 ...) as a program without a C library: makes its inputs, runs it once, writes the result to
 * standard output. */
#include "kernels.h"

static long system_call(long number, long a, long b, long c) {
#if defined __riscv
  register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c, a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
#else
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
#endif
}
#if defined __riscv
enum { CALL_WRITE = 64, CALL_EXIT = 93 };
#else
enum { CALL_WRITE = 1, CALL_EXIT = 60 };
#endif

static float in[8192];
static double in2[2 * DAXPY_N];

/* The compiler may ask for it whoever calls it. */
void *memset(void *to, int value, unsigned long n) {
  volatile unsigned char *at = to;
  while (n-- > 0) *at++ = (unsigned char)value;
  return to;
}

static void write_result(const void *from, long bytes) {
  const char *at = from;
  while (bytes > 0) {
    const long n = system_call(CALL_WRITE, 1, (long)at, bytes);
    if (n <= 0) system_call(CALL_EXIT, 1, 0, 0);
    at += n;
    bytes -= n;
  }
}

#include "cases.h"

__attribute__((used)) static void start(void) {
  if (KERNEL == CASE_DAXPY) case_daxpy(in2, in2 + DAXPY_N, write_result);
  if (KERNEL == CASE_STENCIL) case_stencil(in, in + 4096, write_result);
  if (KERNEL == CASE_SGEMM) case_sgemm(sgemm, in, in + 1024, in + 4096, write_result);
  if (KERNEL == CASE_SGEMM4) case_sgemm(sgemm4, in, in + 1024, in + 4096, write_result);
  if (KERNEL == CASE_MANDEL) case_mandel(in, in + 1024, (int *)(in + 2048), write_result);
  system_call(CALL_EXIT, 0, 0, 0);
}

/* The stack is aligned as a call would leave it. */
#if defined __riscv
__asm__(".globl _start\n_start: andi sp, sp, -16\n call start\n");
#else
__asm__(".globl _start\n_start: andq $-16, %rsp\n call start\n");
#endif
