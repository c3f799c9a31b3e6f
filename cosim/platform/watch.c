/* SPDX-License-Identifier: Apache-2.0
 * The driver's words, passed on. */
#include "cosim/platform/watch.h"

#include "cosim/platform/sites.h"

static void compiled(void *self, const struct heddle_program *p, const char *ptx, size_t bytes) {
  const struct watch *w = self;
  if (w->record) record_compiled(w->record, p, ptx, bytes);
}

static void allocated(void *self, uint64_t at, uint64_t bytes, const void *caller) {
  const struct watch *w = self;
  sites_allocated(w->sites, at, bytes, caller);
  if (w->pads) pads_allocated(w->pads, at, bytes);
}

static bool allocator(void *self, uint64_t at, char *text, size_t bytes) {
  const struct watch *w = self;
  return sites_text(w->sites, at, text, bytes);
}

static void begins(void *self, const struct heddle_seen_launch *l) {
  const struct watch *w = self;
  if (w->record) record_begins(w->record, l);
  if (w->stats) stats_begins(w->stats, l);
  if (w->lockstep) lockstep_port_begins(w->lockstep, l);
  if (w->pads) pads_begin(w->pads, w->sites);
}

static void ends(void *self, const char *kernel, enum heddle_error e, const char *words) {
  const struct watch *w = self;
  if (w->record) record_ends(w->record, e, words);
  if (w->stats) stats_ends(w->stats, kernel, e, words);
  if (w->lockstep) lockstep_port_begins(w->lockstep, NULL);
  if (w->pads) pads_end(w->pads, w->sites, kernel);
}

bool watch_bind(struct watch *w, struct heddle_port *port) {
  w->face = (struct heddle_watch){
      .size = sizeof w->face, .self = w, .compiled = compiled, .allocated = allocated, .allocator = allocator};
  if (w->record || w->stats || w->lockstep || w->pads) {
    w->face.begins = begins;
    w->face.ends = ends;
  }
  port->watch = &w->face;
  w->sites = sites_new();
  return w->sites != NULL;
}

void watch_close(struct watch *w) {
  pads_close(w->pads);
  record_close(w->record);
  stats_close(w->stats);
  sites_free(w->sites);
}
