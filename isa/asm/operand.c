/* SPDX-License-Identifier: Apache-2.0
 * Operands and fields of one instruction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A float spelled in decimal, +INF, -INF, +QNAN; integers in decimal count as floats, hex is raw bits. */
static bool take_float(struct cursor *c, bool minus, uint32_t *bits) {
  lex_blank(c);
  char buf[64];
  size_t n = 0;
  const char *p = c->at;
  while (p < c->end && n + 1 < sizeof buf &&
         (strchr("0123456789.eE", *p) || ((*p == '+' || *p == '-') && n > 0 && strchr("eE", buf[n - 1]))))
    buf[n++] = *p++;
  buf[n] = 0;
  char *end = buf;
  float f = n > 0 ? strtof(buf, &end) : 0.0f;
  if (n > 0 && *end == 0) {
    c->at = p;
  } else if (lex_text(c, "INF")) {
    f = INFINITY;
  } else if (lex_text(c, "QNAN")) {
    *bits = 0x7fffffffu;
    return true;
  } else {
    return false;
  }
  if (minus) f = -f;
  memcpy(bits, &f, sizeof f);
  return true;
}

static bool take_immediate(struct assembler *a, struct cursor *c, unsigned type, struct operand_value *out) {
  struct cursor start = *c;
  out->kind = ISA_IMM;
  if (type == ISA_IMM_F32) {
    struct cursor probe = *c;
    bool minus = lex_char(&probe, '-');
    if (!minus) lex_char(&probe, '+');
    lex_blank(&probe);
    bool hex = probe.end - probe.at > 1 && probe.at[0] == '0' && (probe.at[1] == 'x' || probe.at[1] == 'X');
    if (!hex && take_float(&probe, minus, &out->imm)) {
      *c = probe;
      return true;
    }
  }
  int64_t v;
  if (!lex_expression(a, c, &v)) {
    asm_error(a, &start, "expected a register, an immediate or c[bank][offset]");
    return false;
  }
  if (v < -(int64_t)0x80000000 || v > (int64_t)0xffffffff) {
    asm_error(a, &start, "immediate does not fit 32 bits");
    return false;
  }
  out->imm = (uint32_t)v;
  return true;
}

/* c[bank][offset]; the cursor stands at 'c'. */
static bool take_constant(struct assembler *a, struct cursor *c, struct operand_value *out) {
  struct cursor start = *c;
  int64_t bank, offset;
  if (!lex_text(c, "c[") || !lex_expression(a, c, &bank) || !lex_text(c, "][") || !lex_expression(a, c, &offset) ||
      !lex_char(c, ']')) {
    *c = start;
    return false;
  }
  if (bank < 0 || bank > 3 || offset < 0 || offset > 0xffff || offset % 4 != 0) {
    asm_error(a, &start, "constant operand: bank 0 to 3, offset 0 to 0xfffc in steps of 4");
    return false;
  }
  out->kind = ISA_CONST;
  out->cbank = (uint32_t)bank;
  out->coff = (uint32_t)offset;
  return true;
}

static bool take_plain(struct assembler *a, struct cursor *c, unsigned imm_type, bool in_address,
                       struct operand_value *out) {
  struct cursor start = *c;
  if (lex_register(c, 'R', &out->reg)) {
    out->kind = ISA_REG;
    out->reuse = lex_text(c, ".reuse");
    return true;
  }
  if (in_address) { /* [0x10], [name]: no register */
    out->kind = ISA_REG;
    out->reg = ISA_RZ;
    return true;
  }
  unsigned before = a->errors;
  if (take_constant(a, c, out)) return true;
  if (a->errors != before) return false;
  *c = start;
  return take_immediate(a, c, imm_type, out);
}

bool asm_operand(struct assembler *a, struct cursor *c, const struct isa_elem *e, unsigned imm_type, bool in_address,
                 struct operand_value *out) {
  struct cursor start = *c;
  memset(out, 0, sizeof *out);
  lex_blank(c);
  bool minus = false, complement = false;
  if (!in_address && c->at < c->end && (*c->at == '-' || *c->at == '+')) {
    /* A sign belongs to the number if one follows, else it is the operand's modifier. */
    struct cursor probe = *c;
    probe.at++;
    lex_blank(&probe);
    bool modifier = probe.at < probe.end && (*probe.at == '|' || *probe.at == 'R' || strncmp(probe.at, "c[", 2) == 0);
    if (modifier) {
      minus = *c->at == '-';
      *c = probe;
    }
  } else if (!in_address && lex_char(c, '~')) {
    complement = true;
  }
  bool bars = !in_address && lex_char(c, '|');
  if (!take_plain(a, c, imm_type, in_address, out)) return false;
  if (bars && !lex_char(c, '|')) {
    asm_error(a, c, "missing the second '|'");
    return false;
  }
  const char *what = minus && !e->may_neg        ? "'-'"
                     : complement && !e->may_not ? "'~'"
                     : bars && !e->may_abs       ? "'|'"
                                                 : NULL;
  if (!what && out->kind == ISA_IMM && (minus || complement || bars)) what = "a modifier on an immediate";
  if (what) {
    asm_error(a, &start, "this operand does not allow %s", what);
    return false;
  }
  out->neg = minus || complement;
  out->abs = bars;
  return true;
}

