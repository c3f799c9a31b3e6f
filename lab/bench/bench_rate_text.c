/* SPDX-License-Identifier: Apache-2.0
 * The programs of heddle bench rate, as assembly with control codes.
 *
 * R0 trips left; R1 number of the thread or lane; R2:R3 address; R4-R7 and R40-R43 factors, one for each bank twice;
 * R8-R39 accumulators, or what is loaded. Register r lies in bank r mod banks, for every warp.
 *
 * With argument `stop` the warp that has made its trips first stops the grid with a trap (rate_end): until then all
 * warps are there, however unequally the scheduler serves them. Without it every warp makes its trips (P2). */
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench_rate.h"

#define FACTORS 4u       /* R4-R7 */
#define FIRST 8u         /* R8 */
#define MORE_FACTORS 40u /* R40-R43 */
#define GROUP 4u         /* loads that raise one counter */
#define COUNTERS 6u      /* of them, then the first is waited for */
#define NONE 7u          /* no counter */
#define LOCAL_WORDS 16u
#define LOADED (GROUP * COUNTERS) /* R8-R31 */
#define REGS 48u                  /* a multiple of the banks */
#define INSN_BYTES 16u
#define LOOP_INSNS 3u  /* of a trip, beside its units */
#define LOOP_WORDS 16u /* of the instruction cache, left for what is not the body */

static unsigned words_of_body(enum rate_body body) {
  const struct rate_stream *t = rate_stream(body);
  return t != NULL ? t->insns : body == RATE_TAKEN ? 2 : 1;
}

/* Many cycles each: fewer do. */
static bool slow(enum rate_body body) {
  return rate_form(body) != NULL && rate_form(body)->way != RATE_STALLS;
}

unsigned rate_units(const struct heddle_config *c, enum rate_body body) {
  const struct rate_stream *t = rate_stream(body);
  const unsigned step = t != NULL ? 2 * t->quads : 2 * RATE_UNITS_STEP;
  const unsigned room = (c->icache_bytes / INSN_BYTES - LOOP_WORDS) / words_of_body(body), units = room / step * step;
  const unsigned most = t != NULL ? RATE_UNITS_STREAM : slow(body) ? RATE_UNITS_SLOW : RATE_UNITS_MAX;
  return units < most ? units : most;
}

uint32_t rate_end(const struct heddle_program *p) {
  return p->code_bytes - 2 * INSN_BYTES;
}

unsigned rate_trip_insns(enum rate_body body, unsigned units) {
  return units * (rate_stream(body) != NULL ? rate_stream(body)->insns : 1) + LOOP_INSNS;
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
  case RATE_HFMA2:
    return c->stall_half_reg;
  case RATE_F2F_F32_F16:
  case RATE_F2I_S32_F32:
    return c->stall_cvt_reg;
  case RATE_UIADD3:
  case RATE_ULDC:
    return c->stall_uni_reg;
  default:
    return 1;
  }
}

unsigned rate_passes(const struct heddle_config *c, enum rate_body body) {
  const struct rate_form *f = rate_form(body);
  if (body == RATE_FFMA) return c->lanes / c->fma_lanes;
  if (body == RATE_IADD3) return c->lanes / c->alu_lanes;
  if (body == RATE_MIXED) return c->lanes / (c->fma_lanes < c->alu_lanes ? c->fma_lanes : c->alu_lanes);
  return body == RATE_I2F || (f != NULL && f->needs == HEDDLE_PIPE_CVT) ? c->lanes / c->cvt_lanes : 1;
}

unsigned rate_busy(const struct heddle_config *c, enum rate_body body) {
  return c->beats * rate_passes(c, body);
}

/* With row queues a warp's next instruction issues two cycles after the last row of the one before has left, or as many
 * as its count says, and its own first row leaves three cycles after that. */
static unsigned queued_latency(const struct heddle_config *c, enum rate_body body) {
  const unsigned stall = needed(c, body);
  return (c->beats - 1) * rate_passes(c, body) + (stall > 2 ? stall : 2) + 3;
}

