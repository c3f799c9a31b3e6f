/* SPDX-License-Identifier: Apache-2.0
 * The programs of heddle bench rate, as assembly with control codes.
 *
 * R0 trips left; R1 number of the thread or lane; R2:R3 address; R4-R7 and R40-R43 factors, one for each bank twice;
 * R8-R39 accumulators, or what is loaded. Register r lies in bank r mod banks, for every warp.
 *
 * With argument `stop` the warp that has made its trips first stops the grid with a trap (rate_end): until then all
 * warps are there, however unequally the scheduler serves them. Without it every warp makes its trips (P2). */
#include <stdlib.h>

#include "bench_rate.h"

#define FACTORS 4u                /* R4-R7 */
#define FIRST 8u                  /* R8 */
#define MORE_FACTORS 40u          /* R40-R43 */
#define GROUP 4u                  /* loads that raise one counter */
#define COUNTERS 6u               /* of them, then the first is waited for */
#define LOADED (GROUP * COUNTERS) /* R8-R31 */
#define REGS 48u                  /* a multiple of the banks */
#define INSN_BYTES 16u
#define LOOP_INSNS 3u  /* of a trip, beside its units */
#define LOOP_WORDS 16u /* of the instruction cache, left for what is not the body */

static unsigned words_of(enum rate_body body) {
  return body == RATE_TAKEN ? 2 : 1;
}

unsigned rate_units(const struct heddle_config *c, enum rate_body body) {
  const unsigned step = 2 * RATE_UNITS_STEP, room = (c->icache_bytes / INSN_BYTES - LOOP_WORDS) / words_of(body);
  const unsigned units = room / step * step;
  return units < RATE_UNITS_MAX ? units : RATE_UNITS_MAX;
}

uint32_t rate_end(const struct heddle_program *p) {
  return p->code_bytes - 2 * INSN_BYTES;
}

unsigned rate_trip_insns(unsigned units) {
  return units + LOOP_INSNS;
}

/* As the control codes need it. MIXED: of the slower of both. */
static unsigned needed(const struct heddle_config *c, enum rate_body body) {
  switch (body) {
  case RATE_FFMA:
    return c->stall_fma_reg;
  case RATE_IADD3:
    return c->stall_alu_reg;
  case RATE_I2F:
    return c->stall_cvt_reg;
  case RATE_MIXED:
    return c->stall_fma_reg > c->stall_alu_reg ? c->stall_fma_reg : c->stall_alu_reg;
  default:
    return 1;
  }
}

unsigned rate_latency(const struct heddle_config *c, enum rate_body body) {
  const unsigned stall = needed(c, body);
  return stall > c->beats ? stall : c->beats;
}

unsigned rate_stall(const struct heddle_config *c, const struct rate_shape *s, unsigned i) {
  const unsigned n = s->chains > 0 ? s->chains : 1;
  unsigned left = needed(c, s->body), stall = 1;
  for (unsigned k = 0; k <= i % n; k++) {
    const unsigned later = n - 1 - k, most = left > later ? left - later : 1;
    stall = later > 0 && most > c->beats ? c->beats : most;
    left = left > stall ? left - stall : 0;
  }
  return stall;
}

static void code(FILE *f, unsigned wait, unsigned counter, unsigned stall) {
  char waits[7] = "------", raised = '-';
  if (wait < 6) waits[wait] = (char)('0' + wait);
  if (counter < 6) raised = (char)('0' + counter);
  fprintf(f, "[B%s:R-:W%c:-:S%02u] ", waits, raised, stall);
}

/* An FFMA that accumulates in `r`: `conflicts` of its factors share that bank, which then is the same for all chains.
 * Where there are too few banks for three sources, one factor is no register. */
static void ffma(FILE *f, const struct heddle_config *c, unsigned r, unsigned conflicts) {
  const unsigned bank = r % c->banks, next = (bank + 1) % c->banks;
  if (conflicts == 2)
    fprintf(f, "FFMA R%u, R%u, R%u, R%u ;\n", r, FACTORS + bank, MORE_FACTORS + bank, r);
  else if (c->banks < 3)
    fprintf(f, "FFMA R%u, R%u, 1, R%u ;\n", r, FACTORS + (conflicts == 1 ? bank : next), r);
  else if (conflicts == 1)
    fprintf(f, "FFMA R%u, R%u, R%u, R%u ;\n", r, FACTORS + bank, FACTORS + next, r);
  else
    fprintf(f, "FFMA R%u, R%u, R%u, R%u ;\n", r, FACTORS + next, FACTORS + (bank + 2) % c->banks, r);
}

static void iadd3(FILE *f, const struct heddle_config *c, unsigned r) {
  fprintf(f, "IADD3 R%u, R%u, R%u, RZ ;\n", r, r, FACTORS + (r + 1) % c->banks);
}

/* Results of the two pipes go to different halves of the banks: their write ports never meet. */
static void mixed(FILE *f, const struct heddle_config *c, unsigned k) {
  const unsigned half = c->banks / 2, of_kind = k / 2;
  const unsigned r = FIRST + of_kind / half * c->banks + of_kind % half;
  if (k % 2 == 0)
    ffma(f, c, r, 0);
  else
    iadd3(f, c, r + half);
}

