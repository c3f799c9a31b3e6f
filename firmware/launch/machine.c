/* SPDX-License-Identifier: Apache-2.0
 *
 * Machines: of configurations, and two that are none; whether one can run a kernel, else what it lacks. */
#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/explain.h>
#include <heddle/host.h>
#include <heddle/machine.h>
#include <heddle/needs.h>
#include "base/options.h"

enum { WHOLE_WARPS = 32, WHOLE_SHARED = 228 << 10, WHOLE_BLOCKS = 32 };

/* A machine as this library knows it; one of another release has nothing, and no codes are long enough for it. */
static struct heddle_machine known(const struct heddle_machine *m) {
  struct heddle_machine own;
  return options_take(&own, sizeof own, m) ? own : (struct heddle_machine){.partitions = 1, .stall = {UINT8_MAX}};
}

void heddle_machine_whole(struct heddle_machine *m) {
  const uint32_t units = (1u << ISA_UNIT_COUNT) - 1, parts = 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM;
  const struct heddle_machine whole = {.name = "the model",
                                       .units = units | parts | 1u << ISA_PART_MODEL,
                                       .lanes = 32,
                                       .partitions = 1,
                                       .warps = WHOLE_WARPS,
                                       .regs = WHOLE_WARPS * 255,
                                       .shared_bytes = WHOLE_SHARED,
                                       .blocks = WHOLE_BLOCKS,
                                       .axi_bits = 256,
                                       .sms = 1};
  options_give(m, sizeof whole, &whole);
}

static void fill_stalls(const struct heddle_config *c, uint8_t stall[8]) {
  const unsigned of[HEDDLE_STALL_COUNT] = {
      [HEDDLE_STALL_ALU_REG] = c->stall_alu_reg,   [HEDDLE_STALL_ALU_PRED] = c->stall_alu_pred,
      [HEDDLE_STALL_FMA_REG] = c->stall_fma_reg,   [HEDDLE_STALL_CVT_REG] = c->stall_cvt_reg,
      [HEDDLE_STALL_HALF_REG] = c->stall_half_reg, [HEDDLE_STALL_UNI_REG] = c->stall_uni_reg};
  for (unsigned i = 0; i < HEDDLE_STALL_COUNT; i++) stall[i] = (uint8_t)of[i];
}

void heddle_machine_of(const struct heddle_config *c, struct heddle_machine *m) {
  struct heddle_machine own = {.units = heddle_config_units(c),
                               .lanes = c->lanes,
                               .partitions = c->partitions,
                               .warps = c->warps,
                               .regs = c->regs,
                               .shared_bytes = c->shared_bytes,
                               .blocks = c->blocks,
                               .axi_bits = c->axi_bits,
                               .fp64_latency = heddle_config_fp64_latency(c),
                               .config_hash = c->hash,
                               .latency_hash = c->latency_hash,
                               .sms = c->sms,
                               .mmu = c->mmu != 0};
  snprintf(own.name, sizeof own.name, "%s", c->name);
  fill_stalls(c, own.stall);
  options_give(m, sizeof own, &own);
}

bool heddle_machine_find(const char *name, struct heddle_machine *m) {
  char base[64];
  snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "_"), name);
  const struct heddle_config *c = heddle_config_find(base);
  if (c) heddle_machine_of(c, m);
  return c != NULL;
}

void heddle_machine_slowest(struct heddle_machine *m) {
  struct heddle_machine all = {.size = sizeof all};
  heddle_machine_whole(&all);
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct heddle_machine one = {.size = sizeof one};
    heddle_machine_of(heddle_config_at(i), &one);
    for (unsigned s = 0; s < HEDDLE_STALL_COUNT; s++)
      if (one.stall[s] > all.stall[s]) all.stall[s] = one.stall[s];
    if (one.fp64_latency > all.fp64_latency) all.fp64_latency = one.fp64_latency;
  }
  options_give(m, sizeof all, &all);
}

bool heddle_machine_covered(const struct heddle_machine *m, const struct heddle_kernel *k) {
  const struct heddle_machine own = known(m);
  for (unsigned i = 0; i < sizeof own.stall; i++)
    if (k->stall[i] < own.stall[i]) return false;
  return true;
}

/* The order of the checks is the hardware's (rtl/dispatch/cta_plan.sv). */
enum heddle_refuse heddle_machine_refuses(const struct heddle_machine *given, const uint32_t grid[3],
                                          const uint32_t block[3], uint32_t regs, uint32_t shared_bytes) {
  const struct heddle_machine own = known(given), *m = &own;
  const uint64_t threads = (uint64_t)block[0] * block[1] * block[2], warps = (threads + 31) / 32;
  const uint64_t share = (warps + m->partitions - 1) / m->partitions; /* of a partition */
  const uint32_t shared = (shared_bytes + 127) / 128 * 128;
  const enum heddle_refuse shape = heddle_host_check_shape(grid, block);
  if (shape != HEDDLE_REFUSE_NONE) return shape;
  if (share > m->warps / m->partitions) return HEDDLE_REFUSE_WARPS;
  if (regs == 0 || regs > 255 || share * regs > m->regs / m->partitions) return HEDDLE_REFUSE_REGS;
  return shared > m->shared_bytes ? HEDDLE_REFUSE_SHARED : HEDDLE_REFUSE_NONE;
}

/* ---- can a machine run a kernel? If not, what it lacks */

enum { WARP = 32 };

