/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of an opcode; and what is refused, by name.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "compiler/lower/lower.h"

/* The words of an opcode. A word may mean several things ("lo": a part of a product, or an unsigned comparison); it is
 * what the instruction has use for. The order of words does not matter, but for types. */

struct word {
  const char *text;
  uint8_t kind, value;
};

/* clang-format off */
static const struct word table[] = { /* sorted by text */
  {"L1", K_LEVEL, 1}, {"L2", K_LEVEL, 2}, {"NaN", K_NAN, 1}, {"abs", K_ABS, 1}, {"acq_rel", K_SEM, SEM_ACQ_REL},
  {"acquire", K_SEM, SEM_ACQUIRE}, {"add", K_ATOM, IR_A_ADD}, {"add", K_REDUX, IR_REDUX_ADD},
  {"alias", K_SIDE, 0}, {"aligned", K_ALIGNED, 1}, {"all", K_VOTE, IR_VOTE_ALL}, {"all", K_MATCH, 1}, {"and", K_BOOL, IR_B_AND},
  {"and", K_ATOM, IR_A_AND}, {"and", K_REDUX, IR_REDUX_AND}, {"and", K_BARRED, IR_BAR_RED_AND},
  {"any", K_VOTE, IR_VOTE_ANY}, {"any", K_MATCH, 0}, {"approx", K_APPROX, 1}, {"arrive", K_BAR, IR_BAR_ARRIVE}, {"async", K_SIDE, 1},
  {"b4e", K_PRMT, IR_PRMT_B4E}, {"ballot", K_VOTE, IR_VOTE_BALLOT}, {"bf16", K_BF16, BF16_ONE},
  {"bf16x2", K_BF16, BF16_PAIR}, {"bfly", K_SHFL, IR_SHFL_BFLY},
  {"ca", K_CACHE, 0}, {"cas", K_ATOM, IR_A_CAS}, {"cc", K_CC, 1}, {"cg", K_CACHE, 0}, {"clamp", K_WRAP, 0},
  {"cluster", K_SCOPE, IR_GPU}, {"const", K_SPACE, PTX_CONST}, {"cs", K_CACHE, 0}, {"cta", K_SCOPE, IR_CTA},
  {"cv", K_CACHE, 0}, {"cvt", K_POLICY, 1}, {"dec", K_ATOM, IR_A_DEC}, {"down", K_SHFL, IR_SHFL_DOWN}, {"e4m3x2", K_EIGHT, 0}, {"e5m2x2", K_EIGHT, 1}, {"ecl", K_PRMT, IR_PRMT_ECL},
  {"ecr", K_PRMT, IR_PRMT_ECR}, {"eq", K_CMP, IR_EQ}, {"equ", K_CMP, IR_EQU}, {"exch", K_ATOM, IR_A_EXCH},
  {"f32x2", K_SINGLES, 1}, {"f4e", K_PRMT, IR_PRMT_F4E}, {"finite", K_TESTP, IR_TESTP_FINITE}, {"fractional", K_POLICY, 1}, {"ftz", K_FTZ, 1}, {"full", K_FULL, 1},
  {"ge", K_CMP, IR_GE}, {"geu", K_CMP, IR_GEU}, {"gl", K_SCOPE, IR_GPU}, {"global", K_SPACE, PTX_GLOBAL},
  {"gpu", K_SCOPE, IR_GPU}, {"gt", K_CMP, IR_GT}, {"gtu", K_CMP, IR_GTU}, {"hi", K_PART, PART_HI},
  {"hi", K_CMP, CMP_HI}, {"hs", K_CMP, CMP_HS}, {"idx", K_SHFL, IR_SHFL_IDX}, {"idx", K_IDX, 1},
  {"inc", K_ATOM, IR_A_INC}, {"infinite", K_TESTP, IR_TESTP_INFINITE}, {"l", K_RIGHT, 0}, {"launch_dependents", K_GRID, 1}, {"le", K_CMP, IR_LE},
  {"leu", K_CMP, IR_LEU}, {"lo", K_PART, PART_LO}, {"lo", K_CMP, CMP_LO}, {"local", K_SPACE, PTX_LOCAL},
  {"ls", K_CMP, CMP_LS}, {"lt", K_CMP, IR_LT}, {"ltu", K_CMP, IR_LTU}, {"lu", K_CACHE, 0},
  {"max", K_ATOM, IR_A_MAX}, {"max", K_REDUX, IR_REDUX_MAX}, {"mbarrier_init", K_PROXY, 1}, {"min", K_ATOM, IR_A_MIN},
  {"min", K_REDUX, IR_REDUX_MIN}, {"mmio", K_MMIO, 1}, {"nan", K_CMP, IR_NAN}, {"nc", K_NC, 1},
  {"ne", K_CMP, IR_NE}, {"neu", K_CMP, IR_NEU}, {"noftz", K_NOFTZ, 1}, {"normal", K_TESTP, IR_TESTP_NORMAL},
  {"notanumber", K_TESTP, IR_TESTP_NOTANUMBER}, {"num", K_CMP, IR_NUM}, {"number", K_TESTP, IR_TESTP_NUMBER},
  {"or", K_BOOL, IR_B_OR}, {"or", K_ATOM, IR_A_OR}, {"or", K_REDUX, IR_REDUX_OR}, {"or", K_BARRED, IR_BAR_RED_OR},
  {"pack", K_PACK, 1}, {"param", K_SPACE, PTX_PARAM}, {"param::entry", K_SPACE, PTX_PARAM}, {"param::func", K_SPACE, PTX_PARAM},
  {"po", K_PLUS, 1}, {"popc", K_BARRED, IR_BAR_RED_POPC}, {"proxy", K_PROXY, 0}, {"r", K_RIGHT, 1}, {"range", K_POLICY, 1}, {"rc16", K_PRMT, IR_PRMT_RC16},
  {"rc8", K_PRMT, IR_PRMT_RC8}, {"red", K_BAR, BAR_RED}, {"relaxed", K_SEM, SEM_RELAXED},
  {"release", K_SEM, SEM_RELEASE}, {"relu", K_RELU, 1}, {"rm", K_ROUND, IR_RM}, {"rmi", K_ROUND, IR_RMI},
  {"rn", K_ROUND, IR_RN}, {"rna", K_RNA, 1}, {"rni", K_ROUND, IR_RNI}, {"rp", K_ROUND, IR_RP}, {"rpi", K_ROUND, IR_RPI},
  {"rz", K_ROUND, IR_RZ}, {"rzi", K_ROUND, IR_RZI}, {"s16x2", K_SHORTS, SHORTS_SIGNED}, {"sat", K_SAT, 1}, {"satfinite", K_FINITE, 1}, {"sc", K_SEM, SEM_SC},
  {"shared", K_SPACE, PTX_SHARED}, {"shared::cluster", K_SPACE, PTX_SHARED}, {"shared::cta", K_SPACE, PTX_SHARED}, {"shiftamt", K_SHIFTAMT, 1}, {"shr15", K_SCALE, 15}, {"shr7", K_SCALE, 7},
  {"subnormal", K_TESTP, IR_TESTP_SUBNORMAL}, {"sync", K_SYNC, 1}, {"sync", K_BAR, IR_BAR_SYNC},
  {"sys", K_SCOPE, IR_SYS}, {"tf32", K_BF16, BF16_TF32}, {"to", K_TO, 1}, {"u16x2", K_SHORTS, SHORTS_UNSIGNED}, {"uni", K_UNI, 1}, {"uni", K_VOTE, IR_VOTE_UNI},
  {"up", K_SHFL, IR_SHFL_UP}, {"v2", K_VECTOR, 2}, {"v4", K_VECTOR, 4}, {"v8", K_VECTOR, 8}, {"volatile", K_SEM, SEM_VOLATILE},
  {"wait", K_GRID, 1}, {"warp", K_WARP, 1}, {"wb", K_CACHE, 0}, {"weak", K_SEM, SEM_WEAK}, {"wide", K_PART, PART_WIDE},
  {"wrap", K_WRAP, 1}, {"wt", K_CACHE, 0}, {"xor", K_BOOL, IR_B_XOR}, {"xor", K_ATOM, IR_A_XOR},
  {"xor", K_REDUX, IR_REDUX_XOR}, {"xorsign", K_XORSIGN, 1}
};
/* clang-format on */

