/* SPDX-License-Identifier: Apache-2.0
 * What is written behind allocations, by a sum over what lies there before each launch and after it. */
#include "cosim/platform/pads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/explain.h>
#include "cosim/trace/wire.h"

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
