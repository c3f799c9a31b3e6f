/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses, parameters, loads and stores.
 */
#include <heddle/program.h>
#include "compiler/lower/lower.h"

static enum ptx_type lower_memory_type(enum ptx_type t) {
  switch (t) {
  case PTX_B8:
    return PTX_U8;
  case PTX_B16:
  case PTX_F16:
    return PTX_U16;
  case PTX_F16X2:
    return PTX_B32;
  default:
    return t;
  }
}

/* The .param space: parameters of the kernel (read with IR_PARAM), scalars of calls (values), arrays of calls (local
 * memory). An address in a register is one of the kernel's parameters in a kernel, of a local array in a function. */

/* Does an access of n elements lie inside the variable, naturally aligned? Otherwise told. */
static bool access_inside(struct lower *l, const struct insn *in, const struct ptx_operand *o,
                          const struct ptx_variable *v, unsigned n) {
  uint64_t bytes = (uint64_t)n * ptx_type_bytes(in->type), each = ptx_type_bytes(in->type);
  if (o->bits <= v->bytes && bytes <= v->bytes - o->bits && o->bits % each == 0) return true;
  ptx_error(l->d, o->pos, "%u bytes at %lld: outside of '%s' or not aligned", (unsigned)bytes, (long long)o->bits,
            v->name);
  return false;
}

static void load_kernel(struct lower *l, const struct insn *in, const struct ptx_variable *v,
                        const struct ptx_operand *list, unsigned n) {
  for (unsigned k = 0; k < n; k++) {
    struct place to = lower_write_wide(l, &list[k], in->type);
    enum ptx_type t = lower_memory_type(in->type);
    const bool pointer = l->whole_pointers && v->ptr_space == PTX_SHARED && to.value->class == IR_64;
    bool straight = to.value->class == ir_class_of(t) && !pointer;
    struct ir_value *value = straight ? to.value : ir_value_new(l->f, ir_class_of(t));
    struct ir_insn *i = lower_emit(l, IR_PARAM, t);
    lower_dst(i, value);
    i->place.at = (int64_t)(ir_variable_offset(l->f, v) + in->o[1].bits + (uint64_t)k * ptx_type_bytes(t));
    struct ir_operand whole = ir_use(value);
    if (pointer) whole = lower_shared_pointer(l, lower_cvt(l, PTX_U32, PTX_U64, whole));
    if (!straight) lower_fill(l, to, lower_promote(in->type), whole);
  }
}

/* ---- scalars of calls: a load takes bytes out of the value, a store puts them in ---- */

static void load_scalar(struct lower *l, const struct insn *in, struct binding *b, const struct ptx_operand *list,
                        unsigned n) {
  unsigned have = ptx_type_bytes(b->variable->type), each = ptx_type_bytes(in->type);
  struct ir_operand whole = ir_use(lower_register(l, b));
  for (unsigned k = 0; k < n; k++) {
    struct place to = lower_write_wide(l, &list[k], in->type);
    uint64_t at = 8 * (in->o[1].bits + (uint64_t)k * each);
    struct ir_operand v = whole;
    if (at) v = lower_two(l, IR_SHR, have == 8 ? PTX_U64 : PTX_U32, v, ir_bits(at));
    if (have == 8 && each < 8) v = lower_cvt(l, PTX_U32, PTX_U64, v);
    lower_fill(l, to, in->type, v);
  }
}

static void store_scalar(struct lower *l, const struct insn *in, struct binding *b, const struct ptx_operand *list,
                         unsigned n) {
  unsigned have = ptx_type_bytes(b->variable->type), each = ptx_type_bytes(in->type);
  struct ir_value *whole = lower_register(l, b);
  for (unsigned k = 0; k < n; k++) {
    struct ir_operand v = lower_read_low(l, &list[k], in->type);
    uint64_t at = 8 * (in->o[0].bits + (uint64_t)k * each);
    if (each == have) {
      lower_copy(l, whole, v);
      continue;
    }
    if (have == 8 && v.kind == IR_VALUE) v = lower_cvt(l, PTX_U64, PTX_U32, v);
    struct ir_operand src[4] = {v, ir_use(whole), ir_bits(at), ir_bits(8 * each)};
    lower_into(l, whole, IR_BFI, have == 8 ? PTX_B64 : PTX_B32, 4, src);
  }
}

