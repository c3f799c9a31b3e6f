/* SPDX-License-Identifier: Apache-2.0
 *
 * What `heddle run` reads from outside: .npy files, files of waivers, what comes to the debugger's server.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "run/debug/target.h"
#include "run/debug/packet.h"
#include "run/debug/server.h"
#include "run/job/elements.h"
#include "run/job/waivers.h"
#include "tests/fuzz/fuzz.h"

/* Bytes as a .npy file. What is read lies inside the file and is as much as its shape says; written again it is read as
 * the same. */
int fuzz_npy(const uint8_t *data, size_t size) {
  struct npy_array a, b;
  size_t bytes, again;
  const char *why = NULL;
  const uint8_t *numbers = npy_read(data, size, &a, &bytes, &why);
  FUZZ_CHECK((numbers == NULL) == (why != NULL), "refused without a word, or the reverse");
  if (!numbers) return 0;
  FUZZ_CHECK(numbers >= data && bytes <= size && numbers + bytes == data + size, "numbers outside of the file");
  FUZZ_CHECK(bytes % element_width(a.type) == 0, "no whole numbers");
  if (a.dims < NPY_DIMS) { /* one empty dimension more: a file that is a head alone */
    char head[NPY_HEAD];
    a.shape[a.dims++] = 0;
    const size_t n = npy_head(&a, head);
    FUZZ_CHECK(npy_read((const uint8_t *)head, n, &b, &again, &why) != NULL, "what was written is refused: %s", why);
    FUZZ_CHECK(again == 0 && b.dims == a.dims && strcmp(a.type, b.type) == 0, "what was written reads otherwise");
    FUZZ_CHECK(memcmp(a.shape, b.shape, a.dims * sizeof *a.shape) == 0, "another shape");
  }
  return 0;
}

/* Text as a file of waivers. What is taken is in range, matches itself, and is taken again as the same when it is
 * written; what is refused has words and a line that is there. */

static size_t lines_of(const uint8_t *data, size_t size) {
  size_t lines = 1;
  for (size_t i = 0; i < size; i++) lines += data[i] == '\n';
  return lines;
}

static void check(struct waivers *w, size_t lines) {
  for (size_t i = 0; i < w->waivers; i++) {
    const struct waiver *v = &w->waiver[i];
    FUZZ_CHECK(signature_check(v->signature, strlen(v->signature)) == SIGNATURE_OK, "no signature: %s", v->signature);
    FUZZ_CHECK(strlen(v->until) == 10 && v->reason[0] != '\0', "no day or no reason");
    FUZZ_CHECK(strlen(v->reason) <= WAIVER_REASON && v->line >= 1 && v->line <= lines, "out of range");
    FUZZ_CHECK(waivers_match(w, v->signature) == (v->expired ? NULL : v), "another one matches it");
  }
  json_t *j = waivers_json(w);
  FUZZ_CHECK(json_array_size(json_object_get(j, "unused")) == 0, "no JSON, or one did not match itself");
  json_decref(j);
}

/* Written in its own form it is the same. */
static void check_written(const struct waivers *w) {
  char *text = NULL;
  size_t size = 0;
  struct heddle_message m;
  FILE *f = open_memstream(&text, &size);
  FUZZ_CHECK(f != NULL, "no memory");
  for (size_t i = 0; i < w->waivers; i++)
    fprintf(f, "%s %s %s\n", w->waiver[i].signature, w->waiver[i].until, w->waiver[i].reason);
  fclose(f);
  struct waivers *again = waivers_parse(text, size, "again", "2026-11-24", &m);
  FUZZ_CHECK(again != NULL && again->waivers == w->waivers, "what was written is refused: %s", m.text);
  for (size_t i = 0; i < w->waivers; i++)
    FUZZ_CHECK(strcmp(again->waiver[i].reason, w->waiver[i].reason) == 0 &&
                   again->waiver[i].expired == w->waiver[i].expired,
               "what was written reads otherwise");
  waivers_free(again);
  free(text);
}

int fuzz_waivers(const uint8_t *data, size_t size) {
  struct heddle_message m;
  const size_t lines = lines_of(data, size);
  struct waivers *w = waivers_parse((const char *)data, size, "fuzz", "2026-11-24", &m);
  FUZZ_CHECK((w == NULL) == (m.text[0] != '\0'), "refused without a word, or the reverse");
  if (!w) {
    FUZZ_CHECK(m.line >= 1 && m.line <= lines, "line %u of %zu", m.line, lines);
    return 0;
  }
  FUZZ_CHECK(w->waivers <= WAIVERS_MAX, "too many");
  check(w, lines);
  check_written(w);
  waivers_free(w);
  return 0;
}

