/* SPDX-License-Identifier: Apache-2.0
 * Machine IR as text, by the syntax templates of the ISA file: like assembly, with virtual registers r5 (word 1 of it:
 * r5.1; words 2 and 3: r5.2:2), p3, ur2, up1, or their physical names where they have one. */
#include "compiler/calls/call.h"
#include "compiler/ir/mir.h"

#include <inttypes.h>

static void print_register(const struct mir_function *f, const struct mir_operand *x, FILE *to) {
  static const char *const lower[] = {"r", "p", "ur", "up"}, *const upper[] = {"R", "P", "UR", "UP"};
  if (x->reg >= f->vregs || f->vreg[x->reg].class > MIR_UP) {
    fprintf(to, "?%" PRIu32, x->reg);
    return;
  }
  const struct mir_vreg *v = &f->vreg[x->reg];
  if (v->phys >= 0) {
    fprintf(to, "%s%d", upper[v->class], v->phys + x->sub);
    return;
  }
  fprintf(to, "%s%" PRIu32, lower[v->class], x->reg);
  if (x->sub || x->words != v->words) fprintf(to, ".%u", x->sub);
  if (x->words > 1 && x->words != v->words) fprintf(to, ":%u", x->words);
}

static void print_plain(const struct mir_function *f, const struct mir_operand *x, const char *zero, FILE *to) {
  switch (x->kind) {
  case MIR_NONE:
  case MIR_ZERO:
    fputs(zero, to);
    break;
  case MIR_REG:
    print_register(f, x, to);
    break;
  case MIR_IMM:
    fprintf(to, "0x%" PRIx32, x->imm);
    break;
  default:
    fprintf(to, "c[0x%x][0x%x]", x->bank, x->offset);
    break;
  }
}

static void print_source(const struct mir_function *f, const struct heddle_isa_encoding *enc, unsigned slot,
                         const struct heddle_isa_elem *e, const struct mir_operand *x, FILE *to) {
  if (x->neg) fputs(e->may_not ? "~" : "-", to);
  if (x->abs) fputs("|", to);
  print_plain(f, x, "RZ", to);
  if (x->abs) fputs("|", to);
  unsigned part = enc ? enc->src[slot].part : ISA_FIELD_NONE;
  if (part == ISA_FIELD_NONE) return;
  const char *text =
      heddle_isa_set_text((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)part)->set, x->part);
  fputs(text ? text : ".?", to);
}

