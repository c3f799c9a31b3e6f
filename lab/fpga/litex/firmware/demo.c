/* SPDX-License-Identifier: Apache-2.0
 * c = a + b, and C = A * B, by the driver on the CPU of the SoC, without an operating system. Results are compared with
 * what the CPU computes. Says "heddle: passed" or what was wrong. */
#include <stdio.h>

#include <generated/csr.h>
#include <irq.h>
#include <libbase/uart.h>

#include <heddle/driver.h>
#include <heddle/program.h>

#include "lab/fpga/litex/firmware/litex_port.h"

enum { N = 200, BLOCK = 64, SIDE = 32, TILE = 16, TILE_Y = 8 };

extern struct heddle_program program_vecadd, program_sgemm; /* embed.c */

static struct heddle_context *context;
static float a[N], b[N], c[N];
static float p[SIDE * SIDE], q[SIDE * SIDE], r[SIDE * SIDE];

/* What p and q have: small whole numbers. Whatever the order of the additions, and fused or not, the sums are exact. */
static int whole_p[SIDE * SIDE], whole_q[SIDE * SIDE];

static bool ok(enum heddle_error e, const char *what) {
  if (e == HEDDLE_SUCCESS) return true;
  printf("heddle: %s: %s: %s\n", what, heddle_error_text(e), context ? heddle_context_message(context) : "");
  return false;
}
#define OK(call) ok(call, #call)

static bool load_kernel(struct heddle_program *program, const char *name, struct heddle_function **f) {
  struct heddle_module *module;
  return OK(heddle_module_load_program(context, program, &module)) && OK(heddle_module_function(module, name, f));
}

static void report_result(const char *name, unsigned wrong, uint32_t cycles) {
  struct heddle_statistics s = {0};
  (void)heddle_statistics_last(context, &s);
  printf("heddle: %s: %u wrong; %lu cycles of the grid, %lu with copies\n", name, wrong, (unsigned long)s.cycles,
         (unsigned long)cycles);
}

static bool vecadd(void) {
  struct heddle_function *f;
  uint64_t at[3];
  uint32_t n = N;
  unsigned wrong = 0;
  for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = 0.5f * (float)(N - i);
  if (!load_kernel(&program_vecadd, "vecadd", &f)) return false;
  const uint32_t from = litex_port_cycles();
  for (int i = 0; i < 3; i++)
    if (!OK(heddle_mem_alloc(context, sizeof a, &at[i]))) return false;
  if (!OK(heddle_memcpy_to_device(context, at[0], a, sizeof a)) ||
      !OK(heddle_memcpy_to_device(context, at[1], b, sizeof b)) ||
      !OK(heddle_function_launch(f, (struct heddle_size){(N + BLOCK - 1) / BLOCK, 1, 1},
                                 (struct heddle_size){BLOCK, 1, 1}, 0, (void *[]){&at[0], &at[1], &at[2], &n})) ||
      !OK(heddle_memcpy_to_host(context, c, at[2], sizeof c)))
    return false;
  const uint32_t cycles = litex_port_cycles() - from;
  for (int i = 0; i < N; i++) wrong += c[i] != a[i] + b[i];
  report_result("vecadd", wrong, cycles);
  return wrong == 0;
}

static bool sgemm(void) {
  struct heddle_function *f;
  uint64_t at[3];
  uint32_t n = SIDE;
  unsigned wrong = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    p[i] = (float)(whole_p[i] = i % 7 - 3);
    q[i] = (float)(whole_q[i] = i % 11 - 5);
  }
  if (!load_kernel(&program_sgemm, "sgemm", &f)) return false;
  const uint32_t from = litex_port_cycles();
  for (int i = 0; i < 3; i++)
    if (!OK(heddle_mem_alloc(context, sizeof p, &at[i]))) return false;
  if (!OK(heddle_memcpy_to_device(context, at[0], p, sizeof p)) ||
      !OK(heddle_memcpy_to_device(context, at[1], q, sizeof q)) ||
      !OK(heddle_function_launch(f, (struct heddle_size){SIDE / TILE, SIDE / TILE, 1},
                                 (struct heddle_size){TILE, TILE_Y, 1}, 0, (void *[]){&at[0], &at[1], &at[2], &n})) ||
      !OK(heddle_memcpy_to_host(context, r, at[2], sizeof r)))
    return false;
  const uint32_t cycles = litex_port_cycles() - from;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      int sum = 0;
      for (int k = 0; k < SIDE; k++) sum += whole_p[i * SIDE + k] * whole_q[k * SIDE + j];
      wrong += r[i * SIDE + j] != (float)sum;
    }
  report_result("sgemm", wrong, cycles);
  return wrong == 0;
}

static bool run_demo(void) {
  static uint64_t memory[3 << 10];
  static struct heddle_port port;
  struct heddle_system *system;
  struct heddle_device *device;
  litex_port_open(&port, true);
  const struct heddle_options options = {
      .size = sizeof options, .ports = &port, .count = 1, .memory = memory, .memory_bytes = sizeof memory};
  if (!OK(heddle_init_options(&options, &system)) || !OK(heddle_device_get(system, 0, &device)) ||
      !OK(heddle_context_create(device, &context)))
    return false;
  if (!vecadd() || !sgemm()) return false; /* their programs are constants: modules are not unloaded */
  printf("heddle: %u interrupts\n", litex_port_interrupts());
  return litex_port_interrupts() > 0;
}

int main(void) {
  irq_setmask(0);
  irq_setie(1);
  uart_init();
  const bool passed = run_demo();
#ifdef CSR_CYCLES_BASE
  cycles_latch_write(1);
  printf("heddle: %lu cycles of the SoC\n", (unsigned long)cycles_count_read());
#endif
  printf(passed ? "heddle: passed\n" : "heddle: FAILED\n");
  uart_sync();
#ifdef CSR_SIM_FINISH_BASE
  sim_finish_finish_write(1);
#endif
  return 0;
}
