/* SPDX-License-Identifier: Apache-2.0
 *
 * Asynchronous copies, and mbarrier.
 */
#include <string.h>

#include <heddle/program.h>
#include "compiler/lower/lower_matrix.h"

/* mbarrier: 64 bits of shared memory that count arrivals and bytes. PTX leaves their meaning open; here, from the
 * bottom,
 *
 *   20 bits  arrivals that the phase still waits for
 *   20 bits  arrivals that the next one will wait for
 *   23 bits  bytes that the phase still waits for, and NONE: a copy may be told before it is expected
 *    1 bit   which phase it is: even or odd
 *
 * so that an operation is the addition of a number, and who takes the last away adds another one: the next phase
 * begins. Nobody arrives in between, since nobody knows yet that the phase has ended. There is no loop in which threads
 * of a warp part. A state is what was there before. Copies of cp.async are waited for when they should arrive. Waiting
 * never suspends a thread: it says how it is, and the program asks again. */

enum { COUNT = 0xfffff, NEXT_AT = 20, BYTES_AT = 40, PHASE_AT = 63 };
#define NONE (UINT64_C(1) << 62) /* no bytes */
#define PHASE (UINT64_C(1) << PHASE_AT)
#define WAITED (COUNT | (UINT64_C(0x7fffff) << BYTES_AT))

enum order { RELAXED, RELEASE, ACQUIRE };
struct barrier {
  struct address at;
  enum order order;
  enum ir_strength scope;
};

bool mbarrier_form(unsigned k, struct matrix_form *f) {
#define WHERE "cta|cluster shared|shared::cta|shared::cluster"
  static const char bytes[] = "relaxed " WHERE, arrival[] = "release|relaxed " WHERE, wait[] = "acquire|relaxed " WHERE;
  static const struct matrix_form forms[] = {
      {"mbarrier", "shared|shared::cta", "what the 64 bits mean is our own", "init", "b64", 2, 2, false},
      {"mbarrier", "shared|shared::cta", "", "inval", "b64", 1, 1, false},
      {"mbarrier", bytes, "", "expect_tx|complete_tx", "b64", 2, 2, false},
      {"mbarrier", arrival, "", "arrive|arrive_drop", "b64", 2, 3, false},
      {"mbarrier", arrival, "", "arrive|arrive_drop expect_tx|noComplete", "b64", 3, 3, false},
      {"mbarrier", wait, "never waits", "test_wait|try_wait", "b64", 3, 4, false},
      {"mbarrier", wait, "", "test_wait|try_wait parity", "b64", 3, 4, false},
      {"mbarrier", "", "", "pending_count", "b64", 2, 2, false}};
  if (k < sizeof forms / sizeof *forms) *f = forms[k];
  return k < sizeof forms / sizeof *forms;
}

/* ---- words ---- */

/* .sem.scope, .space, .b64 */
static void read_order(struct matrix_words *w, struct barrier *b, enum order usual) {
  b->order = matrix_take(w, "relaxed") ? RELAXED : usual;
  if (b->order != RELAXED) (void)matrix_take(w, usual == RELEASE ? "release" : "acquire");
  b->scope = matrix_take(w, "cluster") ? IR_GPU : IR_CTA;
  if (b->scope == IR_CTA) (void)matrix_take(w, "cta");
  b->at.space = PTX_GENERIC;
  if (matrix_take(w, "shared") || matrix_take(w, "shared::cta") || matrix_take(w, "shared::cluster"))
    b->at.space = PTX_SHARED;
  matrix_expect(w, "b64");
  matrix_end(w);
}

/* The address is operand k of `least` to `most`. */
static bool read_address(struct lower *l, const struct insn *in, struct barrier *b, unsigned k, unsigned least,
                         unsigned most) {
  if (in->operands < least || in->operands > most) {
    lower_refuse(l, in, "the number of operands is wrong");
    return false;
  }
  if (!lower_address(l, in, &in->o[k], b->at.space, &b->at)) return false;
  b->at.strength = b->scope;
  return true;
}

/* ---- numbers ---- */

