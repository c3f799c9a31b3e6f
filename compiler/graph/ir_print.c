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
#include "ir.h"

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
static const char *const sregs[] = {"tid.x",       "tid.y",
                                    "tid.z",       "ntid.x",
                                    "ntid.y",      "ntid.z",
                                    "ctaid.x",     "ctaid.y",
                                    "ctaid.z",     "nctaid.x",
                                    "nctaid.y",    "nctaid.z",
                                    "laneid",      "warpid",
                                    "nwarpid",     "smid",
                                    "nsmid",       "gridid",
                                    "lanemask_eq", "lanemask_lt",
                                    "lanemask_le", "lanemask_gt",
                                    "lanemask_ge", "clock",
                                    "clock64",     "dynamic_smem_size",
                                    "stack",       "globals"};
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

static void value(const struct ir_value *v, FILE *to) {
  if (!v)
    fprintf(to, "_");
  else if (v->name)
    fprintf(to, "%s.%" PRIu32, v->name, v->id);
  else
    fprintf(to, "%%%" PRIu32, v->id);
}

static void operand(const struct ir_operand *o, FILE *to) {
  if (o->kind == IR_VALUE)
    value(o->value, to);
  else if (o->kind == IR_CONST)
    fprintf(to, "0x%" PRIx64, o->bits);
  else
    fprintf(to, "none");
}

static const char *mode_name(const struct ir_insn *i) {
  switch (i->op) {
  case IR_SHFL:
    return NAME(shfls, i->mode);
  case IR_VOTE:
    return NAME(votes, i->mode);
  case IR_REDUX:
    return NAME(reduxes, i->mode);
  case IR_MMA:
    return NAME(mmas, i->mode);
  case IR_LDSM:
    return i->mode ? ".trans" : "";
  case IR_PRMT:
    return NAME(prmts, i->mode);
  case IR_BAR:
    return NAME(bars, i->mode);
  case IR_TESTP:
    return NAME(testps, i->mode);
  case IR_SREG:
    return NAME(sregs, i->sreg);
  case IR_MATCH:
    return i->all ? ".all" : ".any";
  default:
    return "";
  }
}

static void modifiers(const struct ir_insn *i, FILE *to) {
  const struct {
    bool on;
    const char *word;
  } flags[] = {{i->is_volatile, ".volatile"},
               {i->inverse, ".to"},
               {i->high, ".hi"},
               {i->right, ".r"},
               {i->wrap, ".wrap"},
               {i->shift_amount, ".shiftamt"},
               {i->approx, ".approx"},
               {i->full, ".full"},
               {i->ftz, ".ftz"},
               {i->keep_nan, ".NaN"},
               {i->sat, ".sat"},
               {i->relu, ".relu"},
               {i->op == IR_SETP && i->combine_invert, ".not"}};
  if (i->op == IR_SREG) fputc('.', to);
  fputs(mode_name(i), to);
  if (i->op == IR_SETP || i->op == IR_SET) fprintf(to, "%s%s", NAME(cmps, i->cmp), NAME(bools, i->combine));
  fputs(NAME(rounds, i->round), to);
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (flags[k].on) fputs(flags[k].word, to);
  fprintf(to, "%s%s", NAME(strengths, i->strength), NAME(spaces, i->space));
  if (i->op == IR_ATOM || i->op == IR_RED) fputs(NAME(atoms, i->atom), to);
  if (i->vector > 1) fprintf(to, ".v%u", i->vector);
}

static bool has_address(const struct ir_insn *i) {
  return i->op == IR_LD || i->op == IR_ST || i->op == IR_ATOM || i->op == IR_RED || i->op == IR_PREFETCH ||
         i->op == IR_LDSM;
}

static void sources(const struct ir_insn *i, FILE *to) {
  const struct ir_operand *src = i->op == IR_PHI ? i->many : i->src;
  const char *comma = " ";
  for (unsigned k = 0; k < i->sources; k++, comma = ", ") {
    fputs(comma, to);
    if (k == 0 && i->invert) fputc('!', to);
    if (k == 0 && has_address(i)) fputc('[', to);
    operand(&src[k], to);
    if (k == 0 && has_address(i)) {
      if (i->imm) fprintf(to, "%+" PRId64, i->imm);
      fputc(']', to);
    }
  }
  if (i->variable) fprintf(to, "%s%s", comma, i->variable->name);
  if (!has_address(i) && (i->imm || i->op == IR_PARAM)) fprintf(to, "%+" PRId64, i->imm);
  if (i->op == IR_LOP3) fprintf(to, "%s0x%x", comma, i->lut);
  if (i->function) fprintf(to, " %s", i->function->name);
  if (i->target) fprintf(to, " -> b%" PRIu32, i->target->id);
}

static void instruction(const struct ir_insn *i, FILE *to) {
  fputs("  ", to);
  if (i->guard) {
    fputs(i->guard_invert ? "@!" : "@", to);
    value(i->guard, to);
    fputc(' ', to);
  }
  for (unsigned k = 0; k < i->dsts; k++) {
    if (k) fputs(", ", to);
    value(i->dst[k], to);
    if (i->guard && i->old[k].kind != IR_NONE) fputs(" else ", to), operand(&i->old[k], to);
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
    for (const struct ir_insn *i = b->first; i; i = i->next) instruction(i, to);
  }
}
