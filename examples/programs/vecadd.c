/* SPDX-License-Identifier: Apache-2.0
 * c = a + b on the device. usage: vecadd FILE.elf [model | rtl:fpga | lockstep:sm | ...], else on $HEDDLE_BOARD */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/driver.h>
#include <heddle/sim.h>

enum { N = 1000, BLOCK = 128 };

static struct heddle_context *context;

static void check(enum heddle_error e, const char *what) {
  if (e == HEDDLE_SUCCESS) return;
  fprintf(stderr, "%s: %s: %s\n", what, heddle_error_text(e), heddle_context_message(context));
  exit(1);
}
#define CHECK(call) check(call, #call)

int main(int argc, char **argv) {
  static float a[N], b[N], c[N];
  struct heddle_message msg;
  struct heddle_system *system;
  struct heddle_device *device;
  struct heddle_module *module;
  struct heddle_function *vecadd;
  uint64_t da, db, dc;
  int32_t n = N;
  for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = 0.5f * (float)i;

  const struct heddle_sim_options board = {.size = sizeof board, .name = argc > 2 ? argv[2] : NULL};
  struct heddle_sim *sim;
  if (argc < 2) return fprintf(stderr, "usage: vecadd FILE.elf [model | rtl:fpga | lockstep:sm | ...]\n"), 2;
  if (heddle_sim_open(&board, &sim, &msg) != HEDDLE_SUCCESS) return fprintf(stderr, "vecadd: %s\n", msg.text), 2;
  CHECK(heddle_init(heddle_sim_port(sim), 1, &system));
  CHECK(heddle_device_get(system, 0, &device));
  CHECK(heddle_context_create(device, &context));
  CHECK(heddle_module_load(context, argv[1], &module));
  CHECK(heddle_module_function(module, "vecadd", &vecadd));

  CHECK(heddle_mem_alloc(context, sizeof a, &da));
  CHECK(heddle_mem_alloc(context, sizeof b, &db));
  CHECK(heddle_mem_alloc(context, sizeof c, &dc));
  CHECK(heddle_memcpy_to_device(context, da, a, sizeof a));
  CHECK(heddle_memcpy_to_device(context, db, b, sizeof b));
  CHECK(heddle_function_launch(vecadd, (struct heddle_size){(N + BLOCK - 1) / BLOCK, 1, 1},
                               (struct heddle_size){BLOCK, 1, 1}, 0, (void *[]){&da, &db, &dc, &n}));
  CHECK(heddle_memcpy_to_host(context, c, dc, sizeof c)); /* waits for the grid */

  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += c[i] != a[i] + b[i];
  printf("%s: %d sums, %d wrong\n", heddle_device_name(device), N, wrong);
  heddle_context_destroy(context);
  heddle_shutdown(system);
  heddle_sim_close(sim);
  return wrong != 0;
}