static unsigned lacking_units(const struct heddle_machine *m, const struct heddle_program *p,
                              const struct heddle_kernel *k, struct heddle_lack *list) {
  struct heddle_needs needs;
  unsigned n = 0;
  if (m->units == UINT32_MAX || heddle_kernel_needs(p, k, &needs) != HEDDLE_SUCCESS) return 0;
  for (unsigned bit = 0; bit < ISA_NEEDS_MAX; bit++) {
    struct heddle_lack l = {.kind = HEDDLE_LACK_UNIT, .bit = bit};
    if ((needs.units & ~m->units & 1u << bit) == 0) continue;
    l.pc = heddle_kernel_first(p, k, 1u << bit, &l.words);
    list[n++] = l;
  }
  return n;
}

/* Each partition has its share of warp slots and of registers, and gets its share of a block's warps; the order of the
 * checks is the hardware's (rtl/dispatch/cta_plan.sv). */
static unsigned lacking_room(const struct heddle_machine *m, const struct heddle_kernel *k, uint32_t threads,
                             uint64_t shared_bytes, struct heddle_lack *list) {
  const uint32_t warps = threads > 0 ? (threads - 1) / WARP + 1 : 1;
  const uint64_t share = (warps + m->partitions - 1) / m->partitions;
  const uint64_t shared = (shared_bytes + 127) / 128 * 128;
  unsigned n = 0;
  if (share > m->warps / m->partitions)
    list[n++] = (struct heddle_lack){.kind = HEDDLE_LACK_WARPS, .warps = warps, .wants = warps, .has = m->warps};
  if (share * k->regs > m->regs / m->partitions)
    list[n++] = (struct heddle_lack){.kind = HEDDLE_LACK_REGS, .warps = warps, .wants = k->regs, .has = m->regs};
  if (shared > m->shared_bytes)
    list[n++] =
        (struct heddle_lack){.kind = HEDDLE_LACK_SHARED, .warps = warps, .wants = shared_bytes, .has = m->shared_bytes};
  return n;
}

unsigned heddle_machine_lacks(const struct heddle_machine *m, const struct heddle_program *p,
                              const struct heddle_kernel *k, uint32_t threads, uint64_t shared_bytes,
                              struct heddle_lack list[HEDDLE_LACKS_MAX]) {
  const struct heddle_machine own = known(m);
  const unsigned n = lacking_units(&own, p, k, list);
  return n + lacking_room(&own, k, threads, shared_bytes, list + n);
}

/* " at 0x0050 (k.s:7), UMOV UR4, 0x1" */
static void first_text(const struct heddle_program *p, uint32_t pc, char *text, size_t size) {
  char word[200] = "", where[200] = "";
  const char *file;
  unsigned line;
  if (heddle_program_line(p, pc, &file, &line)) snprintf(where, sizeof where, " (%s:%u)", file, line);
  heddle_disassemble_at(p, pc, word, sizeof word);
  snprintf(text, size, "at 0x%04x%s, %s", pc, where, word);
}

static void unit_text(const struct heddle_machine *m, const struct heddle_program *p, const struct heddle_kernel *k,
                      const struct heddle_lack *l, char *text, size_t size) {
  char first[440] = "", what[80], name[160];
  snprintf(what, sizeof what, "unit %s", heddle_isa_need_name(l->bit));
  if (l->bit == ISA_PART_FATOM) snprintf(what, sizeof what, "adders for atomics on floats (fatom)");
  if (l->bit == ISA_PART_ASYNC) snprintf(what, sizeof what, "asynchronous copies (async)");
  if (l->bit == ISA_PART_MODEL) snprintf(what, sizeof what, "instructions that only the model has");
  if (l->pc < p->code_bytes) first_text(p, l->pc, first, sizeof first);
  snprintf(text, size, "kernel %s needs %s, which %s lacks: %u instruction%s, %s%s",
           heddle_name_text(k->name, name, sizeof name), what, m->name, l->words, l->words == 1 ? "" : "s",
           l->words == 1 ? "" : "the first ", first);
}

const char *heddle_lack_text(const struct heddle_machine *given, const struct heddle_program *p,
                             const struct heddle_kernel *k, const struct heddle_lack *l, char *text, size_t size) {
  const struct heddle_machine machine = known(given), *m = &machine;
  const unsigned long long wants = l->wants, has = l->has;
  char own[60] = "";
  switch (l->kind) {
  case HEDDLE_LACK_UNIT:
    unit_text(m, p, k, l, text, size);
    break;
  case HEDDLE_LACK_WARPS:
    snprintf(text, size, "a block has %u warps, %s has room for %llu", l->warps, m->name, has);
    break;
  case HEDDLE_LACK_REGS:
    snprintf(text, size, "a block has %u warp%s of %llu registers, %s has %llu warp registers", l->warps,
             l->warps == 1 ? "" : "s", wants, m->name, has);
    break;
  case HEDDLE_LACK_SHARED:
    if (wants > k->shared_bytes) snprintf(own, sizeof own, " (%llu of them dynamic)", wants - k->shared_bytes);
    snprintf(text, size, "a block has %llu bytes of shared memory%s, %s has %llu", wants, own, m->name, has);
    break;
  }
  return text;
}

unsigned heddle_machines_for(const struct heddle_program *p, const struct heddle_kernel *k, uint32_t threads,
                             uint64_t shared_bytes, bool (*has)(void *ctx, const char *name), void *ctx, char *names,
                             size_t size) {
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  size_t used = 0;
  unsigned n = 0;
  if (size > 0) names[0] = '\0';
  for (size_t i = 0; i < heddle_config_count(); i++) {
    struct heddle_machine m = {.size = sizeof m};
    heddle_machine_of(heddle_config_at(i), &m);
    if (has && !has(ctx, m.name)) continue;
    if (heddle_machine_lacks(&m, p, k, threads, shared_bytes, list) > 0) continue;
    const int more = used < size ? snprintf(names + used, size - used, "%s%s", n > 0 ? ", " : "", m.name) : 0;
    used += more > 0 ? (size_t)more : 0;
    n++;
  }
  return n;
}
