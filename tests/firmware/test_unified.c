/* SPDX-License-Identifier: Apache-2.0
 * Unified memory: pages that come to the device as grids ask for them, go when others need their room, and come home.
 * usage: test_unified KERNELS [BOARD [TEST]]     KERNELS: the folder of sgemm.ptx and bfs.ptx; BOARD: what does not
 * look behind the model's registers there, as "rtl:paged" */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/module_ptx.h>
#include <heddle/sim.h>
#include "firmware/kernels/kernels.h"
#include "tests/firmware/driver_fixture.h"
#include "tests/firmware/queued_device.h"

enum { PAGE = 4096, FEW = 64 * PAGE /* of frames: as few as there may be */, ROOM = 4 << 20 };

static const char *kernels, *board;

/* ---- the bench */

struct bench {
  struct fixture f; /* on a board without `model` */
  struct heddle_sim *sim;
  struct queued_device q;
  struct heddle_port port;
  uint64_t free; /* before anything is unified */
};

/* The driver over the port of the model, or over a device with a queue. */
static void open_driver(struct bench *b, const struct heddle_port *port, uint64_t frames,
                        const struct heddle_unified *unified) {
  const struct heddle_options o = {
      .size = sizeof o, .ports = port, .count = 1, .unified = unified, .unified_bytes = frames};
  struct fixture *f = &b->f;
  OK(heddle_init_options(&o, &f->system));
  OK(heddle_device_get(f->system, 0, &f->device));
  OK(heddle_context_create(f->device, &f->context));
  OK(heddle_module_load_data(f->context, f->elf, f->elf_bytes, &f->module));
  b->free = free_bytes(f);
}

static void open_board(struct bench *b, uint64_t bytes) {
  char words[1000];
  const struct heddle_sim_options o = {.size = sizeof o, .name = board, .memory_bytes = bytes};
  if (heddle_sim_open(&o, &b->sim, words, sizeof words) != HEDDLE_SUCCESS) fail_msg("%s", words);
  b->f.port = *heddle_sim_port(b->sim);
}

static struct bench *new_bench(const char *config, uint64_t bytes) {
  const struct model_port_options o = {.config = config, .bytes = bytes, .mmu = true, .max_insns = 100000000};
  struct bench *b = calloc(1, sizeof *b);
  assert_non_null(b);
  b->f.elf = driver_program(&b->f.elf_bytes);
  if (board) {
    open_board(b, bytes);
    return b;
  }
  b->f.model = model_port_new(&o);
  assert_non_null(b->f.model);
  model_port_bind(b->f.model, &b->f.port);
  return b;
}

static struct bench *open_bench(const char *config, uint64_t bytes, uint64_t frames,
                                const struct heddle_unified *unified) {
  struct bench *b = new_bench(config, bytes);
  open_driver(b, &b->f.port, frames, unified);
  return b;
}

static void close_bench(struct bench *b) {
  heddle_context_destroy(b->f.context);
  heddle_shutdown(b->f.system);
  model_port_free(b->f.model);
  heddle_sim_close(b->sim);
  free(b->f.elf);
  free(b);
}

static uint32_t *unified(const struct bench *b, uint64_t bytes) {
  uint64_t at = 0;
  void *host = NULL;
  OK(heddle_mem_alloc_unified(b->f.context, bytes, &at, &host));
  assert_true(at == (uint64_t)(uintptr_t)host && at % PAGE == 0);
  return host;
}

static struct heddle_unified_info counts(const struct bench *b) {
  struct heddle_unified_info i;
  OK(heddle_unified_info(b->f.context, &i));
  return i;
}

static enum heddle_error start(const struct bench *b, const char *name, uint32_t blocks, void *first, void *second) {
  return heddle_function_launch(function(&b->f, name), SIZE(blocks, 1, 1), SIZE(64, 1, 1), 0,
                                (void *[]){first, second});
}

static void must_work(const struct bench *b, enum heddle_error e) {
  if (e != HEDDLE_SUCCESS) fail_msg("%s: %s", heddle_error_text(e), heddle_context_message(b->f.context));
}

