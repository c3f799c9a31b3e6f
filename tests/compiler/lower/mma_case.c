/* SPDX-License-Identifier: Apache-2.0 */
#include "mma_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select/select_run.h"
#include "tests/compiler/select/select_text.h"
#include "tests/test.h"

static bool integer_case(const char *name, struct mma_case *c) {
  static char opcode[80];
  char a, b;
  int k, used = 0;
  if (sscanf(name, "i%d_%c8%c8%n", &k, &a, &b, &used) != 3 || used != 8) return false;
  (void)snprintf(opcode, sizeof opcode, "m16n8k%d.row.col%s.s32.%c8.%c8.s32", k,
                 strcmp(name + used, "_sat") == 0 ? ".satfinite" : "", a, b);
  *c = (struct mma_case){opcode, 16, (uint8_t)k, 8, 32};
  return true;
}

bool mma_case_of(const char *name, struct mma_case *c) {
  static const struct {
    const char *name;
    struct mma_case c;
  } list[] = {{"f16k16_f32", {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 16, 32}},
              {"f16k8_f32", {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 16, 32}},
              {"f16k16_f16", {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 16, 16}},
              {"f16k8_f16", {"m16n8k8.row.col.f16.f16.f16.f16", 16, 8, 16, 16}},
              {"bf16k16_f32", {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 16, 32}},
              {"bf16k8_f32", {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 16, 32}},
              {"tf32k8_f32", {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, 32}},
              {"tf32k4_f32", {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, 32}},
              {"e4m3_f32", {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 8, 32}},
              {"e5m2_f32", {"m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 32, 8, 32}},
              {"f64", {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, 64, 64}}};
  for (size_t n = 0; n < sizeof list / sizeof *list; n++)
    if (strcmp(list[n].name, name) == 0) {
      *c = list[n].c;
      return true;
    }
  return integer_case(name, c);
}

/* ---- fragments, as the manual writes them: g is groupID, t threadID_in_group, i the element ---- */

struct place {
  unsigned row, column;
};

static struct place place_a(const struct mma_case *c, unsigned g, unsigned t, unsigned i) {
  switch (c->bits) {
  case 8:
    if (c->k == 32) return (struct place){i < 4 || (8 <= i && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i < 8 ? 0 : 16)};
    return (struct place){i < 4 ? g : g + 8, t * 4 + (i & 3)};
  case 16:
    if (c->k == 16) return (struct place){i < 2 || (4 <= i && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i < 4 ? 0 : 8)};
    return (struct place){i < 2 ? g : g + 8, t * 2 + (i & 1)};
  case 32:
    if (c->k == 8) return (struct place){i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
    return (struct place){i == 0 ? g : g + 8, t};
  default:
    return (struct place){g, t};
  }
}

static struct place place_b(const struct mma_case *c, unsigned g, unsigned t, unsigned i) {
  switch (c->bits) {
  case 8:
    return (struct place){t * 4 + (i & 3) + (i < 4 ? 0 : 16), g};
  case 16:
    return (struct place){t * 2 + (i & 1) + (i < 2 ? 0 : 8), g};
  case 32:
    return (struct place){i == 0 ? t : t + 4, g};
  default:
    return (struct place){t, g};
  }
}

static struct place place_c(unsigned g, unsigned t, unsigned i) {
  return (struct place){i < 2 ? g : g + 8, t * 2 + (i & 1)};
}

/* ---- records ---- */

static void put_le(uint8_t *to, uint64_t v, unsigned bytes) {
  for (unsigned k = 0; k < bytes; k++) to[k] = (uint8_t)(v >> (8 * k));
}

void mma_put(const struct mma_case *c, const struct mma_matrices *m, uint8_t *warp) {
  const unsigned bytes = c->bits / 8, sum = c->sum / 8;
  for (unsigned lane = 0; lane < 32; lane++) {
    const unsigned g = lane >> 2, t = lane % 4;
    uint8_t *record = warp + (size_t)lane * MMA_RECORD;
    for (unsigned i = 0; i < c->m * c->k / 32u; i++) {
      const struct place p = place_a(c, g, t, i);
      put_le(record + i * bytes, m->a[p.row][p.column], bytes);
    }
    for (unsigned i = 0; i < c->k * 8 / 32u; i++) {
      const struct place p = place_b(c, g, t, i);
      put_le(record + 16 + i * bytes, m->b[p.row][p.column], bytes);
    }
    for (unsigned i = 0; i < c->m * 8 / 32u; i++) {
      const struct place p = place_c(g, t, i);
      put_le(record + 32 + i * sum, m->c[p.row][p.column], sum);
    }
  }
}

uint64_t mma_get(const struct mma_case *c, const uint8_t *warp, unsigned row, unsigned column) {
  for (unsigned lane = 0; lane < 32; lane++)
    for (unsigned i = 0; i < c->m * 8 / 32u; i++) {
      const struct place p = place_c(lane >> 2, lane % 4, i);
      if (p.row == row && p.column == column)
        return get_le(warp + (size_t)lane * MMA_RECORD + 48 + i * (c->sum / 8u), c->sum / 8u);
    }
  fail_msg("no element %u, %u", row, column);
  return 0;
}

/* ---- the kernel ---- */

/* "{%a0, %a1}" of a part of n bits; loads it from the record, or stores it there. */
static void move_part(struct text *t, bool store, char part, unsigned bits, unsigned each, unsigned at) {
  for (unsigned k = 0; k * each < bits; k++)
    if (store)
      say(t, "st.global.b%u [%%rec+%u], %%%c%u;\n", each, at + k * each / 8, part, k);
    else
      say(t, "ld.global.b%u %%%c%u, [%%rec+%u];\n", each, part, k, at + k * each / 8);
}

static void list(struct text *t, char part, unsigned bits, unsigned each) {
  for (unsigned k = 0; k * each < bits; k++) say(t, "%s%%%c%u", k ? ", " : "{", part, k);
  say(t, "}");
}

static void kernel(struct text *t, const struct mma_case *c, bool parted) {
  const unsigned each = c->bits == 64 ? 64 : 32;
  const unsigned a = c->m * c->k / 32u * c->bits, b = c->k * 8 / 32u * c->bits, sum = c->m * 8 / 32u * c->sum;
  say(t, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base, .param .u32 times) {\n");
  say(t, ".reg .pred %%p<3>; .reg .b32 %%r<8>; .reg .b64 %%rec, %%off; .reg .b%u %%a<4>, %%b<2>, %%c<4>;\n", each);
  say(t,
      "ld.param.u64 %%rec, [base]; ld.param.u32 %%r4, [times]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x;\n"
      "mad.lo.u32 %%r2, %%r1, 64, %%r0; mad.wide.u32 %%rec, %%r2, %d, %%rec;\n",
      MMA_RECORD);
  move_part(t, false, 'a', a, each, 0);
  move_part(t, false, 'b', b, each, 16);
  move_part(t, false, 'c', sum, each, 32);
  say(t, "mov.u32 %%r3, 0; and.b32 %%r5, %%r0, 1; setp.eq.u32 %%p1, %%r5, 0;\nAGAIN:\n");
  if (parted) say(t, "@%%p1 bra OVER; atom.global.add.u32 %%r6, [%%rec], 0; add.u32 %%r5, %%r5, %%r6;\nOVER:\n");
  say(t, "mma.sync.aligned.%s ", c->opcode);
  list(t, 'c', sum, each);
  say(t, ", ");
  list(t, 'a', a, each);
  say(t, ", ");
  list(t, 'b', b, each);
  say(t, ", ");
  list(t, 'c', sum, each);
  say(t, ";\nadd.u32 %%r3, %%r3, 1; setp.lt.u32 %%p2, %%r3, %%r4; @%%p2 bra AGAIN;\n");
  move_part(t, true, 'c', sum, each, 48);
  say(t, "ret; }\n");
}

void mma_run(const struct mma_case *c, const struct mma_run *r, uint8_t *records) {
  struct text t = {{0}};
  uint8_t param[16] = {0};
  kernel(&t, c, r->parted);
  put_le(param, BASE, 8);
  put_le(param + 8, r->times, 4);
  struct heddle_program *p = select_compile(t.s, r->level, t.s);
  const struct select_job job = {.base = BASE,
                                 .global = records,
                                 .bytes = r->blocks * THREADS * MMA_RECORD,
                                 .blocks = r->blocks,
                                 .threads = THREADS,
                                 .param = param,
                                 .param_bytes = sizeof param,
                                 .unit = r->unit};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s\n%s", wrong, t.s);
  heddle_program_free(p);
}