static struct ir_operand shifted(struct lower *l, struct ir_operand n, unsigned by) {
  struct ir_operand wide = n.kind == IR_CONST ? n : lower_cvt(l, PTX_U64, PTX_U32, n);
  if (wide.kind == IR_CONST) return ir_bits(wide.bits << by);
  return by ? lower_two(l, IR_SHL, PTX_B64, wide, ir_bits(by)) : wide;
}

static struct ir_operand sum_u64(struct lower *l, struct ir_operand a, struct ir_operand b) {
  if (a.kind == IR_CONST && b.kind == IR_CONST) return ir_bits(a.bits + b.bits);
  return lower_two(l, IR_ADD, PTX_U64, a, b);
}

static struct ir_operand opposite(struct lower *l, struct ir_operand a) {
  return a.kind == IR_CONST ? ir_bits(-a.bits) : lower_two(l, IR_SUB, PTX_U64, ir_bits(0), a);
}

static struct ir_operand compared(struct lower *l, enum ir_cmp cmp, enum ptx_type t, struct ir_operand a,
                                  struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, t, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_result(i);
}

/* ---- what changes it: under the statement's guard, but for its own ---- */

static struct ir_insn *add_atomically(struct lower *l, enum ir_op op, const struct barrier *b, struct ir_operand n,
                                      enum heddle_order order) {
  struct ir_insn *i = lower_emit(l, op, PTX_U64);
  lower_src(i, b->at.base);
  lower_src(i, n);
  i->memory.offset = b->at.offset;
  i->memory.space = (uint8_t)b->at.space;
  i->memory.strength = (uint8_t)b->at.strength;
  i->memory.atom = IR_A_ADD;
  i->memory.order = (uint8_t)order;
  return i;
}

static struct ir_operand and_guard(struct lower *l, struct ir_operand p) {
  if (!l->guard) return p;
  struct ir_operand g = ir_use(l->guard);
  if (l->guard_invert) g = lower_one(l, IR_NOT, PTX_PRED, g);
  return lower_two(l, IR_AND, PTX_PRED, p, g);
}

/* The next phase, where this one waits for nothing. */
static void perhaps_next(struct lower *l, const struct barrier *b, struct ir_operand v) {
  struct ir_value *const guard = l->guard;
  const bool invert = l->guard_invert;
  struct ir_operand left = lower_two(l, IR_AND, PTX_B64, v, ir_bits(WAITED));
  struct ir_operand ends = and_guard(l, compared(l, IR_EQ, PTX_U64, left, ir_bits(NONE)));
  struct ir_operand counts = lower_two(l, IR_SHR, PTX_U64, v, ir_bits(NEXT_AT));
  counts = lower_two(l, IR_AND, PTX_B64, counts, ir_bits(COUNT));
  counts = lower_two(l, IR_ADD, PTX_U64, counts, ir_bits(PHASE));
  l->guard = ends.value;
  l->guard_invert = false;
  (void)add_atomically(l, IR_RED, b, counts, HEDDLE_ORDER_PHASE);
  l->guard = guard;
  l->guard_invert = invert;
}

/* Returns what was there before. */
static struct ir_operand add_to_barrier(struct lower *l, const struct barrier *b, struct ir_operand number) {
  struct ir_value *const guard = l->guard, *old = ir_value_new(l->f, IR_64);
  struct ir_operand zero = ir_bits(0);
  l->guard = NULL;
  lower_into(l, old, IR_COPY, PTX_B64, 1, &zero);
  l->guard = guard;
  if (b->order == RELEASE) lower_fence(l, b->scope);
  lower_dst(add_atomically(l, IR_ATOM, b, number, HEDDLE_ORDER_ARRIVE), old);
  perhaps_next(l, b, lower_two(l, IR_ADD, PTX_U64, ir_use(old), number));
  return ir_use(old);
}