/* out[i] = value + i */
static void fill(const struct bench *b, const uint32_t *out, uint32_t words, uint32_t value) {
  uint64_t at = (uint64_t)(uintptr_t)out;
  must_work(b, start(b, "fill", words / 64, &at, &value));
}

static enum heddle_error settle(const struct bench *b) {
  return heddle_synchronize(b->f.context, HEDDLE_FOREVER);
}

static void must_hold(const uint32_t *got, uint32_t words, uint32_t value) {
  for (uint32_t i = 0; i < words; i++)
    if (got[i] != value + i) fail_msg("word %u is %u, expected %u", i, got[i], value + i);
}

/* ---- traps */

struct wild {
  const char *name;
  uint64_t at;
  const char *cause;
};

static uint8_t *whole_memory(const struct bench *b) {
  uint8_t *all = malloc(b->f.port.memory_bytes);
  assert_non_null(all);
  assert_true(b->f.port.read(b->f.port.self, b->f.port.memory_base, all, b->f.port.memory_bytes));
  return all;
}

static void must_trap(const struct bench *b, enum heddle_error e, const struct wild *w) {
  struct heddle_trap_info t;
  char address[40];
  assert_int_equal(e, HEDDLE_ERROR_TRAPPED);
  OK(heddle_trap_last(b->f.context, &t));
  assert_string_equal(t.cause_name, w->cause);
  assert_int_equal(t.address, w->at / 128 * 128);
  snprintf(address, sizeof address, "address 0x%llx", (unsigned long long)t.address);
  must_say(&b->f, address);
  must_say(&b->f, w->cause);
}

/* ---- kernels, their buffers twice as large as the device memory for pages */

static void load_kernel(const struct bench *b, const char *name, struct heddle_module **m) {
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.ptx", kernels, name);
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

/* ---- both sides */

static void the_host_touches_pages_between_launches(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 8 * PAGE), *other = unified(b, 100);
  uint64_t out = space(&b->f, 256), from = (uint64_t)(uintptr_t)(u + 3 * 1024 + 7);
  for (uint32_t turn = 0; turn < 3; turn++) {
    fill(b, u, 8 * 1024, 100 * turn);
    must_work(b, settle(b));
    must_hold(u, 8 * 1024, 100 * turn);
    u[3 * 1024 + 7] = 77 + turn;
    must_work(b, start(b, "peek", 1, &from, &out));
    assert_int_equal(word_at(&b->f, out), 77 + turn);
    assert_int_equal(u[3 * 1024 + 7], 77 + turn);
  }
  *other = 5; /* a page that no grid wanted has not moved */
  from = (uint64_t)(uintptr_t)other;
  assert_int_equal(counts(b).brought, 3 * 9);
  must_work(b, start(b, "peek", 1, &from, &out));
  assert_int_equal(word_at(&b->f, out), 5);
  assert_int_equal(counts(b).brought, 3 * 9 + 1);
  assert_int_equal(counts(b).copied, 3 * 8); /* what was only read has stayed at home */
  close_bench(b);
}

/* Each launch needs what the one before has written, in pages that have gone meanwhile. */
static void launches_in_a_row(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 80 * PAGE);
  u[5] = 1234;
  for (uint32_t i = 0; i < 5; i++) {
    uint64_t from = (uint64_t)(uintptr_t)(u + 15 * 1024 * i + 5), to = from + 15 * PAGE;
    fill(b, u + 15 * 1024 * i + 1024, 14 * 1024, i);
    must_work(b, start(b, "peek", 1, &from, &to));
  }
  uint64_t wild = 64;
  uint32_t value = 1;
  must_work(b, start(b, "poke", 1, &wild, &value));
  uint64_t at = (uint64_t)(uintptr_t)u;
  const enum heddle_error e = start(b, "fill", 16, &at, &value); /* given up, or never begun */
  must_trap(b, e == HEDDLE_SUCCESS ? settle(b) : e, &(struct wild){"poke", wild, "page_fault"});
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(u[15 * 1024 * i + 5], 1234);
  for (uint32_t i = 0; i < 5; i++) must_hold(u + 15 * 1024 * i + 1024, 14 * 1024, i);
  assert_true(counts(b).brought >= 76);
  close_bench(b);
}

