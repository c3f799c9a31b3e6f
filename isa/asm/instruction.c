/* SPDX-License-Identifier: Apache-2.0
 *
 * One instruction: guard, mnemonic, operands and fields by the template, and the encoding whose operand kinds fit.
 */
#include <stdio.h>
#include <string.h>
#include "isa/asm/internal.h"

/* Fields that stand in a template by themselves. */

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

/* ---- fields of the template (instruction.c) */
static bool asm_field(struct assembler *a, struct cursor *c, enum heddle_isa_field f, uint32_t next, uint64_t *raw) {
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

/* ---- an instruction */

/* What the template yielded before an encoding is chosen. */
struct parsed {
  enum heddle_isa_op op;
  uint64_t guard;
  struct cursor guard_place;
  const char *guard_prefix; /* "P" or "UP"; NULL: none was written */
  struct operand_value operand[3];
  bool has_operand[3];
  uint64_t field[ISA_F_COUNT];
  bool has_field[ISA_F_COUNT];
};

static bool take_suffixes(const struct heddle_isa_instr *in, const char *text, struct parsed *out) {
  for (unsigned i = 0; i < in->n_suffixes; i++) {
    enum heddle_isa_field f = (enum heddle_isa_field)in->suffixes[i];
    const struct heddle_isa_set *set = heddle_isa_set_info((enum heddle_isa_set_id)heddle_isa_field_info(f)->set);
    const struct heddle_isa_token *best = NULL;
    size_t best_len = 0;
    for (unsigned t = 0; t < set->n_tokens; t++) {
      size_t n = strlen(set->tokens[t].text);
      bool matches = strncmp(text, set->tokens[t].text, n) == 0 && (n == 0 || text[n] == 0 || text[n] == '.');
      if (matches && (!best || n > best_len)) {
        best = &set->tokens[t];
        best_len = n;
      }
    }
    if (!best) return false;
    text += best_len;
    out->field[f] = best->value;
    out->has_field[f] = true;
  }
  return *text == 0;
}

/* The longest instruction name that the mnemonic starts with and whose suffixes take the rest. */
static bool take_mnemonic(struct assembler *a, struct cursor *c, struct parsed *out) {
  struct cursor start = *c;
  char text[128];
  if (!lex_dotted_name(c, text, sizeof text)) {
    asm_error(a, &start, "expected an instruction");
    return false;
  }
  size_t best = 0;
  bool stem = false;
  for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
    const struct heddle_isa_instr *in = heddle_isa_instr_info((enum heddle_isa_op)op);
    size_t n = strlen(in->name);
    if (strncmp(text, in->name, n) != 0 || (text[n] && text[n] != '.')) continue;
    stem = true;
    struct parsed trial = *out;
    if (n < best || !take_suffixes(in, text + n, &trial)) continue;
    *out = trial;
    out->op = (enum heddle_isa_op)op;
    best = n;
  }
  if (best > 0 || spelling_mnemonic(text, &out->op, out->field, out->has_field)) return true;
  const char *hint = spelling_hint(text);
  if (hint) {
    asm_error(a, &start, "'%s' is not written here: %s", text, hint);
    return false;
  }
  asm_error(a, &start, stem ? "'%s' has a suffix that this instruction does not take" : "unknown instruction '%s'",
            text);
  return false;
}

static bool take_element(struct assembler *a, struct cursor *c, const struct heddle_isa_elem *e, uint32_t next,
                         bool in_address, struct parsed *out) {
  switch (e->kind) {
  case ISA_E_TEXT:
    if (lex_text(c, e->text)) return true;
    asm_error(a, c, "expected '%s'", e->text);
    return false;
  case ISA_E_FIELD:
    out->has_field[e->field] = true;
    return asm_field(a, c, (enum heddle_isa_field)e->field, next, &out->field[e->field]);
  case ISA_E_OPERAND:
    out->has_operand[e->operand] = true;
    return asm_operand(a, c, out->op, e, in_address, &out->operand[e->operand]);
  case ISA_E_ADDR_BEGIN:
  case ISA_E_ADDR_END:
    if (lex_char(c, e->kind == ISA_E_ADDR_BEGIN ? '[' : ']')) return true;
    if (e->kind == ISA_E_ADDR_BEGIN && lex_text(c, "desc["))
      asm_error(a, c, "an address is a register and an offset: no descriptor, [Rn] alone");
    else
      asm_error(a, c, "expected '%c'", e->kind == ISA_E_ADDR_BEGIN ? '[' : ']');
    return false;
  default:
    return true;
  }
}

/* Is an optional group written? Its first register or predicate, or the separator before it, decides. */
static bool group_follows(const struct cursor *c, const struct heddle_isa_elem *e) {
  struct cursor probe = *c;
  for (; e->kind != ISA_E_OPT_END; e++) {
    if (e->kind == ISA_E_TEXT && !lex_text(&probe, e->text)) return false;
    if (e->kind != ISA_E_FIELD) continue;
    unsigned kind = heddle_isa_field_info((enum heddle_isa_field)e->field)->kind, index;
    if (kind == ISA_K_PRED_READ || kind == ISA_K_UPRED_READ) lex_char(&probe, '!');
    return !heddle_isa_kind_prefix(kind) || lex_register(&probe, heddle_isa_kind_prefix(kind), &index);
  }
  return true;
}