static void print_set(const struct mir_insn *i, unsigned f, FILE *to) {
  uint64_t v = mir_get(i, (enum heddle_isa_field)f);
  const char *text =
      heddle_isa_set_text((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set, (unsigned)v);
  fputs(text ? text : ".?", to);
}

/* The predicate operand that lies in this field, or NULL. */
static const struct mir_operand *predicate(const struct mir_insn *i, unsigned f) {
  switch (f) {
  case ISA_F_PD0:
  case ISA_F_UPD0:
    return &i->pd[0];
  case ISA_F_PD1:
  case ISA_F_UPD1:
    return &i->pd[1];
  case ISA_F_PS0:
  case ISA_F_UPS0:
    return &i->ps[0];
  case ISA_F_PS1:
  case ISA_F_UPS1:
    return &i->ps[1];
  case ISA_F_PS2:
  case ISA_F_UPS2:
    return &i->ps[2];
  default:
    return NULL;
  }
}

static void print_field(const struct mir_function *f, const struct mir_insn *i, unsigned field, FILE *to) {
  const struct mir_operand *p = predicate(i, field);
  if (p) {
    if (p->neg) fputs("!", to);
    print_plain(f, p, "PT", to);
    return;
  }
  switch (heddle_isa_field_info((enum heddle_isa_field)field)->kind) {
  case ISA_K_GPR_WRITE:
  case ISA_K_UGPR_WRITE:
    print_plain(f, &i->rd, "RZ", to);
    break;
  case ISA_K_SET:
    print_set(i, field, to);
    break;
  case ISA_K_BREG:
    fprintf(to, "B%u", i->breg);
    break;
  case ISA_K_REL:
    if (i->target) fprintf(to, "b%" PRIu32, i->target->id);
    if (i->call && i->call->callee) fputs(i->call->callee->function->name, to);
    break;
  case ISA_K_SINT:
    if (mir_get(i, (enum heddle_isa_field)field))
      fprintf(to, "%+" PRId64, (int64_t)mir_get(i, (enum heddle_isa_field)field));
    break;
  default:
    fprintf(to, "0x%" PRIx64, mir_get(i, (enum heddle_isa_field)field));
    break;
  }
}

/* Is nothing said of any field of an optional group? */
static bool group_is_default(const struct mir_insn *i, const struct heddle_isa_elem *e) {
  for (; e->kind != ISA_E_OPT_END; e++) {
    if (e->kind != ISA_E_FIELD) continue;
    const struct mir_operand *p = predicate(i, e->field);
    unsigned kind = heddle_isa_field_info((enum heddle_isa_field)e->field)->kind;
    bool is_rd = kind == ISA_K_GPR_WRITE || kind == ISA_K_UGPR_WRITE;
    if (p ? p->kind == MIR_REG || p->neg
        : is_rd
            ? i->rd.kind == MIR_REG
            : mir_get(i, (enum heddle_isa_field)e->field) != heddle_isa_field_default((enum heddle_isa_field)e->field))
      return false;
  }
  return true;
}

static void print_elements(const struct mir_function *f, const struct mir_insn *i, FILE *to) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  int encoding = mir_encoding(i);
  const struct heddle_isa_encoding *enc = encoding < 0 ? NULL : heddle_isa_encoding_info((enum heddle_isa_enc)encoding);
  for (unsigned k = 0; k < in->n_elems; k++) {
    const struct heddle_isa_elem *e = &in->elems[k];
    if (e->kind == ISA_E_OPT_BEGIN && group_is_default(i, e + 1))
      while (in->elems[k].kind != ISA_E_OPT_END) k++;
    else if (e->kind == ISA_E_TEXT)
      fputs(e->text, to);
    else if (e->kind == ISA_E_ADDR_BEGIN || e->kind == ISA_E_ADDR_END)
      fputs(e->kind == ISA_E_ADDR_BEGIN ? "[" : "]", to);
    else if (e->kind == ISA_E_OPERAND)
      print_source(f, enc, e->operand, e, &i->src[e->operand], to);
    else if (e->kind == ISA_E_FIELD)
      print_field(f, i, e->field, to);
  }
}

void mir_print_insn(const struct mir_function *f, const struct mir_insn *i, FILE *to) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  if (i->guard.kind != MIR_NONE) {
    fputs(i->guard.neg ? "@!" : "@", to);
    print_plain(f, &i->guard, "PT", to);
    fputs(i->keeps_old ? "+ " : " ", to);
  }
  fputs(in->name, to);
  for (unsigned k = 0; k < in->n_suffixes; k++) print_set(i, in->suffixes[k], to);
  if (in->n_elems) fputs(" ", to);
  print_elements(f, i, to);
  if (mir_encoding(i) < 0) fputs(" // no encoding", to);
}

void mir_print(const struct mir_function *f, FILE *to) {
  fprintf(to, "function %s\n", f->name ? f->name : "?");
  for (const struct mir_block *b = f->first; b; b = b->next) {
    fprintf(to, "b%" PRIu32 ":%s", b->id, b->cold ? " // cold" : "");
    if (b->loop_depth) fprintf(to, " // loop %u", b->loop_depth);
    for (unsigned k = 0; k < b->succs; k++) fprintf(to, "%s b%" PRIu32, k ? "" : " ->", b->succ[k]->id);
    fputs("\n", to);
    for (const struct mir_insn *i = b->first; i; i = i->next) {
      fputs("    ", to);
      mir_print_insn(f, i, to);
      fputs("\n", to);
    }
  }
}
