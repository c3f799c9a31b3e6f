/* SPDX-License-Identifier: Apache-2.0
 * Forms of heddle bench rate: instructions that a row runs as they stand here, and the fewest cycles that the
 * configuration allows each. A row of another pipe is a line in forms[], one in bench_rate_table.c, and its limit. */
#include <math.h>

#include "lab/bench/bench_rate.h"
#include <heddle/isa.h>

#define HALF HEDDLE_PIPE_HALF
#define SFU HEDDLE_PIPE_SFU
#define FP64 HEDDLE_PIPE_FP64
#define WARP HEDDLE_PIPE_WARP
#define UNI HEDDLE_PIPE_UNI

static const struct rate_form forms[RATE_BODIES] = {
    [RATE_HFMA2] = {"HFMA2 $d, $a, $b, $d", NULL, HALF, RATE_STALLS, RATE_AT_OWN, 1},
    [RATE_F2F_F32_F16] = {"F2F.F32.F16 $d, $d", NULL, HEDDLE_PIPE_CVT, RATE_STALLS, RATE_AT_OWN, 1},
    [RATE_F2I_S32_F32] = {"F2I.S32.F32 $d, $d", NULL, HEDDLE_PIPE_CVT, RATE_STALLS, RATE_AT_OWN, 1},
    [RATE_MUFU] = {"MUFU.RCP $d, $d", NULL, SFU, RATE_COUNTS, RATE_AT_OWN, 1},
    [RATE_DFMA] = {"DFMA $d, R4, R6, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_I2F_F64_U32] = {"I2F.F64.U32 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_F2I_S64_F64] = {"F2I.S64.F64 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_F2F_F64_F32] = {"F2F.F64.F32 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_F2F_F32_F64] = {"F2F.F32.F64 $d, $d", NULL, FP64, RATE_COUNTS, RATE_AT_OWN, 2},
    [RATE_SHFL] = {"SHFL.BFLY PT, $d, $d, 0x1, 0x1f", NULL, WARP, RATE_COUNTS, RATE_AT_OWN, 1},
    [RATE_VOTE] = {"VOTE.ANY $d, PT, PT", NULL, WARP, RATE_COUNTS, RATE_AT_OWN, 1},
    [RATE_HMMA] = {"HMMA.16816.F32 $d, R4, R40, $d", NULL, HEDDLE_PIPE_TENSOR, RATE_COUNTS, RATE_AT_OWN, 4},
    [RATE_UIADD3] = {"UIADD3 U$d, U$d, UR4, URZ", NULL, UNI, RATE_STALLS, RATE_AT_UNIFORM, 1},
    [RATE_ULDC] = {"ULDC U$d, c[0x0][0x0]", NULL, UNI, RATE_STALLS, RATE_AT_UNIFORM, 1},
    [RATE_LDSM] = {"LDSM.16.M88.4 $d, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_ROWS, 4},
    [RATE_LDSM_CHAIN] = {"LDSM.16.M88.1 R2, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_ROWS_SELF, 1},
    [RATE_ATOMS] = {"ATOMS.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_SHARED, 1},
    [RATE_ATOMS_ONE] = {"ATOMS.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_SHARED_ONE, 1},
    [RATE_ATOMS_CAS] = {"ATOMS.CAS $d, [R2], R4, R5", NULL, 0, RATE_LOADS, RATE_AT_SHARED, 1},
    [RATE_ATOMS_F32] = {"ATOMS.ADD.F32 $d, [R2], RZ", NULL, HEDDLE_PIPE_FATOM, RATE_LOADS, RATE_AT_SHARED, 1},
    [RATE_ATOMS_CHAIN] = {"ATOMS.ADD R2, [R2], RZ", NULL, 0, RATE_COUNTS, RATE_AT_SHARED_SELF, 1},
    [RATE_LDS_CHAIN] = {"LDS R2, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_SHARED_SELF, 1},
    [RATE_ATOMG] = {"ATOMG.E.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_ATOMG_ONE] = {"ATOMG.E.ADD $d, [R2], R4", NULL, 0, RATE_LOADS, RATE_AT_ONE, 1},
    [RATE_ATOMG_CAS] = {"ATOMG.E.CAS $d, [R2], R4, R5", NULL, 0, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_ATOMG_F32] = {"ATOMG.E.ADD.F32 $d, [R2], RZ", NULL, HEDDLE_PIPE_FATOM, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_RED] = {"RED.E.ADD [R2], R4", NULL, 0, RATE_LEAVES, RATE_AT_OWN, 1},
    [RATE_ATOMG_CHAIN] = {"ATOMG.E.EXCH.64 R2, [R2], R2", NULL, 0, RATE_COUNTS, RATE_AT_SELF, 1},
    [RATE_LDG_CHAIN] = {"LDG.E.64 R2, [R2]", NULL, 0, RATE_COUNTS, RATE_AT_SELF, 1},
    [RATE_LDL] = {"LDL $d, [R2+$o]", NULL, 0, RATE_LOADS, RATE_AT_LOCAL, 1},
    [RATE_STL] = {"STL [R2+$o], R4", NULL, 0, RATE_LEAVES, RATE_AT_LOCAL, 1},
    [RATE_LDGSTS] = {"LDGSTS.E [RZ], [R2]", NULL, HEDDLE_PIPE_ASYNC, RATE_LEAVES, RATE_AT_OWN, 1},
    [RATE_BY_HAND] = {"STS [RZ], $d", "LDG.E $d, [R2]", HEDDLE_PIPE_ASYNC, RATE_LOADS, RATE_AT_OWN, 1},
    [RATE_SPILL] = {"STL [R2+$o], R4", "LDL $d, [R2+$o]", 0, RATE_LOADS, RATE_AT_LOCAL, 1},
};

const struct rate_form *rate_form(enum rate_body body) {
  return forms[body].text != NULL ? &forms[body] : NULL;
}

bool rate_there(const struct heddle_config *c, enum rate_body body) {
  const struct rate_form *f = rate_form(body);
  return f == NULL || (f->needs & ~heddle_config_units(c)) == 0;
}

/* ---- what the units' headers in rtl/ promise ---- */

#define SHFL_WAY 8u /* of a SHFL beside its beats: from issue into the unit, and back to the counter */
#define VOTE_WAY 7u
#define LDS_WAY 13u
#define ATOM_ADD 4u    /* cycles of a float sum without shifts */
#define MATRICES 4u    /* of an LDSM */
#define NARROW_PASS 4u /* cycles of a pass of 128 bits a lane where rows have fewer than 16 lanes */
#define SECTOR_BITS 256u
#define SECTORS 4u   /* of 32 words: a line */
#define LINE_MORE 5u /* cycles of order_atom for a line, beside its lanes */

/* A partition's unit: for how long an instruction keeps it, and from issue to the issue of what needs its result. */
static bool of_unit(const struct heddle_config *c, enum rate_body body, unsigned *busy, unsigned *latency) {
  switch (body) {
  case RATE_MUFU:
    *busy = heddle_config_sfu_busy(c);
    *latency = heddle_config_sfu_latency(c);
    return true;
  case RATE_DFMA:
  case RATE_I2F_F64_U32:
  case RATE_F2I_S64_F64:
  case RATE_F2F_F64_F32:
  case RATE_F2F_F32_F64:
    *busy = heddle_config_fp64_busy(c);
    *latency = heddle_config_fp64_latency(c);
    return true;
  case RATE_SHFL:
    *busy = 5 * c->beats + 2;
    *latency = 5 * c->beats + SHFL_WAY;
    return true;
  case RATE_VOTE:
    *busy = 2 * c->beats + 1;
    *latency = 2 * c->beats + VOTE_WAY;
    return true;
  case RATE_HMMA:
    *busy = c->tensor_cycles;
    *latency = 0; /* no row asks */
    return true;
  case RATE_UIADD3: /* reads no beats: one a cycle */
    *busy = 1;
    *latency = rate_latency(c, body);
    return true;
  case RATE_HFMA2:
  case RATE_F2F_F32_F16:
  case RATE_F2I_S32_F32:
    *busy = c->beats * rate_passes(c, body);
    *latency = rate_latency(c, body);
    return true;
  default:
    return false;
  }
}

/* Shared memory that serves a lane a pass, a word a cycle: the steps of all lanes (rtl/memory/shm_walk.sv). */
static double of_serial(const struct heddle_config *c, enum rate_body body) {
  switch (body) {
  case RATE_ATOMS:
  case RATE_ATOMS_ONE:
    return (2 + c->shared_ranks) * HEDDLE_LANES;
  case RATE_ATOMS_CAS:
    return (3 + c->shared_ranks) * HEDDLE_LANES;
  case RATE_LDSM:
    return MATRICES * 32;
  case RATE_LDS_CHAIN: /* into the unit; the rows leave between the passes */
    return c->beats + HEDDLE_LANES + LDS_WAY - 1 + c->shared_ranks;
  default:
    return 0;
  }
}

/* The SM's load/store unit. A pass of an atomic in shared memory takes two cycles and one for a rank, of a
 * compare-and-swap three, of floats three and for each word a sum and one. In front of global memory a lane takes a
 * cycle, of floats a sum and one, and each line five more. A word of local memory is a line: four sectors. */
static double of_memory(const struct heddle_config *c, enum rate_body body) {
  const unsigned rows = HEDDLE_LANES / c->lsu_lanes, bus = SECTOR_BITS / c->axi_bits;
  const double serial = c->shared_lanes == 1 ? of_serial(c, body) : 0;
  const bool whole = c->l1_bytes != 0 && c->lsu_lanes == HEDDLE_LANES;
  if (serial > 0) return serial;
  switch (body) {
  case RATE_ATOMS:
    return fmax((2 + c->shared_ranks) * rows, (double)c->beats / c->partitions);
  case RATE_ATOMS_ONE:
    return (2 + c->shared_ranks) * HEDDLE_LANES;
  case RATE_ATOMS_CAS:
    return fmax(3 * rows, (double)c->beats / c->partitions);
  case RATE_ATOMS_F32:
    return 3 * rows + HEDDLE_LANES * (ATOM_ADD + 1);
  case RATE_LDSM: /* bytes by those that a pass has */
    return MATRICES * 128.0 / (4 * c->shared_banks) * (c->lsu_lanes >= 16 ? 1 : NARROW_PASS);
  case RATE_LDS_CHAIN:
    return 2 * fmax(c->beats, rows) + LDS_WAY; /* into the unit and out of it */
  case RATE_ATOMG:
  case RATE_ATOMG_CAS:
  case RATE_RED:
  case RATE_ATOMG_ONE:
    return HEDDLE_LANES + LINE_MORE;
  case RATE_ATOMG_F32:
    return HEDDLE_LANES * (ATOM_ADD + 1) + LINE_MORE;
  case RATE_LDL: /* what is read again lies in the cache, which gives whole lines to 32 lanes */
    return whole ? 1 : SECTORS * bus;
  case RATE_STL:
    return SECTORS * bus;
  case RATE_LDGSTS: /* of a line that is there */
  case RATE_BY_HAND:
    return whole ? fmax(1, (double)c->beats / c->partitions) : 0;
  case RATE_SPILL: /* both ways at once; a sector a cycle ends */
    return whole ? SECTORS * bus / 2.0 : fmax(SECTORS, SECTORS * bus / 2.0);
  default:
    return 0;
  }
}

double rate_form_limit(const struct heddle_config *c, const struct rate_shape *s) {
  unsigned busy, latency;
  if (!of_unit(c, s->body, &busy, &latency)) return of_memory(c, s->body);
  if (s->chains == 1 && s->warps == 1) return latency;
  /* A uniform instruction a cycle of each partition, if so many are fetched. */
  return fmax((double)busy / c->partitions, s->body == RATE_UIADD3 ? 1.0 / c->fetch_words : 0);
}