/* The default of each field in a group that was not written. */
static void default_group(const struct heddle_isa_elem *e, struct parsed *out) {
  for (; e->kind != ISA_E_OPT_END; e++) {
    if (e->kind != ISA_E_FIELD) continue;
    out->field[e->field] = heddle_isa_field_default((enum heddle_isa_field)e->field);
    out->has_field[e->field] = true;
  }
}

/* A separator inside an optional group, behind which the next predicate does not stand. left: elements from e on. */
static bool only_first(const struct cursor *c, const struct heddle_isa_elem *e, unsigned left) {
  if (left < 3 || e->kind != ISA_E_TEXT || e[1].kind != ISA_E_FIELD || e[2].kind != ISA_E_OPT_END) return false;
  const unsigned kind = heddle_isa_field_info((enum heddle_isa_field)e[1].field)->kind;
  return (kind == ISA_K_PRED_WRITE || kind == ISA_K_UPRED_WRITE) && !group_follows(c, e);
}

static bool take_elements(struct assembler *a, struct cursor *c, uint32_t next, struct parsed *out) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info(out->op);
  bool in_address = false;
  spelling_front(c, out->op);
  for (unsigned i = 0; i < in->n_elems; i++) {
    const struct heddle_isa_elem *e = &in->elems[i];
    if (e->kind == ISA_E_OPERAND && spelling_leaves_out(c, in, e->operand, out->field)) {
      out->operand[e->operand] =
          (struct operand_value){.place = *c, .kind = in->name[0] == 'U' ? ISA_UREG : ISA_REG, .reg = ISA_RZ};
      out->has_operand[e->operand] = true;
      i++; /* and the comma behind it */
      continue;
    }
    if (only_first(c, e, in->n_elems - i)) { /* of two predicates */
      default_group(e, out);
      while (in->elems[i].kind != ISA_E_OPT_END) i++;
      continue;
    }
    if (e->kind == ISA_E_OPT_BEGIN && !group_follows(c, e + 1)) {
      default_group(e + 1, out);
      while (in->elems[i].kind != ISA_E_OPT_END) i++;
      continue;
    }
    if (e->kind == ISA_E_ADDR_BEGIN) in_address = true;
    if (e->kind == ISA_E_ADDR_END) in_address = false;
    if (!take_element(a, c, e, next, in_address, out)) return false;
  }
  return spelling_back(a, c, out->op);
}

static bool slot_fits(const struct heddle_isa_slot *slot, const struct operand_value *v, bool present) {
  if (slot->kind == ISA_NONE || !present) return slot->kind == ISA_NONE && !present;
  return slot->kind == v->kind && (!v->neg || slot->neg != ISA_FIELD_NONE) &&
         (!v->abs || slot->abs != ISA_FIELD_NONE) && (!v->part || slot->part != ISA_FIELD_NONE);
}

static const struct heddle_isa_encoding *choose_encoding(const struct parsed *p) {
  const struct heddle_isa_instr *in = heddle_isa_instr_info(p->op);
  for (unsigned i = 0; i < in->n_encs; i++) {
    const struct heddle_isa_encoding *enc = heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i));
    bool fits = true;
    for (unsigned o = 0; o < 3; o++) fits = fits && slot_fits(&enc->src[o], &p->operand[o], p->has_operand[o]);
    if (fits) return enc;
  }
  return NULL;
}

static bool no_form(struct assembler *a, const struct cursor *at, const struct heddle_isa_instr *in) {
  char forms[96] = "";
  for (unsigned i = 0; i < in->n_encs; i++) {
    size_t n = strlen(forms);
    snprintf(forms + n, sizeof forms - n, " %s",
             heddle_isa_encoding_info((enum heddle_isa_enc)(in->first_enc + i))->format);
  }
  asm_error(a, at,
            "%s has no form for these operands (R register, U uniform register, I immediate, C constant); it has:%s",
            in->name, forms);
  return false;
}

static bool put_guard(struct assembler *a, const struct parsed *p, const struct heddle_isa_encoding *enc,
                      struct heddle_isa_word *w) {
  const char *prefix = heddle_isa_kind_prefix(heddle_isa_field_info((enum heddle_isa_field)enc->guard)->kind);
  *w = heddle_isa_put(*w, (enum heddle_isa_field)enc->guard, p->guard);
  if (!p->guard_prefix || strcmp(p->guard_prefix, prefix) == 0) return true;
  asm_error(a, &p->guard_place, "%s executes once for %s: its guard is %s0-%s6 or %sT", heddle_isa_op_name(p->op),
            enc->uniform ? "the warp" : "each thread", prefix, prefix, prefix);
  return false;
}

static struct heddle_isa_word put_if(struct heddle_isa_word w, unsigned field, uint64_t v) {
  return field == ISA_FIELD_NONE ? w : heddle_isa_put(w, (enum heddle_isa_field)field, v);
}

