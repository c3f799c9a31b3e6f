/* SPDX-License-Identifier: Apache-2.0
 * A random program as PTX: declarations, what comes before the body and behind it. */
#include "tests/twin/write.h"

#include <inttypes.h>

static void declare(const struct ptx *w, const uint8_t *count) {
  static const char *const type[TWIN_CLASSES] = {"b16", "b16", "b32", "b32", "b32", "b64", "f32", "f64", "pred"};
  for (unsigned c = 0; c < TWIN_CLASSES; c++)
    fprintf(w->to, "  .reg .%s %%%c<%u>;\n", type[c], twin_classes[c], count[c]);
  fprintf(w->to, "  .reg .b16 %%th; .reg .b32 %%t<4>; .reg .b64 %%u<2>;\n");
}

/* Registers that are made from others: h from r, n from r, p from r; in functions all but the arguments. */
static void derive(const struct ptx *w, const uint8_t *count) {
  unsigned r = count[twin_class('r')], d = count[twin_class('d')];
  for (unsigned k = 0; k < count[twin_class('h')]; k++) fprintf(w->to, "  cvt.u16.u32 %%h%u, %%r%u;\n", k, k % r);
  for (unsigned k = 0; k < count[twin_class('n')]; k++) fprintf(w->to, "  and.b32 %%n%u, %%r%u, 63;\n", k, (k + 1) % r);
  for (unsigned k = 0; k < count[twin_class('p')]; k++)
    fprintf(w->to, "  setp.%s.s32 %%p%u, %%r%u, %u;\n", k & 1 ? "gt" : "lt", k, k % r, 3 * k);
  if (!w->in_function) return;
  for (unsigned k = 1; k < count[twin_class('f')]; k++) fprintf(w->to, "  mov.b32 %%f%u, %%r%u;\n", k, k % r);
  for (unsigned k = 0; k < count[twin_class('g')]; k++) fprintf(w->to, "  mov.b64 %%g%u, %%d%u;\n", k, k % d);
  for (unsigned k = 0; k < count[twin_class('e')]; k++) fprintf(w->to, "  mov.b16 %%e%u, %%h%u;\n", k, k);
  for (unsigned k = 0; k < count[twin_class('x')]; k++) fprintf(w->to, "  mov.b32 %%x%u, %%r%u;\n", k, k % r);
}

static void function(const struct ptx *w, unsigned f) {
  static const char *const result[] = {"b32", "b64", "f32"}, letter[] = {'r', 'd', 'f'};
  const uint8_t *count = w->t->fcount;
  fprintf(w->to, ".func (.param .%s rv) fn%u(.param .b32 p0, .param .b64 p1, .param .b32 p2, .param .b64 p3)\n{\n",
          result[f], f);
  declare(w, count);
  fprintf(w->to, "  .reg .b64 %%yf;\n  .local .align 16 .b8 floc[%u];\n", TWIN_SLOT);
  fprintf(w->to, "  ld.param.b32 %%r0, [p0+0];\n  ld.param.b64 %%d0, [p1+0];\n  ld.param.f32 %%f0, [p2+0];\n"
                 "  ld.param.b64 %%yf, [p3+0];\n");
  for (unsigned k = 1; k < count[twin_class('r')]; k++)
    fprintf(w->to, "  mad.lo.u32 %%r%u, %%r%u, 0x%x, %u;\n", k, k - 1, TWIN_STEP, k);
  for (unsigned k = 1; k < count[twin_class('d')]; k++)
    fprintf(w->to, "  mad.lo.u64 %%d%u, %%d%u, 0x%x, %u;\n", k, k - 1, TWIN_STEP, k);
  for (unsigned k = 0; k < TWIN_SLOT; k += 8)
    fprintf(w->to, "  st.local.b64 [floc+%u], %%d%u;\n", k, k / 8 % count[twin_class('d')]);
  derive(w, count);
  twin_ptx_list(w, w->t->function[f], NULL);
  fprintf(w->to, "$R:\n  st.param.%s [rv+0], %%%c0;\n  ret;\n}\n", result[f], letter[f]);
}

static void addresses(const struct ptx *w) {
  fprintf(w->to,
          "  .reg .b32 %%as, %%al, %%ax, %%m; .reg .b64 %%ag, %%ao, %%ac, %%yo, %%ys, %%yl, %%yx, %%yc;\n"
          "  .local .align 16 .b8 loc[%u];\n"
          "  mov.u32 %%t0, %%tid.x;\n  mov.u32 %%t1, %%ctaid.x;\n  mov.u32 %%t2, %%ntid.x;\n  mad.lo.u32 %%t3, %%t1, "
          "%%t2, %%t0;\n"
          "  ld.param.u64 %%ag, [in];\n  cvta.to.global.u64 %%ag, %%ag;\n  ld.param.u64 %%yo, [out];\n"
          "  mul.wide.u32 %%u0, %%t3, %u;\n  add.u64 %%yo, %%yo, %%u0;\n  cvta.to.global.u64 %%ao, %%yo;\n"
          "  ld.param.u64 %%yc, [acc];\n  cvta.to.global.u64 %%ac, %%yc;\n"
          "  mov.u32 %%t1, shm;\n  mad.lo.u32 %%as, %%t0, %u, %%t1;\n  cvt.u64.u32 %%u0, %%as;\n  cvta.shared.u64 "
          "%%ys, %%u0;\n"
          "  add.u32 %%ax, %%t1, %u;\n  cvt.u64.u32 %%u0, %%ax;\n  cvta.shared.u64 %%yx, %%u0;\n"
          "  mov.u32 %%al, loc;\n  mov.u64 %%u0, loc;\n  cvta.local.u64 %%yl, %%u0;\n",
          TWIN_SLOT, TWIN_OUT_BYTES, TWIN_SLOT, w->t->block * TWIN_SLOT);
}

