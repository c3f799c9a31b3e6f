/* SPDX-License-Identifier: Apache-2.0
 * A random program as assembly text. */
#include <stdio.h>

#include "node.h"
#include "splitmix64.h"

#define E(...) random_emit(p, __VA_ARGS__)

static void pair(struct random_program *p, unsigned reg, const char *parameter) {
  E("MOV R%u, c[0x0][%s] ;\nMOV R%u, c[0x0][%s+4] ;\n", reg, parameter, reg + 1, parameter);
}

/* Thread, lane, addresses. R8-R11 serve as temporaries. */
static void write_addresses(struct random_program *p) {
  const struct random_launch *l = &p->launch;
  unsigned threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + 31) / 32;
  unsigned warp_bytes = SCRATCH_WARP_BYTES + SCRATCH_LOCK_BYTES + 32 * SCRATCH_THREAD_BYTES;
  unsigned warp_shared = SHARED_WARP_BYTES + 32 * SHARED_THREAD_BYTES;
  E("S2R R8, SR_TID.Z ;\nS2R R9, SR_TID.Y ;\nS2R R10, SR_TID.X ;\nS2R R%u, SR_LANEID ;\n", REG_LANE);
  E("IMAD R8, R8, c[0x0][0x4], R9 ;\nIMAD R8, R8, c[0x0][0x0], R10 ;\n");              /* thread of the block */
  E("S2R R9, SR_CTAID.Y ;\nS2R R10, SR_CTAID.X ;\nIMAD R9, R9, c[0x0][0xc], R10 ;\n"); /* block of the grid */
  E("IMAD R%u, R9, 0x%x, R8 ;\n", REG_THREAD, threads);
  E("SHF.R.U32.HI R10, RZ, 0x5, R8 ;\nIMAD R11, R9, 0x%x, R10 ;\n", warps); /* warp of the block, of the grid */
  pair(p, REG_OUT, "out");
  E("IMAD.WIDE R%u, R%u, 0x%x, R%u ;\n", REG_OUT, REG_THREAD, OUT_THREAD_BYTES, REG_OUT);
  pair(p, REG_WARP, "scratch");
  E("IMAD.WIDE R%u, R11, 0x%x, R%u ;\n", REG_WARP, warp_bytes, REG_WARP);
  E("IADD3 R%u, P0, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P0, !PT ;\n", REG_WARP, REG_WARP, SCRATCH_GRID_BYTES,
    REG_WARP + 1, REG_WARP + 1);
  E("IADD3 R%u, P0, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P0, !PT ;\n", REG_SCRATCH, REG_WARP,
    SCRATCH_WARP_BYTES + SCRATCH_LOCK_BYTES, REG_SCRATCH + 1, REG_WARP + 1);
  E("IMAD.WIDE R%u, R%u, 0x%x, R%u ;\n", REG_SCRATCH, REG_LANE, SCRATCH_THREAD_BYTES, REG_SCRATCH);
  pair(p, REG_INPUT, "input");
  E("IMAD R%u, R10, 0x%x, RZ ;\n", REG_WARP_SHARED, warp_shared);
  E("IMAD R%u, R%u, 0x%x, R%u ;\nIADD3 R%u, R%u, 0x%x, RZ ;\n", REG_SHARED, REG_LANE, SHARED_THREAD_BYTES,
    REG_WARP_SHARED, REG_SHARED, REG_SHARED, SHARED_WARP_BYTES);
  E("STS.128 [R%u], RZ ;\n", REG_SHARED);
  for (unsigned i = 0; i < LOCAL_BYTES; i += 16) E("STL.128 [RZ+0x%x], RZ ;\n", i);
  for (unsigned i = 0; i < SHARED_WARP_BYTES; i += 16) E("STS.128 [R%u+0x%x], RZ ;\n", REG_WARP_SHARED, i);
}

