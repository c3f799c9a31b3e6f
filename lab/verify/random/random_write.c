/* SPDX-License-Identifier: Apache-2.0
 * A random program as assembly text. */
#include <stdio.h>

#include "lab/verify/random/node.h"
#include "base/splitmix64.h"

#define E(...) random_emit(p, __VA_ARGS__)

/* Where a thread stands: R8 in its block, R9 its block in the grid. */
static void write_place(struct random_program *p) {
  const uint32_t *b = p->launch.block, *g = p->launch.grid;
  E("S2R R8, SR_TID.X ;\n");
  if (b[1] > 1) E("S2R R9, SR_TID.Y ;\nIMAD R8, R9, c[0x0][0x0], R8 ;\n");
  if (b[2] > 1) E("S2R R9, SR_TID.Z ;\nIMAD R8, R9, 0x%x, R8 ;\n", b[0] * b[1]);
  if (random_blocks(p) == 1) return;
  E("S2R R9, SR_CTAID.X ;\n");
  if (g[1] > 1) E("S2R R10, SR_CTAID.Y ;\nIMAD R9, R10, c[0x0][0xc], R9 ;\n");
  if (g[2] > 1) E("S2R R10, SR_CTAID.Z ;\nIMAD R9, R10, 0x%x, R9 ;\n", g[0] * g[1]);
}

/* Thread, lane, addresses. R8-R11 serve as temporaries. */
static void write_addresses(struct random_program *p) {
  const bool many = random_blocks(p) > 1;
  write_place(p);
  E("S2R R%u, SR_LANEID ;\nSHF.R.U32.HI R%u, RZ, 0x5, R8 ;\n", REG_LANE, REG_WARP_INDEX);
  if (many)
    E("IMAD R%u, R9, 0x%x, R8 ;\nIMAD R11, R9, 0x%x, R%u ;\n", REG_THREAD, random_threads(p), random_warps(p),
      REG_WARP_INDEX);
  else
    E("MOV R%u, R8 ;\n", REG_THREAD);
  E("MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\n", REG_WARP, REG_WARP + 1);
  E("IMAD.WIDE R%u, R%u, 0x%x, R%u ;\nIMAD.WIDE R%u, R%u, 0x%x, R%u ;\n", REG_WARP, many ? 11u : REG_WARP_INDEX,
    WARP_BYTES, REG_WARP, REG_OWN, REG_LANE, THREAD_BYTES, REG_WARP);
  E("IMAD R%u, R%u, 0x%x, RZ ;\nIMAD R%u, R%u, 0x%x, R%u ;\n", REG_WARP_SHARED, REG_WARP_INDEX, WARP_SHARED_BYTES,
    REG_SHARED, REG_LANE, SHARED_THREAD_BYTES, REG_WARP_SHARED);
}

/* Of a brief grid some blocks leave at once: so they end while others are being started. */
static void write_brief(struct random_program *p) {
  const uint32_t *g = p->launch.grid;
  if (!p->brief || p->launch.trap != 0) return;
  const unsigned d = g[1] > g[0] ? (g[2] > g[1] ? 2 : 1) : g[2] > g[0] ? 2 : 0;
  E("S2R R8, SR_CTAID.%c ;\nLOP3.LUT R8, R8, 0x%x, RZ, 0xc0 ;\n", "XYZ"[d], 1 + random_below(p, 7));
  E("ISETP.NE.AND P0, PT, R8, RZ, PT ;\n@P0 EXIT ;\n");
}

/* Registers from the input, each thread from a place of its own; predicates, shared and local memory out of them. */
static void write_values(struct random_program *p) {
  const unsigned step = 16 * (1 + 2 * random_below(p, 64));
  E("IMAD R%u, R%u, 0x%x, RZ ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", REG_ADDRESS + 2, REG_THREAD, step,
    REG_ADDRESS + 2, REG_ADDRESS + 2, 4 * INPUT_WORDS - 16);
  E("IADD3 R%u, P0, PT, R%u, c[0x0][input], RZ ;\nIADD3.X R%u, RZ, c[0x0][input+4], RZ, P0, !PT ;\n", REG_ADDRESS,
    REG_ADDRESS + 2, REG_ADDRESS + 1);
  for (unsigned i = 0; i < REG_DATA_COUNT; i += 4) E("LDG.E.128 R%u, [R%u+0x%x] ;\n", REG_DATA + i, REG_ADDRESS, 4 * i);
  E("R2P PR, R%u, 0x7f ;\n", REG_DATA + random_below(p, REG_DATA_COUNT));
  E("STS.128 [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT, REG_DATA);
  if (random_whole_warps(p))
    E("LEA R%u, R%u, R%u, 0x2 ;\nSTS [R%u], R%u ;\n", REG_ADDRESS, REG_LANE, REG_WARP_SHARED, REG_ADDRESS,
      REG_DATA + 5);
  else
    for (unsigned i = 0; i < SHARED_WARP_BYTES; i += 16) E("STS.128 [R%u+0x%x], RZ ;\n", REG_WARP_SHARED, i);
  for (unsigned i = 0; i < LOCAL_BYTES; i += 16) E("STL.128 [RZ+0x%x], R%u ;\n", i, REG_DATA + 8 + i / 4);
}

/* Uniform registers out of the constants, all predicates. */
static void write_uniform_values(struct random_program *p) {
  for (unsigned i = 0; i < UREG_DATA_COUNT; i += 2) E("ULDC.64 UR%u, c[0x3][URZ+0x%x] ;\n", i, 8 * random_below(p, 32));
  E("UR2UP UPR, UR%u, 0x7f ;\n", random_below(p, UREG_DATA_COUNT));
}

/* Half of all convergence barriers are for functions, less the last two, which are nobody's there. */
unsigned random_levels(bool in_function) {
  const unsigned most = (random_bregs() / 2 - (in_function ? 2 : 0)) / 2;
  return most < 3 ? most : 3;
}

/* B registers: two a nesting level; functions have their own, since they run while their callers' are armed. */
static unsigned breg(const struct node *n, bool in_function) {
  return 2u * n->depth + (in_function ? random_bregs() / 2 : 0u);
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
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\nIADD3 R%u, R%u, 0x1, RZ ;\n", counter,
      n->style & 4 ? REG_THREAD : REG_DATA + n->pred, n->trips == 1 ? 3 : 1, counter, counter);
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

static void write_stream(struct random_program *p, const struct node *n) {
  const uint64_t rng = p->rng;
  p->rng = n->seed;
  p->place = PLACE_ANY;
  n->stream->write(p, n);
  p->rng = rng;
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
  case NODE_STREAM:
    write_stream(p, n);
    break;
  default:
    break;
  }
}