/* ---- whose parameter it is ---- */

/* The variable that [o] names; NULL when it is a register, or nothing (*wrong: told). */
static struct binding *named_variable(struct lower *l, const struct insn *in, const struct ptx_operand *o,
                                      bool *wrong) {
  *wrong = o->kind != PTX_OP_ADDRESS || o->element->kind != PTX_OP_NAME;
  if (*wrong) {
    lower_refuse(l, in, "the address of a parameter is wanted");
    return NULL;
  }
  struct binding *b = lower_find(l, o->element);
  *wrong = b == NULL;
  return b && b->kind == BIND_REGISTER ? NULL : b;
}

static bool lower_param_load(struct lower *l, const struct insn *in, enum ptx_space *space) {
  const struct ptx_operand *o = &in->o[1];
  unsigned n = given(in, K_VECTOR) ? in->w.value[K_VECTOR] : 1;
  struct ptx_operand list[8];
  bool wrong;
  struct binding *b = named_variable(l, in, o, &wrong);
  if (wrong) return true;
  if (!b) {
    *space = l->frame->caller || !l->f->entry ? PTX_LOCAL : PTX_PARAM;
    return false;
  }
  bool scalar = b->kind == BIND_SCALAR, kernel = b->kind == BIND_MEMORY && b->variable->space == PTX_PARAM;
  if ((scalar || kernel) && (!access_inside(l, in, o, b->variable, n) || !lower_elements(l, in, &in->o[0], n, list)))
    return true;
  if (scalar)
    load_scalar(l, in, b, list, n);
  else if (kernel)
    load_kernel(l, in, b->variable, list, n);
  else
    *space = PTX_LOCAL;
  return scalar || kernel;
}

/* Parameters of the kernel, or scalars of calls: done (or told), true. False: an address in the space that is told. */
static bool lower_param_store(struct lower *l, const struct insn *in, enum ptx_space *space) {
  const struct ptx_operand *o = &in->o[0];
  unsigned n = given(in, K_VECTOR) ? in->w.value[K_VECTOR] : 1;
  struct ptx_operand list[8];
  bool wrong;
  struct binding *b = named_variable(l, in, o, &wrong);
  if (wrong) return true;
  if (!b || (b->kind == BIND_MEMORY && b->variable->space == PTX_PARAM)) {
    lower_refuse(l, in, b ? "a kernel's parameters cannot be written" : "a parameter variable is wanted");
    return true;
  }
  if (b->kind != BIND_SCALAR) {
    *space = PTX_LOCAL;
    return false;
  }
  if (access_inside(l, in, o, b->variable, n) && lower_elements(l, in, &in->o[1], n, list))
    store_scalar(l, in, b, list, n);
  return true;
}

/* Addresses in brackets, and one access of memory; vectors of registers. */

static bool is_wide(enum ptx_space s) {
  return s == PTX_GLOBAL || s == PTX_GENERIC;
}

static bool register_base(struct lower *l, const struct ptx_operand *o, struct binding *b, struct address *a) {
  unsigned bytes = ptx_type_bytes(b->variable->type);
  bool wide = is_wide(a->space);
  if (bytes < 4) {
    ptx_error(l->d, o->pos, "'%s': an address has 32 or 64 bits", o->name);
    return false;
  }
  a->base = ir_use(lower_register(l, b));
  if (wide && bytes == 4) a->base = lower_cvt(l, PTX_U64, PTX_U32, a->base);
  if (!wide && bytes == 8) a->base = lower_cvt(l, PTX_U32, PTX_U64, a->base);
  return true;
}

static bool variable_base(struct lower *l, const struct ptx_operand *o, const struct binding *b, struct address *a) {
  if (b->kind != BIND_MEMORY) {
    ptx_error(l->d, o->pos, "'%s' has no address here", o->name);
    return false;
  }
  const bool is_global = b->variable->space == PTX_GLOBAL; /* whose generic addresses are the same */
  if (is_global ? !is_wide(a->space) : b->variable->space != a->space) {
    ptx_error(l->d, o->pos, "'%s' is a .%s variable: the instruction must say so", o->name,
              ptx_space_word(b->variable->space));
    return false;
  }
  if (!layout_use(l, b->variable, o->pos)) return false;
  a->base = lower_variable(l, b->variable, 0, is_global ? PTX_U64 : PTX_U32);
  return true;
}