/* With two lines of operands rows are read right after those of the instruction before, or as its count says, if that
 * is more than its beats. */
static unsigned lines_latency(const struct heddle_config *c, enum rate_body body) {
  const unsigned stall = needed(c, body), passes = rate_passes(c, body), more = stall > c->beats ? stall - c->beats : 0;
  const unsigned rows = (c->beats - 1) * passes + 1 + more;
  return rows > c->beats * passes ? rows : c->beats * passes;
}

unsigned rate_chains(const struct heddle_config *c, unsigned chains) {
  return c->row_queues != 0 && chains > 1 ? 1 : chains;
}

unsigned rate_latency(const struct heddle_config *c, enum rate_body body) {
  if (c->row_queues != 0 && body != RATE_UIADD3) return queued_latency(c, body);
  if (c->operand_lines == 2) return lines_latency(c, body);
  const unsigned stall = needed(c, body);
  const unsigned still = c->beats * (rate_passes(c, body) - 1);                      /* in which no count runs */
  return stall > c->beats || body == RATE_UIADD3 ? stall + still : c->beats + still; /* uniform: no beats */
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

void rate_code(FILE *f, unsigned wait, unsigned counter, unsigned stall) {
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
static void write_load(FILE *f, unsigned i, const char *what, unsigned offset) {
  const unsigned counter = i / GROUP % COUNTERS;
  rate_code(f, i % GROUP == 0 ? counter : 7, counter, 1);
  fprintf(f, "%s R%u, [R2+0x%x] ;\n", what, FIRST + i % LOADED, offset);
}

/* The text of a form with its registers. Two banks leave no room for three sources: $b then lies beside $d. */
static void spell(FILE *f, const struct heddle_config *c, const char *text, unsigned r, unsigned i) {
  for (const char *at = text; *at != '\0'; at++) {
    if (*at != '$') {
      fputc(*at, f);
      continue;
    }
    at++;
    if (*at == 'o')
      fprintf(f, "0x%x", i % LOCAL_WORDS * 4);
    else
      fprintf(f, "R%u", *at == 'd' ? r : FACTORS + (r + (*at == 'a' ? 1 : 2)) % c->banks);
  }
  fprintf(f, " ;\n");
}

static void form(FILE *f, const struct heddle_config *c, const struct rate_shape *s, unsigned i) {
  const struct rate_form *what = rate_form(s->body);
  const bool own = strstr(what->text, "$d") != NULL; /* else there is one register, and one chain */
  const unsigned k = s->chains > 0 && own ? i % s->chains : 0,
                 counter = what->way == RATE_LOADS ? i / GROUP % COUNTERS : k % COUNTERS;
  const bool none = what->way == RATE_STALLS || what->way == RATE_LEAVES || (what->odd != NULL && i % 2 == 0);
  const bool first = what->way == RATE_COUNTS || i % GROUP == (what->odd != NULL);
  rate_code(f, none || !first ? NONE : counter, none ? NONE : counter,
            what->way == RATE_STALLS ? rate_stall(c, s, i) : 1);
  spell(f, c, what->odd != NULL && i % 2 == 1 ? what->odd : what->text,
        FIRST + (what->way == RATE_LOADS ? i % LOADED : k * what->words), i);
}

static void unit(FILE *f, const struct heddle_config *c, const struct rate_shape *s, unsigned i, unsigned units) {
  const unsigned k = s->chains > 0 ? i % s->chains : 0;
  if (rate_stream(s->body) != NULL) {
    rate_stream_unit(f, c, s, i, units);
    return;
  }
  if (rate_form(s->body) != NULL) {
    form(f, c, s, i);
    return;
  }
  if (s->body != RATE_LDS && s->body != RATE_LDG) rate_code(f, 7, 7, rate_stall(c, s, i));
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
    write_load(f, i, "LDS", 0);
    break;
  case RATE_STS:
    fprintf(f, "STS [R2], R4 ;\n");
    break;
  case RATE_LDG:
    write_load(f, i, "LDG.E", i * s->warps * HEDDLE_LANES * 4);
    break;
  default:
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

/* R2, or R2:R3, of a form, and what lies there. */
static void form_address(FILE *f, const struct heddle_config *c, enum rate_start start) {
  switch (start) {
  case RATE_AT_OWN:
    break;
  case RATE_AT_ONE:
  case RATE_AT_SELF:
    fprintf(f, "  MOV R2, c[0x0][data] ;\n  MOV R3, c[0x0][data+4] ;\n");
    if (start == RATE_AT_SELF) fprintf(f, "  STG.E.64 [R2], R2 ;\n");
    break;
  case RATE_AT_SHARED:
    shared_address(f, c, 1);
    break;
  case RATE_AT_SHARED_ONE:
  case RATE_AT_SHARED_SELF:
    fprintf(f, "  MOV R2, RZ ;\n  STS [R2], R2 ;\n");
    break;
  case RATE_AT_ROWS:
    fprintf(f, "  S2R R1, SR_LANEID ;\n  SHF.L.U32 R2, R1, 0x4, RZ ;\n  STS.128 [R2], R4 ;\n");
    break;
  case RATE_AT_ROWS_SELF:
    for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, RZ ;\n", FIRST + i);
    fprintf(f, "  MOV R2, RZ ;\n  STS.128 [R2], R%u ;\n", FIRST);
    break;
  case RATE_AT_UNIFORM:
    for (unsigned i = FACTORS; i < 2 * FIRST; i++) fprintf(f, "  UMOV UR%u, 0x%x ;\n", i, i);
    break;
  case RATE_AT_LOCAL:
    fprintf(f, "  MOV R2, RZ ;\n");
    for (unsigned i = 0; i < LOCAL_WORDS; i += 4) fprintf(f, "  STL.128 [R2+0x%x], R4 ;\n", 4 * i);
    break;
  }
}

static void prologue(FILE *f, const struct heddle_config *c, const struct rate_shape *s) {
  const bool local = rate_form(s->body) != NULL && rate_form(s->body)->start == RATE_AT_LOCAL;
  fprintf(f,
          ".kernel rate\n.param u64 data\n.param u32 trips\n.param u32 stop\n.shared room %u\n%s.regs %u\n"
          "  MOV R0, c[0x0][trips] ;\n  MOV R2, c[0x0][data] ;\n  MOV R3, c[0x0][data+4] ;\n  S2R R1, SR_TID.X ;\n"
          "  IMAD.WIDE R2, R1, 0x%x, R2 ;\n  ISETP.NE.U32.AND P1, PT, R0, R0, PT ;\n"
          "  ISETP.EQ.U32.AND P2, PT, RZ, c[0x0][stop], PT ;\n",
          RATE_SHARED_MAX, local ? ".local 64\n" : "", REGS, rate_stream(s->body) != NULL ? 16 : 4);
  for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, 0x3f800000 ;\n", FACTORS + i);
  for (unsigned i = 0; i < 4; i++) fprintf(f, "  MOV R%u, 0x3f800000 ;\n", MORE_FACTORS + i);
  for (unsigned i = FIRST; i < MORE_FACTORS; i++) fprintf(f, "  MOV R%u, 0x%x ;\n", i, 0x3f000000 + i);
  if (s->body == RATE_LDS || s->body == RATE_STS) shared_address(f, c, s->conflicts);
  if (rate_form(s->body) != NULL) form_address(f, c, rate_form(s->body)->start);
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
    unit(f, c, s, i, units);
  }
  fprintf(f, "  IADD3 R0, R0, -1, RZ ;\n  ISETP.NE.U32.AND P0, PT, R0, 0x0, PT ;\n@P0 BRA loop ;\n"
             "end:\n@P2 EXIT ;\n  BPT.TRAP ;\n  EXIT ;\n.end\n");
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}
