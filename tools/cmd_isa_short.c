/* SPDX-License-Identifier: Apache-2.0
 * heddle isa short: the rows that short words name, chosen for the programs of the tree. */
#include <inttypes.h>
#include <string.h>

#include "tools/cmd_isa.h"
#include "run/compare/compare.h"
#include "isa/measure/shorts.h"

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void write_head(const struct isa_options *o, const struct shorts *t, FILE *f) {
  fprintf(f, "# Short words, two in 16 bytes (isa/doc/13-short-words.md). Rows chosen by\n");
  fprintf(f, "#   heddle isa short isa/%s --patterns %u --codes %u\n", base_name(o->file[0]), o->patterns, o->codes);
  fprintf(f,
          "# of %u patterns and %u control codes in all PTX of the tree, after each how many words have it and are\n",
          t->patterns, t->control_codes);
  fprintf(f,
          "# short: %" PRIu64 " of %" PRIu64 " words (%.1f %%), as executed by the kernels %.1f %%; %" PRIu64
          " lie in pairs,\n",
          t->short_words, t->words, compare_percent((double)t->short_words, (double)t->words),
          compare_percent((double)t->short_runs, (double)t->runs), t->paired);
  fprintf(f, "# so that code is %.1f %% smaller.\n", compare_percent((double)(t->words - t->places), (double)t->words));
  fprintf(f, "import ./%s\n\n", base_name(o->file[0]));
}

static bool is_own(const struct comparison *c, const char *path) {
  struct spec *s = isa_load(path);
  const bool same = s && s->hash == c->own->hash;
  if (s && !same) tool_error("%s is not the instruction set that this program's compiler writes", path);
  spec_free(s);
  return same;
}

static bool choose_shorts(struct comparison *c, const struct isa_options *o, struct shorts *t) {
  const struct compare_programs *p = compare_programs(c, 0);
  if (!p) return false;
  if (shorts_choose(&p->corpus, o->patterns, o->codes, t)) return true;
  tool_error("%s: no memory, or its control codes do not lie in one piece", o->file[0]);
  return false;
}

int isa_short(int argc, char **argv) {
  struct isa_options o;
  if (!isa_take_options(argc, argv, "otPC", 1, &o)) return TOOL_USAGE;
  const struct compare_request q = {.file = o.file, .files = 1, .tree = o.tree, .config = o.config};
  struct comparison *c = compare_open(&q);
  static struct shorts t;
  bool ok = c && is_own(c, o.file[0]) && choose_shorts(c, &o, &t);
  FILE *f = ok ? isa_open(o.out) : NULL;
  if (f) {
    write_head(&o, &t, f);
    shorts_print(c->own, &t, f);
    ok = isa_close(f, o.out);
  }
  compare_close(c);
  return ok && f ? TOOL_OK : TOOL_USAGE;
}
