/* SPDX-License-Identifier: Apache-2.0
 * Pages that give way: more unified memory than there is room for on the device, and the order in which its frames are
 * taken.
 * usage: tests_firmware evict [BOARD [TEST]]     BOARD: what does not look
 * behind the model's registers there, as "rtl:paged" */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/module_ptx.h>
#include "tests/test.h"
#include "firmware/kernels/kernels.h"
#include "tests/firmware/queued_device.h"
#include "tests/firmware/unified_bench.h"

/* ---- kernels, their buffers twice as large as the device memory for pages */

static void load_kernel(const struct bench *b, const char *name, struct heddle_module **m) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.ptx", KERNEL_DIR, name);
  FILE *f = fopen(path, "rb");
  char *text = malloc(1 << 20);
  assert_true(f && text);
  const size_t bytes = fread(text, 1, 1 << 20, f);
  (void)fclose(f);
  must_work(b, heddle_module_load_ptx(b->f.context, text, bytes, name, NULL, m));
  free(text);
}

static void launch_kernel(const struct bench *b, struct heddle_module *m, const struct kernel_launch *l,
                          const uint64_t *buffer) {
  void *params[KERNEL_ARGS];
  uint64_t value[KERNEL_ARGS];
  struct heddle_function *f;
  OK(heddle_module_function(m, l->entry, &f));
  for (unsigned i = 0; i < l->args; i++) {
    value[i] = l->arg[i].kind == KERNEL_ARG_BUFFER ? buffer[l->arg[i].buffer] : l->arg[i].scalar;
    params[i] = &value[i];
  }
  must_work(b, heddle_function_launch(f, SIZE(l->grid[0], l->grid[1], l->grid[2]),
                                      SIZE(l->block[0], l->block[1], l->block[2]), 0, params));
}

static void run_kernel(const char *name, const char *config, unsigned scale) {
  struct bench *b = open_bench(config, ROOM, FEW, NULL);
  struct kernel_case c = {.buffers = 0};
  struct heddle_module *m;
  uint64_t at[KERNEL_BUFFERS], all = 0;
  assert_true(kernel_prepare(kernel_find(name), KERNEL_PTX, 7, scale, &c));
  load_kernel(b, name, &m);
  for (unsigned i = 0; i < c.buffers; i++) {
    uint32_t *host = unified(b, c.buffer[i].bytes);
    memcpy(host, c.buffer[i].init, c.buffer[i].bytes);
    at[i] = (uint64_t)(uintptr_t)host;
    all += c.buffer[i].bytes;
  }
  assert_true(all >= 2 * FEW);
  for (unsigned i = 0; i < c.launches; i++) launch_kernel(b, m, &c.launch[i], at);
  must_work(b, settle(b));
  for (unsigned i = 0; i < c.buffers; i++) {
    size_t wrong = 0;
    if (!kernel_matches(&c.buffer[i], (const uint8_t *)(uintptr_t)at[i], &wrong))
      fail_msg("%s: buffer %u differs at byte %zu", name, i, wrong);
  }
  const struct heddle_unified_info n = counts(b);
  printf("%s: %llu bytes in %u of frames: %llu pages came, %llu gave way, %llu were copied home\n", name,
         (unsigned long long)all, FEW, (unsigned long long)n.brought, (unsigned long long)n.evicted,
         (unsigned long long)n.copied);
  assert_true(n.evicted > all / PAGE / 2 && n.brought > all / PAGE && n.copied > 0);
  assert_int_equal(n.resident, 0);
  kernel_case_clear(&c);
  close_bench(b);
}

static void sgemm(void **state) {
  (void)state;
  run_kernel("sgemm", NULL, 4); /* its blocks have more warps than the machine `paged` */
}

static void bfs(void **state) {
  (void)state;
  run_kernel("bfs", "paged", 8);
}

static void vecadd(void **state) {
  (void)state;
  run_kernel("vecadd", "paged", 2); /* short enough for RTL */
}

static void larger_than_the_device(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", 1 << 20, 0, NULL);
  const uint32_t words = (3 << 20) / 4;
  uint32_t *u = unified(b, 4 * words);
  fill(b, u, words, 5);
  must_work(b, settle(b));
  must_hold(u, words, 5);
  assert_true(counts(b).evicted > 500);
  assert_true(free_bytes(&b->f) > b->free - 64 * PAGE); /* tables alone */
  uint64_t most;
  OK(heddle_mem_alloc(b->f.context, b->free / 2, &most)); /* no page holds it */
  OK(heddle_mem_free(b->f.context, (uint64_t)(uintptr_t)u));
  OK(heddle_mem_free(b->f.context, most));
  assert_int_equal(free_bytes(&b->f), b->free);
  close_bench(b);
}

/* A thread loads from page 0, stores to pages 1 to 64, of which the last takes the frame of page 0, and loads from that
 * one what it has not stored: no cache may have page 0 there. */
static const char again_text[] =
    ".kernel again\n.param u64 u\n.param u64 out\n MOV R6, c[0x0][u] ;\n MOV R7, c[0x0][u+4] ;\n LDG.E R4, [R6] ;\n"
    " MOV R0, RZ ;\nnext:\n IADD3 R0, R0, 0x1, RZ ;\n IMAD.WIDE R2, R0, 0x1000, R6 ;\n STG.E [R2+0x280], R4 ;\n"
    " ISETP.NE.AND P0, PT, R0, 0x40, PT ;\n@P0 BRA next ;\n LDG.E R5, [R2] ;\n MOV R2, c[0x0][out] ;\n"
    " MOV R3, c[0x0][out+4] ;\n STG.E [R2], R5 ;\n EXIT ;\n.end\n";

