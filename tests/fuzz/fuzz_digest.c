/* SPDX-License-Identifier: Apache-2.0
 *
 * Bytes into the decoder of digests, as they are and in frames that are right; what comes of them to the judge, with a
 * launch of two blocks. However the bytes are cut, the same comes of them; the judge comes to an end, never to a pass
 * without a good end, and whatever it says is wrong it says in words.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include <heddle/asm.h>
#include <heddle/bank0.h>
#include <heddle/digest.h>

enum { BASE = 0x10000, BYTES = 0x1000, INSNS = 3000 };

static const char text[] = ".kernel k\n"
                           ".param u64 out\n"
                           ".shared buf 256\n"
                           "        S2R R0, SR_LANEID ;\n"
                           "        S2R R1, SR_CLOCKLO ;\n"
                           "        MOV R4, c[0x0][out] ;\n"
                           "        MOV R5, c[0x0][out+4] ;\n"
                           "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                           "        MOV R6, 0x1 ;\n"
                           "again:  ATOMG.E.ADD R7, [R4], R6 ;\n"
                           "        STS [R3+buf], R7 ;\n"
                           "        BAR.SYNC 0x0 ;\n"
                           "        LDS R8, [R3+buf] ;\n"
                           "        IADD3 R6, R6, 0x1, RZ ;\n"
                           "        ISETP.LT.U32.AND P0, PT, R6, 0x10, PT ;\n"
                           "@P0     BRA again ;\n"
                           "        STG.E [R4+4], R1 ;\n"
                           "        EXIT ;\n"
                           ".end\n";

static const struct heddle_launch *launch(void) {
  static struct heddle_launch l;
  static uint8_t bank[HEDDLE_BANK0_PARAMS + 16];
  if (l.code != NULL) return &l;
  struct heddle_asm_options o = {.size = sizeof o};
  struct heddle_program *p;
  (void)heddle_assemble(text, strlen(text), "k.s", &o, &p);
  FUZZ_CHECK(p != NULL, "the launch's program is none");
  const uint64_t out = BASE;
  const uint32_t sizes[6] = {64, 1, 1, 2, 1, 1};
  memcpy(bank, sizes, sizeof sizes);
  memcpy(bank + HEDDLE_BANK0_PARAMS, &out, sizeof out);
  l = (struct heddle_launch){.size = sizeof l,
                             .grid = {2, 1, 1},
                             .block = {64, 1, 1},
                             .regs = p->kernel[0].regs,
                             .shared_bytes = p->kernel[0].shared_bytes,
                             .code = p->code,
                             .code_bytes = p->code_bytes,
                             .cbank = {bank},
                             .cbank_bytes = {sizeof bank},
                             .region = {{BASE, BASE + BYTES, true}},
                             .regions = 1,
                             .units = (1u << ISA_PART_ASYNC) - 1u};
  return &l; /* the program stays, as long as the fuzzer */
}

static uint8_t before[BYTES];

static void judge(struct heddle_digest_judge *j, const struct heddle_digest_state *s) {
  const enum heddle_digest_outcome o = heddle_digest_judge_finish(j, s->ended && !s->lost, before);
  size_t n;
  const struct heddle_digest_wrong *w = heddle_digest_judge_wrong(j, &n);
  FUZZ_CHECK(o != HEDDLE_DIGEST_PASS || (s->ended && !s->lost), "a pass of what is not whole");
  FUZZ_CHECK(o == HEDDLE_DIGEST_PASS || heddle_digest_judge_message(j)[0] != '\0', "no word of why it is no pass");
  for (size_t i = 0; i < n; i++)
    FUZZ_CHECK(w[i].warp < 2 && w[i].instructions <= HEDDLE_DIGEST_WINDOW, "a window that cannot be");
  FUZZ_CHECK(heddle_digest_judge_stats(j)->instructions <= INSNS, "more instructions than the limit");
}

/* A number for all that came. */
static uint64_t decode(const uint8_t *p, size_t n, size_t step, struct heddle_digest_state *out) {
  struct heddle_digest_decoder *d = heddle_digest_new();
  struct heddle_digest_entry e;
  const struct heddle_digest_machine m = {sizeof m, 4, 8, 8};
  const struct heddle_digest_limits limits = {sizeof limits, INSNS, 1u << 20};
  char words[256];
  uint64_t sum = 0, given = 0;
  struct heddle_digest_judge *j;
  const enum heddle_error error = heddle_digest_judge_new(&m, launch(), BASE, before, BYTES, &limits, &j, NULL);
  FUZZ_CHECK(d != NULL && error == HEDDLE_SUCCESS, "no memory");
  heddle_digest_launch(d);
  for (size_t at = 0; at < n;) {
    const size_t part = n - at < step ? n - at : step, took = heddle_digest_give(d, p + at, part);
    FUZZ_CHECK(took != 0 && took <= part, "%zu of %zu bytes are taken", took, part);
    at += took;
    while (heddle_digest_next(d, &e)) {
      FUZZ_CHECK(!heddle_digest_look(d)->lost && e.slot < 64, "an entry behind a loss");
      sum = sum * 31 + e.code + e.count + e.sum[0] + e.value;
      given++;
      if (e.slot < 8) (void)heddle_digest_judge_entry(j, &e);
    }
  }
  heddle_digest_over(d);
  *out = *heddle_digest_look(d);
  FUZZ_CHECK(out->lost || (out->ended && given == out->entries), "neither whole nor lost");
  heddle_digest_text(d, words, sizeof words);
  FUZZ_CHECK(words[0] != '\0', "no word of it");
  if (step > n) judge(j, out);
  heddle_digest_judge_free(j);
  heddle_digest_free(d);
  return sum;
}

static void both_ways(const uint8_t *p, size_t n) {
  struct heddle_digest_state whole, cut;
  const uint64_t sum = decode(p, n, n + 1, &whole);
  FUZZ_CHECK(sum == decode(p, n, 3, &cut), "other entries when the bytes come three by three");
  FUZZ_CHECK(whole.lost == cut.lost && whole.entries == cut.entries && strcmp(whole.why, cut.why) == 0,
             "another verdict when the bytes come three by three");
}

int fuzz_digest(const uint8_t *data, size_t size) {
  size_t n;
  both_ways(data, size);
  uint8_t *p = fuzz_framed(data, size, HEDDLE_DIGEST_FORMAT, HEDDLE_DIGEST_PROFILE, &n);
  if (p != NULL) both_ways(p, n);
  free(p);
  return 0;
}
