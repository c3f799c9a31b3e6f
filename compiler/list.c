/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of lower_table.c in words.
 */
#include "list.h"

#include <string.h>

#include "compiler/lower/lower_matrix.h"

enum { TEXT_MAX = 500 };

static const struct {
  const char *name, *note;
} notes[] = {
    {"alloca", "16 bytes aligned, or what the third operand says; more than is left: an address that traps"},
    {"applypriority", "a hint: nothing happens"},
    {"atom",
     "add: u s f, with .noftz f16 f16x2 bf16 bf16x2, vectors of floats in global memory; min max: u s; inc dec: u32. "
     "and or xor exch cas: b u s; cas: b16"},
    {"bar", "barriers 0 to 15; numbers of threads are multiples of 32; one of the two may be in a register"},
    {"brkpt", "as trap"},
    {"brx", "targets by .branchtargets"},
    {"call", "direct, or by a register with .callprototype"},
    {"createpolicy", "a hint: some number"},
    {"cvt", "destination, source; a rounding where one is needed, and only there"},
    {"discard", "a hint: nothing happens"},
    {"fence", "acq_rel or sc; of proxies: nothing happens"},
    {"griddepcontrol", "nothing happens"},
    {"ld", "vectors have 16 bytes at most, in global memory 32; b128: without a vector; cache hints do nothing"},
    {"lop3", "with .and, .or: a pair of results, a predicate behind the table"},
    {"pmevent", "nothing happens"},
    {"prefetch", "a hint"},
    {"prefetchu", "a hint: nothing happens"},
    {"red", "as atom, without exch and cas"},
    {"redux", "add min max: u32, s32; and or xor: b32"},
    {"rsqrt", "f64: within the bound of PTX, all others as on silicon"},
    {"vote", "ballot: b32; others: pred"},
    {"set", "destination, source"},
    {"slct", "the second type is s32 or f32"},
    {"st", "vectors have 16 bytes at most, in global memory 32; b128: without a vector; cache hints do nothing"},
};

/* bf16 and its kin are no types of their own. */
static const char *note_of(const struct row *r, bool first) {
  for (size_t k = 0; first && k < sizeof notes / sizeof *notes; k++)
    if (strcmp(notes[k].name, r->name) == 0) return notes[k].note;
  if (r->flags & ROW_MORE) return "two or three types";
  return r->flags & ROW_TWO ? "two types" : "";
}

static void append_text(char *text, const char *before, const char *word) {
  const size_t used = strlen(text);
  snprintf(text + used, TEXT_MAX - used, "%s%s", used ? before : "", word);
}

static void add_types(char *text, uint32_t types) {
  for (unsigned t = PTX_PRED; t <= PTX_B128; t++)
    if (types >> t & 1) append_text(text, " ", t == PTX_PRED ? "pred" : ptx_type_word((enum ptx_type)t));
}

/* Of "a|b|c". */
static bool has_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *s = strstr(text, word); s; s = strstr(s + 1, word))
    if ((s == text || s[-1] == '|') && (s[n] == '|' || s[n] == 0)) return true;
  return false;
}

/* The words of a kind that a function takes, where it does not take them all: the first row that is for the function
 * (NULL: any), the operation and one of the types (0: any). */
static const struct limit {
  void (*lower)(struct lower *l, const struct insn *in);
  uint8_t op;
  uint32_t types;
  enum kind kind;
  const char *words; /* NULL: all */
} limits[] = {
    {lower_convert, 0, 0, K_ROUND, NULL},
    {lower_bf16_convert, 0, 0, K_ROUND, NULL},
    {lower_bf16_same, 0, 0, K_ROUND, "rmi|rni|rpi|rzi"},
    {lower_bf16_same, 0, 0, K_BF16, "bf16"},
    {NULL, 0, 0, K_ROUND, "rm|rn|rp|rz"}, /* not to integers */
    {lower_bf16_convert, 0, 0, K_BF16, NULL},
    {NULL, 0, 0, K_BF16, "bf16|bf16x2"},
    {lower_lop3, 0, 0, K_BOOL, "and|or"},
    {lower_simd, 0, 0, K_CMP, "eq|ne|lt|le|gt|ge"},
    {lower_bf16_set, 0, 0, K_CMP, "eq|equ|ge|geu|gt|gtu|le|leu|lt|ltu|nan|ne|neu|num"},
    {lower_bf16_setp, 0, 0, K_CMP, "eq|equ|ge|geu|gt|gtu|le|leu|lt|ltu|nan|ne|neu|num"},
    {lower_membar, 0, 0, K_SEM, "acq_rel|sc"},
    {lower_init_fence, 0, 0, K_SEM, "release"},
    {lower_init_fence, 0, 0, K_SCOPE, "cluster"},
    {lower_init_fence, 0, 0, K_PROXY, "mbarrier_init"},
    {lower_nothing, 0, 0, K_PROXY, "proxy"},
    {lower_atom, IR_RED, 0, K_SEM, "relaxed|release"},
    {lower_atom_loop, IR_RED, 0, K_SEM, "relaxed|release"},
    {lower_atom, 0, 0, K_SEM, "relaxed|acquire|release|acq_rel"},
    {lower_atom_loop, 0, 0, K_SEM, "relaxed|acquire|release|acq_rel"},
    {lower_ld, 0, 0, K_SEM, "weak|volatile|relaxed|acquire"},
    {lower_st, 0, 0, K_SEM, "weak|volatile|relaxed|release"},
    {lower_ld, 0, 0, K_SPACE, NULL},
    {lower_st, 0, 0, K_SPACE, "global|local|param|param::entry|param::func|shared|shared::cluster|shared::cta"},
    {lower_atom, 0, 0, K_SPACE, "global|shared|shared::cluster|shared::cta"},
    {lower_atom_loop, 0, 0, K_SPACE, "global|shared|shared::cluster|shared::cta"},
    {NULL, 0, 0, K_SPACE, "const|global|local|shared|shared::cluster|shared::cta"},
    {lower_atom_loop, 0, T(B16), K_ATOM, "cas"},
    {lower_atom_loop, 0, 0, K_ATOM, "add"},
    {lower_atom, IR_RED, 0, K_ATOM, "add|and|dec|inc|max|min|or|xor"},
    {lower_atom, 0, 0, K_ATOM, NULL},
    {lower_simd, 0, 0, K_ATOM, "add"},
    {NULL, 0, 0, K_ATOM, "add|max|min"},
    {lower_sat, 0, 0, K_PART, "hi"},
    {lower_mul, 0, 0, K_PART, NULL},
    {NULL, 0, 0, K_PART, "hi|lo"},
};