static void copies_know_it(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 3 * PAGE), word[64];
  uint64_t at = (uint64_t)(uintptr_t)u, out = space(&b->f, sizeof word);
  fill(b, u, 3 * 1024, 9);
  must_work(b, heddle_memcpy_to_host(b->f.context, word, at + 4096 - 16, sizeof word));
  must_hold(word, 64, 9 + 1020);
  must_work(b, heddle_memcpy_on_device(b->f.context, out, at, sizeof word));
  must_work(b, heddle_memcpy_to_host(b->f.context, u + 1024, out, sizeof word)); /* unified as the host's side */
  must_hold(u + 1024, 64, 9);
  must_work(b, heddle_memset32(b->f.context, at, 3, 2));
  must_work(b, heddle_memcpy_to_device(b->f.context, at + 8, word, 4));
  assert_true(u[0] == 3 && u[1] == 3 && u[2] == 9 + 1020 && u[3] == 12);
  assert_int_equal(heddle_memset8(b->f.context, at + 3 * PAGE - 4, 0, 5), HEDDLE_ERROR_INVALID_ADDRESS);
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
  struct heddle_program *p = heddle_assemble(again_text, strlen(again_text), "again.s", &o);
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

/* ---- what is not there */

static void wild_pointers_trap(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 2 * PAGE), value = 1;
  const uint64_t in = space(&b->f, 8192), out = space(&b->f, 256), code = b->f.port.memory_base + ROOM - 256;
  const uint64_t mine = (uint64_t)(uintptr_t)u;
  const struct wild wild[] = {{"poke", 16, "page_fault"},
                              {"poke", 0x123456789000, "page_fault"},
                              {"poke", UINT64_C(0x1ffffffffff80), "page_fault"},
                              {"poke", mine + 2 * PAGE, "page_fault"},
                              {"poke", mine - 4, "page_fault"},
                              {"poke", in + (1 << 20), "page_fault"},
                              {"poke", code, "write_protected"},
                              {"poke", UINT64_C(1) << 49, "out_of_range"},
                              {"peek", 16, "page_fault"},
                              {"peek", in + (1 << 20), "page_fault"}};
  memset(u, 0x55, 2 * PAGE);
  fill(b, (const uint32_t *)(uintptr_t)in, 64, 3);
  must_work(b, settle(b));
  for (unsigned i = 0; i < sizeof wild / sizeof *wild; i++) {
    uint64_t at = wild[i].at, to = out;
    uint8_t *before = whole_memory(b);
    const bool poke = strcmp(wild[i].name, "poke") == 0;
    must_work(b, start(b, wild[i].name, 1, &at, poke ? (void *)&value : (void *)&to));
    must_trap(b, settle(b), &wild[i]);
    if (at == 16) must_say(&b->f, "a null pointer?");
    uint8_t *after = whole_memory(b);
    const uint64_t data = in - b->f.port.memory_base;
    assert_memory_equal(before + data, after + data, 1 << 20); /* all data, and far behind it */
    free(before);
    free(after);
    for (unsigned k = 0; k < 2 * PAGE / 4; k++) assert_int_equal(u[k], 0x55555555);
  }
  fill(b, u, 2048, 9); /* and on it goes */
  must_work(b, settle(b));
  must_hold(u, 2048, 9);
  close_bench(b);
}

/* Pages that are there come, however many others are not. */
static void wild_among_good_ones(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, 64 * PAGE);
  fill(b, u + 32 * 1024, 64 * 1024, 5); /* the second half lies behind the end */
  assert_int_equal(settle(b), HEDDLE_ERROR_TRAPPED);
  must_say(&b->f, "trap page_fault");
  must_say(&b->f, "nothing that was allocated lies there");
  for (unsigned i = 0; i < 32 * 1024; i++) assert_int_equal(u[i], 0);
  for (unsigned i = 32 * 1024; i < 64 * 1024; i++) assert_true(u[i] == 0 || u[i] == 5 + i - 32 * 1024);
  struct heddle_trap_info t;
  OK(heddle_trap_last(b->f.context, &t));
  assert_in_range(t.address, (uint64_t)(uintptr_t)(u + 64 * 1024), (uint64_t)(uintptr_t)(u + 96 * 1024));
  close_bench(b);
}

