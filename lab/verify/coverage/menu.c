/* SPDX-License-Identifier: Apache-2.0
 *
 * What a machine's instructions can show, from the ISA file's tables: no mnemonic's bits are named here. */
#include <stdlib.h>
#include <string.h>

#include "lab/verify/coverage/internal.h"

static uint64_t first_legal(unsigned f) {
  const uint64_t d = heddle_isa_field_default((enum heddle_isa_field)f);
  if (heddle_isa_field_legal((enum heddle_isa_field)f, d)) return d;
  for (uint64_t v = 0; v < 256; v++)
    if (heddle_isa_field_legal((enum heddle_isa_field)f, v)) return v;
  return d;
}

/* A word of the encoding with the first legal value everywhere. */
static struct heddle_isa_word menu_word(unsigned enc) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)enc);
  struct heddle_isa_word w = e->match;
  for (unsigned i = 0; i < e->n_fields; i++)
    w = heddle_isa_put(w, (enum heddle_isa_field)e->fields[i], first_legal(e->fields[i]));
  return w;
}

/* May a word of the encoding be a word of this machine, when one field holds this value? */
static bool in_machine(unsigned enc, unsigned field, uint64_t value, uint32_t units) {
  struct heddle_isa_word w = menu_word(enc);
  struct heddle_isa_dec d;
  if (field != ISA_FIELD_NONE) w = heddle_isa_put(w, (enum heddle_isa_field)field, value);
  return heddle_isa_decode(w, &d) && heddle_isa_in_machine(&d, units);
}

/* ---- items */

static bool is_predicate(unsigned kind) {
  return kind == ISA_K_GUARD || kind == ISA_K_UGUARD || kind == ISA_K_PRED_READ || kind == ISA_K_UPRED_READ;
}

bool item_is_false_guard(const struct item *it) {
  if (it->field == ISA_FIELD_NONE || it->cls != 1) return false;
  const unsigned kind = heddle_isa_field_info((enum heddle_isa_field)it->field)->kind;
  return kind == ISA_K_GUARD || kind == ISA_K_UGUARD;
}

static bool is_number_field(unsigned kind) {
  return kind == ISA_K_UINT || kind == ISA_K_IMM32;
}

static unsigned field_classes(unsigned f) {
  const struct heddle_isa_field_info *i = heddle_isa_field_info((enum heddle_isa_field)f);
  const unsigned width = heddle_isa_field_width((enum heddle_isa_field)f);
  if (i->kind == ISA_K_SET) return heddle_isa_set_info((enum heddle_isa_set_id)i->set)->n_tokens;
  if (is_predicate(i->kind)) return 4;
  if (i->kind == ISA_K_BREG) return 1u << width;
  if (i->kind == ISA_K_CBANK) return 4;
  if (is_number_field(i->kind)) return i->kind == ISA_K_UINT && width <= 4 ? 1u << width : 3;
  switch (i->kind) {
  case ISA_K_NEG:
  case ISA_K_ABS:
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
  case ISA_K_UGPR_READ:
  case ISA_K_UGPR_WRITE:
  case ISA_K_PRED_WRITE:
  case ISA_K_UPRED_WRITE:
  case ISA_K_REL:
    return 2;
  case ISA_K_SINT:
    return 3;
  default:
    return 0; /* the control code, offsets of constants */
  }
}

static unsigned set_class(unsigned set, uint64_t value) {
  const struct heddle_isa_set *s = heddle_isa_set_info((enum heddle_isa_set_id)set);
  for (unsigned t = 0; t < s->n_tokens; t++)
    if (s->tokens[t].canonical && s->tokens[t].value == value) return t;
  return NO_CLASS;
}