/* A signed field after an operand: any number of +x and -x; the first may lack its sign when no register precedes. */
static bool take_offset(struct assembler *a, struct cursor *c, int64_t *value) {
  *value = 0;
  lex_blank(c);
  if (c->at >= c->end || *c->at == ']' || *c->at == '\n' || *c->at == ';') return true;
  if (*c->at == '+') c->at++;
  return lex_expression(a, c, value);
}

static bool fit(struct assembler *a, const struct cursor *start, enum isa_field f, int64_t v, bool is_signed,
                uint64_t *raw) {
  unsigned width = isa_field_width(f);
  int64_t low = is_signed ? -((int64_t)1 << (width - 1)) : 0;
  int64_t high = is_signed ? ((int64_t)1 << (width - 1)) - 1 : (int64_t)(((uint64_t)1 << width) - 1);
  if (v < low || v > high) {
    asm_error(a, start, "%s: 0x%llx does not fit %u bits", isa_field_info(f)->name, (unsigned long long)v, width);
    return false;
  }
  *raw = (uint64_t)v & (((uint64_t)1 << width) - 1);
  return true;
}

/* RZ is the all-ones value of the field, whatever its width. */
static bool reg_fit(struct assembler *a, const struct cursor *start, enum isa_field f, unsigned index, uint64_t *raw) {
  uint64_t zero = ((uint64_t)1 << isa_field_width(f)) - 1;
  if (index == ISA_RZ) {
    *raw = zero;
    return true;
  }
  if (index < zero) return fit(a, start, f, index, false, raw);
  asm_error(a, start, "R%u: this instruction set has R0-R%u and RZ", index, (unsigned)zero - 1);
  return false;
}

bool asm_put_register(struct assembler *a, const struct cursor *at, enum isa_field f, unsigned index, uint64_t *raw) {
  return reg_fit(a, at, f, index, raw);
}

static bool take_set(struct assembler *a, struct cursor *c, const struct isa_field_info *info, uint64_t *raw) {
  struct cursor start = *c;
  char name[64];
  unsigned v;
  if (lex_dotted_name(c, name, sizeof name) && isa_set_value((enum isa_set_id)info->set, name, &v)) {
    *raw = v;
    return true;
  }
  asm_error(a, &start, "expected a name of '%s'", info->name);
  return false;
}

static bool take_pred(struct assembler *a, struct cursor *c, bool may_negate, uint64_t *raw) {
  struct cursor start = *c;
  bool negate = may_negate && lex_char(c, '!');
  unsigned index;
  if (!lex_register(c, 'P', &index)) {
    asm_error(a, &start, "expected a predicate P0-P6 or PT");
    return false;
  }
  *raw = index | (negate ? 8u : 0u);
  return true;
}

static bool take_relative(struct assembler *a, struct cursor *c, enum isa_field f, uint32_t pc, uint64_t *raw) {
  struct cursor start = *c;
  int64_t target;
  if (!lex_expression(a, c, &target)) {
    asm_error(a, &start, "expected a label or a code address");
    return false;
  }
  if (a->first_pass) target = 0;
  if (target % ISA_WORD_BYTES != 0) {
    asm_error(a, &start, "target 0x%llx is not a multiple of %u", (unsigned long long)target, ISA_WORD_BYTES);
    return false;
  }
  return fit(a, &start, f, target - (int64_t)pc - ISA_WORD_BYTES, true, raw);
}

bool asm_field(struct assembler *a, struct cursor *c, enum isa_field f, uint32_t pc, uint64_t *raw) {
  const struct isa_field_info *info = isa_field_info(f);
  struct cursor start = *c;
  unsigned index;
  int64_t v;
  switch (info->kind) {
  case ISA_K_SET: return take_set(a, c, info, raw);
  case ISA_K_PRED_READ: return take_pred(a, c, true, raw);
  case ISA_K_PRED_WRITE: return take_pred(a, c, false, raw);
  case ISA_K_REL: return take_relative(a, c, f, pc, raw);
  case ISA_K_SINT:
    if (take_offset(a, c, &v)) return fit(a, &start, f, v, true, raw);
    break;
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
    if (lex_register(c, 'R', &index)) return reg_fit(a, &start, f, index, raw);
    asm_error(a, &start, "expected a register R0-R254 or RZ");
    return false;
  case ISA_K_BREG:
    if (lex_register(c, 'B', &index)) return fit(a, &start, f, index, false, raw);
    asm_error(a, &start, "expected a convergence barrier B0-B15");
    return false;
  default:
    if (lex_expression(a, c, &v)) return fit(a, &start, f, v, false, raw);
    break;
  }
  if (a->errors == 0) asm_error(a, &start, "expected a number for '%s'", info->name);
  return false;
}