static void what_is_freed_is_gone(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", ROOM, FEW, NULL);
  uint32_t *u = unified(b, PAGE), value = 4;
  uint64_t a = space(&b->f, 3 * PAGE), second = space(&b->f, PAGE), at = a + 2 * PAGE;
  must_work(b, start(b, "poke", 1, &at, &value));
  assert_int_equal(word_at(&b->f, at), 4);
  OK(heddle_mem_free(b->f.context, a));
  at = a + PAGE;
  must_work(b, start(b, "poke", 1, &at, &value));
  must_trap(b, settle(b), &(struct wild){"poke", at, "page_fault"});
  must_work(b, start(b, "poke", 1, &second, &value)); /* its neighbour, in the same page, is there */
  assert_int_equal(word_at(&b->f, second), 4);
  OK(heddle_mem_free(b->f.context, (uint64_t)(uintptr_t)u));
  must_work(b, start(b, "poke", 1, &at, &value)); /* without pages */
  must_trap(b, settle(b), &(struct wild){"poke", at / 128 * 128, "out_of_range"});
  OK(heddle_mem_free(b->f.context, second));
  assert_int_equal(free_bytes(&b->f), b->free);
  u = unified(b, PAGE);
  fill(b, u, 64, 2);
  must_work(b, settle(b));
  must_hold(u, 64, 2);
  close_bench(b);
}

/* Large allocations have large pages, whose neighbours are not there. */
static void large_pages(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", 16 << 20, FEW, NULL);
  (void)unified(b, PAGE);
  const uint32_t words = (6 << 20) / 4;
  const uint64_t big = space(&b->f, 4 * words);
  uint32_t *got = malloc(4 * words);
  assert_non_null(got);
  fill(b, (const uint32_t *)(uintptr_t)big, words, 11);
  must_work(b, heddle_memcpy_to_host(b->f.context, got, big, 4 * words));
  must_hold(got, words, 11);
  free(got);
  assert_true(counts(b).faults < 100); /* of 1,536 pages of 4 KiB */
  uint64_t at = big + (8 << 20);
  uint32_t value = 1;
  must_work(b, start(b, "poke", 1, &at, &value));
  must_trap(b, settle(b), &(struct wild){"poke", at, "page_fault"});
  close_bench(b);
}

static void no_room_for_a_page(void **state) {
  (void)state;
  struct bench *b = open_bench("paged", 1 << 20, 0, NULL);
  uint32_t *u = unified(b, PAGE);
  uint64_t at[16], parameters = space(&b->f, 1024);
  unsigned taken = 0;
  for (uint64_t n = 1 << 20; n >= 2048;) /* no hole is left that holds a page */
    if (heddle_mem_alloc(b->f.context, n, &at[taken]) == HEDDLE_SUCCESS)
      assert_true(++taken < 16);
    else
      n -= 256;
  OK(heddle_mem_free(b->f.context, parameters));
  fill(b, u, 64, 1);
  assert_int_equal(settle(b), HEDDLE_ERROR_OUT_OF_MEMORY);
  OK(heddle_query(b->f.context)); /* given up */
  while (taken > 0) OK(heddle_mem_free(b->f.context, at[--taken]));
  fill(b, u, 64, 1);
  must_work(b, settle(b));
  must_hold(u, 64, 1);
  close_bench(b);
}

static void without_an_mmu_it_is_refused(void **state) {
  struct fixture *f = *state;
  uint64_t at;
  void *host;
  assert_int_equal(heddle_mem_alloc_unified(f->context, 1, &at, &host), HEDDLE_ERROR_NOT_SUPPORTED);
  must_say(f, "has no MMU");
  assert_int_equal(heddle_mem_alloc_unified(f->context, 0, &at, &host), HEDDLE_ERROR_INVALID_VALUE);
}

