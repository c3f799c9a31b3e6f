/* SPDX-License-Identifier: Apache-2.0
 * One instruction word as text, driven by the syntax templates of the ISA file. */
#include <stdio.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>

#include "isa/asm/print.h"

static void print_reg(struct text_room *p, const char *prefix, unsigned reg) {
  if (reg == ISA_RZ)
    text_print(p, "%sZ", prefix);
  else
    text_print(p, "%s%u", prefix, reg);
}

/* The top bit of four negates; a predicate that is written has three. */
static void print_pred(struct text_room *p, const char *prefix, unsigned raw) {
  if (raw & 8) text_print(p, "!");
  if ((raw & 7) == ISA_PT)
    text_print(p, "%sT", prefix);
  else
    text_print(p, "%s%u", prefix, raw & 7);
}

static void print_offset(struct text_room *p, int64_t v) {
  if (v > 0) text_print(p, "+0x%llx", (unsigned long long)v);
  if (v < 0) text_print(p, "-0x%llx", (unsigned long long)-v);
}

static void print_imm(struct text_room *p, const struct heddle_isa_dec *d, unsigned operand) {
  const struct heddle_isa_slot *slot = &heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand];
  bool is_short = heddle_isa_field_info((enum heddle_isa_field)slot->field)->kind != ISA_K_IMM32;
  print_immediate(p, d->src[operand].imm,
                  is_short ? ISA_IMM_U32 : heddle_isa_instr_info((enum heddle_isa_op)d->op)->imm);
}

static void print_part(struct text_room *p, const struct heddle_isa_dec *d, unsigned operand) {
  unsigned f = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc)->src[operand].part;
  if (f == ISA_FIELD_NONE) return;
  text_print(p, "%s",
             heddle_isa_set_text((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set,
                                 d->src[operand].part));
}

static void print_operand(struct text_room *p, const struct heddle_isa_dec *d, unsigned operand,
                          const struct heddle_isa_elem *e) {
  const struct heddle_isa_src *s = &d->src[operand];
  if (s->neg) text_print(p, e->may_not ? "~" : "-");
  if (s->abs) text_print(p, "|");
  switch (s->kind) {
  case ISA_REG:
    print_reg(p, "R", s->reg);
    break;
  case ISA_UREG:
    print_reg(p, "UR", s->reg);
    break;
  case ISA_IMM:
    print_imm(p, d, operand);
    break;
  case ISA_CONST:
    text_print(p, "c[0x%x][0x%x]", d->cbank, d->coff);
    break;
  default:
    break;
  }
  if (s->abs) text_print(p, "|");
  print_part(p, d, operand);
  if (s->kind == ISA_REG && (d->ctl.reuse >> operand & 1)) text_print(p, ".reuse");
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void print_field(struct text_room *p, const struct heddle_isa_dec *d, enum heddle_isa_field f, uint32_t next) {
  const struct heddle_isa_field_info *info = heddle_isa_field_info(f);
  uint64_t raw = heddle_isa_get(d->word, f);
  const char *prefix = heddle_isa_kind_prefix(info->kind);
  switch (info->kind) {
  case ISA_K_GPR_WRITE:
  case ISA_K_UGPR_WRITE:
    print_reg(p, prefix, raw == heddle_isa_field_default(f) ? ISA_RZ : (unsigned)raw);
    break;
  case ISA_K_PRED_READ:
  case ISA_K_PRED_WRITE:
  case ISA_K_UPRED_READ:
  case ISA_K_UPRED_WRITE:
    print_pred(p, prefix, (unsigned)raw);
    break;
  case ISA_K_BREG:
    text_print(p, "%s%u", prefix, (unsigned)raw);
    break;
  case ISA_K_SET:
    text_print(p, "%s", heddle_isa_set_text((enum heddle_isa_set_id)info->set, (unsigned)raw));
    break;
  case ISA_K_SINT:
    print_offset(p, heddle_isa_get_signed(d->word, f));
    break;
  case ISA_K_REL:
    text_print(p, "0x%x", next + (uint32_t)heddle_isa_get_signed(d->word, f));
    break;
  default:
    /* Behind a letter the number is part of a name: SB0. */
    text_print(p, p->used > 0 && is_letter(p->at[p->used - 1]) ? "%llu" : "0x%llx", (unsigned long long)raw);
    break;
  }
}

/* Does an optional group hold nothing but defaults? */
static bool group_is_default(const struct heddle_isa_dec *d, const struct heddle_isa_elem *e) {
  for (; e->kind != ISA_E_OPT_END; e++)
    if (e->kind == ISA_E_FIELD && heddle_isa_get(d->word, (enum heddle_isa_field)e->field) !=
                                      heddle_isa_field_default((enum heddle_isa_field)e->field))
      return false;
  return true;
}

static void print_elements(struct text_room *p, const struct heddle_isa_dec *d, uint32_t next) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  for (unsigned i = 0; i < in->n_elems; i++) {
    const struct heddle_isa_elem *e = &in->elems[i];
    switch (e->kind) {
    case ISA_E_TEXT:
      text_print(p, "%s", e->text);
      break;
    case ISA_E_FIELD:
      print_field(p, d, (enum heddle_isa_field)e->field, next);
      break;
    case ISA_E_OPERAND:
      print_operand(p, d, e->operand, e);
      break;
    case ISA_E_OPT_BEGIN:
      if (group_is_default(d, e + 1))
        while (in->elems[i].kind != ISA_E_OPT_END) i++;
      break;
    case ISA_E_ADDR_BEGIN:
      text_print(p, "[");
      break;
    case ISA_E_ADDR_END:
      text_print(p, "]");
      break;
    default:
      break;
    }
  }
}