/* A third of the registers from the thread number, a third floats, a third from the input. */
static void write_values(struct random_program *p) {
  uint64_t s = p->launch.input_seed ^ 0x5851f42d4c957f2du;
  for (unsigned i = 0; i < REG_DATA_COUNT; i++) {
    unsigned r = REG_DATA + i;
    uint32_t k = (uint32_t)splitmix64(&s);
    if (i % 3 == 0) {
      E("IMAD R%u, R%u, 0x%x, RZ ;\nIADD3 R%u, R%u, 0x%x, RZ ;\n", r, REG_THREAD, k | 1, r, r,
        (uint32_t)splitmix64(&s));
    } else if (i % 3 == 1) {
      E("IMAD R%u, R%u, 0x%x, RZ ;\nI2F R%u, R%u ;\nFMUL R%u, R%u, 0x%x ;\n", r, REG_THREAD, k | 1, r, r, r, r,
        0x30000000u + (k >> 8) % 0x10000000u);
    } else {
      E("IADD3 R%u, R%u, 0x%x, RZ ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIMAD.WIDE R%u, R%u, 0x4, R%u ;\n",
        REG_ADDRESS + 2, REG_THREAD, k % INPUT_WORDS, REG_ADDRESS + 2, REG_ADDRESS + 2, INPUT_WORDS - 1, REG_ADDRESS,
        REG_ADDRESS + 2, REG_INPUT);
      E("LDG.E R%u, [R%u] ;\n", r, REG_ADDRESS);
    }
  }
  for (unsigned i = 0; i <= PRED_DATA_COUNT; i++) /* P6 too: P2R reads all of them */
    E("ISETP.LT.AND P%u, PT, R%u, 0x%x, PT ;\n", i, REG_DATA + 3 * i, (uint32_t)splitmix64(&s));
}

/* Uniform registers: of the warp's first thread, of all its threads, numbers. All predicates. */
static void write_uniform_values(struct random_program *p) {
  uint64_t s = p->launch.input_seed ^ 0x9fb21c651e98df25u;
  for (unsigned i = 0; i < UREG_DATA_COUNT; i++) {
    if (i % 3 == 0)
      E("R2UR UR%u, R%u ;\n", i, REG_DATA + i);
    else if (i % 3 == 1)
      E("REDUX.XOR UR%u, R%u ;\n", i, REG_DATA + i);
    else
      E("UMOV UR%u, 0x%x ;\n", i, (uint32_t)splitmix64(&s));
  }
  E("UR2UP UPR, UR%u, 0x7f ;\n", (unsigned)(splitmix64(&s) % UREG_DATA_COUNT));
}

/* B registers: two a nesting level; functions have their own, since they run while their callers' are armed. */
static unsigned breg(const struct node *n, bool in_function) {
  return 2u * n->depth + (in_function ? 8u : 0u);
}

/* Where nothing around it is divergent the lanes may meet by WARPSYNC, too: its mask is those who set out. */
static void write_join(struct random_program *p, const struct node *n, unsigned b, bool in_function) {
  E("join_%u:\n", n->id);
  if (n->depth == 0 && !in_function && n->style & 2)
    E("BMOV.GET R%u, B%u ;\nWARPSYNC R%u ;\nBREAK B%u ;\n", REG_ADDRESS, b, REG_ADDRESS, b);
  else
    E("BSYNC B%u ;\n", b);
}

static void write_if(struct random_program *p, const struct node *n, bool in_function) {
  unsigned b = breg(n, in_function);
  const char *sense = n->style & 1 ? "!" : "", *jump = n->style & 4 ? "JMP" : "BRA";
  E("BSSY B%u, join_%u ;\n@%sP%u %s %s_%u ;\n", b, n->id, sense, n->pred, jump, n->child2 == NO_NODE ? "join" : "else",
    n->id);
  random_write_list(p, n->child, in_function);
  if (n->child2 != NO_NODE) {
    E("%s join_%u ;\nelse_%u:\n", jump, n->id, n->id);
    random_write_list(p, n->child2, in_function);
  }
  write_join(p, n, b, in_function);
}