static void lower_arrive(struct lower *l, const struct insn *in, struct matrix_words *w, bool drop) {
  struct barrier b = {.order = RELEASE};
  const bool bytes = matrix_take(w, "expect_tx"), some = !bytes && matrix_take(w, "noComplete");
  read_order(w, &b, RELEASE);
  if (w->wrong || !read_address(l, in, &b, 1, bytes || some ? 3 : 2, 3)) return;
  struct ir_operand count = in->operands == 3 && !bytes ? lower_read(l, &in->o[2], PTX_U32) : ir_bits(1);
  struct ir_operand number = opposite(l, shifted(l, count, 0));
  if (drop) number = sum_u64(l, number, opposite(l, shifted(l, count, NEXT_AT)));
  if (bytes) number = sum_u64(l, number, shifted(l, lower_read(l, &in->o[2], PTX_U32), BYTES_AT));
  struct ir_operand old = add_to_barrier(l, &b, number);
  if (in->o[0].kind != PTX_OP_SINK) lower_copy(l, lower_write(l, &in->o[0], PTX_B64), old);
}

static void lower_bytes(struct lower *l, const struct insn *in, struct matrix_words *w, bool complete) {
  struct barrier b = {.order = RELAXED};
  read_order(w, &b, RELAXED);
  if (w->wrong || !read_address(l, in, &b, 0, 2, 2)) return;
  struct ir_operand number = shifted(l, lower_read(l, &in->o[1], PTX_U32), BYTES_AT);
  (void)add_to_barrier(l, &b, complete ? opposite(l, number) : number);
}

static void lower_init(struct lower *l, const struct insn *in, struct matrix_words *w, bool valid) {
  struct barrier b = {.order = RELAXED};
  read_order(w, &b, RELAXED);
  if (w->wrong || !read_address(l, in, &b, 0, valid ? 2 : 1, valid ? 2 : 1)) return;
  struct ir_operand count = valid ? lower_read(l, &in->o[1], PTX_U32) : ir_bits(0);
  count = sum_u64(l, shifted(l, count, 0), shifted(l, count, NEXT_AT));
  b.at.strength = IR_WEAK; /* nobody may look at it meanwhile */
  lower_store(l, b.at, PTX_B64, sum_u64(l, count, ir_bits(NONE)));
}

/* ---- what looks at it ---- */

static void lower_wait(struct lower *l, const struct insn *in, struct matrix_words *w, bool hint) {
  struct barrier b = {.order = ACQUIRE};
  const bool parity = matrix_take(w, "parity");
  read_order(w, &b, ACQUIRE);
  if (w->wrong || !read_address(l, in, &b, 1, 3, hint ? 4 : 3)) return;
  struct ir_operand of = lower_read(l, &in->o[2], parity ? PTX_U32 : PTX_B64);
  if (parity) of = shifted(l, of, PHASE_AT);
  struct ir_insn *now = lower_access(l, IR_LD, PTX_U64, b.at, 1);
  lower_dst(now, ir_value_new(l->f, IR_64));
  now->memory.order = HEDDLE_ORDER_WAIT;
  of = lower_two(l, IR_XOR, PTX_B64, of, lower_result(now));
  of = lower_two(l, IR_AND, PTX_B64, of, ir_bits(PHASE));
  struct ir_operand is = compared(l, IR_NE, PTX_U64, of, ir_bits(0));
  struct ir_value *p = lower_write(l, &in->o[0], PTX_PRED);
  lower_into(l, p, IR_COPY, PTX_PRED, 1, &is);
  if (b.order != ACQUIRE) return;
  l->guard = and_guard(l, is).value;
  l->guard_invert = false;
  lower_acquired(l, b.scope);
}

static void lower_pending(struct lower *l, const struct insn *in, struct matrix_words *w) {
  matrix_expect(w, "b64");
  matrix_end(w);
  if (w->wrong) return;
  if (in->operands != 2) {
    lower_refuse(l, in, "2 operands are wanted");
    return;
  }
  struct ir_operand low = lower_cvt(l, PTX_U32, PTX_U64, lower_read(l, &in->o[1], PTX_B64));
  struct ir_operand count = lower_two(l, IR_AND, PTX_B32, low, ir_bits(COUNT));
  lower_copy(l, lower_write(l, &in->o[0], PTX_U32), count);
}