static unsigned print_disassembly(struct heddle_isa_word w, uint32_t next, char *buf, size_t size) {
  struct text_room p = {.at = buf, .size = size};
  struct heddle_isa_dec d;
  buf[0] = 0;
  if (!heddle_isa_decode(w, &d)) {
    text_print(&p, ".word 0x%016llx%016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
    return (unsigned)p.used;
  }
  if (d.guard.index != ISA_PT || d.guard.neg) {
    text_print(&p, "@");
    print_pred(&p, d.uniform ? "UP" : "P", d.guard.index | (d.guard.neg ? 8u : 0u));
    text_print(&p, " ");
  }
  const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)d.op);
  text_print(&p, "%s", in->name);
  for (unsigned i = 0; i < in->n_suffixes; i++) print_field(&p, &d, (enum heddle_isa_field)in->suffixes[i], next);
  if (in->n_elems > 0) text_print(&p, " ");
  print_elements(&p, &d, next);
  return (unsigned)p.used;
}

unsigned heddle_disassemble(struct heddle_isa_word w, uint32_t pc, char *buf, size_t size) {
  return print_disassembly(w, pc + ISA_WORD_BYTES, buf, size);
}

unsigned heddle_disassemble_at(const struct heddle_program *p, uint32_t pc, char *buf, size_t size) {
  return print_disassembly(heddle_program_word(p, pc), heddle_program_next(p, pc), buf, size);
}

unsigned heddle_control_text(const struct heddle_isa_ctl *c, char *buf, size_t size) {
  struct text_room p = {.at = buf, .size = size};
  text_print(&p, "[B");
  for (unsigned i = 0; i < 6; i++) text_print(&p, "%c", c->wait >> i & 1 ? (int)('0' + i) : '-');
  text_print(&p, c->rbar == 7 ? ":R-" : ":R%u", c->rbar);
  text_print(&p, c->wbar == 7 ? ":W-" : ":W%u", c->wbar);
  text_print(&p, ":%c:S%02u]", c->yield ? 'Y' : '-', c->stall);
  return (unsigned)p.used;
}
