/* SPDX-License-Identifier: Apache-2.0
 * Files beside a wave: GTKWave's save format with the filter that it starts; for Surfer a mapping. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/isa.h>
#include "waves/waves.h"

/* A mapping of Surfer: the words of one program, and their assembly. */

static int compare_isa_words(const void *a, const void *b) {
  const struct heddle_isa_word *x = a, *y = b;
  if (x->hi != y->hi) return x->hi < y->hi ? -1 : 1;
  return x->lo == y->lo ? 0 : x->lo < y->lo ? -1 : 1;
}

static void write_words(FILE *f, const char *wave, struct heddle_isa_word *w, size_t n) {
  const char *slash = strrchr(wave, '/');
  char text[256];
  fprintf(f, "Name = Heddle words of %s\nBits = 128\n", slash ? slash + 1 : wave);
  qsort(w, n, sizeof *w, compare_isa_words);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && compare_isa_words(&w[i - 1], &w[i]) == 0) continue;
    heddle_disassemble(w[i], 0, text, sizeof text);
    fprintf(f, "0x%016llx%016llx %s\n", (unsigned long long)w[i].hi, (unsigned long long)w[i].lo, text);
  }
}

bool wave_save_words(const char *wave, const uint8_t *code, uint32_t code_bytes, char *err, size_t err_bytes) {
  char path[4096];
  struct heddle_isa_word *w = malloc((code_bytes / ISA_STEP + 1) * sizeof *w);
  size_t n = 0;
  for (uint32_t pc = 0, bytes; w && pc < code_bytes; pc += bytes)
    if (heddle_isa_fetch(code, pc, &w[n], &bytes)) n++;
  (void)snprintf(path, sizeof path, "%s.surfer", wave);
  FILE *f = w ? fopen(path, "w") : NULL;
  if (f) write_words(f, wave, w, n);
  const bool ok = f && fclose(f) == 0;
  if (!ok) snprintf(err, err_bytes, "%s: cannot be written: %s", path, strerror(errno));
  free(w);
  return ok;
}

/* GTKWave's save format, and the filter that it starts. */

/* Flags in front of a row: radix, and who is asked for its text; of a group: its begin and end, open or closed. */
static const char *const format_flags[] = {
    [WAVE_BIT] = "@28", [WAVE_HEX] = "@22", [WAVE_DECIMAL] = "@24", [WAVE_ASSEMBLY] = "@4022"};
#define OPEN_BEGIN "@800200"
#define OPEN_END "@1000200"
#define CLOSED_BEGIN "@c00200"
#define CLOSED_END "@1401200"

#define ASSEMBLY_COLOUR "[color] 3" /* yellow */

#define UNITS_PER_CYCLE 10u /* of time in the wave: cosim/verilator/vl_device.cpp */
#define TEXT_PIXELS 192u    /* what an instruction takes to be read ... */
#define CYCLE_LEAST 24u     /* ... but a cycle has at least so many pixels, and at most so many */
#define CYCLE_MOST 64u
#define FRAME 200.0
#define BEFORE_DIFFERENCE 20u /* cycles */
#define BEFORE_LAUNCH 4u

struct writer {
  FILE *f;
  const char *filter;
};

static void begin_group(void *ctx, const char *title, bool open) {
  const struct writer *w = ctx;
  fprintf(w->f, "%s\n-%s\n", open ? OPEN_BEGIN : CLOSED_BEGIN, title);
}
static void end_group(void *ctx, const char *title, bool open) {
  const struct writer *w = ctx;
  fprintf(w->f, "%s\n-%s\n", open ? OPEN_END : CLOSED_END, title);
}
static void one_signal(void *ctx, enum wave_format format, const char *label, const char *path) {
  const struct writer *w = ctx;
  fprintf(w->f, "%s\n", format_flags[format]);
  if (format == WAVE_ASSEMBLY) fprintf(w->f, "^>1 %s\n" ASSEMBLY_COLOUR "\n", w->filter);
  fprintf(w->f, "+{%s} %s\n", label, path);
}

/* GTKWave starts a filter by its path alone. */
static bool write_filter(const char *path) {
  char program[4096];
  ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  FILE *f = n > 0 ? fopen(path, "w") : NULL;
  if (!f) return false;
  program[n] = 0;
  fprintf(f, "#!/bin/sh\nexec '%s' dis --words\n", program);
  return fclose(f) == 0 && chmod(path, 0755) == 0;
}

/* An instruction issues at most once in so many cycles as it has beats: wide enough for its text.
 * GTKWave shows FRAME pixels in 2 to the minus zoom units of time. */
static double zoom(const struct heddle_config *c) {
  unsigned pixels = TEXT_PIXELS / c->beats;
  if (pixels < CYCLE_LEAST) pixels = CYCLE_LEAST;
  if (pixels > CYCLE_MOST) pixels = CYCLE_MOST;
  return log2((double)pixels / UNITS_PER_CYCLE / FRAME);
}

static void write_head(FILE *f, const char *wave, const struct heddle_config *c, struct wave_place p) {
  const uint64_t shown = p.difference ? p.difference : p.first_issue;
  const uint64_t before = p.difference ? BEFORE_DIFFERENCE : BEFORE_LAUNCH;
  const uint64_t from = shown > before ? shown - before : 0;
  fprintf(f, "[dumpfile] \"%s\"\n[size] 1600 1000\n[timestart] %llu\n", wave,
          (unsigned long long)(from * UNITS_PER_CYCLE));
  fprintf(f, "*%f %llu\n", zoom(c), (unsigned long long)(shown * UNITS_PER_CYCLE));
  fputs("[sst_expanded] 0\n[signals_width] 330\n", f);
}

/* WAVE.gtkw of the first view, WAVE.NAME.gtkw of the others. */
static void save_name(char *to, size_t bytes, const char *wave, const struct wave_view *v) {
  snprintf(to, bytes, "%s%s%s.gtkw", wave, v->name[0] ? "." : "", v->name);
}

static bool write_view(const char *save, const struct wave_view *v, const char *wave, const char *filter,
                       const struct heddle_config *config, struct wave_place place) {
  FILE *f = fopen(save, "w");
  if (!f) return false;
  struct writer w = {f, filter};
  write_head(f, wave, config, place);
  v->draw(config, &(struct wave_sink){&w, begin_group, one_signal, end_group});
  return fclose(f) == 0;
}

bool wave_save(const char *wave, const struct heddle_config *config, struct wave_place place, char *err,
               size_t err_bytes) {
  char save[4096], filter[4096];
  char *whole = realpath(wave, NULL);
  const char *path = whole ? whole : wave, *wrong = NULL;
  snprintf(filter, sizeof filter, "%s.filter", path);
  for (size_t i = 0; i < WAVE_VIEWS && !wrong; i++) {
    save_name(save, sizeof save, wave, &wave_views[i]);
    if (!write_view(save, &wave_views[i], path, filter, config, place)) wrong = save;
  }
  if (!wrong && !write_filter(filter)) wrong = filter;
  if (wrong) snprintf(err, err_bytes, "%s: cannot be written: %s", wrong, strerror(errno));
  free(whole);
  return wrong == NULL;
}
