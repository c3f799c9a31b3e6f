/* SPDX-License-Identifier: Apache-2.0
 *
 * Allocations of a host: where it made them, and what is written behind them.
 */
#define _GNU_SOURCE /* dladdr */

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include <heddle/explain.h>
#include "base/array.h"
#include "base/process.h"
#include "cosim/platform/watch.h"
#include "cosim/trace/wire.h"

/* Where a host allocated device memory: the first return address on the way out of the call that is not in a library of
 * ours. (A host in CUDA calls cudaMalloc, which calls the driver.) */

enum { FRAMES = 24, KEPT = 4 };

/* KEPT callers, from the inside: those in our own headers are passed over when one is told. */
struct site {
  uint64_t at, bytes;
  void *caller[KEPT];
  unsigned callers;
};

struct sites {
  struct site *site; /* by address */
  size_t count, room;
};

struct sites *sites_new(void) {
  return calloc(1, sizeof(struct sites));
}

void sites_free(struct sites *s) {
  if (s) free(s->site);
  free(s);
}

/* ---- who called */

static bool is_ours(const void *address) {
  Dl_info i;
  const char *slash = dladdr(address, &i) && i.dli_fname ? strrchr(i.dli_fname, '/') : NULL;
  return slash && strncmp(slash, "/libheddle", 10) == 0 && strstr(slash, ".so");
}

struct walk {
  void *frame[FRAMES];
  int count;
};

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *at, void *to) {
  struct walk *w = to;
  const uintptr_t ip = _Unwind_GetIP(at);
  if (w->count == FRAMES || ip == 0) return _URC_END_OF_STACK;
  memcpy(&w->frame[w->count++], &ip, sizeof ip);
  return _URC_NO_REASON;
}

/* A host with archives of ours has no such frames: then it is the driver's caller. */
static void find_callers(struct site *s, const void *caller) {
  struct walk w = {.count = 0};
  int i = 0;
  (void)_Unwind_Backtrace(note_frame, &w);
  while (i < w.count && w.frame[i] != caller) i++;
  while (i < w.count && is_ours(w.frame[i])) i++;
  for (; i < w.count && s->callers < KEPT; i++) s->caller[s->callers++] = w.frame[i];
  if (s->callers == 0) memcpy(&s->caller[s->callers++], &caller, sizeof caller);
}

/* ---- the list */

