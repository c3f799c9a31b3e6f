/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of lower_table.c in words.
 */
#include "list.h"

#include <string.h>

#include "lower_matrix.h"

enum { TEXT_MAX = 500 };

static const struct {
  const char *name, *note;
} notes[] = {
    {"applypriority", "a hint: nothing happens"},
    {"atom",
     "add: u s f, with .noftz f16 f16x2 bf16 bf16x2; min max: u s; inc dec: u32; and or xor exch cas: b u s; cas: b16"},
    {"bar", "barriers 0 to 15; numbers of threads are multiples of 32; one of the two may be in a register"},
    {"brkpt", "as trap"},
    {"brx", "targets by .branchtargets"},
    {"call", "direct, or by a register with .callprototype"},
    {"createpolicy", "a hint: some number"},
    {"cvt", "destination, source; a rounding where one is needed, and only there"},
    {"discard", "a hint: nothing happens"},
    {"fence", "acq_rel or sc"},
    {"griddepcontrol", "nothing happens"},
    {"ld", "vectors have 16 bytes at most; cache hints do nothing"},
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
    {"st", "vectors have 16 bytes at most; cache hints do nothing"},
};

/* bf16 and its kin are no types of their own. */
static const char *note_of(const struct row *r, bool first) {
  for (size_t k = 0; first && k < sizeof notes / sizeof *notes; k++)
    if (strcmp(notes[k].name, r->name) == 0) return notes[k].note;
  if (r->flags & ROW_MORE) return "two or three types";
  return r->flags & ROW_TWO ? "two types" : "";
}

static void add(char *text, const char *before, const char *word) {
  const size_t used = strlen(text);
  snprintf(text + used, TEXT_MAX - used, "%s%s", used ? before : "", word);
}

static void add_types(char *text, uint32_t types) {
  for (unsigned t = PTX_PRED; t <= PTX_F64; t++)
    if (types >> t & 1) add(text, " ", t == PTX_PRED ? "pred" : ptx_type_word((enum ptx_type)t));
}

/* Of "a|b|c". */
static bool has_word(const char *text, const char *word) {
  const size_t n = strlen(word);
  for (const char *s = strstr(text, word); s; s = strstr(s + 1, word))
    if ((s == text || s[-1] == '|') && (s[n] == '|' || s[n] == 0)) return true;
  return false;
}

/* Words of a kind that the row's function refuses. */
static bool fits(const struct row *r, enum kind kind, const char *word) {
  const bool load = r->lower == lower_ld, store = r->lower == lower_st, loops = r->lower == lower_atom_loop;
  const bool atomic = r->lower == lower_atom || loops;
  switch (kind) {
  case K_ROUND: /* to integers: three letters */
    if (r->flags & ROW_RN) return strcmp(word, "rn") == 0;
    return strlen(word) < 3 || r->lower == lower_convert || r->lower == lower_brain_convert;
  case K_BRAIN:
    return r->lower == lower_brain_convert || strcmp(word, "tf32") != 0;
  case K_BOOL:
    return r->lower != lower_lop3 || strcmp(word, "xor") != 0;
  case K_CMP:
    if (r->lower == lower_simd) return has_word("eq|ne|lt|le|gt|ge", word);
    return !(r->must & GIVEN(K_BRAIN)) || !has_word("lo|ls|hi|hs", word);
  case K_SEM:
    if (r->lower == lower_membar) return has_word("acq_rel|sc", word);
    if (atomic && r->op == IR_RED) return has_word("relaxed|release", word);
    if (atomic) return has_word("relaxed|acquire|release|acq_rel", word);
    return has_word(load ? "weak|volatile|relaxed|acquire" : "weak|volatile|relaxed|release", word);
  case K_SPACE:
    if (strncmp(word, "param", 5) == 0) return load || store;
    if (strcmp(word, "const") == 0) return !store && !atomic;
    return !atomic || strcmp(word, "local") != 0;
  case K_ATOM:
    if (loops) return strcmp(word, r->types & T(B16) ? "cas" : "add") == 0;
    if (r->lower == lower_simd) return strcmp(word, "add") == 0;
    if (!atomic) return has_word("add|min|max", word);
    return r->op != IR_RED || !has_word("cas|exch", word);
  case K_PART:
    if (r->lower == lower_sat) return strcmp(word, "hi") == 0;
    return r->lower == lower_mul || strcmp(word, "wide") != 0;
  default:
    return true;
  }
}

static void add_kinds(char *text, const struct row *r, uint64_t kinds) {
  for (unsigned kind = 0; kind < KINDS; kind++) {
    char words[TEXT_MAX] = "";
    const char *word;
    enum kind is;
    if (!(kinds >> kind & 1)) continue;
    for (unsigned k = 0; (word = words_text(k, &is)) != NULL; k++)
      if (is == kind && !has_word(words, word) && fits(r, (enum kind)kind, word)) add(words, "|", word);
    add(text, " ", words);
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
  add_kinds(optional, r, r->may);
  put(ctx, &(struct ptx_listed){r->name, types, required, optional, false, written(r), r->least, r->most,
                                note_of(r, first)});
}

static void put_forms(const struct row *r, void (*put)(void *ctx, const struct ptx_listed *l), void *ctx) {
  struct matrix_form f;
  bool (*form)(unsigned k, struct matrix_form *f) = r->lower == lower_wmma    ? wmma_form
                                                    : r->lower == lower_mma   ? mma_form
                                                    : r->lower == lower_async ? async_form
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

/* Two that the parser knows have no place in the machine (select_sreg.c). */
const char *ptx_list_register(unsigned k) {
  const char *name;
  for (unsigned n = 0; (name = lower_special_name(n)) != NULL; n++) {
    const bool absent = strcmp(name, "%gridid") == 0 || strcmp(name, "%dynamic_smem_size") == 0;
    if (!absent && k-- == 0) return name;
  }
  return k == 0 ? "%clock_hi" : NULL;
}