static void a_frame_has_nothing_of_its_last_page(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {13, 13, 13, 13}, .long_words = true};
  struct heddle_program *p;
  (void)heddle_assemble(again_text, strlen(again_text), "again.s", &o, &p);
  struct heddle_module *m;
  struct heddle_function *again;
  assert_non_null(p);
  must_work(b, heddle_module_load_program(b->f.context, p, &m));
  OK(heddle_module_function(m, "again", &again));
  uint32_t *u = unified(b, 65 * PAGE);
  uint64_t at = (uint64_t)(uintptr_t)u, out = space(&b->f, 256);
  for (uint32_t i = 0; i < 65 * 1024; i++) u[i] = i;
  must_work(b, heddle_function_launch(again, ONE, ONE, 0, (void *[]){&at, &out}));
  assert_int_equal(word_at(&b->f, out), 64 * 1024);
  assert_true(counts(b).brought == 65 && counts(b).evicted == 1);
  for (uint32_t i = 0; i < 65; i++) assert_int_equal(u[1024 * i + 0xa0], i > 0 ? 0 : 0xa0);
  close_bench(b);
}

/* ---- the order of registers, on a device with a queue and a shared cache (queued_device.h judges it) */

static struct bench *new_queued(struct queued_device *q, struct heddle_port *port) {
  struct bench *b = new_bench("paged", ROOM);
  *q = (struct queued_device){.inner = b->f.port, .l2 = 4096};
  queued_device_bind(q, 0, port);
  return b;
}

static void frames_are_taken_in_order(void **state) {
  (void)state;
  struct queued_device q;
  struct heddle_port port;
  struct bench *b = new_queued(&q, &port);
  port.sleeps = true;
  open_driver(b, &port, FEW, NULL);
  uint32_t *u = unified(b, 256 * PAGE);
  for (unsigned i = 0; i < 4; i++) fill(b, u + 64 * 1024 * i, 64 * 1024, i);
  assert_int_equal(q.waiting, 4);
  must_work(b, settle(b));
  assert_int_equal(q.mask, HEDDLE_IRQ_CAUSE_STOPPED | HEDDLE_IRQ_CAUSE_IDLE | HEDDLE_IRQ_CAUSE_FAULT);
  for (unsigned i = 0; i < 4; i++) must_hold(u + 64 * 1024 * i, 64 * 1024, i);
  const struct heddle_unified_info n = counts(b);
  assert_true(n.evicted > 150 && q.taken == n.evicted);
  assert_true(q.invalidations > 0 && q.flushes > 0 && q.replays > 0);
  uint32_t value = 1;
  uint64_t wild = 16;
  fill(b, u, 1024, 7);
  must_work(b, start(b, "poke", 1, &wild, &value));
  fill(b, u + 1024, 1024, 7); /* given up behind the trap */
  must_trap(b, settle(b), &(struct wild){"poke", wild, "page_fault"});
  must_hold(u, 1024, 7);
  must_hold(u + 1024, 1024, 1024);
  fill(b, u, 256 * 1024, 8);
  must_work(b, settle(b));
  must_hold(u, 256 * 1024, 8);
  close_bench(b);
}

/* Whatever access fails, the host hears of it, or all is right; and then it works again. */
static void every_access_may_fail(void **state) {
  (void)state;
  struct queued_device q;
  struct heddle_port port;
  struct bench *b = new_queued(&q, &port);
  unsigned failed = 0, done = 0;
  for (long n = 0; done == 0; n += 1 + n / 16) {
    open_driver(b, &port, FEW, NULL);
    uint32_t *u = unified(b, 80 * PAGE);
    q.left = n;
    uint64_t at = (uint64_t)(uintptr_t)u;
    uint32_t value = 3;
    enum heddle_error e = start(b, "fill", 80 * 16, &at, &value);
    if (e == HEDDLE_SUCCESS) e = settle(b);
    done = q.left > 0;
    q.left = -1;
    failed += e == HEDDLE_ERROR_BUS;
    assert_true(e == HEDDLE_ERROR_BUS || e == HEDDLE_SUCCESS);
    if (e == HEDDLE_SUCCESS) must_hold(u, 80 * 1024, 3);
    (void)heddle_abort(b->f.context);
    fill(b, u, 80 * 1024, 4);
    must_work(b, settle(b));
    must_hold(u, 80 * 1024, 4);
    heddle_context_destroy(b->f.context);
    heddle_shutdown(b->f.system);
  }
  assert_true(failed > 50);
  open_driver(b, &port, FEW, NULL);
  close_bench(b);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sgemm),
                                     cmocka_unit_test(bfs),
                                     cmocka_unit_test(vecadd),
                                     cmocka_unit_test(larger_than_the_device),
                                     cmocka_unit_test(a_frame_has_nothing_of_its_last_page),
                                     cmocka_unit_test(frames_are_taken_in_order),
                                     cmocka_unit_test(every_access_may_fail)};
  const struct CMUnitTest on_board[] = {cmocka_unit_test(a_frame_has_nothing_of_its_last_page),
                                        cmocka_unit_test(vecadd)};
  const char *board = argc > 1 ? argv[1] : NULL;
  run_on_board(board);
  cmocka_set_test_filter(argc > 2 ? argv[2] : NULL);
  if (board) return cmocka_run_group_tests(on_board, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
