/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads and stores. Vectors of narrow elements are one access of 16, 32 or twice 32 bits, taken to pieces here. Acquire
 * and release are fences of their own. Cache hints are dropped.
 */
#include "compiler/lower/lower.h"

/* A vector of elements below 32 bits moves as `count` words of type `word`. */
struct packing {
  enum ptx_type word;
  unsigned count, pieces; /* pieces: elements in a word */
};

static struct packing packing_of(enum ptx_type t, unsigned n) {
  unsigned bytes = ptx_type_bytes(t), all = n * bytes;
  if (n == 1 || bytes >= 4) return (struct packing){lower_memory_type(t), n, 1};
  if (all == 2) return (struct packing){PTX_U16, 1, n};
  return (struct packing){PTX_B32, all / 4, 4 / bytes};
}

/* Piece k of a word; its upper bits are anything. */
static struct ir_operand piece(struct lower *l, struct ir_operand word, enum ptx_type t, unsigned k) {
  unsigned at = 8 * ptx_type_bytes(t) * k;
  return at ? lower_two(l, IR_SHR, PTX_U32, word, ir_bits(at)) : word;
}

/* p[0] = the word of `pieces` elements; what is above them is anything. */
static struct ir_operand joined(struct lower *l, const struct ir_operand *p, enum ptx_type t, unsigned pieces) {
  struct ir_operand word = p[0];
  unsigned bits = 8 * ptx_type_bytes(t);
  if (bits == 16) return lower_two(l, IR_PACK, PTX_B32, p[0], p[1]);
  for (unsigned k = 1; k < pieces; k++) {
    struct ir_operand src[4] = {p[k], word, ir_bits(k * bits), ir_bits(bits)};
    word = lower_result(lower_temp(l, IR_BFI, PTX_B32, IR_32, 4, src));
  }
  return word;
}

/* ---- order ---- */

static bool read_order(struct lower *l, const struct insn *in, bool store, struct address *a) {
  enum sem sem = given(in, K_SEM) ? (enum sem)in->w.value[K_SEM] : SEM_WEAK;
  enum ir_strength scope = (enum ir_strength)in->w.value[K_SCOPE];
  bool scoped = sem == SEM_RELAXED || sem == SEM_ACQUIRE || sem == SEM_RELEASE;
  bool right = sem != SEM_SC && sem != SEM_ACQ_REL && sem != (store ? SEM_ACQUIRE : SEM_RELEASE);
  right = right && scoped == given(in, K_SCOPE) && (!given(in, K_NC) || sem == SEM_WEAK);
  right = right && (!given(in, K_MMIO) || (sem == SEM_RELAXED && scope == IR_SYS));
  if (!right) lower_refuse(l, in, "this order and scope are not supported");
  a->is_volatile = sem == SEM_VOLATILE || given(in, K_MMIO);
  a->strength = sem == SEM_VOLATILE ? IR_SYS : scoped ? scope : IR_WEAK;
  return right;
}

static bool has_sem(const struct insn *in, enum sem sem) {
  return given(in, K_SEM) && in->w.value[K_SEM] == sem;
}

static bool space_right(struct lower *l, const struct insn *in, bool store) {
  bool right = !given(in, K_SPACE) || !(store && in->w.value[K_SPACE] == PTX_CONST);
  right = right && (!given(in, K_NC) || (given(in, K_SPACE) && in->w.value[K_SPACE] == PTX_GLOBAL));
  if (!right) lower_refuse(l, in, "not in this space");
  return right;
}

/* ---- ld, st ---- */

/* Elements whose registers have the element's class are loaded where they belong; others through a temporary. */
static void load_elements(struct lower *l, const struct insn *in, struct address a, const struct ptx_operand *list,
                          unsigned n) {
  struct place to[4];
  struct ir_value *word[4];
  struct packing p = packing_of(in->type, n);
  for (unsigned k = 0; k < n; k++) to[k] = lower_write_wide(l, &list[k], in->type);
  struct ir_insn *i = lower_access(l, IR_LD, p.word, a, p.count);
  for (unsigned k = 0; k < p.count; k++) {
    bool straight = p.pieces == 1 && to[k].value->class == ir_class_of(p.word);
    word[k] = straight ? to[k].value : ir_value_new(l->f, ir_class_of(p.word));
    lower_dst(i, word[k]);
  }
  for (unsigned k = n; k-- > 0;) { /* from the top: piece 0 is the word itself, and is read last */
    struct ir_value *from = word[k / p.pieces];
    enum ptx_type t = p.pieces == 1 ? lower_promote(in->type) : in->type; /* a load extends by itself */
    if (from != to[k].value) lower_fill(l, to[k], t, piece(l, ir_use(from), in->type, k % p.pieces));
  }
}