void lower_mbarrier(struct lower *l, const struct insn *in) {
  static const char *const operations[] = {"init",        "inval",     "expect_tx", "complete_tx",  "arrive",
                                           "arrive_drop", "test_wait", "try_wait",  "pending_count"};
  struct matrix_words w = matrix_words_of(l, in);
  const unsigned which = matrix_choose(&w, operations, sizeof operations / sizeof *operations);
  if (w.wrong) return;
  if (which < 2)
    lower_init(l, in, &w, which == 0);
  else if (which < 4)
    lower_bytes(l, in, &w, which == 3);
  else if (which < 6)
    lower_arrive(l, in, &w, which == 5);
  else if (which < 8)
    lower_wait(l, in, &w, which == 7);
  else
    lower_pending(l, in, &w);
}

/* cp.async.mbarrier, when what was copied has arrived */
static void lower_mbarrier_copies(struct lower *l, const struct insn *in, struct matrix_words *w) {
  struct barrier b = {.order = RELEASE};
  matrix_expect(w, "arrive");
  const bool counts = matrix_take(w, "noinc"); /* else the arrival is one more than was waited for: nothing changes */
  read_order(w, &b, RELEASE);
  if (w->wrong || !read_address(l, in, &b, 0, 1, 1)) return;
  if (counts) (void)add_to_barrier(l, &b, ir_bits(UINT64_MAX));
}

/* cp.async: from global to shared memory. Where the machine has asynchronous copies, one of whole size is one of these,
 * and groups are the warp's: a wait for all but some of its groups waits for all but some of each thread's. Else it is
 * done at once, which is as good a moment as any, and there is nothing to wait for. So is a copy of a part: bytes that
 * do not come from memory are zeros, and their places in memory are not read. */

enum { WORDS_MAX = 4 };

struct copy {
  struct address to, from;
  unsigned words;          /* to write */
  struct ir_operand bytes; /* to read; NONE: all */
  bool even;               /* a multiple of four of them */
};

bool async_form(unsigned k, struct matrix_form *f) {
  static const struct matrix_form forms[] = {
      {"cp", "L2::64B|L2::128B|L2::256B L2::cache_hint",
       "4, 8 or 16 bytes, .cg 16; done at once where the machine lacks async", "async ca|cg shared|shared::cta global",
       "", 3, 5, true},
      {"cp", "", "groups are the warp's; nothing happens where the machine lacks async", "async commit_group|wait_all",
       "", 0, 0, true},
      {"cp", "", "a constant; nothing happens where the machine lacks async", "async wait_group", "", 1, 1, true},
      {"cp", "noinc shared|shared::cta", "waits for the thread's copies", "async mbarrier arrive", "b64", 1, 1, false}};
  if (k < sizeof forms / sizeof *forms) *f = forms[k];
  return k < sizeof forms / sizeof *forms;
}

static struct ir_operand setp_u32(struct lower *l, enum ir_cmp cmp, struct ir_operand a, struct ir_operand b) {
  struct ir_insn *i = lower_temp(l, IR_SETP, PTX_U32, IR_PRED, 2, (struct ir_operand[]){a, b});
  i->comparison.cmp = (uint8_t)cmp;
  return lower_result(i);
}

/* *a at `a` where p holds and the statement is executed, else zero. */
static struct ir_operand load_if(struct lower *l, struct address a, enum ptx_type t, struct ir_operand p) {
  struct ir_value *const guard = l->guard, *v = ir_value_new(l->f, IR_32);
  const bool invert = l->guard_invert;
  if (guard) {
    struct ir_operand g = ir_use(guard);
    if (invert) g = lower_one(l, IR_NOT, PTX_PRED, g);
    p = lower_two(l, IR_AND, PTX_PRED, p, g);
  }
  l->guard = NULL;
  struct ir_operand zero = ir_bits(0);
  lower_into(l, v, IR_COPY, PTX_B32, 1, &zero);
  l->guard = p.value;
  l->guard_invert = false;
  struct ir_insn *i = lower_emit(l, IR_LD, t);
  lower_dst(i, v);
  lower_src(i, a.base);
  i->memory.offset = a.offset;
  i->memory.space = (uint8_t)a.space;
  l->guard = guard;
  l->guard_invert = invert;
  return ir_use(v);
}