static uint64_t width_ones(unsigned width) {
  return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

unsigned field_class(unsigned f, uint64_t v) {
  const struct heddle_isa_field_info *i = heddle_isa_field_info((enum heddle_isa_field)f);
  const unsigned width = heddle_isa_field_width((enum heddle_isa_field)f);
  const bool negative = (v >> (width - 1) & 1) != 0;
  if (i->kind == ISA_K_SET) return set_class(i->set, v);
  if (is_predicate(i->kind)) return ((v & 7) == ISA_PT ? 0u : 2u) + negative;
  if (i->kind == ISA_K_BREG) return (unsigned)v;
  if (i->kind == ISA_K_CBANK) return v < 4 ? (unsigned)v : NO_CLASS;
  if (i->kind == ISA_K_UINT && width <= 4) return (unsigned)v;
  if (is_number_field(i->kind)) return v == 0 ? 0 : v == width_ones(width) ? 1 : 2;
  switch (i->kind) {
  case ISA_K_NEG:
  case ISA_K_ABS:
    return v != 0;
  case ISA_K_REL:
    return negative;
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
  case ISA_K_UGPR_READ:
  case ISA_K_UGPR_WRITE:
    return v != width_ones(width);
  case ISA_K_PRED_WRITE:
  case ISA_K_UPRED_WRITE:
    return v != ISA_PT;
  case ISA_K_SINT:
    return v == 0 ? 0 : negative ? 2 : 1;
  default:
    return NO_CLASS;
  }
}

/* What a class of a field that is no set is called. */
static const char *plain_class(unsigned kind, unsigned cls) {
  static const char *const pred[] = {"PT", "!PT", "P", "!P"}, *const upred[] = {"UPT", "!UPT", "UP", "!UP"};
  static const char *const number[] = {"zero", "ones", "other"}, *const sign[] = {"zero", "positive", "negative"};
  static const char *const way[] = {"forward", "back"}, *const off[] = {"off", "on"};
  static const char *const z[] = {"RZ", "R"}, *const uz[] = {"URZ", "UR"}, *const t[] = {"PT", "P"},
                           *const ut[] = {"UPT", "UP"};
  switch (kind) {
  case ISA_K_GUARD:
  case ISA_K_PRED_READ:
    return pred[cls & 3];
  case ISA_K_UGUARD:
  case ISA_K_UPRED_READ:
    return upred[cls & 3];
  case ISA_K_GPR_READ:
  case ISA_K_GPR_WRITE:
    return z[cls & 1];
  case ISA_K_UGPR_READ:
  case ISA_K_UGPR_WRITE:
    return uz[cls & 1];
  case ISA_K_PRED_WRITE:
    return t[cls & 1];
  case ISA_K_UPRED_WRITE:
    return ut[cls & 1];
  case ISA_K_REL:
    return way[cls & 1];
  case ISA_K_SINT:
    return sign[cls % 3];
  case ISA_K_NEG:
  case ISA_K_ABS:
    return off[cls & 1];
  default:
    return number[cls % 3];
  }
}

const char *field_class_name(unsigned f, unsigned cls, char *buf, size_t n) {
  const struct heddle_isa_field_info *i = heddle_isa_field_info((enum heddle_isa_field)f);
  const bool counted = i->kind == ISA_K_BREG || i->kind == ISA_K_CBANK ||
                       (i->kind == ISA_K_UINT && heddle_isa_field_width((enum heddle_isa_field)f) <= 4);
  if (counted) {
    snprintf(buf, n, "%u", cls);
  } else if (i->kind == ISA_K_SET) {
    const struct heddle_isa_token *t = &heddle_isa_set_info((enum heddle_isa_set_id)i->set)->tokens[cls];
    snprintf(buf, n, "%s", t->text[0] != '\0' ? t->text : "-");
  } else {
    snprintf(buf, n, "%s", plain_class(i->kind, cls));
  }
  return buf;
}

/* A value of that class. */
static uint64_t class_value(unsigned f, unsigned cls) {
  const struct heddle_isa_field_info *i = heddle_isa_field_info((enum heddle_isa_field)f);
  if (i->kind == ISA_K_SET) return heddle_isa_set_info((enum heddle_isa_set_id)i->set)->tokens[cls].value;
  return first_legal(f); /* others do not decide whether a machine has the word */
}

static bool real_class(unsigned f, unsigned cls) {
  const struct heddle_isa_field_info *i = heddle_isa_field_info((enum heddle_isa_field)f);
  if (i->kind != ISA_K_SET) return true;
  const struct heddle_isa_token *t = &heddle_isa_set_info((enum heddle_isa_set_id)i->set)->tokens[cls];
  return t->canonical && heddle_isa_field_legal((enum heddle_isa_field)f, t->value);
}

static void add_item(struct menu *m, unsigned enc, unsigned field, unsigned cls) {
  if (m->item != NULL) m->item[m->items] = (struct item){(uint16_t)enc, (uint8_t)field, (uint8_t)cls};
  m->items++;
}

static void add_items(struct menu *m, uint32_t units) {
  m->items = m->encs = 0;
  for (unsigned enc = 0; enc < ISA_ENC_COUNT; enc++) {
    const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)enc);
    m->first[enc] = m->items;
    m->has[enc] = in_machine(enc, ISA_FIELD_NONE, 0, units);
    if (!m->has[enc]) continue;
    m->enc_at[enc] = (uint16_t)m->encs;
    m->enc[m->encs++] = (uint16_t)enc;
    add_item(m, enc, ISA_FIELD_NONE, 0);
    for (unsigned i = 0; i < e->n_fields; i++)
      for (unsigned c = 0; c < field_classes(e->fields[i]); c++)
        if (real_class(e->fields[i], c) && in_machine(enc, e->fields[i], class_value(e->fields[i], c), units))
          add_item(m, enc, e->fields[i], c);
  }
  m->first[ISA_ENC_COUNT] = m->items;
}