/* Trip count fixed or by lane; some lanes may BREAK out and wait at the outer barrier. */
static void write_loop(struct random_program *p, const struct node *n, bool in_function) {
  unsigned b = breg(n, in_function), counter = REG_LOOP + n->depth;
  E("BSSY B%u, after_%u ;\nBSSY B%u, left_%u ;\n", b + 1, n->id, b, n->id);
  if (n->style & 2)
    E("LOP3.LUT R%u, R%u, 0x3, RZ, 0xc0 ;\nIADD3 R%u, R%u, 0x1, RZ ;\n", counter,
      n->style & 4 ? REG_THREAD : REG_DATA + n->pred, counter, counter);
  else
    E("MOV R%u, 0x%x ;\n", counter, n->trips);
  E("loop_%u:\n", n->id);
  random_write_list(p, n->child, in_function);
  if (n->style & 1) E("@P%u BREAK B%u ;\n@P%u BRA after_%u ;\n", n->pred, b, n->pred, n->id);
  E("IADD3 R%u, R%u, -0x1, RZ ;\nISETP.NE.AND P6, PT, R%u, RZ, PT ;\n@P6 BRA loop_%u ;\n", counter, counter, counter,
    n->id);
  E("left_%u:\nBSYNC B%u ;\nafter_%u:\nBSYNC B%u ;\n", n->id, b, n->id, b + 1);
}

static void write_call(struct random_program *p, const struct node *n) {
  unsigned b = breg(n, false);
  E("BSSY B%u, join_%u ;\n@%sP%u BRA join_%u ;\n", b, n->id, n->style & 1 ? "!" : "", n->pred, n->id);
  E("MOV R%u, back_%u ;\nMOV R%u, RZ ;\n", REG_RETURN, n->id, REG_RETURN + 1);
  if (n->style & 2)
    E("CALL.REL function%u ;\n", n->style >> 2 & 1);
  else
    E("MOV R%u, function%u ;\nMOV R%u, RZ ;\nCALL.ABS R%u ;\n", REG_ADDRESS, n->style >> 2 & 1, REG_ADDRESS + 1,
      REG_ADDRESS);
  E("back_%u:\njoin_%u:\nBSYNC B%u ;\n", n->id, n->id, b);
}

static void write_jump(struct random_program *p, const struct node *n) {
  unsigned b = breg(n, false);
  E("BSSY B%u, join_%u ;\nMOV R%u, one_%u ;\nMOV R%u, two_%u ;\n", b, n->id, REG_ADDRESS, n->id, REG_ADDRESS + 1,
    n->id);
  E("SEL R%u, R%u, R%u, P%u ;\nMOV R%u, RZ ;\nBRX R%u ;\none_%u:\n", REG_ADDRESS + 2, REG_ADDRESS, REG_ADDRESS + 1,
    n->pred, REG_ADDRESS + 3, REG_ADDRESS + 2, n->id);
  random_write_list(p, n->child, false);
  E("BRA join_%u ;\ntwo_%u:\n", n->id, n->id);
  random_write_list(p, n->child2, false);
  E("join_%u:\nBSYNC B%u ;\n", n->id, b);
}

static void write_node(struct random_program *p, const struct node *n, bool in_function) {
  switch (n->kind) {
  case NODE_LINE:
  case NODE_CONTROL:
    E("%s", n->text);
    break;
  case NODE_IF:
    write_if(p, n, in_function);
    break;
  case NODE_LOOP:
    write_loop(p, n, in_function);
    break;
  case NODE_CALL:
    write_call(p, n);
    break;
  case NODE_JUMP:
    write_jump(p, n);
    break;
  case NODE_LOCK:
    random_write_lock(p, n, breg(n, in_function), in_function);
    break;
  case NODE_SAVE:
    random_write_save(p, n, breg(n, in_function), in_function);
    break;
  case NODE_SHARE:
    random_write_share(p, n, breg(n, in_function), in_function);
    break;
  case NODE_SYNC:
    random_write_sync(p, n, breg(n, in_function));
    break;
  case NODE_BARRIER:
    E("BAR.SYNC 0x0 ;\n");
    break;
  case NODE_LIST:
    break;
  }
}

