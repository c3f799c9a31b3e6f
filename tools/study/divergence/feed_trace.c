/* SPDX-License-Identifier: Apache-2.0
 * Records from a trace. */
#include <stdio.h>

#include "tools/study/divergence/feed.h"

/* The records of the launch that has just been read, up to its end. */
static bool one_launch(const char *path, struct trace_reader *t, struct streams_reader *r, feed_launch_fn *launch,
                       void *ctx, char *why, size_t n) {
  const struct trace_header *h = trace_read_header(t);
  struct retire_record record;
  struct streams s;
  enum trace_item item = TRACE_RECORD;
  bool ok = streams_begin(r, trace_launched(t), h->lanes, &s), told = false;
  while (ok && (item = trace_next(t, &record)) == TRACE_RECORD) ok = streams_take(r, &record);
  if (ok && item != TRACE_END) {
    snprintf(why, n, "%s", trace_error(t));
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
  struct retire_record record;
  struct trace_reader *t = trace_open(path, why, n);
  struct streams_reader *r = t != NULL ? streams_reader_new() : NULL;
  bool ok = r != NULL, any = false;
  if (t != NULL && r == NULL) snprintf(why, n, "no memory");
  while (ok) {
    const enum trace_item item = trace_next(t, &record);
    if (item == TRACE_DONE) break;
    if (item == TRACE_LAUNCH) {
      any = true;
      ok = one_launch(path, t, r, launch, ctx, why, n);
    } else {
      snprintf(why, n, "%s", trace_error(t));
      ok = false;
    }
  }
  if (ok && !any) {
    snprintf(why, n, "%s: it holds no launch", path);
    ok = false;
  }
  streams_reader_free(r);
  trace_free(t);
  return ok;
}