/* The last one to three bytes, at the bottom of a word. */
static struct ir_operand load_rest(struct lower *l, const struct copy *c) {
  struct ir_operand rest = lower_two(l, IR_AND, PTX_B32, c->bytes, ir_bits(3)), word = ir_bits(0);
  struct ir_operand whole = lower_two(l, IR_SUB, PTX_U32, c->bytes, rest);
  struct address a = c->from;
  a.base = lower_two(l, IR_ADD, PTX_U64, a.base, lower_cvt(l, PTX_U64, PTX_U32, whole));
  for (unsigned k = 0; k < 3; k++, a.offset++) {
    struct ir_operand x = load_if(l, a, PTX_U8, setp_u32(l, IR_GT, rest, ir_bits(k)));
    word = k ? lower_two(l, IR_OR, PTX_B32, word, lower_two(l, IR_SHL, PTX_B32, x, ir_bits(8 * (uint64_t)k))) : x;
  }
  return word;
}

static void load_some(struct lower *l, const struct copy *c, struct ir_operand *v) {
  struct ir_operand rest = c->even ? ir_bits(0) : load_rest(l, c);
  struct address a = c->from;
  for (unsigned k = 0; k < c->words; k++, a.offset += 4) {
    v[k] = load_if(l, a, PTX_B32, setp_u32(l, IR_GE, c->bytes, ir_bits(4 * (uint64_t)k + 4)));
    if (c->even) continue;
    struct ir_operand here = lower_two(l, IR_SHR, PTX_U32, c->bytes, ir_bits(2));
    v[k] = lower_three(l, IR_SELP, PTX_B32, rest, v[k], setp_u32(l, IR_EQ, here, ir_bits(k)));
  }
}

static struct ir_insn *emit_access(struct lower *l, enum ir_op op, struct address a, unsigned words) {
  struct ir_insn *i = lower_emit(l, op, PTX_B32);
  lower_src(i, a.base);
  i->memory.offset = a.offset;
  i->memory.space = (uint8_t)a.space;
  i->memory.vector = words > 1 ? (uint8_t)words : 0;
  return i;
}

static void copy_at_once(struct lower *l, const struct copy *c) {
  struct ir_operand v[WORDS_MAX];
  if (c->bytes.kind == IR_NONE) {
    struct ir_insn *i = emit_access(l, IR_LD, c->from, c->words);
    for (unsigned k = 0; k < c->words; k++) {
      lower_dst(i, ir_value_new(l->f, IR_32));
      v[k] = ir_use(i->dst[k]);
    }
  } else {
    load_some(l, c, v);
  }
  struct ir_insn *i = emit_access(l, IR_ST, c->to, c->words);
  for (unsigned k = 0; k < c->words; k++) lower_src(i, v[k]);
}

static void copy_async(struct lower *l, const struct copy *c) {
  struct ir_operand to = c->to.base;
  if (c->to.offset != 0) to = lower_two(l, IR_ADD, PTX_U32, to, ir_bits((uint32_t)c->to.offset));
  struct ir_insn *i = emit_access(l, IR_ASYNC_COPY, c->from, c->words);
  lower_src(i, to);
}

/* The statement's guard, and `p` (or its opposite) besides. */
static void under(struct lower *l, struct ir_operand p, bool invert, void (*emit)(struct lower *, const struct copy *),
                  const struct copy *c) {
  struct ir_value *const guard = l->guard;
  const bool was = l->guard_invert;
  l->guard = NULL;
  if (invert) p = lower_one(l, IR_NOT, PTX_PRED, p);
  if (guard) {
    struct ir_operand g = ir_use(guard);
    if (was) g = lower_one(l, IR_NOT, PTX_PRED, g);
    p = lower_two(l, IR_AND, PTX_PRED, p, g);
  }
  l->guard = p.value;
  l->guard_invert = false;
  emit(l, c);
  l->guard = guard;
  l->guard_invert = was;
}

/* All of it asynchronously, a part at once: threads may differ. */
static void perform_copy(struct lower *l, const struct copy *c) {
  const unsigned size = 4 * c->words;
  if (!l->copies) {
    copy_at_once(l, c);
  } else if (c->bytes.kind == IR_NONE || (c->bytes.kind == IR_CONST && c->bytes.bits >= size)) {
    copy_async(l, c);
  } else if (c->bytes.kind == IR_CONST) {
    copy_at_once(l, c);
  } else {
    struct ir_value *const guard = l->guard;
    l->guard = NULL; /* the test is for all */
    const struct ir_operand whole = setp_u32(l, IR_GE, c->bytes, ir_bits(size));
    l->guard = guard;
    under(l, whole, false, copy_async, c);
    under(l, whole, true, copy_at_once, c);
  }
}

