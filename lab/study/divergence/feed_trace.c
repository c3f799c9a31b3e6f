/* SPDX-License-Identifier: Apache-2.0
 * Records from a trace. */
#include <stdio.h>

#include "lab/study/divergence/feed.h"

/* The records of the launch that has just been read, up to its end. */
static bool one_launch(const char *path, struct heddle_trace_reader *t, struct streams_reader *r,
                       feed_launch_fn *launch, void *ctx, char *why, size_t n) {
  const struct heddle_trace_header *h = heddle_trace_read_header(t);
  struct heddle_retire_record record;
  struct streams s;
  enum heddle_trace_item item = HEDDLE_TRACE_RECORD;
  bool ok = streams_begin(r, heddle_trace_launched(t), h->lanes, &s), told = false;
  while (ok && (item = heddle_trace_next(t, &record)) == HEDDLE_TRACE_RECORD) ok = streams_take(r, &record);
  if (ok && item != HEDDLE_TRACE_END) {
    snprintf(why, n, "%s", heddle_trace_error(t));
    told = true;
    ok = false;
  }
  ok = ok && streams_end(r);
  if (!ok && !told) snprintf(why, n, "%s: %s", path, streams_why(r));
  char wrong[1024];
  if (ok && !launch(ctx, &s, h->its, wrong, sizeof wrong)) {
    snprintf(why, n, "%s: %s", path, wrong);
    ok = false;
  }
  streams_free(&s);
  return ok;
}

bool feed_trace(const char *path, feed_launch_fn *launch, void *ctx, char *why, size_t n) {
  struct heddle_retire_record record;
  struct heddle_trace_reader *t = heddle_trace_open(path, why, n);
  struct streams_reader *r = t != NULL ? streams_reader_new() : NULL;
  bool ok = r != NULL, any = false;
  if (t != NULL && r == NULL) snprintf(why, n, "no memory");
  while (ok) {
    const enum heddle_trace_item item = heddle_trace_next(t, &record);
    if (item == HEDDLE_TRACE_DONE) break;
    if (item == HEDDLE_TRACE_LAUNCH) {
      any = true;
      ok = one_launch(path, t, r, launch, ctx, why, n);
    } else {
      snprintf(why, n, "%s", heddle_trace_error(t));
      ok = false;
    }
  }
  if (ok && !any) {
    snprintf(why, n, "%s: it holds no launch", path);
    ok = false;
  }
  streams_reader_free(r);
  heddle_trace_free(t);
  return ok;
}
