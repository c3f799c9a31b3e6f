/* SPDX-License-Identifier: Apache-2.0
 * twins: random programs that are run natively and, compiled from PTX, on the machine. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/twin/check.h"
#include "tests/twin/export.h"

static const struct tool_option own[] = {
    {"programs", "N", "how many (default 100)", 'n', NULL},
    {"only", "N", "one program, by its number", 'o', NULL},
    {"first", "N", "begin with this number", 'f', NULL},
    {"level", "0|2", "one level alone", 'l', NULL},
    {"without", "PASSES", "-O2 without these passes (heddle ptx --help) alone; default: without one by turns", 'u',
     NULL},
    {"maxregs", "N", "registers of a thread, for all", 'r', NULL},
    {"plain", NULL, "nothing varies: as --div and --maxregs say", 'p', NULL},
    {"nodes", "N", "statements of the body (default: 15 to 39)", 'N', NULL},
    {"print", "ptx|c|in", "the program (with --only) or its input, and no more", 'P', NULL},
    {"whole", NULL, "do not make failing programs small", 'w', NULL},
    {"keep", "DIR", "write failing programs to DIR", 'k', NULL},
    {"export", "DIR", "run only the C, and write all programs with what it leaves (on_gpu.py reads that)", 'e', NULL},
    {"prefixes", NULL, "likewise of each program's first 0, 1, ... statements", 'x', NULL},
    {"table", "FILE", "how often each operation was generated; one that was not is a failure", 't', NULL},
    {"wrong", "OPCODE", "let the C compute this wrongly: must be noticed", 'W', NULL},
    {"help", NULL, "this", 'h', NULL},
    {0}};
static const struct tool_group groups[] = {{NULL, own}, {"How it runs:", run_option_table}, {0}};
static const char help[] =
    "usage: twins [options]\n\nRandom programs, each written as PTX and as C (tests/twin/twin.h). The C runs here, the "
    "PTX is compiled at -O0, at -O2\nand at -O2 without one of the passes, and runs on the model; every byte must be "
    "equal. One program in four runs under\n--div its, one in five with few registers. A program that fails is made "
    "small and shown. --on is model by "
    "default.\n";

enum { BATCH = 40, SECONDS = 900 };

struct request {
  struct check check;
  uint64_t programs, first;
  unsigned nodes;
  const char *print, *keep, *export, *table;
  bool whole, prefixes;
  /* In a worker: programs that are compiled together. */
  struct native native;
  size_t from; /* the batch's first item */
  unsigned batch;
  char name[32];
};

static const char *name_of(void *ctx, size_t item) {
  struct request *q = ctx;
  (void)snprintf(q->name, sizeof q->name, "%" PRIu64, q->first + item);
  return q->name;
}

static struct twin *make(const struct request *q, size_t item) {
  return twin_new(q->check.run.seed, q->first + item, q->nodes);
}

/* Programs item, item + jobs, ... of this worker. */
static bool load_batch(struct request *q, size_t item, struct suite_verdict *v) {
  struct twin *t[BATCH];
  char why[300];
  unsigned n = 0, by = q->check.run.jobs < q->programs ? q->check.run.jobs : (unsigned)q->programs;
  native_free(&q->native);
  for (size_t k = item; k < q->programs && n < BATCH; k += by) {
    t[n] = make(q, k);
    if (t[n]) n++;
  }
  q->from = item;
  q->batch = n;
  bool made = native_make(&q->native, t, n, q->check.wrong, why, sizeof why);
  if (!made) suite_fail(v, "%s", why);
  for (unsigned k = 0; k < n; k++) twin_free(t[k]);
  return made;
}

static void save(const struct request *q, const struct twin *t) {
  char path[2][400];
  (void)snprintf(path[0], sizeof path[0], "%s/twin-%" PRIu64 "-%" PRIu64 ".ptx", q->keep, t->seed, t->index);
  (void)snprintf(path[1], sizeof path[1], "%s/twin-%" PRIu64 "-%" PRIu64 ".c", q->keep, t->seed, t->index);
  for (unsigned k = 0; k < 2; k++) {
    FILE *to = fopen(path[k], "w");
    if (!to) continue;
    if (k == 0)
      twin_write_ptx(t, to);
    else {
      twin_write_c_head(to);
      twin_write_c(t, "twin_0", NULL, to);
    }
    (void)fclose(to);
  }
}

static void one(void *ctx, size_t item, struct runner *runner, struct suite_verdict *v) {
  struct request *q = ctx;
  unsigned by = q->check.run.jobs < q->programs ? q->check.run.jobs : (unsigned)q->programs;
  enum twin_level level = TWIN_O0;
  (void)alarm(SECONDS); /* a compiler that hangs ends its process */
  size_t place = (item - q->from) / by;
  if (!q->native.library || item < q->from || place >= q->batch) {
    if (!load_batch(q, item, v)) return;
    place = 0;
  }
  struct twin *t = make(q, item);
  if (!t) return suite_fail(v, "no memory");
  native_twin native = native_find(&q->native, (unsigned)place);
  if (q->export && q->prefixes) {
    (void)export_prefixes(q->export, t, v);
  } else if (q->export) {
    (void)export_program(q->export, t, native, v);
  } else if (!check_program(&q->check, t, native, runner, v, &level)) {
    unsigned all = twin_size(t);
    char how[sizeof v->why], at[80];
    if (!q->whole && v->status != RUN_MISSING) reduce(&q->check, t, level, v);
    memcpy(how, v->why, sizeof how);
    check_level_name(&q->check, t, level, at, sizeof at);
    suite_fail(v, "%s: %.700s (%u of %u statements left)", at, how, twin_size(t), all);
    if (q->keep) save(q, t);
  }
  twin_free(t);
  (void)alarm(0);
}

