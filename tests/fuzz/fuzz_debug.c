/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes that come to the debugger's server: the input as it is, and each line of it as a packet whose sum is right. The
 * server answers with whole packets of bounded length, comes to an end, and leaves the launch in a state that goes back
 * to its beginning.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "tests/fuzz/fuzz.h"
#include "run/debug/target.h"
#include "run/debug/packet.h"
#include "run/debug/server.h"

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
  const struct heddle_program *p = heddle_assemble(text, strlen(text), "k.s", &o);
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
  FUZZ_CHECK(t && m && heddle_model_observe(m, &observer) == HEDDLE_OK, "no model");
  FUZZ_CHECK(heddle_model_launch(m, &job->launch) == HEDDLE_OK, "no launch");
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096) return 0;
  serve_one(data, size, false);
  serve_one(data, size, true);
  return 0;
}
