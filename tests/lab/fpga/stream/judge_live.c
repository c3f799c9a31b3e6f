/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file of a stream, given to heddle_attach as a link brings them, a few at a time: the verdict is that
 * of the file. With a byte less, or without the end, it is not judged to its end, and says so. judge_live FILE     the
 * first launch of it, on a core as tiny is
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/attach.h>
#include "cosim/trace/stream.h"
#include <heddle/trace.h>

struct bytes {
  uint8_t *p;
  size_t n;
};

static void fail(const char *what) {
  printf("FAILED  %s\n", what);
  exit(1);
}

/* Sections `S` of the first launch, one after the other. */
static struct bytes stream_of(const char *path) {
  struct bytes s = {malloc(1u << 24), 0};
  uint8_t head[5];
  FILE *f = fopen(path, "rb");
  if (f == NULL || s.p == NULL || fseek(f, 8, SEEK_SET) != 0) fail("the file cannot be read");
  while (fread(head, 1, 5, f) == 5 && head[0] != 'E') {
    const uint32_t n = (uint32_t)head[1] | (uint32_t)head[2] << 8 | (uint32_t)head[3] << 16 | (uint32_t)head[4] << 24;
    if (head[0] != 'S') {
      if (fseek(f, (long)n, SEEK_CUR) != 0) fail("the file cannot be read");
    } else if (s.n + n > 1u << 24 || fread(s.p + s.n, 1, n, f) != n) {
      fail("the file is not that of a short run");
    } else {
      s.n += n;
    }
  }
  fclose(f);
  return s;
}

/* Memory as the launch has left it. */
static struct bytes memory_of(const char *path) {
  struct heddle_retire_record r;
  struct heddle_message msg;
  struct heddle_trace_reader *t;
  enum heddle_trace_item item = HEDDLE_TRACE_ERROR;
  if (heddle_trace_open(path, &t, &msg) != HEDDLE_SUCCESS) fail(msg.text);
  do item = heddle_trace_next(t, &r);
  while (item == HEDDLE_TRACE_LAUNCH || item == HEDDLE_TRACE_RECORD);
  if (item != HEDDLE_TRACE_END) fail(heddle_trace_error(t));
  uint64_t n;
  const uint8_t *memory = heddle_trace_memory(t, &n);
  struct bytes m = {malloc(n), n};
  if (m.p == NULL) fail("no memory");
  memcpy(m.p, memory, n);
  heddle_trace_free(t);
  return m;
}

static enum heddle_verdict_kind judge(const char *path, struct bytes s, struct bytes memory, size_t step, bool say) {
  const struct heddle_core core = {.size = sizeof core,
                                   .name = "tiny",
                                   .lanes = 4,
                                   .warp_slots = 4,
                                   .block_slots = 4,
                                   .regs = 256,
                                   .shared_bytes = 8192,
                                   .hidden = HEDDLE_RECORD_HIDDEN_P1,
                                   .clock_ahead = -STREAM_CLOCK_BEHIND,
                                   .read_age = HEDDLE_RECORD_READ_AGE,
                                   .pred_age = HEDDLE_RECORD_PRED_AGE};
  struct heddle_image image = {.size = sizeof image};
  struct heddle_verdict v;
  struct heddle_attach *a;
  if (heddle_attach_new(&core, &a, NULL) != HEDDLE_SUCCESS || heddle_attach_load(a, path, NULL) != HEDDLE_SUCCESS ||
      !heddle_attach_launch(a, &image))
    fail("no launch in the file");
  bool ok = true;
  for (size_t at = 0; at < s.n && ok; at += step)
    ok = heddle_attach_stream(a, s.p + at, s.n - at < step ? s.n - at : step);
  if (ok) (void)heddle_attach_memory(a, UINT64_MAX / 4, memory.p);
  while (heddle_attach_skip(a)) {}
  heddle_attach_verdict(a, &v);
  if (say) fputs(v.report, stdout);
  const enum heddle_verdict_kind kind = v.kind;
  heddle_attach_free(a);
  return kind;
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const struct bytes memory = memory_of(argv[1]);
  struct bytes s = stream_of(argv[1]);
  if (judge(argv[1], s, memory, 7, true) != HEDDLE_VERDICT_OK) fail("what comes seven bytes at a time");
  if (judge(argv[1], s, memory, s.n, false) != HEDDLE_VERDICT_OK) fail("what comes at once");
  struct bytes less = {malloc(s.n), s.n - 1};
  if (less.p == NULL) fail("no memory");
  memcpy(less.p, s.p, s.n / 2);
  memcpy(less.p + s.n / 2, s.p + s.n / 2 + 1, s.n - s.n / 2 - 1);
  if (judge(argv[1], less, memory, 7, true) != HEDDLE_VERDICT_UNFINISHED) fail("a byte is missing");
  if (judge(argv[1], s, memory, s.n, false) != HEDDLE_VERDICT_OK) fail("the same again");
  s.n -= 20;
  if (judge(argv[1], s, memory, 7, true) != HEDDLE_VERDICT_UNFINISHED) fail("the end is missing");
  s.n = 0;
  if (judge(argv[1], s, memory, 1, false) == HEDDLE_VERDICT_OK) fail("nothing comes");
  puts("ok");
  return 0;
}
