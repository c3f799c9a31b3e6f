/* SPDX-License-Identifier: Apache-2.0
 * Fields that stand in a template by themselves. */
#include <string.h>

#include "isa/asm/internal.h"

bool asm_fit(struct assembler *a, const struct cursor *at, enum heddle_isa_field f, int64_t v, bool is_signed,
             uint64_t *raw) {
  unsigned width = heddle_isa_field_width(f);
  int64_t low = is_signed ? -((int64_t)1 << (width - 1)) : 0;
  int64_t high = is_signed ? ((int64_t)1 << (width - 1)) - 1 : (int64_t)(((uint64_t)1 << width) - 1);
  if (v < low || v > high) {
    asm_error(a, at, "%s: 0x%llx does not fit %u bits", heddle_isa_field_info(f)->name, (unsigned long long)v, width);
    return false;
  }
  *raw = (uint64_t)v & (((uint64_t)1 << width) - 1);
  return true;
}

/* RZ is the all-ones value of the field, whatever its width. */
bool asm_fit_register(struct assembler *a, const struct cursor *at, enum heddle_isa_field f, unsigned index,
                      uint64_t *raw) {
  uint64_t zero = ((uint64_t)1 << heddle_isa_field_width(f)) - 1;
  const char *prefix = heddle_isa_kind_prefix(heddle_isa_field_info(f)->kind);
  *raw = index == ISA_RZ ? zero : index;
  if (index == ISA_RZ || index < zero) return true;
  asm_error(a, at, "%s%u: this instruction set has %s0-%s%u and %sZ", prefix, index, prefix, prefix, (unsigned)zero - 1,
            prefix);
  return false;
}

/* A signed field after an operand: any number of +x and -x; the first may lack its sign when no register precedes. */
static bool take_offset(struct assembler *a, struct cursor *c, int64_t *value) {
  *value = 0;
  lex_blank(c);
  if (c->at >= c->end || *c->at == ']' || *c->at == '\n' || *c->at == ';') return true;
  if (*c->at == '+') c->at++;
  return lex_expression(a, c, value);
}

static bool take_set(struct assembler *a, struct cursor *c, const struct heddle_isa_field_info *info, uint64_t *raw) {
  struct cursor start = *c;
  char name[64];
  unsigned v;
  if (lex_dotted_name(c, name, sizeof name) && heddle_isa_set_value((enum heddle_isa_set_id)info->set, name, &v)) {
    *raw = v;
    return true;
  }
  asm_error(a, &start, "expected a name of '%s'", info->name);
  return false;
}

/* A predicate, register or convergence barrier. */
static bool take_register(struct assembler *a, struct cursor *c, enum heddle_isa_field f, uint64_t *raw) {
  struct cursor start = *c;
  unsigned kind = heddle_isa_field_info(f)->kind, index;
  const char *prefix = heddle_isa_kind_prefix(kind);
  bool negate = (kind == ISA_K_PRED_READ || kind == ISA_K_UPRED_READ) && lex_char(c, '!');
  if (lex_register(c, prefix, &index)) {
    if (prefix[strlen(prefix) - 1] == 'R') return asm_fit_register(a, &start, f, index, raw);
    return asm_fit(a, &start, f, (int64_t)(index | (negate ? 8u : 0u)), false, raw);
  }
  const char *uniform = prefix[0] == 'U' ? "uniform " : "";
  switch (prefix[strlen(prefix) - 1]) {
  case 'R':
    asm_error(a, &start, "expected a %sregister %s0-%s%u or %sZ", uniform, prefix, prefix,
              (unsigned)heddle_isa_field_default(f) - 1, prefix);
    break;
  case 'P':
    asm_error(a, &start, "expected a %spredicate %s0-%s6 or %sT", uniform, prefix, prefix, prefix);
    break;
  default:
    asm_error(a, &start, "expected a convergence barrier B0-B%d", (int)heddle_isa_field_most(f));
    break;
  }
  return false;
}

static bool take_relative(struct assembler *a, struct cursor *c, enum heddle_isa_field f, uint32_t next,
                          uint64_t *raw) {
  struct cursor start = *c;
  int64_t target;
  if (!lex_expression(a, c, &target)) {
    asm_error(a, &start, "expected a label or a code address");
    return false;
  }
  if (a->first_pass) target = 0;
  if (target % ISA_STEP != 0) {
    asm_error(a, &start, "target 0x%llx is not a multiple of %u", (unsigned long long)target, ISA_STEP);
    return false;
  }
  if (target < INT32_MIN || target > UINT32_MAX) {
    asm_error(a, &start, "target 0x%llx is no code address: these have 32 bits", (unsigned long long)target);
    return false;
  }
  /* The program counter wraps, so any address can be reached from any other. */
  uint32_t distance = (uint32_t)target - next;
  return asm_fit(a, &start, f, (int32_t)distance, true, raw);
}

bool asm_field(struct assembler *a, struct cursor *c, enum heddle_isa_field f, uint32_t next, uint64_t *raw) {
  const struct heddle_isa_field_info *info = heddle_isa_field_info(f);
  struct cursor start = *c;
  bool is_signed = info->kind == ISA_K_SINT;
  int64_t v;
  if (heddle_isa_kind_prefix(info->kind)) return take_register(a, c, f, raw);
  if (info->kind == ISA_K_SET) return take_set(a, c, info, raw);
  if (info->kind == ISA_K_REL) return take_relative(a, c, f, next, raw);
  if (is_signed ? take_offset(a, c, &v) : lex_expression(a, c, &v)) return asm_fit(a, &start, f, v, is_signed, raw);
  if (a->errors == 0) asm_error(a, &start, "expected a number for '%s'", info->name);
  return false;
}