/* ---- operands that hold numbers */

static unsigned set_words(unsigned f, struct heddle_isa_word w) {
  const char *text = heddle_isa_set_text((enum heddle_isa_set_id)heddle_isa_field_info((enum heddle_isa_field)f)->set,
                                         (unsigned)heddle_isa_get(w, (enum heddle_isa_field)f));
  return text == NULL ? N_NONE : strstr(text, "16") != NULL ? N_F16 : strstr(text, "64") != NULL ? N_F64 : N_F32;
}

/* Conversions name the format of their source in a field. */
static enum number_format converted(const struct heddle_isa_dec *d) {
  switch (d->op) {
  case ISA_OP_F2I:
    return (enum number_format)set_words(ISA_F_FLT, d->word);
  case ISA_OP_F2F:
    return (enum number_format)set_words(ISA_F_FSRC, d->word);
  case ISA_OP_FRND:
    return (enum number_format)set_words(ISA_F_RINT, d->word);
  default:
    return N_NONE;
  }
}

enum number_format number_of(const struct heddle_isa_dec *d, unsigned operand) {
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  if (d->src[operand].kind == ISA_NONE || i->unit == ISA_UNIT_TENSOR) return N_NONE;
  if (d->op == ISA_OP_MUFU) return set_words(ISA_F_MUFU, d->word) == N_F32 ? N_F32 : N_NONE;
  if (i->unit == ISA_UNIT_CVT && i->imm != ISA_IMM_F32) return operand == 1 ? converted(d) : N_NONE;
  if (d->op == ISA_OP_F2I) return converted(d);
  switch (i->imm) {
  case ISA_IMM_F32:
    return N_F32;
  case ISA_IMM_F16X2:
    return N_F16;
  case ISA_IMM_F64:
    return N_F64;
  default:
    return N_NONE;
  }
}

/* Adds the number operands of a word, each once. */
static void add_numbers(struct menu *m, struct heddle_isa_word w, uint32_t units) {
  struct heddle_isa_dec d;
  if (!heddle_isa_decode(w, &d) || !heddle_isa_in_machine(&d, units)) return;
  for (unsigned o = 0; o < 3; o++) {
    const struct number n = {d.op, (uint8_t)o, (uint8_t)number_of(&d, o)};
    unsigned k = 0;
    if (n.format == N_NONE) continue;
    while (k < m->numbers && memcmp(&m->number[k], &n, sizeof n) != 0) k++;
    if (k == m->numbers) m->number[m->numbers++] = n;
  }
}

static void find_numbers(struct menu *m, uint32_t units) {
  static const uint8_t formats[] = {ISA_F_FLT, ISA_F_FSRC, ISA_F_RINT};
  for (unsigned enc = 0; enc < ISA_ENC_COUNT; enc++) {
    if (!m->has[enc]) continue;
    const struct heddle_isa_word w = menu_word(enc);
    add_numbers(m, w, units);
    for (unsigned f = 0; f < sizeof formats; f++)
      for (unsigned v = 0; v < 4 && heddle_isa_enc_owns((enum heddle_isa_enc)enc, (enum heddle_isa_field)formats[f]);
           v++)
        if (heddle_isa_field_legal((enum heddle_isa_field)formats[f], v))
          add_numbers(m, heddle_isa_put(w, (enum heddle_isa_field)formats[f], v), units);
  }
  for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
    unsigned operands = 0;
    for (unsigned k = 0; k < m->numbers; k++) operands += m->number[k].op == op;
    const enum heddle_isa_unit unit = (enum heddle_isa_unit)heddle_isa_instr_info((enum heddle_isa_op)op)->unit;
    if (operands >= 2 && unit != ISA_UNIT_CVT) m->pair_op[m->pair_ops++] = (uint16_t)op;
  }
}

