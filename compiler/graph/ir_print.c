/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel's graph as text, one instruction a line, for readers and tests:
 *
 *     b2: <- b0 b1
 *       @!%p1.7 %r3.12 = add.rn.ftz.f32 %r1.4, 0x3f800000
 *       cbr %p1.7 -> b3 b4
 *
 * A value is its PTX name and number, or "%" and its number. Constants are raw bits.
 */
#include "compiler/ir/ir.h"

#include <inttypes.h>

static const char *const type_names[] = {
    [PTX_NO_TYPE] = "",     [PTX_PRED] = ".pred", [PTX_B8] = ".b8",   [PTX_B16] = ".b16", [PTX_B32] = ".b32",
    [PTX_B64] = ".b64",     [PTX_U8] = ".u8",     [PTX_U16] = ".u16", [PTX_U32] = ".u32", [PTX_U64] = ".u64",
    [PTX_S8] = ".s8",       [PTX_S16] = ".s16",   [PTX_S32] = ".s32", [PTX_S64] = ".s64", [PTX_F16] = ".f16",
    [PTX_F16X2] = ".f16x2", [PTX_F32] = ".f32",   [PTX_F64] = ".f64"};
static const char *const spaces[] = {"", ".reg", ".sreg", ".const", ".global", ".local", ".param", ".shared"};
static const char *const rounds[] = {"", ".rm", ".rp", ".rz", ".rni", ".rmi", ".rpi", ".rzi"};
static const char *const cmps[] = {".eq",  ".ne",  ".lt",  ".le",  ".gt",  ".ge",  ".equ",
                                   ".neu", ".ltu", ".leu", ".gtu", ".geu", ".num", ".nan"};
static const char *const bools[] = {"", ".and", ".or", ".xor"};
static const char *const strengths[] = {"", ".cta", ".gpu", ".sys"};
static const char *const atoms[] = {".add", ".min", ".max", ".inc", ".dec", ".and", ".or", ".xor", ".exch", ".cas"};
static const char *const sregs[] = {
    "tid.x",   "tid.y",           "tid.z",       "ntid.x",      "ntid.y",      "ntid.z",      "ctaid.x",     "ctaid.y",
    "ctaid.z", "nctaid.x",        "nctaid.y",    "nctaid.z",    "laneid",      "warpid",      "nwarpid",     "smid",
    "nsmid",   "gridid",          "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge", "clock",
    "clock64", "total_smem_size", "stack",       "globals",     "envreg0",     "envreg1",     "envreg2",     "envreg3"};
