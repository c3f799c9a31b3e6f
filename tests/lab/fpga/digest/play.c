/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches without RTL.
 */
#include "play.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/isa.h>

const char play_order[] = ".kernel order\n"
                          ".param u64 in\n"
                          ".param u64 out\n"
                          ".shared buf 512\n"
                          "        S2R R0, SR_TID.X ;\n"
                          "        S2R R1, SR_CTAID.X ;\n"
                          "        MOV R4, c[0x0][out] ;\n"
                          "        MOV R5, c[0x0][out+4] ;\n"
                          "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                          "        MOV R10, 0x1 ;\n"
                          "        MOV R11, RZ ;\n"
                          "        MOV R12, RZ ;\n"
                          "        STS [R3+buf], R11 ;\n"
                          "        BAR.SYNC 0x0 ;\n"
                          "again:  ATOMG.E.ADD R13, [R4+0x4000], R10 ;\n"
                          "        ATOMS.ADD R14, [RZ+buf], R10 ;\n"
                          "        IADD3 R11, R11, R13, RZ ;\n"
                          "        STS [R3+buf+4], R11 ;\n"
                          "        BAR.SYNC 0x1 ;\n"
                          "        LOP3.LUT R15, R3, 0x80, RZ, 0x3c ;\n"
                          "        LOP3.LUT R15, R15, 0xfc, RZ, 0xc0 ;\n"
                          "        LDS R16, [R15+buf+4] ;\n"
                          "        IADD3 R12, R12, R16, R14 ;\n"
                          "        RED.E.ADD [R4+0x4008], R16 ;\n"
                          "        LDG.E R17, [R4+0x4008] ;\n"
                          "        BAR.SYNC 0x2 ;\n"
                          "        IADD3 R18, R11, R12, RZ ;\n"
                          "        IADD3 R10, R10, 0x1, RZ ;\n"
                          "        ISETP.LT.U32.AND P0, PT, R10, 0x12, PT ;\n"
                          "@P0     BRA again ;\n"
                          "        IMAD R2, R1, c[0x0][0x0], R0 ;\n"
                          "        IMAD.WIDE R6, R2, 0x8, R4 ;\n"
                          "        STG.E [R6], R12 ;\n"
                          "        STG.E [R6+4], R17 ;\n"
                          "        EXIT ;\n"
                          ".end\n";

void play_tell(struct play *q) {
  struct encoder *e = encode_new(&q->cfg);
  size_t n;
  for (size_t i = 0; i < q->s.n; i++) encode_record(e, &q->s.r[i]);
  const struct heddle_digest_entry *from = encode_entries(e, &n);
  free(q->e);
  q->e = malloc((n + 1) * sizeof *q->e); /* room for one more */
  assert(q->e != NULL);
  memcpy(q->e, from, n * sizeof *q->e);
  q->n = n;
  encode_free(e);
}

void play_run(struct play *q, const char *text, unsigned blocks, unsigned threads, uint64_t seed) {
  memset(q, 0, sizeof *q);
  fake_assemble(&q->p, text, blocks, threads);
  q->p.launch.units &= ~(UINT32_C(1) << ISA_PART_ASYNC);
  q->cfg = (struct encode_config){.lanes = 4u << seed % 4,
                                  .warps = 4 + 4 * (unsigned)(seed % 3),
                                  .blocks = 1 + (unsigned)(seed % 5),
                                  .banks = 4,
                                  .seed = seed,
                                  .late = seed % 3 == 0 ? 0 : 24,
                                  .cuts = seed % 2 == 0 ? 0 : 40};
  const struct fake_config fake = {.lanes = q->cfg.lanes,
                                   .warp_slots = q->cfg.warps,
                                   .block_slots = q->cfg.blocks,
                                   .seed = seed,
                                   .deferred = seed % 4 == 1 ? 3 : 0};
  fake_fill(q->before);
  fake_run(&q->p, &fake, &q->s, q->after);
  play_tell(q);
}

void play_judge(const struct play *q, bool whole, struct played *out) {
  const struct heddle_digest_machine m = {sizeof m, q->cfg.lanes, q->cfg.warps, q->cfg.blocks};
  struct heddle_digest_judge *j;
  memset(out, 0, sizeof *out);
  const enum heddle_error e =
      heddle_digest_judge_new(&m, &q->p.launch, FAKE_BASE, q->before, FAKE_BYTES, NULL, &j, NULL);
  assert(e == HEDDLE_SUCCESS);
  for (size_t i = 0; i < q->n; i++)
    if (!heddle_digest_judge_entry(j, &q->e[i])) break;
  out->outcome = heddle_digest_judge_finish(j, whole, q->after);
  out->stats = *heddle_digest_judge_stats(j);
  strncpy(out->message, heddle_digest_judge_message(j), sizeof out->message - 1);
  const struct heddle_digest_wrong *w = heddle_digest_judge_wrong(j, &out->wrongs);
  const size_t room = sizeof out->wrong / sizeof out->wrong[0];
  if (out->wrongs != 0) memcpy(out->wrong, w, (out->wrongs < room ? out->wrongs : room) * sizeof *w);
  out->waits = heddle_digest_judge_waiting(j)[0] != '\0';
  heddle_digest_judge_free(j);
}

void play_free(struct play *q) {
  stream_free(&q->s);
  fake_program_free(&q->p);
  free(q->e);
}