/* How many bytes to read: a number, or none where a predicate holds. */
static void read_bytes(struct lower *l, const struct ptx_operand *o, struct copy *c) {
  struct binding *b = o->kind == PTX_OP_NAME ? lower_find(l, o) : NULL;
  if (b && b->kind == BIND_REGISTER && b->variable->type == PTX_PRED) {
    struct ir_operand p = lower_read(l, o, PTX_PRED);
    c->bytes = lower_three(l, IR_SELP, PTX_B32, ir_bits(0), ir_bits(4 * (uint64_t)c->words), p);
    c->even = true;
    return;
  }
  c->bytes = lower_read(l, o, PTX_U32);
  c->even = c->bytes.kind == IR_CONST && c->bytes.bits % 4 == 0;
}

static void lower_copy_async(struct lower *l, const struct insn *in, struct matrix_words *w) {
  static const char *const caches[] = {"ca", "cg"}, *const hints[] = {"L2::64B", "L2::128B", "L2::256B"};
  struct copy c = {.bytes = {0}};
  uint64_t size = 0;
  const bool whole_lines = matrix_choose(w, caches, 2) == 1;
  if (!matrix_take(w, "shared::cta")) matrix_expect(w, "shared");
  matrix_expect(w, "global");
  const bool hint = matrix_take(w, "L2::cache_hint");
  for (unsigned k = 0; k < 3; k++) (void)matrix_take(w, hints[k]);
  matrix_end(w);
  if (w->wrong) return;
  const unsigned operands = in->operands - (hint && in->operands ? 1 : 0);
  if (operands != 3 && operands != 4)
    lower_refuse(l, in, "3 or 4 operands are wanted");
  else if (!lower_constant(l, &in->o[2], PTX_U32, &size) || (size != 16 && (whole_lines || (size != 4 && size != 8))))
    lower_refuse(l, in, "the size must be 4, 8 or 16; of .cg 16");
  else if (lower_address(l, in, &in->o[0], PTX_SHARED, &c.to) && lower_address(l, in, &in->o[1], PTX_GLOBAL, &c.from)) {
    c.words = (unsigned)size / 4;
    if (operands == 4) read_bytes(l, &in->o[3], &c);
    perform_copy(l, &c);
  }
}

/* All but the last n groups. */
static void wait_groups(struct lower *l, uint64_t n) {
  if (!l->copies) return;
  lower_src(lower_emit(l, IR_ASYNC_WAIT, PTX_NO_TYPE), ir_bits(n));
}

static void close_group(struct lower *l) {
  if (l->copies) (void)lower_emit(l, IR_ASYNC_CLOSE, PTX_NO_TYPE);
}

void lower_async(struct lower *l, const struct insn *in) {
  struct matrix_words w = matrix_words_of(l, in);
  uint64_t left = 0;
  matrix_expect(&w, "async");
  if (matrix_take(&w, "bulk")) {
    lower_refuse(l, in, "there are no bulk and tensor copies: cp.async copies 16 bytes a thread");
    return;
  }
  if (matrix_take(&w, "mbarrier")) {
    close_group(l);
    wait_groups(l, 0);
    lower_mbarrier_copies(l, in, &w);
    return;
  }
  const bool group = matrix_take(&w, "wait_group"), close = !group && matrix_take(&w, "commit_group");
  if (!group && !close && !matrix_take(&w, "wait_all")) {
    lower_copy_async(l, in, &w);
    return;
  }
  matrix_end(&w);
  if (w.wrong) return;
  if (in->operands != group)
    lower_refuse(l, in, "%u operands are wanted", (unsigned)group);
  else if (group && !lower_constant(l, &in->o[0], PTX_U32, &left))
    lower_refuse(l, in, "how many groups may be left must be a constant");
  else {
    if (!group) close_group(l);
    if (!close) wait_groups(l, left);
  }
}