static bool is_for(const struct limit *x, const struct row *r, enum kind kind) {
  return x->kind == kind && (!x->lower || x->lower == r->lower) && (!x->op || x->op == r->op) &&
         (!x->types || (x->types & r->types));
}

static bool takes(const struct row *r, enum kind kind, const char *word) {
  if (kind == K_ROUND && r->flags & ROW_RN) return strcmp(word, "rn") == 0;
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
    if (is_for(&limits[k], r, kind)) return !limits[k].words || has_word(limits[k].words, word);
  return true;
}

static void add_kinds(char *text, const struct row *r, uint64_t kinds) {
  for (unsigned kind = 0; kind < KINDS; kind++) {
    char words[TEXT_MAX] = "";
    const char *word;
    enum kind is;
    if (!(kinds >> kind & 1)) continue;
    for (unsigned k = 0; (word = words_text(k, &is)) != NULL; k++)
      if (is == kind && !has_word(words, word) && takes(r, (enum kind)kind, word)) append_text(words, "|", word);
    append_text(text, " ", words);
  }
}

static unsigned written(const struct row *r) {
  return r->types == 0 ? 0 : r->flags & (ROW_TWO | ROW_MORE) ? 2 : 1;
}

static unsigned words_in(const char *text) {
  unsigned n = *text != 0;
  for (; *text; text++) n += *text == ' ';
  return n;
}

static void put_row(const struct row *r, bool first, void (*put)(void *ctx, const struct ptx_listed *l), void *ctx) {
  char types[TEXT_MAX] = "", required[TEXT_MAX] = "", optional[TEXT_MAX] = "";
  add_types(types, r->types);
  add_kinds(required, r, r->must);
  if (r->lower == lower_bf16_same) append_text(required, " ", "bf16"); /* destination and source */
  add_kinds(optional, r, r->may);
  put(ctx, &(struct ptx_listed){r->name, types, required, optional, false, written(r), r->least, r->most,
                                note_of(r, first)});
}

static void put_forms(const struct row *r, void (*put)(void *ctx, const struct ptx_listed *l), void *ctx) {
  struct matrix_form f;
  bool (*form)(unsigned k, struct matrix_form *f) = r->lower == lower_wmma       ? wmma_form
                                                    : r->lower == lower_mma      ? mma_form
                                                    : r->lower == lower_async    ? async_form
                                                    : r->lower == lower_mbarrier ? mbarrier_form
                                                                                 : ldmatrix_form;
  for (unsigned k = 0; form(k, &f); k++)
    if (strcmp(f.name, r->name) == 0)
      put(ctx, &(struct ptx_listed){f.name, f.types, f.required, f.optional, f.sequence,
                                    f.sequence ? words_in(f.types) : 1, f.least, f.most, f.note});
}

void ptx_list(void (*put)(void *ctx, const struct ptx_listed *r), void *ctx) {
  const struct row *r;
  for (unsigned k = 0; (r = lower_row(k)) != NULL; k++) {
    const bool first = k == 0 || strcmp(lower_row(k - 1)->name, r->name) != 0;
    if (r->flags & ROW_OWN)
      put_forms(r, put, ctx);
    else
      put_row(r, first, put, ctx);
  }
}

/* One that the parser knows has no place in the machine (select_move.c). */
const char *ptx_list_register(unsigned k) {
  const char *name;
  for (unsigned n = 0; (name = lower_special_name(n)) != NULL; n++) {
    if (strcmp(name, "%gridid") != 0 && k-- == 0) return name;
  }
  return k == 0 ? "%clock_hi" : NULL;
}