/* ---- an owner that hears of what the host writes */

struct owner {
  uint8_t *at;
  unsigned pages, taken;
  bool open[64];
};

static void *owner_take(void *self, uint64_t bytes) {
  struct owner *o = self;
  o->taken++;
  o->pages = (unsigned)(bytes / PAGE);
  assert_true(bytes % PAGE == 0 && o->pages <= 64);
  memset(o->open, 1, sizeof o->open);
  return o->at = aligned_alloc(PAGE, bytes);
}

static void owner_give(void *self, void *p, uint64_t bytes) {
  struct owner *o = self;
  assert_true(p == o->at && bytes == (uint64_t)o->pages * PAGE);
  o->taken--;
  free(p);
}

static bool owner_protect(void *self, void *p, uint64_t bytes, bool may_write) {
  struct owner *o = self;
  const uint64_t first = (uint64_t)((uint8_t *)p - o->at) / PAGE;
  assert_true(bytes % PAGE == 0 && first + bytes / PAGE <= o->pages);
  for (uint64_t i = 0; i < bytes / PAGE; i++) o->open[first + i] = may_write;
  return true;
}

static unsigned closed(const struct owner *o) {
  unsigned n = 0;
  for (unsigned i = 0; i < o->pages; i++) n += !o->open[i];
  return n;
}

static void pages_stay_where_touches_are_told(void **state) {
  (void)state;
  struct owner o = {.at = NULL};
  const struct heddle_unified h = {
      .size = sizeof h, .self = &o, .take = owner_take, .give = owner_give, .protect = owner_protect};
  struct bench *b = open_bench("paged", ROOM, 0, &h);
  uint32_t *u = unified(b, 8 * PAGE);
  fill(b, u, 6 * 1024, 1);
  must_work(b, settle(b));
  must_hold(u, 6 * 1024, 1);
  assert_int_equal(closed(&o), 6);
  assert_int_equal(counts(b).resident, 6);
  fill(b, u, 6 * 1024, 2); /* none comes anew */
  must_work(b, settle(b));
  must_hold(u, 6 * 1024, 2);
  assert_int_equal(counts(b).brought, 6);
  assert_int_equal(counts(b).copied, 12);
  OK(heddle_unified_touch(b->f.context, u + 2 * 1024 + 5));
  assert_true(closed(&o) == 5 && o.open[2]);
  u[2 * 1024 + 5] = 99;
  uint64_t from = (uint64_t)(uintptr_t)(u + 2 * 1024 + 5), out = space(&b->f, 256);
  must_work(b, start(b, "peek", 1, &from, &out));
  OK(heddle_unified_touch(b->f.context, u + 1)); /* while it runs: waits */
  assert_int_equal(word_at(&b->f, out), 99);
  assert_int_equal(counts(b).brought, 7);
  assert_int_equal(heddle_unified_touch(b->f.context, &o), HEDDLE_ERROR_INVALID_ADDRESS);
  /* pages give way to what else needs their room */
  uint64_t most, n = 0;
  OK(heddle_mem_info(b->f.context, &n, NULL));
  OK(heddle_mem_alloc(b->f.context, n - 4096, &most));
  assert_true(closed(&o) == 0 && counts(b).resident == 0);
  OK(heddle_mem_free(b->f.context, most));
  /* nor do they stay behind a trap */
  fill(b, u, 1024, 3);
  must_work(b, settle(b));
  uint64_t wild = 16;
  uint32_t value = 1;
  must_work(b, start(b, "poke", 1, &wild, &value));
  assert_int_equal(settle(b), HEDDLE_ERROR_TRAPPED);
  assert_true(closed(&o) == 0 && counts(b).resident == 0);
  must_hold(u, 1024, 3);
  OK(heddle_mem_free(b->f.context, (uint64_t)(uintptr_t)u));
  assert_int_equal(o.taken, 0);
  close_bench(b);
}

