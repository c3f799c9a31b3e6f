/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle study: what can be learnt about SIMT machines with this one.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "firmware/kernels/kernels.h"
#include "lab/study/study.h"
#include "run/command/tool.h"

/* What studies of the kernels of firmware/kernels share. */

int study_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *to) {
  if (tool_number(text, most, to) && *to >= least) return TOOL_OK;
  return tool_usage("study", "--%s %s: expected a number from %llu to %llu", option, text, (unsigned long long)least,
                    (unsigned long long)most);
}

int study_named(int argc, char **argv) {
  for (int i = optind; i < argc; i++)
    if (kernel_find(argv[i]) == NULL)
      return tool_usage("study", "no kernel '%s'; 'heddle kernels --list' names them", argv[i]);
  return TOOL_OK;
}

int study_folder(const char *dir) {
  if (dir == NULL) return TOOL_OK;
  if (strpbrk(dir, "\n\r") != NULL) return tool_usage("study", "-o: a line break in the name");
  if (picture_ready("-o") != TOOL_OK) return TOOL_MISSING;
  if (mkdir(dir, 0777) == 0 || errno == EEXIST) return TOOL_OK;
  tool_error("%s: %s", dir, strerror(errno));
  return TOOL_USAGE;
}

static void progress(const char *name) {
  if (!isatty(STDERR_FILENO)) return;
  fprintf(stderr, "\r\033[K%s", name);
  fflush(stderr);
}

int study_kernels(int argc, char **argv, int (*one)(void *ctx, const struct kernel_info *k, const char *dir),
                  void *ctx) {
  char dir[4096];
  int status = TOOL_OK;
  if (!data_path("kernels", dir, sizeof dir)) return TOOL_MISSING;
  for (const struct kernel_info *k = kernel_table; k->name != NULL && status == TOOL_OK; k++) {
    bool wanted = optind == argc;
    for (int i = optind; i < argc; i++) wanted = wanted || strcmp(argv[i], k->name) == 0;
    if (!wanted) continue;
    progress(k->name);
    status = one(ctx, k, dir);
  }
  progress("");
  return status;
}

int study_page(const char *dir, const char *name, void (*print)(const void *ctx, FILE *f), const void *ctx) {
  char path[4352];
  snprintf(path, sizeof path, "%.4000s/%s.md", dir, name);
  FILE *f = fopen(path, "w");
  bool ok = f != NULL;
  if (ok) {
    print(ctx, f);
    ok = ferror(f) == 0;
    if (fclose(f) != 0) ok = false;
  }
  if (!ok) tool_error("%s: cannot be written: %s", path, strerror(errno));
  return ok ? TOOL_OK : TOOL_USAGE;
}

static const struct tool_group groups[] = {
    {"divergence:", study_divergence_options}, {"bounds:", study_bounds_options}, {0}};
static const char *const usage[] = {"divergence [KERNEL ...] [options]", "divergence --trace FILE [options]",
                                    "bounds [KERNEL ...] [options]", NULL};
static const char *const examples[] = {"heddle study divergence mandelbrot vm --branches",
                                       "heddle study divergence ifelse --on rtl --config tiny -o divergence",
                                       "heddle study bounds vecadd sgemm8x8 --config sm -o bounds", NULL};
static const char about[] =
    "divergence: issue slots and lanes in them under both divergence units, under dynamic warp formation with and "
    "without lanes that threads keep, under thread-block compaction, and without warps, by replay of what each thread "
    "did. Each kernel of firmware/kernels runs under both units; the replay of either must be what ran, issue by "
    "issue. See docs/study-divergence.md.\nbounds: the cycles of each kernel beside those that could not be fewer: of "
    "issue, of each pipe, of the load/store unit, of AXI's channels; and beside what a block alone takes, as often as "
    "the machine has to be filled. In lockstep. See docs/study-bounds.md.";

static int study_main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
  } table[] = {{"divergence", study_divergence}, {"bounds", study_bounds}};
  for (unsigned i = 0; argc > 1 && i < sizeof table / sizeof *table; i++)
    if (strcmp(argv[1], table[i].name) == 0) return table[i].run(argc - 1, argv + 1);
  return tool_usage("study", "expected: divergence, bounds");
}

const struct tool_command cmd_study = {"study",    "what can be learnt about SIMT machines: divergence, bounds",
                                       study_main, usage,
                                       about,      groups,
                                       examples,   "divergence bounds"};
