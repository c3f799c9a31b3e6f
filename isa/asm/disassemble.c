/* SPDX-License-Identifier: Apache-2.0
 * One instruction word as text, driven by the syntax templates of the ISA file. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/asm.h"
#include "heddle/isa_tables.h"

#include "print.h"

void print(struct printer *p, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(p->buf + p->used, p->size - p->used, format, ap);
  va_end(ap);
  if (n < 0) return;
  p->used += (size_t)n;
  if (p->used >= p->size) p->used = p->size - 1;
}

static void print_reg(struct printer *p, uint64_t reg) {
  if (reg == ISA_RZ)
    print(p, "RZ");
  else
    print(p, "R%u", (unsigned)reg);
}

static void print_pred(struct printer *p, uint64_t raw, bool may_negate) {
  if (may_negate && (raw & 8)) print(p, "!");
  if ((raw & 7) == ISA_PT)
    print(p, "PT");
  else
    print(p, "P%u", (unsigned)(raw & 7));
}

/* A float immediate in decimal if that reads back to the same bits, else as raw hex. */
static void print_f32(struct printer *p, uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  char text[40];
  snprintf(text, sizeof text, "%.9g", (double)f);
  float back = strtof(text, NULL);
  if (!isfinite(f) || memcmp(&back, &f, sizeof f) != 0) {
    print(p, "0x%08x", bits);
    return;
  }
  print(p, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void print_imm(struct printer *p, uint32_t imm, unsigned type) {
  if (type == ISA_IMM_F32)
    print_f32(p, imm);
  else if (imm >= 0xfffff000u && type == ISA_IMM_I32)
    print(p, "-0x%x", 0u - imm);
  else
    print(p, "0x%x", imm);
}

static void print_offset(struct printer *p, int64_t v) {
  if (v > 0) print(p, "+0x%llx", (unsigned long long)v);
  if (v < 0) print(p, "-0x%llx", (unsigned long long)-v);
}

static void print_operand(struct printer *p, const struct isa_dec *d, unsigned operand, const struct isa_elem *e) {
  const struct isa_src *s = &d->src[operand];
  if (s->neg) print(p, e->may_not ? "~" : "-");
  if (s->abs) print(p, "|");
  switch (s->kind) {
  case ISA_REG:
    print_reg(p, s->reg);
    if (d->ctl.reuse >> operand & 1) print(p, ".reuse");
    break;
  case ISA_IMM: print_imm(p, d->imm, isa_instr_info((enum isa_op)d->op)->imm); break;
  case ISA_CONST: print(p, "c[0x%x][0x%x]", d->cbank, d->coff); break;
  default: break;
  }
  if (s->abs) print(p, "|");
}

static void print_field(struct printer *p, const struct isa_dec *d, enum isa_field f, uint32_t pc) {
  const struct isa_field_info *info = isa_field_info(f);
  uint64_t raw = isa_get(d->word, f);
  switch (info->kind) {
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE: print_reg(p, raw == ((uint64_t)1 << isa_field_width(f)) - 1 ? ISA_RZ : raw); break;
  case ISA_K_PRED_READ: print_pred(p, raw, true); break;
  case ISA_K_PRED_WRITE: print_pred(p, raw, false); break;
  case ISA_K_BREG: print(p, "B%u", (unsigned)raw); break;
  case ISA_K_SET: print(p, "%s", isa_set_text((enum isa_set_id)info->set, (unsigned)raw)); break;
  case ISA_K_SINT: print_offset(p, isa_get_signed(d->word, f)); break;
  case ISA_K_REL: print(p, "0x%x", pc + ISA_WORD_BYTES + (uint32_t)isa_get_signed(d->word, f)); break;
  default: print(p, "0x%llx", (unsigned long long)raw); break;
  }
}

/* Does an optional group hold nothing but defaults? */
static bool group_is_default(const struct isa_dec *d, const struct isa_elem *e) {
  for (; e->kind != ISA_E_OPT_END; e++) {
    if (e->kind != ISA_E_FIELD) continue;
    enum isa_field_kind kind = (enum isa_field_kind)isa_field_info((enum isa_field)e->field)->kind;
    bool pred = kind == ISA_K_PRED_READ || kind == ISA_K_PRED_WRITE;
    if (isa_get(d->word, (enum isa_field)e->field) != (pred ? ISA_PT : 0)) return false;
  }
  return true;
}

static void print_elements(struct printer *p, const struct isa_dec *d, uint32_t pc) {
  const struct isa_instr *in = isa_instr_info((enum isa_op)d->op);
  for (unsigned i = 0; i < in->n_elems; i++) {
    const struct isa_elem *e = &in->elems[i];
    switch (e->kind) {
    case ISA_E_TEXT: print(p, "%s", e->text); break;
    case ISA_E_FIELD: print_field(p, d, (enum isa_field)e->field, pc); break;
    case ISA_E_OPERAND: print_operand(p, d, e->operand, e); break;
    case ISA_E_OPT_BEGIN:
      if (group_is_default(d, e + 1))
        while (in->elems[i].kind != ISA_E_OPT_END) i++;
      break;
    case ISA_E_ADDR_BEGIN: print(p, "["); break;
    case ISA_E_ADDR_END: print(p, "]"); break;
    default: break;
    }
  }
}

unsigned heddle_disassemble(struct isa_word w, uint32_t pc, char *buf, size_t size) {
  struct printer p = {.buf = buf, .size = size};
  struct isa_dec d;
  buf[0] = 0;
  if (!isa_decode(w, &d)) {
    print(&p, ".word 0x%016llx%016llx", (unsigned long long)w.hi, (unsigned long long)w.lo);
    return (unsigned)p.used;
  }
  if (d.guard.index != ISA_PT || d.guard.neg) {
    print(&p, "@");
    print_pred(&p, (uint64_t)d.guard.index | (d.guard.neg ? 8u : 0u), true);
    print(&p, " ");
  }
  const struct isa_instr *in = isa_instr_info((enum isa_op)d.op);
  print(&p, "%s", in->name);
  for (unsigned i = 0; i < in->n_suffixes; i++) print_field(&p, &d, (enum isa_field)in->suffixes[i], pc);
  if (in->n_elems > 0) print(&p, " ");
  print_elements(&p, &d, pc);
  return (unsigned)p.used;
}

unsigned heddle_control_text(const struct isa_ctl *c, char *buf, size_t size) {
  struct printer p = {.buf = buf, .size = size};
  print(&p, "[B");
  for (unsigned i = 0; i < 6; i++) print(&p, "%c", c->wait >> i & 1 ? (int)('0' + i) : '-');
  print(&p, c->rbar == 7 ? ":R-" : ":R%u", c->rbar);
  print(&p, c->wbar == 7 ? ":W-" : ":W%u", c->wbar);
  print(&p, ":%c:S%02u]", c->yield ? 'Y' : '-', c->stall);
  return (unsigned)p.used;
}