void random_write_list(struct random_program *p, uint32_t list, bool in_function) {
  if (list == NO_NODE || p->node[list].removed) return;
  for (uint32_t i = p->node[list].child; i != NO_NODE; i = p->node[i].next)
    if (!p->node[i].removed) write_node(p, &p->node[i], in_function);
}

/* Of shared or local memory.
 */
static void write_memory_result(struct random_program *p, unsigned at) {
  switch (random_below(p, 3)) {
  case 0:
    E("LDS.128 R12, [R%u+0x%x] ;\n", REG_SHARED, SHARED_AT);
    break;
  case 1:
    E("LEA R12, R%u, R%u, 0x2 ;\nLDS R12, [R12] ;\n", REG_LANE, REG_WARP_SHARED);
    break;
  default:
    E("LDL.128 R12, [RZ+0x%x] ;\n", 16 * random_below(p, LOCAL_BYTES / 16));
    break;
  }
  E("STG.E.128 [R%u+0x%x], R12 ;\n", REG_OWN, at);
}

/* Half of the registers, predicates as bits of a word, some of the memories and of what is uniform: this is what the
 * model alone is held against. Lockstep has compared each write. */
static void write_results(struct random_program *p) {
  const unsigned out = OWN_AT + SCRATCH_THREAD_BYTES, rest = out + REG_DATA_COUNT * 4;
  const unsigned odd = 4 * random_below(p, 2);
  for (unsigned i = odd; i < REG_DATA_COUNT; i += 8)
    E("STG.E.128 [R%u+0x%x], R%u ;\n", REG_OWN, out + 4 * i, REG_DATA + i);
  E("P2R R8, PR, RZ, 0x%x ;\n", (1u << PRED_DATA_COUNT) - 1);
  if (random_has_uniform(p)) {
    const unsigned a = random_below(p, UREG_DATA_COUNT), b = random_below(p, UREG_DATA_COUNT);
    E("UP2UR UR16, UPR, URZ, 0x7f ;\nULOP3.LUT UR16, UR16, UR%u, UR%u, 0x96 ;\nMOV R9, UR16 ;\n", a, b);
  }
  E("STG.E.128 [R%u+0x%x], R8 ;\n", REG_OWN, rest);
  write_memory_result(p, rest + 16);
  random_write_end(p);
  random_write_last(p);
  E("%s ;\n", code_ends_by_exit(p) ? "JMP last_word" : "EXIT");
}

static void write_head(struct random_program *p) {
  E(".const table u32 ");
  for (unsigned i = 0; i < 64; i++) E("%s0x%x", i ? ", " : "", p->constant[i]);
  /* Loads of up to 16 bytes start at any of the 256 bytes' multiples: all inside. */
  E("\n.kernel fuzz\n.param u64 out\n.param u64 input\n");
  for (unsigned i = 0; i < p->launch.more; i++) E(".param u64 more%u\n", i);
  E(".shared all %u\n.local %u\n", random_warps(p) * (WARP_SHARED_BYTES + p->spread) + p->pad + p->shared_edge,
    random_local(p) + (p->launch.error_in == RANDOM_ERRORS_LOCAL ? LOCAL_ERROR_BYTES : 0));
  const uint8_t *s = p->limits.stall; /* codes by hand rely on these */
  if (s[0] > 0) E(".stalls %u %u %u %u %u %u\n", s[0], s[1], s[2], s[3], s[4], s[5]);
  if (p->regs > 0) E(".regs %u\n", p->regs);
}

void random_write(struct random_program *p) {
  const uint64_t rng = p->rng; /* the text is the same each time */
  write_head(p);
  write_brief(p);
  write_addresses(p);
  write_values(p);
  if (random_has_uniform(p)) write_uniform_values(p);
  E("// body\n");
  random_write_list(p, p->body, false);
  E("// results\n");
  write_results(p);
  E(".end\n");
  for (unsigned f = 0; f < 2; f++) {
    E(".func function%u\n", f);
    random_write_list(p, p->function[f], true);
    E("RET R%u ;\n.end\n", REG_RETURN);
  }
  if (p->tail == TAIL_NONE) code_end_write(p);
  random_write_tail(p);
  p->rng = rng;
}