/* ---- the order of registers, on a device with a queue and a shared cache (queued_device.h judges it) */

static void frames_are_taken_in_order(void **state) {
  (void)state;
  struct bench *b = new_bench("paged", ROOM);
  b->q.inner = b->f.port;
  b->q.l2 = 4096;
  queued_device_bind(&b->q, 0, &b->port);
  b->port.sleeps = true;
  open_driver(b, &b->port, FEW, NULL);
  uint32_t *u = unified(b, 256 * PAGE);
  for (unsigned i = 0; i < 4; i++) fill(b, u + 64 * 1024 * i, 64 * 1024, i);
  assert_int_equal(b->q.waiting, 4);
  must_work(b, settle(b));
  assert_int_equal(b->q.mask, HEDDLE_IRQ_CAUSE_STOPPED | HEDDLE_IRQ_CAUSE_IDLE | HEDDLE_IRQ_CAUSE_FAULT);
  for (unsigned i = 0; i < 4; i++) must_hold(u + 64 * 1024 * i, 64 * 1024, i);
  const struct heddle_unified_info n = counts(b);
  assert_true(n.evicted > 150 && b->q.taken == n.evicted);
  assert_true(b->q.invalidations > 0 && b->q.flushes > 0 && b->q.replays > 0);
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
  struct bench *b = new_bench("paged", ROOM);
  unsigned failed = 0, done = 0;
  b->q.inner = b->f.port;
  b->q.l2 = 4096;
  queued_device_bind(&b->q, 0, &b->port);
  for (long n = 0; done == 0; n += 1 + n / 16) {
    open_driver(b, &b->port, FEW, NULL);
    uint32_t *u = unified(b, 80 * PAGE);
    b->q.left = n;
    uint64_t at = (uint64_t)(uintptr_t)u;
    uint32_t value = 3;
    enum heddle_error e = start(b, "fill", 80 * 16, &at, &value);
    if (e == HEDDLE_SUCCESS) e = settle(b);
    done = b->q.left > 0;
    b->q.left = -1;
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
  open_driver(b, &b->port, FEW, NULL);
  close_bench(b);
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sgemm),
                                     cmocka_unit_test(bfs),
                                     cmocka_unit_test(vecadd),
                                     cmocka_unit_test(larger_than_the_device),
                                     cmocka_unit_test(the_host_touches_pages_between_launches),
                                     cmocka_unit_test(launches_in_a_row),
                                     cmocka_unit_test(copies_know_it),
                                     cmocka_unit_test(a_frame_has_nothing_of_its_last_page),
                                     cmocka_unit_test(wild_pointers_trap),
                                     cmocka_unit_test(wild_among_good_ones),
                                     cmocka_unit_test(what_is_freed_is_gone),
                                     cmocka_unit_test(large_pages),
                                     cmocka_unit_test(no_room_for_a_page),
                                     ROOMY(without_an_mmu_it_is_refused),
                                     cmocka_unit_test(pages_stay_where_touches_are_told),
                                     cmocka_unit_test(frames_are_taken_in_order),
                                     cmocka_unit_test(every_access_may_fail)};
  const struct CMUnitTest on_board[] = {cmocka_unit_test(the_host_touches_pages_between_launches),
                                        cmocka_unit_test(launches_in_a_row),
                                        cmocka_unit_test(copies_know_it),
                                        cmocka_unit_test(wild_pointers_trap),
                                        cmocka_unit_test(wild_among_good_ones),
                                        cmocka_unit_test(what_is_freed_is_gone),
                                        cmocka_unit_test(a_frame_has_nothing_of_its_last_page),
                                        cmocka_unit_test(pages_stay_where_touches_are_told),
                                        cmocka_unit_test(vecadd)};
  kernels = argc > 1 ? argv[1] : "firmware/kernels";
  board = argc > 2 ? argv[2] : NULL;
  cmocka_set_test_filter(argc > 3 ? argv[3] : NULL);
  if (board) return cmocka_run_group_tests(on_board, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