void random_write_list(struct random_program *p, uint32_t list, bool in_function) {
  if (list == NO_NODE || p->node[list].removed) return;
  for (uint32_t i = p->node[list].child; i != NO_NODE; i = p->node[i].next)
    if (!p->node[i].removed) write_node(p, &p->node[i], in_function);
}

/* Registers, predicates as bits of a word, shared memory. */
static void write_results(struct random_program *p) {
  for (unsigned i = 0; i < REG_DATA_COUNT; i++) E("STG.E [R%u+0x%x], R%u ;\n", REG_OUT, i * 4, REG_DATA + i);
  E("MOV R8, RZ ;\n");
  for (unsigned i = 0; i < PRED_DATA_COUNT; i++) E("@P%u LOP3.LUT R8, R8, 0x%x, RZ, 0xfc ;\n", i, 1u << i);
  E("STG.E [R%u+0x%x], R8 ;\nLDS.128 R8, [R%u] ;\n", REG_OUT, REG_DATA_COUNT * 4, REG_SHARED);
  for (unsigned i = 0; i < 4; i++) E("STG.E [R%u+0x%x], R%u ;\n", REG_OUT, (REG_DATA_COUNT + 1 + i) * 4, 8 + i);
  E("LEA R12, R%u, R%u, 0x2 ;\nLDS R12, [R12] ;\nSTG.E [R%u+0x%x], R12 ;\n", REG_LANE, REG_WARP_SHARED, REG_OUT,
    (REG_DATA_COUNT + 5) * 4);
  for (unsigned i = 0; i < LOCAL_BYTES / 4; i++)
    E("LDL R12, [RZ+0x%x] ;\nSTG.E [R%u+0x%x], R12 ;\n", i * 4, REG_OUT, (REG_DATA_COUNT + 6 + i) * 4);
  const unsigned first = REG_DATA_COUNT + 6 + LOCAL_BYTES / 4;
  for (unsigned i = 0; i < UREG_DATA_COUNT && random_has_uniform(p); i++)
    E("MOV R12, UR%u ;\nSTG.E [R%u+0x%x], R12 ;\n", i, REG_OUT, (first + i) * 4);
  if (random_has_uniform(p))
    E("UP2UR UR16, UPR, URZ, 0x7f ;\nMOV R12, UR16 ;\nSTG.E [R%u+0x%x], R12 ;\n", REG_OUT,
      (first + UREG_DATA_COUNT) * 4);
}

void random_write(struct random_program *p) {
  const struct random_launch *l = &p->launch;
  unsigned warps = (l->block[0] * l->block[1] * l->block[2] + 31) / 32;
  E(".const table u32 ");
  for (unsigned i = 0; i < 64; i++) E("%s0x%x", i ? ", " : "", p->constant[i]);
  /* Loads of up to 16 bytes start at any of the 256 bytes' multiples: all inside. */
  E("\n.kernel fuzz\n.param u64 out\n.param u64 scratch\n.param u64 input\n.shared all %u\n.local %u\n",
    warps * (SHARED_WARP_BYTES + 32 * SHARED_THREAD_BYTES), LOCAL_BYTES);
  write_addresses(p);
  write_values(p);
  if (random_has_uniform(p)) write_uniform_values(p);
  E("// body\n");
  random_write_list(p, p->body, false);
  E("// results\n");
  random_write_ending(p, write_results);
  E(".end\n");
  for (unsigned f = 0; f < 2; f++) {
    E(".func function%u\n", f);
    random_write_list(p, p->function[f], true);
    E("RET R%u ;\n.end\n", REG_RETURN);
  }
}