bool lower_address(struct lower *l, const struct insn *in, const struct ptx_operand *o, enum ptx_space space,
                   struct address *a) {
  *a = (struct address){.space = space};
  if (o->kind != PTX_OP_ADDRESS) {
    lower_refuse(l, in, "an address in brackets is wanted");
    return false;
  }
  const struct ptx_operand *base = o->element;
  a->offset = (int64_t)o->bits;
  if (a->offset < INT32_MIN || a->offset > INT32_MAX) {
    ptx_error(l->d, o->pos, "the offset has more than 32 bits");
    return false;
  }
  if (base->kind == PTX_OP_INT) {
    a->base = ir_bits(is_wide(space) ? base->bits : base->bits & UINT32_MAX);
    return true;
  }
  if (base->kind != PTX_OP_NAME || base->negate || base->invert) {
    ptx_error(l->d, base->pos, "a register or a variable is wanted here");
    return false;
  }
  struct binding *b = lower_find(l, base);
  if (!b) return false;
  return b->kind == BIND_REGISTER ? register_base(l, base, b, a) : variable_base(l, base, b, a);
}

static bool vector_register(struct lower *l, const struct ptx_operand *o, unsigned n, struct ptx_operand *list) {
  struct binding *b = names_find(l->frame->names, o->name);
  if (!b || b->kind != BIND_VECTOR || b->variable->vector != n) return false;
  for (unsigned k = 0; k < n; k++) {
    if (!b->part[k]) return false;
    list[k] = (struct ptx_operand){.kind = PTX_OP_NAME, .pos = o->pos, .name = b->part[k]->name};
  }
  return true;
}

bool lower_elements(struct lower *l, const struct insn *in, const struct ptx_operand *o, unsigned n,
                    struct ptx_operand *list) {
  if (n == 1) {
    list[0] = *o;
    return true;
  }
  const bool of_memory = !given(in, K_SPACE) || in->w.value[K_SPACE] == PTX_GLOBAL;
  if (n * ptx_type_bytes(in->type) > (of_memory ? 32 : 16)) {
    lower_refuse(l, in, "vectors have 16 bytes at most, in global memory 32");
    return false;
  }
  if (o->kind == PTX_OP_NAME && vector_register(l, o, n, list)) return true;
  if (o->kind != PTX_OP_VECTOR || o->elements != n) {
    ptx_error(l->d, o->pos, "a vector of %u registers is wanted here", n);
    return false;
  }
  for (unsigned k = 0; k < n; k++) list[k] = o->element[k];
  return true;
}

struct ir_insn *lower_fence(struct lower *l, enum ir_strength s) {
  struct ir_insn *i = lower_emit(l, IR_FENCE, PTX_NO_TYPE);
  i->memory.strength = (uint8_t)s;
  return i;
}

void lower_acquired(struct lower *l, enum ir_strength s) {
  lower_fence(l, s == IR_CTA ? IR_GPU : s)->memory.order = s == IR_CTA ? HEDDLE_ORDER_FENCE_CTA : HEDDLE_ORDER_WORD;
}

struct ir_insn *lower_access(struct lower *l, enum ir_op op, enum ptx_type t, struct address a, unsigned n) {
  struct ir_insn *i = lower_emit(l, op, t);
  lower_src(i, a.base);
  i->memory.offset = a.offset;
  i->memory.space = (uint8_t)a.space;
  i->memory.strength = (uint8_t)a.strength;
  i->memory.is_volatile = a.is_volatile;
  i->memory.invariant = a.invariant;
  i->memory.vector = n > 1 ? (uint8_t)n : 0;
  return i;
}

struct ir_operand lower_load(struct lower *l, struct address a, enum ptx_type t) {
  struct ir_insn *i = lower_access(l, IR_LD, lower_memory_type(t), a, 1);
  lower_dst(i, ir_value_new(l->f, ir_class_of(t)));
  return lower_result(i);
}

void lower_store(struct lower *l, struct address a, enum ptx_type t, struct ir_operand value) {
  lower_src(lower_access(l, IR_ST, lower_memory_type(t), a, 1), value);
}

/* Loads and stores. Vectors of narrow elements are one access of 16, 32 or twice 32 bits, taken to pieces here. Acquire
 * and release are fences of their own. Cache hints are dropped. */

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