/* Bytes that come to the debugger's server: the input as it is, and each line of it as a packet whose sum is right. The
 * server answers with whole packets of bounded length, comes to an end, and leaves the launch in a state that goes back
 * to its beginning. */

enum { SLOTS = 4 };

static const char text[] = ".kernel k\n"
                           ".param u64 out\n"
                           ".shared buf 256\n"
                           "        S2R R0, SR_TID.X ;\n"
                           "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                           "        MOV R7, 0x0 ;\n"
                           "again:  STS [R3+buf], R7 ;\n"
                           "        BAR.SYNC 0x0 ;\n"
                           "        LDS R5, [R3+buf] ;\n"
                           "        IADD3 R7, R7, 0x1, RZ ;\n"
                           "        ISETP.LT.U32.AND P0, PT, R7, 0x4, PT ;\n"
                           "@P0     BRA again ;\n"
                           "        MOV R8, c[0x0][out] ;\n"
                           "        MOV R9, c[0x0][out+4] ;\n"
                           "        IMAD.WIDE.U32 R8, R0, 0x4, R8 ;\n"
                           "        STG.E [R8], R5 ;\n"
                           "        EXIT ;\n"
                           ".end\n";

static const struct job *launch(void) {
  static struct job job; /* stays, as long as the fuzzer, and so does the program */
  static const uint32_t grid[3] = {3, 1, 1}, block[3] = {40, 1, 1};
  char err[512] = "";
  if (job.program) return &job;
  const struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), "k.s", &o, &p);
  FUZZ_CHECK(p && job_add_buffer(&job, NULL, 256, true) && job_build(&job, p, NULL, grid, block, err, sizeof err),
             "no launch: %s", err);
  return &job;
}

/* "+", "-", or "$TEXT#XX". */
static bool hear(void *ctx, const char *bytes, size_t n) {
  (void)ctx;
  if (n == 1 && (*bytes == '+' || *bytes == '-')) return true;
  FUZZ_CHECK(n >= 4 && n <= PACKET_MAX + 4 && bytes[0] == '$' && bytes[n - 3] == '#', "%zu bytes are no packet", n);
  FUZZ_CHECK(memchr(bytes + 1, '$', n - 4) == NULL && memchr(bytes + 1, '#', n - 4) == NULL, "a packet in a packet");
  return true;
}

static void as_packets(struct server *s, const uint8_t *data, size_t size) {
  static struct packet p;
  static char frame[PACKET_MAX + 8];
  for (size_t at = 0; at < size;) {
    const uint8_t *end = memchr(data + at, '\n', size - at);
    const size_t n = end ? (size_t)(end - data) - at : size - at;
    packet_clear(&p);
    for (size_t i = 0; i < n && p.n < PACKET_MAX; i++)
      if (data[at + i] != '$' && data[at + i] != '#') p.text[p.n++] = (char)data[at + i];
    const size_t whole = packet_frame(&p, frame);
    if (server_take(s, (const uint8_t *)frame, whole) != SERVER_OPEN) return;
    at += n + 1;
  }
}

static void serve_one(const uint8_t *data, size_t size, bool packets) {
  char err[512] = "";
  const struct job *job = launch();
  struct target *t = calloc(1, sizeof *t);
  const struct heddle_model_config c = {
      .size = sizeof c, .base = job->mem_base, .bytes = job->mem_bytes, .warp_slots = SLOTS, .block_slots = 2};
  const struct heddle_observer observer = {.size = sizeof observer, .ctx = t, .access = target_observe};
  struct heddle_model *m = heddle_model_new(&c);
  FUZZ_CHECK(t && m && heddle_model_observe(m, &observer) == HEDDLE_SUCCESS, "no model");
  FUZZ_CHECK(heddle_model_launch(m, &job->launch) == HEDDLE_SUCCESS, "no launch");
  FUZZ_CHECK(target_begin(t, m, job, SLOTS, err, sizeof err), "%s", err);
  const struct server_config config = {.target = t, .send = hear};
  struct server *s = server_new(&config);
  FUZZ_CHECK(s != NULL, "no memory");
  if (packets)
    as_packets(s, data, size);
  else
    (void)server_take(s, data, size);
  const uint64_t beginning = history_beginning(t->history);
  FUZZ_CHECK(beginning <= t->now && history_go(t->history, t, beginning), "no way back to the beginning");
  FUZZ_CHECK(t->now == beginning, "the beginning is another moment");
  server_free(s);
  target_end(t);
  heddle_model_free(m);
  free(t);
}

int fuzz_debug(const uint8_t *data, size_t size) {
  if (size > 4096) return 0;
  serve_one(data, size, false);
  serve_one(data, size, true);
  return 0;
}