/* The first that begins at or behind `at`. */
static size_t site_place(const struct sites *s, uint64_t at) {
  size_t low = 0, high = s->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (s->site[middle].at < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void forget_site(struct sites *s, size_t i) {
  s->count--;
  memmove(&s->site[i], &s->site[i + 1], (s->count - i) * sizeof *s->site);
}

void sites_allocated(struct sites *s, uint64_t at, uint64_t bytes, const void *caller) {
  const size_t i = site_place(s, at);
  if (i < s->count && s->site[i].at == at) forget_site(s, i);
  if (bytes == 0 || !array_room(&s->site, &s->room, s->count + 1, sizeof *s->site)) return;
  memmove(&s->site[i + 1], &s->site[i], (s->count - i) * sizeof *s->site);
  s->count++;
  s->site[i] = (struct site){.at = at, .bytes = bytes};
  find_callers(&s->site[i], caller);
}

/* Each allocation in turn, by address. */
static void sites_each(const struct sites *s, void (*each)(void *ctx, uint64_t at, uint64_t bytes), void *ctx) {
  for (size_t i = 0; i < s->count; i++) each(ctx, s->site[i].at, s->site[i].bytes);
}

/* ---- in words */

/* File and line of the call that returns to `address`. */
static bool line_of(const void *address, const Dl_info *i, char *text, size_t size) {
  char offset[32], object[4096];
  snprintf(offset, sizeof offset, "0x%zx", (size_t)((const char *)address - (const char *)i->dli_fbase - 1));
  snprintf(object, sizeof object, "%s", i->dli_fname);
  /* The program itself has the name by which it was started: the host may be in another folder by now. */
  if (object[0] != '/') {
    const ssize_t n = readlink("/proc/self/exe", object, sizeof object - 1);
    if (n > 0) object[n] = '\0';
  }
  const char *const command[] = {"addr2line", "-e", object, offset, NULL};
  process_first_line(command, text, size);
  const char *colon = strrchr(text, ':');
  if (!colon || text[0] == '?' || colon[1] == '?' || colon[1] == '0') return false;
  text[colon - text + 1 + (ptrdiff_t)strspn(colon + 1, "0123456789")] = '\0'; /* " (discriminator 2)" */
  return true;
}

/* The last parts of a path are enough for a reader. */
static void shorten(char *text, size_t size) {
  const size_t n = strlen(text);
  if (n < size) return;
  memmove(text, text + (n - size + 1), size);
}

bool sites_text(const struct sites *s, uint64_t at, char *text, size_t size) {
  char line[4200];
  const size_t k = site_place(s, at);
  if (k == s->count || s->site[k].at != at || size == 0) return false;
  const struct site *here = &s->site[k];
  Dl_info i;
  for (unsigned c = 0; c < here->callers; c++) {
    if (!dladdr(here->caller[c], &i) || !i.dli_fname || !i.dli_fbase) continue;
    if (!line_of(here->caller[c], &i, line, sizeof line)) break;
    if (strstr(line, "heddle/cc/")) continue; /* a header of ours: cudaMalloc of a typed pointer */
    shorten(line, size);
    snprintf(text, size, "%s", line);
    return true;
  }
  if (!dladdr(here->caller[0], &i) || !i.dli_fname || !i.dli_fbase) return false;
  const bool named = i.dli_saddr && i.dli_sname;
  const char *from = named ? (const char *)i.dli_saddr : (const char *)i.dli_fbase;
  snprintf(text, size, "%.60s%s0x%zx of %.80s", named ? i.dli_sname : "", named ? "+" : "",
           (size_t)((const char *)here->caller[0] - from), i.dli_fname);
  return true;
}

/* What is written behind allocations, by a sum over what lies there before each launch and after it. */

struct pads {
  struct heddle_port port;
  uint64_t bytes, allocations, launches, written, sum;
  uint8_t *room;
  char first[700]; /* launch that wrote there, in words */
};

struct pads *pads_new(uint64_t bytes, const struct heddle_port *port) {
  struct pads *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->port = *port;
  p->bytes = bytes;
  p->room = malloc(bytes);
  if (p->room) return p;
  free(p);
  return NULL;
}

void pads_allocated(struct pads *p, uint64_t at, uint64_t bytes) {
  if (bytes == 0) return;
  p->allocations++;
  memset(p->room, 0, p->bytes);
  (void)p->port.write(p->port.self, at + bytes, p->room, p->bytes);
}

static void add_pad(void *ctx, uint64_t at, uint64_t bytes) {
  struct pads *p = ctx;
  if (p->port.read(p->port.self, at + bytes, p->room, p->bytes)) p->sum = trace_sum(p->sum, p->room, p->bytes);
}

static uint64_t sum_of(struct pads *p, const struct sites *s) {
  p->sum = TRACE_SUM_START;
  sites_each(s, add_pad, p);
  return p->sum;
}

void pads_begin(struct pads *p, const struct sites *s) {
  p->launches++;
  (void)sum_of(p, s);
}

void pads_end(struct pads *p, const struct sites *s, const char *kernel) {
  const uint64_t before = p->sum;
  char name[400];
  if (p->launches == 0 || sum_of(p, s) == before) return;
  if (p->written++ == 0)
    snprintf(p->first, sizeof p->first, "; the first is launch %" PRIu64 ", %s", p->launches,
             heddle_name_text(kernel, name, sizeof name));
}

void pads_close(struct pads *p) {
  if (!p) return;
  fprintf(stderr,
          "heddle: HEDDLE_PAD: %" PRIu64 " allocations had %" PRIu64 " bytes more; %" PRIu64 " of %" PRIu64
          " launches wrote there%s\n",
          p->allocations, p->bytes, p->written, p->launches, p->first);
  free(p->room);
  free(p);
}