/* Unit `i` of loads: into the next register; the counter of a group is waited for when they come round again. */
static void load(FILE *f, unsigned i, const char *what, unsigned offset) {
  const unsigned counter = i / GROUP % COUNTERS;
  code(f, i % GROUP == 0 ? counter : 7, counter, 1);
  fprintf(f, "%s R%u, [R2+0x%x] ;\n", what, FIRST + i % LOADED, offset);
}

/* D and C in one of six tuples; its counter is waited for when it comes round again. */
static void hmma(FILE *f, unsigned i) {
  const unsigned k = i % COUNTERS, d = FIRST + 4 * k;
  code(f, k, k, 1);
  fprintf(f, "HMMA.16816.F32 R%u, R%u, R%u, R%u ;\n", d, FACTORS, MORE_FACTORS, d);
}

static void unit(FILE *f, const struct heddle_config *c, const struct rate_shape *s, unsigned i) {
  const unsigned k = s->chains > 0 ? i % s->chains : 0;
  if (s->body != RATE_LDS && s->body != RATE_LDG && s->body != RATE_HMMA) code(f, 7, 7, rate_stall(c, s, i));
  switch (s->body) {
  case RATE_FFMA:
    ffma(f, c, FIRST + k * (s->conflicts > 0 ? c->banks : 1), s->conflicts);
    break;
  case RATE_IADD3:
    iadd3(f, c, FIRST + k);
    break;
  case RATE_I2F:
    fprintf(f, "I2F.U32 R%u, R%u ;\n", FIRST + k, FIRST + k);
    break;
  case RATE_MIXED:
    mixed(f, c, k);
    break;
  case RATE_TAKEN:
    fprintf(f, "BRA over%u ;\n  NOP ;\nover%u:\n", i, i);
    break;
  case RATE_NOT_TAKEN:
    fprintf(f, "@P1 BRA end ;\n");
    break;
  case RATE_LDS:
    load(f, i, "LDS", 0);
    break;
  case RATE_STS:
    fprintf(f, "STS [R2], R4 ;\n");
    break;
  case RATE_LDG:
    load(f, i, "LDG.E", i * s->warps * HEDDLE_LANES * 4);
    break;
  case RATE_HMMA:
    hmma(f, i);
    break;
  }
}

static unsigned log2_of(unsigned v) {
  unsigned n = 0;
  while (v >> (n + 1) != 0) n++;
  return n;
}

/* R2 = where in shared memory this lane's word lies: `ways` lanes of a row of the load/store unit in one bank, a row
 * apart each. */
static void shared_address(FILE *f, const struct heddle_config *c, unsigned ways) {
  fprintf(f,
          "  S2R R1, SR_LANEID ;\n  LOP3.LUT R1, R1, 0x%x, RZ, 0xc0 ;\n  LOP3.LUT R2, R1, 0x%x, RZ, 0xc0 ;\n"
          "  SHF.R.U32 R1, R1, 0x%x, RZ ;\n  IMAD R2, R2, 0x%x, R1 ;\n  SHF.L.U32 R2, R2, 0x2, RZ ;\n"
          "  STS [R2], R4 ;\n",
          c->lsu_lanes - 1, ways - 1, log2_of(ways), c->shared_banks);
}

static void prologue(FILE *f, const struct heddle_config *c, const struct rate_shape *s) {
  fprintf(f,
          ".kernel rate\n.param u64 data\n.param u32 trips\n.param u32 stop\n.shared room %u\n.regs %u\n"
          "  MOV R0, c[0x0][trips] ;\n  MOV R2, c[0x0][data] ;\n  MOV R3, c[0x0][data+4] ;\n  S2R R1, SR_TID.X ;\n"
          "  IMAD.WIDE R2, R1, 0x4, R2 ;\n  ISETP.NE.U32.AND P1, PT, R0, R0, PT ;\n"
          "  ISETP.EQ.U32.AND P2, PT, RZ, c[0x0][stop], PT ;\n",
          RATE_SHARED_MAX, REGS);
  for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, 0x3f800000 ;\n", FACTORS + i);
  for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, 0x3f800000 ;\n", MORE_FACTORS + i);
  for (unsigned i = FIRST; i < MORE_FACTORS; i++) fprintf(f, "  MOV R%u, 0x%x ;\n", i, 0x3f000000 + i);
  if (s->body == RATE_LDS || s->body == RATE_STS) shared_address(f, c, s->conflicts);
  fprintf(f, "  BAR.SYNC 0x0 ;\n");
}

char *rate_text(const struct heddle_config *c, const struct rate_shape *s, unsigned units, size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (f == NULL) return NULL;
  prologue(f, c, s);
  fprintf(f, "loop:\n");
  for (unsigned i = 0; i < units; i++) {
    fprintf(f, "  ");
    unit(f, c, s, i);
  }
  fprintf(f, "  IADD3 R0, R0, -1, RZ ;\n  ISETP.NE.U32.AND P0, PT, R0, 0x0, PT ;\n@P0 BRA loop ;\n"
             "end:\n@P2 EXIT ;\n  BPT.TRAP ;\n  EXIT ;\n.end\n");
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}
