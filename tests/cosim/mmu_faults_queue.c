/* SPDX-License-Identifier: Apache-2.0
 *
 * Two launches of different spaces in the device's queue: no reset lies between them, so that translations which the
 * first has left are there. A session runs launches with pages one by one: here the device runs alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <heddle/host.h>
#include "tests/cosim/mmu_scene.h"

#define STEPS_MOST 400u /* of 128 cycles, until both are over */

static bool write32(void *device, uint32_t reg, uint32_t value) {
  return heddle_dut_write32(device, reg, value);
}

static struct heddle_dut *open_device(const struct scene *c) {
  char err[256], name[64];
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = PAGED_BASE, .bytes = PAGED_BYTES};
  heddle_axi_mem_calm(&m);
  if (c->latency != 0) m.latency_min = m.latency_max = c->latency;
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = 1, .fault = c->fault};
  struct heddle_dut *d = heddle_dut_open(
      NULL, "verilator", heddle_dut_variant("paged", false, c->fault != 0, name, sizeof name), &o, err, sizeof err);
  if (d == NULL) fail_msg("%s", err);
  return d;
}

static struct heddle_host_launch registers_of(const struct heddle_launch *l) {
  struct heddle_host_launch r = {.entry_pc = l->entry_pc,
                                 .regs = l->regs,
                                 .mode = HEDDLE_MODE_SCOREBOARD | HEDDLE_MODE_PAGES | HEDDLE_MODE_FAULT_TRAP,
                                 .code_base = l->code_at,
                                 .code_bytes = l->code_bytes,
                                 .page_root = l->page_root,
                                 .space = l->space};
  memcpy(r.grid, l->grid, sizeof r.grid);
  memcpy(r.block, l->block, sizeof r.block);
  r.cbank_base[0] = l->cbank_at[0];
  r.cbank_bytes[0] = l->cbank_bytes[0];
  return r;
}

/* Both are started, then memory is as they have left it. */
static void run_both(struct scene *c, const struct heddle_launch l[2]) {
  const struct heddle_axi_mem_range all = {PAGED_BASE, PAGED_BASE + PAGED_BYTES};
  struct heddle_dut *d = open_device(c);
  uint32_t status = HEDDLE_STATUS_RUNNING;
  bool ok = heddle_dut_memory_store(d, PAGED_BASE, c->x.image, PAGED_BYTES);
  heddle_dut_memory_writable(d, &all, 1);
  for (unsigned k = 0; k < 2; k++) {
    const struct heddle_host_launch r = registers_of(&l[k]);
    ok = ok && heddle_host_launch_write(&r, write32, d) &&
         heddle_dut_write32(d, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START);
  }
  scene_check(c, ok, "the launches cannot be written");
  for (unsigned i = 0; i < STEPS_MOST && (status & (HEDDLE_STATUS_RUNNING | HEDDLE_STATUS_WAITING)) != 0; i++) {
    (void)heddle_dut_step(d, 128);
    ok = ok && heddle_dut_read32(d, HEDDLE_REG_STATUS, &status);
  }
  const char *failure = heddle_dut_failure(d);
  scene_check(c, failure == NULL, "%s", failure);
  scene_check(c, ok && (status & ~HEDDLE_STATUS_DRAINING) == HEDDLE_STATUS_DONE, "STATUS is 0x%x", status);
  (void)heddle_dut_memory_load(d, PAGED_BASE, c->x.image, PAGED_BYTES);
  heddle_dut_free(d);
}

static const char moves[] = ".kernel k\n" TEXT_V "        LDG.E R8, [R6] ;\n"
                            "        STG.E [R6+0x1000], R8 ;\n"
                            "        EXIT ;\n.end\n";

/* A translation of the first space is none of the second. */
static void queued_spaces(struct scene *c) {
  struct heddle_launch l[2];
  scene_text(c, moves, 1, 1);
  paged_map(&c->x, V, 3, 0);
  paged_map(&c->x, PAGE(1), 4, RW);
  l[0] = c->x.p.launch;
  paged_space(&c->x, PAGED_SPACE + 1);
  paged_map(&c->x, V, 5, 0);
  paged_map(&c->x, PAGE(1), 6, RW);
  l[1] = c->x.p.launch;
  run_both(c, l);
  for (unsigned k = 3; k < 7; k += 2)
    scene_check(c, memcmp(c->x.image + 4096 * k, c->x.image + 4096 * (k + 1), 128) == 0, "frame %u is not as frame %u",
                k + 1, k);
}

/* The walk for the constant of an instruction that is jumped over ends before the launch does, in its space. */
static const char short_one[] = ".kernel k\n        ISETP.EQ.AND P0, PT, RZ, RZ, PT ;\n"
                                "@P0     BRA out ;\n        MOV R0, c[0x0][0x20] ;\nout:\n        EXIT ;\n.end\n";

static void queued_walk(struct scene *c) {
  struct heddle_launch l[2];
  scene_text(c, short_one, 1, 1);
  c->latency = 200;
  l[0] = c->x.p.launch;
  paged_space(&c->x, PAGED_SPACE + 1);
  l[1] = c->x.p.launch;
  run_both(c, l);
}

const struct scenario scenarios_of_queues[] = {
    {"queued_spaces", queued_spaces}, {"queued_walk", queued_walk}, {NULL, NULL}};