static struct heddle_isa_word put_control(struct heddle_isa_word w, const struct heddle_isa_encoding *enc,
                                          const struct heddle_isa_ctl *ctl) {
  w = put_if(w, enc->stall, ctl->stall);
  w = put_if(w, enc->yield, ctl->yield);
  w = put_if(w, enc->wbar, ctl->wbar);
  w = put_if(w, enc->rbar, ctl->rbar);
  return put_if(w, enc->wait, ctl->wait);
}

static bool encode(struct assembler *a, const struct cursor *at, const struct parsed *p,
                   const struct heddle_isa_ctl *ctl, struct item *out) {
  const struct heddle_isa_encoding *enc = choose_encoding(p);
  if (!enc) return no_form(a, at, heddle_isa_instr_info(p->op));
  struct heddle_isa_word w = enc->match;
  if (!put_guard(a, p, enc, &w)) return false;
  for (unsigned o = 0; o < 3; o++)
    if (p->has_operand[o] && !asm_put_operand(a, enc, o, &p->operand[o], &w)) return false;
  for (unsigned f = 0; f < ISA_F_COUNT; f++)
    if (p->has_field[f]) w = heddle_isa_put(w, (enum heddle_isa_field)f, p->field[f]);
  struct heddle_isa_dec d;
  out->word = put_control(w, enc, ctl);
  if (heddle_isa_decode(out->word, &d)) {
    out->enc = d.enc;
    if (heddle_isa_max_reg(&d) < (int)ISA_RZ) return true;
    asm_error(a, at, "a register pair or quad reaches beyond R%u", ISA_RZ - 1);
    return false;
  }
  asm_error(a, at, "a register pair or quad, or a constant of that size, must start at a multiple of its size");
  return false;
}

static bool take_guard(struct assembler *a, struct cursor *c, struct parsed *p) {
  p->guard = ISA_PT;
  lex_blank(c);
  p->guard_place = *c;
  if (!lex_char(c, '@')) return true;
  unsigned index;
  bool negate = lex_char(c, '!');
  struct cursor start = *c;
  bool uniform = lex_register(c, "UP", &index);
  if (!uniform && !lex_register(c, "P", &index)) {
    asm_error(a, &start, "expected a predicate P0-P6, PT, UP0-UP6 or UPT after '@'");
    return false;
  }
  p->guard_prefix = uniform ? "UP" : "P";
  p->guard = index | (negate ? 8u : 0u);
  return true;
}

/* Fields of the prefix, between colons, in any order. */
static bool control_part(struct cursor *c, struct heddle_isa_ctl *ctl) {
  uint64_t v;
  if (lex_text(c, "B")) {
    for (unsigned i = 0; i < 6; i++) {
      if (c->at >= c->end || (*c->at != '-' && *c->at != (char)('0' + i))) return false;
      if (*c->at != '-') ctl->wait |= (uint8_t)(1u << i);
      c->at++;
    }
    return true;
  }
  bool read = lex_text(c, "R");
  if (read || lex_text(c, "W")) {
    uint8_t *bar = read ? &ctl->rbar : &ctl->wbar;
    *bar = 7;
    if (lex_char(c, '-')) return true;
    if (!lex_number(c, &v) || v > 5) return false;
    *bar = (uint8_t)v;
    return true;
  }
  if (lex_char(c, 'S')) {
    /* Two digits; "08" is decimal. */
    unsigned n = 0, digits = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && digits < 3; c->at++, digits++)
      n = n * 10 + (unsigned)(*c->at - '0');
    ctl->stall = (uint8_t)n;
    return digits > 0 && n <= 15;
  }
  ctl->yield = lex_char(c, 'Y');
  return ctl->yield || lex_char(c, '-');
}

/* `[B------:R-:W-:-:S01]`; *present false when there is none */
static bool asm_control(struct assembler *a, struct cursor *c, struct heddle_isa_ctl *ctl, bool *present) {
  struct cursor start = *c;
  *ctl = (struct heddle_isa_ctl){.stall = 1, .wbar = 7, .rbar = 7};
  *present = lex_char(c, '[');
  if (!*present) return true;
  bool ok = true;
  do ok = control_part(c, ctl);
  while (ok && lex_char(c, ':'));
  if (ok && lex_char(c, ']')) return true;
  asm_error(a, &start, "control code: expected [B------:R-:W-:-:S01], counters 0-5, stall 0-15");
  return false;
}

bool asm_instruction(struct assembler *a, struct cursor *c, uint32_t next, struct item *out) {
  struct parsed p = {0};
  struct heddle_isa_ctl ctl;
  if (!asm_control(a, c, &ctl, &out->explicit)) return false;
  lex_blank(c);
  struct cursor start = *c;
  out->line = c->line;
  out->column = (unsigned)(c->at - c->line_start) + 1;
  if (!take_guard(a, c, &p) || !take_mnemonic(a, c, &p) || !take_elements(a, c, next, &p)) return false;
  if (lex_done(c)) return encode(a, &start, &p, &ctl, out);
  asm_error(a, c, "unexpected text after the instruction");
  return false;
}