static const char *const shfls[] = {".idx", ".up", ".down", ".bfly"};
static const char *const votes[] = {".all", ".any", ".uni", ".ballot"};
static const char *const reduxes[] = {".add", ".min", ".max", ".and", ".or", ".xor"};
static const char *const prmts[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"};
static const char *const mmas[] = {".f16.k16.f32", ".f16.k8.f32",  ".bf16.k16.f32", ".bf16.k8.f32",
                                   ".tf32.k8.f32", ".tf32.k4.f32", ".f16.k16.f16",  ".f16.k8.f16",
                                   ".f64",         ".i8.k16",      ".i8.k32",       ".f8.k32"};
static const char *const bars[] = {".sync", ".arrive", ".red.popc", ".red.and", ".red.or"};
static const char *const testps[] = {".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal"};

#define NAME(table, index) ((size_t)(index) < sizeof(table) / sizeof(table)[0] ? (table)[index] : ".?")

static void print_value(const struct ir_value *v, FILE *to) {
  if (!v)
    fprintf(to, "_");
  else if (v->name)
    fprintf(to, "%s.%" PRIu32, v->name, v->id);
  else
    fprintf(to, "%%%" PRIu32, v->id);
}

static void print_ir_operand(const struct ir_operand *o, FILE *to) {
  if (o->kind == IR_VALUE)
    print_value(o->value, to);
  else if (o->kind == IR_CONST)
    fprintf(to, "0x%" PRIx64, o->bits);
  else
    fprintf(to, "none");
}

static void flag(bool on, const char *word, FILE *to) {
  if (on) fputs(word, to);
}

static void print_arithmetic(const struct ir_arithmetic *a, FILE *to) {
  fputs(NAME(rounds, a->round), to);
  flag(a->high, ".hi", to);
  flag(a->approx, ".approx", to);
  flag(a->full, ".full", to);
  flag(a->ftz, ".ftz", to);
  flag(a->keep_nan, ".NaN", to);
  flag(a->sat, ".sat", to);
  flag(a->relu, ".relu", to);
}

static void comparison(const struct ir_comparison *c, FILE *to) {
  fprintf(to, "%s%s", NAME(cmps, c->cmp), NAME(bools, c->combine));
  flag(c->ftz, ".ftz", to);
  flag(c->combine_invert, ".not", to);
}

static void print_memory(const struct ir_insn *i, FILE *to) {
  const struct ir_memory *m = &i->memory;
  flag(m->transposed, ".trans", to);
  flag(m->is_volatile, ".volatile", to);
  flag(m->inverse, ".to", to);
  fprintf(to, "%s%s", NAME(strengths, m->strength), NAME(spaces, m->space));
  if (i->op == IR_ATOM || i->op == IR_RED) fputs(NAME(atoms, m->atom), to);
  if (m->vector > 1) fprintf(to, ".v%u", m->vector);
}

static const char *lanes(const struct ir_insn *i) {
  switch (i->op) {
  case IR_SHFL:
    return NAME(shfls, i->lanes.mode);
  case IR_VOTE:
    return NAME(votes, i->lanes.mode);
  case IR_REDUX:
    return NAME(reduxes, i->lanes.mode);
  case IR_BAR:
    return NAME(bars, i->lanes.mode);
  default:
    return i->lanes.all ? ".all" : ".any";
  }
}

static void single(const struct ir_insn *i, FILE *to) {
  switch (i->op) {
  case IR_SREG:
    fprintf(to, ".%s", NAME(sregs, i->sreg));
    return;
  case IR_PRMT:
    fputs(NAME(prmts, i->permute), to);
    return;
  case IR_TESTP:
    fputs(NAME(testps, i->test), to);
    return;
  case IR_SHF:
    flag(i->funnel.right, ".r", to);
    flag(i->funnel.wrap, ".wrap", to);
    return;
  case IR_BFIND:
    flag(i->shift_amount, ".shiftamt", to);
    return;
  default: /* LOP3, CBR, PHI: with the sources */
    return;
  }
}

static void modifiers(const struct ir_insn *i, FILE *to) {
  switch (ir_kind((enum ir_op)i->op)) {
  case IR_ARITHMETIC:
    print_arithmetic(&i->arithmetic, to);
    return;
  case IR_COMPARISON:
    comparison(&i->comparison, to);
    return;
  case IR_MEMORY:
    print_memory(i, to);
    return;
  case IR_LANES:
    fputs(lanes(i), to);
    return;
  case IR_MATRIX:
    fputs(NAME(mmas, i->matrix.mode), to);
    flag(i->matrix.sat, ".sat", to);
    return;
  case IR_SINGLE:
    single(i, to);
    return;
  case IR_CALLING:
    flag(i->calling.spins, ".sys", to);
    return;
  default:
    return;
  }
}

static bool has_address(const struct ir_insn *i) {
  return i->op == IR_LD || i->op == IR_ST || i->op == IR_ATOM || i->op == IR_RED || i->op == IR_PREFETCH ||
         i->op == IR_LDSM || i->op == IR_ASYNC_COPY;
}

/* What stands behind the sources. */
static void print_behind(const struct ir_insn *i, const char *comma, FILE *to) {
  switch (ir_kind((enum ir_op)i->op)) {
  case IR_PLACE:
    if (i->op == IR_ADDRESS) fprintf(to, "%s%s", comma, i->place.variable->name);
    if (i->place.at || i->op == IR_PARAM) fprintf(to, "%+" PRId64, i->place.at);
    return;
  case IR_CALLING:
    if (i->calling.index | i->calling.wide) fprintf(to, "+%" PRIu32, i->calling.index | i->calling.wide);
    if (i->calling.function) fprintf(to, " %s", i->calling.function->name);
    return;
  case IR_CONVERGING:
    if (i->converging.barrier) fprintf(to, "+%u", i->converging.barrier);
    if (i->converging.target) fprintf(to, " -> b%" PRIu32, i->converging.target->id);
    return;
  default:
    if (i->op == IR_LOP3) fprintf(to, "%s0x%x", comma, i->lut);
  }
}

static void sources(const struct ir_insn *i, FILE *to) {
  const struct ir_operand *src = i->op == IR_PHI ? i->many : i->src;
  const char *comma = " ";
  for (unsigned k = 0; k < i->sources; k++, comma = ", ") {
    fputs(comma, to);
    if (k == 0 && i->op == IR_CBR && i->invert) fputc('!', to);
    if (k == 0 && has_address(i)) fputc('[', to);
    print_ir_operand(&src[k], to);
    if (k == 0 && has_address(i)) {
      if (i->memory.offset) fprintf(to, "%+" PRId64, i->memory.offset);
      fputc(']', to);
    }
  }
  print_behind(i, comma, to);
}

static void print_instruction(const struct ir_insn *i, FILE *to) {
  fputs("  ", to);
  if (i->guard) {
    fputs(i->guard_invert ? "@!" : "@", to);
    print_value(i->guard, to);
    fputc(' ', to);
  }
  for (unsigned k = 0; k < i->dsts; k++) {
    if (k) fputs(", ", to);
    print_value(i->dst[k], to);
    if (i->guard && i->old[k].kind != IR_NONE) fputs(" else ", to), print_ir_operand(&i->old[k], to);
  }
  fprintf(to, "%s%s", i->dsts ? " = " : "", ir_op_name((enum ir_op)i->op));
  modifiers(i, to);
  fputs(NAME(type_names, i->type), to);
  if (i->type2) fputs(NAME(type_names, i->type2), to);
  sources(i, to);
  if (i->op == IR_BR || i->op == IR_CBR || i->op == IR_BRX) {
    fputs(" ->", to);
    for (unsigned k = 0; i->block && k < i->block->succs; k++) fprintf(to, " b%" PRIu32, i->block->succ[k]->id);
  }
  fputc('\n', to);
}

void ir_print(const struct ir_function *f, FILE *to) {
  fprintf(to, "%s %s: local %" PRIu32 ", shared %" PRIu32 "\n", f->entry ? "kernel" : "function", f->name,
          f->local_bytes, f->shared_bytes);
  for (const struct ir_block *b = f->first; b; b = b->next) {
    fprintf(to, "b%" PRIu32 ":", b->id);
    if (b->preds) fputs(" <-", to);
    for (unsigned k = 0; k < b->preds; k++) fprintf(to, " b%" PRIu32, b->pred[k]->id);
    fputc('\n', to);
    for (const struct ir_insn *i = b->first; i; i = i->next) print_instruction(i, to);
  }
}