/* The first entry that is not below `text`. */
static size_t lower_bound(const char *text) {
  size_t from = 0, to = sizeof table / sizeof *table;
  while (from < to) {
    size_t mid = from + (to - from) / 2;
    if (strcmp(table[mid].text, text) < 0)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

static bool read_modifier(const char *text, uint64_t may, struct words *w) {
  for (size_t k = lower_bound(text); k < sizeof table / sizeof *table && strcmp(table[k].text, text) == 0; k++) {
    uint64_t bit = GIVEN(table[k].kind);
    if (!(may & bit)) continue;
    if (w->given & bit) { /* "cvt.bf16.bf16": a word that is a type here */
      if (table[k].kind != K_BF16 || w->value[K_BF16] != table[k].value || w->twice) continue;
      w->twice = true;
      return true;
    }
    w->given |= bit;
    w->value[table[k].kind] = table[k].value;
    return true;
  }
  return false;
}

/* "L2::128B", "L1::evict_last": hints to caches; there may be several. */
static bool read_hint(const char *text, uint64_t may, struct words *w) {
  if (!(may & GIVEN(K_CACHE)) || (strncmp(text, "L1::", 4) != 0 && strncmp(text, "L2::", 4) != 0)) return false;
  w->given |= GIVEN(K_CACHE);
  if (strcmp(text, "L2::cache_hint") == 0) w->cache_hint = true;
  return true;
}

static bool read_type(const char *text, struct words *w) {
  enum ptx_type t = ptx_type_of_word(text);
  if (t == PTX_NO_TYPE || w->types == sizeof w->type / sizeof *w->type) return false;
  w->type[w->types++] = t;
  return true;
}

bool words_read(const struct ptx_statement *s, uint64_t may, struct words *w, const char **bad) {
  memset(w, 0, sizeof *w);
  for (unsigned k = 1; k < s->words; k++) {
    if (read_type(s->word[k], w) || read_modifier(s->word[k], may, w) || read_hint(s->word[k], may, w)) continue;
    *bad = s->word[k];
    return false;
  }
  return true;
}

const char *words_text(unsigned k, enum kind *kind) {
  if (k >= sizeof table / sizeof *table) return NULL;
  *kind = (enum kind)table[k].kind;
  return table[k].text;
}

/* What is refused, by name; and limits, so that no text takes for ever. */

enum { DEPTH_MOST = 200, WORK_MOST = 4 << 20, MODULE_WORK_MOST = 16 * WORK_MOST };

/* "add.ftz.u32" */
static void opcode(const struct ptx_statement *s, char *text, size_t size) {
  size_t used = 0;
  for (unsigned k = 0; k < s->words && used < size; k++) {
    int n = snprintf(text + used, size - used, "%s%s", k ? "." : "", s->word[k]);
    used += n > 0 ? (size_t)n : 0;
  }
}

void lower_refuse(struct lower *l, const struct insn *in, const char *format, ...) {
  char name[100], text[200];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  opcode(in->s, name, sizeof name);
  ptx_error(l->d, in->s->pos, "%s: %s", name, text);
}

const char *lower_instead(const struct ptx_statement *s) {
  static const struct {
    const char *name, *word, *text; /* the first word, and another one (NULL: any) */
  } table[] = {
      {"atom", "b128", "there are no atomics of 128 bits: a lock by atom.cas.b32 around ld and st, or 64 bits at once"},
      {"barrier", "cluster", "a cluster is one block here: bar.sync 0 waits for it"},
      {"cp", "reduce", "there are no bulk copies: red.global adds, element by element"},
      {"fence", "tensormap::generic", "there are no tensor copies: leave it out"},
      {"getctarank", NULL, "a cluster is one block here: the rank is 0"},
      {"istypep", NULL, "there are no textures and surfaces"},
      {"mapa", NULL, "a cluster is one block here: there is no shared memory but its own, at the same address"},
      {"multimem", NULL, "there is one device: ld, st and red of .global do the same"},
      {"prefetch", "tensormap", "there are no tensor copies: leave it out"},
      {"setmaxnreg", NULL, "a thread keeps the registers that it began with: leave it out"},
      {"st", "async", "a cluster is one block here: st.shared, and mbarrier.complete_tx behind it"},
      {"red", "async", "a cluster is one block here: red.shared, and mbarrier.complete_tx behind it"},
      {"st", "bulk", "there are no bulk stores: st.shared in a loop"},
      {"suld", NULL, "there are no surfaces: ld.global reads the array"},
      {"suq", NULL, "there are no surfaces: pass the size as a parameter"},
      {"sured", NULL, "there are no surfaces: red.global changes the array"},
      {"sust", NULL, "there are no surfaces: st.global writes the array"},
      {"tcgen05", NULL, "there is no tensor memory: mma.sync multiplies fragments in registers"},
      {"tensormap", NULL, "there are no tensor copies: cp.async copies 16 bytes a thread"},
      {"tex", NULL, "there are no textures: ld.global reads the array, and the kernel filters"},
      {"tld4", NULL, "there are no textures: ld.global reads the array, four times"},
      {"txq", NULL, "there are no textures: pass the size as a parameter"},
      {"wgmma", NULL, "there are no groups of warps: mma.sync multiplies fragments of one warp"}};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp(s->word[0], table[k].name) != 0) continue;
    if (!table[k].word) return table[k].text;
    for (unsigned w = 1; w < s->words; w++)
      if (strcmp(s->word[w], table[k].word) == 0) return table[k].text;
  }
  return NULL;
}

void lower_work(struct lower *l, struct ptx_pos pos) {
  if (++l->work > WORK_MOST)
    ptx_fatal(l->d, pos, "'%s' is too large: more than %d statements and declarations, calls inlined", l->f->name,
              WORK_MOST);
  if (++l->module->work > MODULE_WORK_MOST)
    ptx_fatal(l->d, pos, "the module is too large: more than %d statements and declarations, calls inlined",
              MODULE_WORK_MOST);
}

void lower_enter(struct lower *l, struct ptx_pos pos) {
  if (++l->depth > DEPTH_MOST)
    ptx_fatal(l->d, pos, "'%s': more than %d blocks and calls inside each other", l->f->name, DEPTH_MOST);
}
