/* SPDX-License-Identifier: Apache-2.0
 *
 * Operands: names and what hangs on them, constants, addresses, vectors, pairs, lists.
 */
#include "compiler/parse/parse.h"

#include <string.h>

enum { LIST_FIRST = 8 };

/* %pm0, %envreg31: a name and a number. */
static bool is_numbered(const char *name, size_t n, const char *stem) {
  const size_t length = strlen(stem);
  if (n <= length || memcmp(name, stem, length) != 0) return false;
  for (size_t i = length; i < n; i++)
    if (name[i] < '0' || name[i] > '9') return false;
  return true;
}

/* Special registers without a number, or with one that belongs to the name. */
static const char *const plain[] = {
    "tid",
    "ntid",
    "ctaid",
    "nctaid",
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "lanemask_eq",
    "lanemask_lt",
    "lanemask_le",
    "lanemask_gt",
    "lanemask_ge",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "current_graph_exec",
    "is_explicit_cluster",
    "clusterid",
    "nclusterid",
    "cluster_ctaid",
    "cluster_nctaid",
    "cluster_ctarank",
    "cluster_nctarank",
};

/* Whether the name is a special register, whatever follows its dot. */
static bool is_special(const char *name, size_t n) {
  if (n < 2 || name[0] != '%') return false;
  name++, n--;
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    if (plain[i][0] == name[0] && strlen(plain[i]) == n && memcmp(plain[i], name, n) == 0) return true;
  return is_numbered(name, n, "pm") || is_numbered(name, n, "envreg") ||
         (n > 21 && memcmp(name, "reserved_smem_offset_", 21) == 0);
}

/* A name with its glued ".x". `now` is the name. */
static void take_dotted(struct ptx_parser *p, struct ptx_operand *o) {
  const char *text = p->now.text, *end = text + p->now.length;
  o->kind = is_special(text, p->now.length) ? PTX_OP_SREG : PTX_OP_NAME;
  ptx_next(p);
  for (; p->now.kind == PTX_T_WORD && p->now.glued; ptx_next(p)) end = p->now.text + p->now.length;
  o->name = ptx_intern(p->arena, text, (size_t)(end - text));
}

/* WARP_SZ is a constant. */
static bool names_something(const struct ptx_token *t) {
  return t->kind == PTX_T_NAME && !(t->length == 7 && memcmp(t->text, "WARP_SZ", 7) == 0);
}

static bool is_reference(const struct ptx_parser *p) {
  return names_something(&p->now);
}

/* A name or _. */
static bool reference(struct ptx_parser *p, struct ptx_operand *o) {
  o->pos = p->now.pos;
  if (!is_reference(p)) return ptx_wrong(p, "a register");
  if (!ptx_is_name(p, "_")) {
    take_dotted(p, o);
    return true;
  }
  o->kind = PTX_OP_SINK;
  ptx_next(p);
  return true;
}

/* "+ 4", "-4", "+ -4" behind a name: the sign is the expression's. */
static bool offset(struct ptx_parser *p, uint64_t *bits) {
  return ptx_is(p, '+') || ptx_is(p, '-') ? ptx_parse_integer(p, bits) : true;
}

static bool parse_constant(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_constant c;
  o->pos = p->now.pos;
  if (!ptx_parse_expression(p, &c)) return false;
  o->kind = c.kind == PTX_C_F32 ? PTX_OP_F32 : c.kind == PTX_C_F64 ? PTX_OP_F64 : PTX_OP_INT;
  o->bits = c.bits;
  return true;
}

/* What may stand inside a vector or a list: -x, !p, a name, a constant. */
static bool simple(struct ptx_parser *p, struct ptx_operand *o) {
  const bool negate = ptx_is(p, '-'), invert = ptx_is(p, '!');
  const struct ptx_pos pos = p->now.pos;
  if ((negate || invert) && names_something(ptx_peek(p))) {
    ptx_next(p);
    o->negate = negate;
    o->invert = invert;
  }
  const bool ok = is_reference(p) ? reference(p, o) : parse_constant(p, o);
  o->pos = pos;
  if (ok && o->kind == PTX_OP_SINK && (o->negate || o->invert)) {
    ptx_error(p->diag, pos, "_ has no sign");
    return false;
  }
  return ok;
}

static void copy_elements(struct ptx_parser *p, struct ptx_operand *o, const struct ptx_operand *from, unsigned n) {
  o->elements = n;
  o->element = ptx_alloc(p->arena, (n > 0 ? n : 1) * sizeof *from);
  memcpy(o->element, from, n * sizeof *from);
}