/* The instruction over two of 64 bits, where it is of 128. */
static struct insn of_words(const struct insn *in) {
  struct insn wide = *in;
  if (in->type != PTX_B128) return wide;
  wide.type = PTX_B64;
  wide.w.given |= GIVEN(K_VECTOR);
  wide.w.value[K_VECTOR] = 2;
  return wide;
}

/* Vectors of 32 bytes are two of 16. */
static void load_all(struct lower *l, const struct insn *in, struct address a, const struct ptx_operand *list,
                     unsigned n) {
  const unsigned parts = n * ptx_type_bytes(in->type) > 16 ? 2 : 1;
  if (parts == 2)
    a.base = lower_one(l, IR_COPY, a.base.kind == IR_VALUE && a.base.value->class == IR_64 ? PTX_B64 : PTX_B32, a.base);
  for (unsigned p = 0; p < parts; p++, a.offset += 16) load_elements(l, in, a, list + p * (n / parts), n / parts);
}

void lower_ld(struct lower *l, const struct insn *narrow) {
  const struct insn wide = of_words(narrow), *in = &wide;
  enum ptx_space space = given(in, K_SPACE) ? (enum ptx_space)in->w.value[K_SPACE] : PTX_GENERIC;
  unsigned n = given(in, K_VECTOR) ? in->w.value[K_VECTOR] : 1;
  struct ptx_operand list[8];
  struct address a, how = {0};
  if (in->operands != 2 || (narrow->type == PTX_B128 && given(narrow, K_VECTOR)))
    lower_refuse(l, in, "an operand too many");
  else if (space_right(l, in, false) && read_order(l, in, false, &how) &&
           !(space == PTX_PARAM && lower_param_load(l, in, &space)) && lower_elements(l, in, &in->o[0], n, list) &&
           lower_address(l, in, &in->o[1], space, &a)) {
    a.strength = how.strength;
    a.is_volatile = how.is_volatile;
    a.invariant = given(in, K_NC);
    load_all(l, in, a, list, n);
    if (has_sem(in, SEM_ACQUIRE)) lower_acquired(l, a.strength);
  }
}

static void store_elements(struct lower *l, const struct insn *in, struct address a, const struct ptx_operand *list,
                           unsigned n) {
  struct packing p = packing_of(in->type, n);
  struct ir_operand value[4], word[4];
  for (unsigned k = 0; k < n; k++) value[k] = lower_read_low(l, &list[k], in->type);
  for (unsigned k = 0; k < p.count; k++)
    word[k] = p.pieces == 1 ? value[k] : joined(l, &value[k * p.pieces], in->type, p.pieces);
  struct ir_insn *i = lower_access(l, IR_ST, p.word, a, p.count);
  for (unsigned k = 0; k < p.count; k++) lower_src(i, word[k]);
}

void lower_st(struct lower *l, const struct insn *narrow) {
  const struct insn wide = of_words(narrow), *in = &wide;
  enum ptx_space space = given(in, K_SPACE) ? (enum ptx_space)in->w.value[K_SPACE] : PTX_GENERIC;
  unsigned n = given(in, K_VECTOR) ? in->w.value[K_VECTOR] : 1;
  struct ptx_operand list[8];
  struct address a, how = {0};
  if (in->operands != 2 || (narrow->type == PTX_B128 && given(narrow, K_VECTOR)))
    lower_refuse(l, in, "an operand too many");
  else if (space_right(l, in, true) && read_order(l, in, true, &how) &&
           !(space == PTX_PARAM && lower_param_store(l, in, &space)) && lower_elements(l, in, &in->o[1], n, list) &&
           lower_address(l, in, &in->o[0], space, &a)) {
    a.strength = how.strength;
    a.is_volatile = how.is_volatile;
    if (has_sem(in, SEM_RELEASE)) lower_fence(l, a.strength);
    const unsigned parts = n * ptx_type_bytes(in->type) > 16 ? 2 : 1;
    for (unsigned p = 0; p < parts; p++, a.offset += 16) store_elements(l, in, a, list + p * (n / parts), n / parts);
  }
}

void lower_prefetch(struct lower *l, const struct insn *in) {
  enum ptx_space space = given(in, K_SPACE) ? (enum ptx_space)in->w.value[K_SPACE] : PTX_GENERIC;
  struct address a;
  if (space != PTX_GENERIC && space != PTX_GLOBAL && space != PTX_LOCAL)
    lower_refuse(l, in, "not in this space");
  else if (lower_address(l, in, &in->o[0], space, &a) && space != PTX_LOCAL)
    /* No call of POSIX, which has a function of that name. NOLINTNEXTLINE(bugprone-unused-return-value) */
    lower_access(l, IR_PREFETCH, PTX_NO_TYPE, a, 1);
}