/* ---- units */

static unsigned reg_file(unsigned kind) {
  return kind == ISA_REG ? FILE_R : kind == ISA_UREG ? FILE_UR : 0;
}

static void note_unit(struct menu *m, unsigned enc, unsigned u) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)enc);
  const unsigned pred_out = e->pd_uniform ? FILE_UP : FILE_P, pred_in = e->ps_uniform ? FILE_UP : FILE_P;
  m->writes[u] |= (uint8_t)reg_file(e->rd.kind);
  if (e->pd[0] != ISA_FIELD_NONE || e->pd[1] != ISA_FIELD_NONE) m->writes[u] |= (uint8_t)pred_out;
  if (e->op == ISA_OP_R2P) m->writes[u] |= FILE_P;
  if (e->op == ISA_OP_UR2UP) m->writes[u] |= FILE_UP;
  for (unsigned o = 0; o < 3; o++) m->reads[u][PLACE_A + o] |= (uint8_t)reg_file(e->src[o].kind);
  if (e->guard != ISA_FIELD_NONE) m->reads[u][PLACE_GUARD] |= (uint8_t)(e->uniform ? FILE_UP : FILE_P);
  for (unsigned i = 0; i < 3; i++)
    if (e->ps[i] != ISA_FIELD_NONE) m->reads[u][PLACE_PS] |= (uint8_t)pred_in;
  if (e->op == ISA_OP_P2R) m->reads[u][PLACE_PS] |= FILE_P;
  if (e->op == ISA_OP_UP2UR) m->reads[u][PLACE_PS] |= FILE_UP;
  unsigned kept = 0;
  for (unsigned o = 0; o < 3 && e->reuse != ISA_FIELD_NONE; o++) kept |= (e->src[o].kind == ISA_REG ? 1u : 0u) << o;
  m->reuses[u] |= (uint8_t)(kept | ((kept & (kept - 1)) != 0 ? 8u : 0u));
}

static void find_units(struct menu *m, uint32_t units) {
  bool seen[ISA_UNIT_COUNT] = {false};
  for (unsigned enc = 0; enc < ISA_ENC_COUNT; enc++) {
    const struct heddle_isa_instr *i =
        heddle_isa_instr_info((enum heddle_isa_op)heddle_isa_encoding_info((enum heddle_isa_enc)enc)->op);
    if (!m->has[enc]) continue;
    note_unit(m, enc, i->unit);
    seen[i->unit] = true;
    if ((units >> i->wide_unit & 1) != 0) note_unit(m, enc, i->wide_unit);
  }
  for (unsigned u = 0; u < ISA_UNIT_COUNT; u++)
    if (seen[u]) m->unit[m->units++] = (uint8_t)u;
}

/* Comparisons, smaller and larger, of words. */
static void find_related(struct menu *m) {
  static const enum heddle_isa_op ops[] = {ISA_OP_ISETP, ISA_OP_ISETP_EX, ISA_OP_FSETP,
                                           ISA_OP_IMNMX, ISA_OP_FMNMX,    ISA_OP_FCHK_DIVIDE};
  for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
    if (m->has[heddle_isa_instr_info(ops[i])->first_enc]) m->related_op[m->related_ops++] = (uint16_t)ops[i];
}

static void find_splits(struct menu *m) {
  for (unsigned op = 0; op < ISA_OP_COUNT; op++) {
    const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)op);
    if (i->n_encs == 0 || !m->has[i->first_enc]) continue;
    if (i->flow == ISA_FLOW_BRANCH || i->flow == ISA_FLOW_CALL || i->flow == ISA_FLOW_RETURN)
      m->split_op[m->split_ops++] = (uint16_t)op;
  }
}

bool menu_make(struct menu *m, const struct heddle_config *c) {
  const uint32_t units = heddle_config_units(c);
  add_items(m, units);
  m->item = calloc(m->items, sizeof *m->item);
  m->number = calloc(3 * 4 * ISA_OP_COUNT, sizeof *m->number);
  if (m->item == NULL || m->number == NULL) return false;
  add_items(m, units);
  find_numbers(m, units);
  find_units(m, units);
  find_related(m);
  find_splits(m);
  for (unsigned q = 0; q < queue_count; q++)
    if (queue_table[q].has == NULL || queue_table[q].has(c)) m->queue[m->queues++] = (uint8_t)q;
  return true;
}

void menu_clear(struct menu *m) {
  free(m->item);
  free(m->number);
}