/* The lanes of this warp: of the last one fewer. */
static void first_mask(const struct ptx *w) {
  unsigned rest = w->t->block % 32;
  if (rest == 0) {
    fprintf(w->to, "  mov.b32 %%m, -1;\n");
    return;
  }
  fprintf(w->to, "  { .reg .pred %%z;\n  setp.lt.u32 %%z, %%t0, %u;\n  selp.b32 %%m, -1, 0x%x, %%z;\n  }\n",
          w->t->block - rest, (1u << rest) - 1);
}

static void first_values(const struct ptx *w) {
  for (unsigned k = 0; k < TWIN_STARTS; k++) {
    const struct twin_start *s = &twin_starts[k];
    fprintf(w->to,
            "  mul.lo.u32 %%t1, %%t3, %u;\n  and.b32 %%t1, %%t1, %u;\n  cvt.u64.u32 %%u0, %%t1;\n  add.u64 %%u0, %%u0, "
            "%%ag;\n",
            s->factor, 1024 - s->bytes);
    for (unsigned r = 0; r < w->t->count[twin_class(s->cls)]; r++)
      fprintf(w->to, "  ld.global.%c%u %%%c%u, [%%u0+%u];\n", s->cls == 'f' || s->cls == 'g' ? 'f' : 'b', 8 * s->bytes,
              s->cls, r, s->offset + r * s->bytes);
  }
  unsigned d = w->t->count[twin_class('d')];
  for (unsigned k = 0; k < TWIN_SLOT; k += 8)
    fprintf(w->to, "  st.local.b64 [loc+%u], %%d%u;\n  st.shared.b64 [%%as+%u], %%d%u;\n", k, k / 8 % d, k,
            (k / 8 + 1) % d);
}

static void first_cells(const struct ptx *w) {
  uint8_t cell[TWIN_CELLS * 8];
  twin_cells(w->t, cell);
  fprintf(w->to, "  { .reg .pred %%z;\n  setp.eq.u32 %%z, %%t0, 0;\n");
  for (unsigned k = 0; k < TWIN_CELLS; k++) {
    uint64_t v = 0;
    for (unsigned b = 0; b < 8; b++) v |= (uint64_t)cell[8 * k + b] << (8 * b);
    fprintf(w->to, "  @%%z st.shared.u64 [%%ax+%u], 0x%" PRIx64 ";\n", 8 * k, v);
  }
  fprintf(w->to, "  }\n  bar.sync 0;\n");
}

/* All registers, or some, eight bytes each. */
static void last_values(const struct ptx *w) {
  unsigned at = TWIN_OUT_SCRATCH;
  fprintf(w->to, "$DONE:\n");
  for (unsigned c = 0; c < TWIN_CLASSES; c++)
    for (unsigned r = 0; r < w->t->count[c] && at < TWIN_OUT_BYTES; r++) {
      static const char *const type[] = {"b16", "b16", "b32", "b32", "b32", "b64", "f32", "f64"};
      if (!(w->t->dumped[c] >> r & 1)) continue;
      if (twin_classes[c] == 'p')
        fprintf(w->to, "  selp.b32 %%t0, 1, 0, %%p%u;\n  st.global.b32 [%%ao+%u], %%t0;\n", r, at);
      else
        fprintf(w->to, "  st.global.%s [%%ao+%u], %%%c%u;\n", type[c], at, twin_classes[c], r);
      at += 8;
    }
  fprintf(w->to, "  ret;\n}\n");
}

void twin_write_ptx(const struct twin *t, FILE *to) {
  struct ptx w = {.to = to, .t = t, .in_function = true};
  fprintf(to, "// program %" PRIu64 " of seed %" PRIu64 "\n.version 8.0\n.target sm_90\n.address_size 64\n", t->index,
          t->seed);
  fprintf(to, ".const .align 16 .b8 ctab[%u] = {", TWIN_CONST);
  for (unsigned k = 0; k < TWIN_CONST; k++) fprintf(to, "%s%u", k ? "," : "", t->constant[k]);
  fprintf(to, "};\n.shared .align 16 .b8 shm[%u];\n", t->block * TWIN_SLOT + 8 * TWIN_CELLS);
  for (unsigned f = 0; f < TWIN_FUNCTIONS; f++) function(&w, f);
  w.in_function = false;
  fprintf(to,
          ".visible .entry twin(.param .u64 in, .param .u64 out, .param .u64 acc, .param .u64 pv0, .param .u64 pv1,\n"
          "  .param .u64 pv2, .param .u64 pv3)\n{\n");
  declare(&w, t->count);
  addresses(&w);
  first_mask(&w);
  first_values(&w);
  first_cells(&w);
  derive(&w, t->count);
  twin_ptx_list(&w, t->body, "%m");
  last_values(&w);
}