/* ---- the table ---- */

static void line(FILE *to, const char *name, unsigned count, unsigned *none) {
  fprintf(to, "%8u  %s\n", count, name);
  *none += count == 0;
}

static int write_table(const struct request *q) {
  unsigned all = twin_variants() + twin_features(), none = 0, illegal = 0;
  unsigned *count = calloc(all, sizeof *count);
  FILE *to = fopen(q->table, "w");
  for (size_t k = 0; count && to && k < q->programs; k++) {
    struct twin *t = make(q, k);
    if (t) twin_count(t, count);
    twin_free(t);
  }
  for (unsigned k = 0; count && to && k < all; k++) {
    struct variant v = twin_variant(k < twin_variants() ? k : 0);
    struct variant_text text;
    char name[TWIN_TEXT + 40];
    if (k < twin_variants() && !variant_legal(&v)) {
      illegal++;
      continue;
    }
    variant_expand(&v, &text);
    (void)snprintf(name, sizeof name, "%s %s", text.ptx, twin_rows[v.row].sig);
    line(to, k < twin_variants() ? name : twin_feature_name(k - twin_variants()), count[k], &none);
  }
  bool right = count && to && fclose(to) == 0;
  free(count);
  printf("%u operations and forms, %u of them not generated\n", all - illegal, none);
  return right && none == 0 ? TOOL_OK : TOOL_DIFFERENCE;
}

/* ---- options ---- */

static int take_own(struct request *q, int o, const char *value) {
  uint64_t n = 0;
  switch (o) {
  case 'n':
    return tool_number(value, 1000000, &q->programs) ? TOOL_OK : tool_usage("twins", "--programs %s", value);
  case 'o':
    q->programs = 1;
    q->check.run.jobs = 1;
    return tool_number(value, UINT32_MAX, &q->first) ? TOOL_OK : tool_usage("twins", "--only %s", value);
  case 'f':
    return tool_number(value, UINT32_MAX, &q->first) ? TOOL_OK : tool_usage("twins", "--first %s", value);
  case 'l':
    q->check.level = value[0] == '0' ? TWIN_O0 : TWIN_O2;
    return TOOL_OK;
  case 'u':
    q->check.level = TWIN_PART;
    if (heddle_ptx_passes(value, &q->check.without, NULL) != HEDDLE_SUCCESS)
      return tool_usage("twins", "--without %s: no such pass", value);
    return TOOL_OK;
  case 'r':
    if (!tool_number(value, 254, &n)) return tool_usage("twins", "--maxregs %s", value);
    q->check.max_regs = (unsigned)n;
    return TOOL_OK;
  case 'N':
    if (!tool_number(value, 1000, &n)) return tool_usage("twins", "--nodes %s", value);
    q->nodes = (unsigned)n;
    return TOOL_OK;
  case 'p':
    q->check.vary = false;
    return TOOL_OK;
  case 'P':
    q->print = value;
    return TOOL_OK;
  case 'w':
    q->whole = true;
    return TOOL_OK;
  case 'k':
    q->keep = value;
    return TOOL_OK;
  case 'x':
    q->prefixes = true;
    return TOOL_OK;
  case 'e':
    q->export = value;
    return TOOL_OK;
  case 't':
    q->table = value;
    return TOOL_OK;
  case 'W':
    q->check.wrong = value;
    return TOOL_OK;
  case 'h':
    fputs(help, stdout);
    tool_options_text(stdout, groups);
    exit(TOOL_OK);
  default:
    return run_options_take(&q->check.run, "twins", o, value);
  }
}

static int parse(struct request *q, int argc, char **argv) {
  run_options_init(&q->check.run);
  q->check.run.on = ON_MODEL;
  for (int o; (o = tool_option_next("twins", groups, argc, argv)) != -1;) {
    int status = take_own(q, o, optarg);
    if (status != TOOL_OK) return status;
  }
  if (!q->check.run.max_cycles) q->check.run.max_cycles = 4000000;
  return run_options_finish(&q->check.run, "twins");
}

static int print(const struct request *q) {
  struct twin *t = make(q, 0);
  if (!t) return TOOL_USAGE;
  if (strcmp(q->print, "ptx") == 0) {
    twin_write_ptx(t, stdout);
  } else if (strcmp(q->print, "in") == 0) {
    uint8_t in[TWIN_IN_BYTES];
    twin_input(t, in);
    (void)fwrite(in, 1, sizeof in, stdout);
  } else {
    twin_write_c_head(stdout);
    twin_write_c(t, "twin_0", q->check.wrong, stdout);
  }
  twin_free(t);
  return TOOL_OK;
}

int main(int argc, char **argv) {
  struct request q = {.programs = 100, .check = {.level = -1, .vary = true}};
  int status = parse(&q, argc, argv);
  if (status != TOOL_OK) return status;
  if (q.print) return print(&q);
  int table = q.table ? write_table(&q) : TOOL_OK;
  const struct suite s = {.command = "twins",
                          .what = "programs",
                          .dir = "",
                          .again = argv[0],
                          .run = &q.check.run,
                          .items = q.programs,
                          .name = name_of,
                          .one = one,
                          .ctx = &q};
  status = suite_run(&s);
  return status != TOOL_OK ? status : table;
}