static bool parse_address(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_operand base = {.kind = PTX_OP_INT, .pos = ptx_peek(p)->pos};
  ptx_next(p);
  const bool ok = is_reference(p) ? reference(p, &base) && offset(p, &o->bits) : ptx_parse_integer(p, &base.bits);
  if (!ok) return false;
  o->kind = PTX_OP_ADDRESS;
  copy_elements(p, o, &base, 1);
  if (base.kind == PTX_OP_SINK) {
    ptx_error(p->diag, base.pos, "_ is no address");
    return false;
  }
  if (ptx_is(p, ',')) {
    ptx_error(p->diag, p->now.pos,
              "texture and tensor operands [a, {...}] are not supported: ld.global reads arrays, cp.async copies them");
    return false;
  }
  return ptx_expect(p, ']', "behind the address");
}

static bool vector(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_operand element[PTX_VECTOR_MAX] = {{0}};
  unsigned n = 0;
  ptx_next(p);
  p->braces++;
  do {
    if (n == PTX_VECTOR_MAX) {
      ptx_error(p->diag, p->now.pos, "a vector of more than %d elements is not supported", PTX_VECTOR_MAX);
      return false;
    }
    if (!simple(p, &element[n++])) return false;
  } while (ptx_take(p, ','));
  if (!ptx_expect(p, '}', "behind the vector")) return false;
  p->braces--;
  o->kind = PTX_OP_VECTOR;
  copy_elements(p, o, element, n);
  return true;
}

/* Comma-separated; the elements lie in a buffer that doubles. */
static bool parse_list(struct ptx_parser *p, struct ptx_operand *o,
                       bool (*read)(struct ptx_parser *, struct ptx_operand *)) {
  struct ptx_operand *element = NULL;
  unsigned n = 0, room = 0;
  do {
    if (n == room) {
      room = room > 0 ? room * 2 : LIST_FIRST;
      struct ptx_operand *more = ptx_alloc(p->arena, room * sizeof *more);
      if (n > 0) memcpy(more, element, n * sizeof *more);
      element = more;
    }
    if (!read(p, &element[n++])) return false;
  } while (ptx_take(p, ','));
  o->elements = n;
  o->element = element;
  return true;
}

static bool call_list(struct ptx_parser *p, struct ptx_operand *o) {
  ptx_next(p);
  o->kind = PTX_OP_LIST;
  if (ptx_take(p, ')')) return true;
  return parse_list(p, o, simple) && ptx_expect(p, ')', "behind the list");
}

static bool plain_name(struct ptx_parser *p, struct ptx_operand *o) {
  o->kind = PTX_OP_NAME;
  o->pos = p->now.pos;
  o->name = ptx_take_name(p, "a name");
  return o->name != NULL;
}

bool ptx_parse_name_list(struct ptx_parser *p, struct ptx_operand *o) {
  o->kind = PTX_OP_LIST;
  o->pos = p->now.pos;
  return parse_list(p, o, plain_name);
}

/* Behind the '|'. */
static bool parse_pair(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_operand both[2] = {*o};
  if (!reference(p, &both[1])) return false;
  *o = (struct ptx_operand){.kind = PTX_OP_PAIR, .pos = both[0].pos};
  copy_elements(p, o, both, 2);
  return true;
}

/* A name, and what may come behind it: "d|p", "table+8". */
static bool name_and_more(struct ptx_parser *p, struct ptx_operand *o) {
  if (!simple(p, o)) return false;
  if (o->negate || o->invert || (o->kind != PTX_OP_NAME && o->kind != PTX_OP_SINK)) return true;
  if (ptx_take(p, '|')) return parse_pair(p, o);
  if (o->kind != PTX_OP_NAME) return true;
  if (ptx_is(p, '[')) {
    ptx_error(p->diag, p->now.pos, "an index a[i] is not supported; write [a+bytes]");
    return false;
  }
  if (!offset(p, &o->bits)) return false;
  if (o->bits != 0) o->kind = PTX_OP_SYMBOL;
  return true;
}

bool ptx_parse_operand(struct ptx_parser *p, struct ptx_operand *o, bool lists) {
  o->pos = p->now.pos;
  if (ptx_is(p, '[')) return parse_address(p, o);
  if (ptx_is(p, '{')) return vector(p, o);
  if (lists && ptx_is(p, '(')) return call_list(p, o);
  return name_and_more(p, o);
}
