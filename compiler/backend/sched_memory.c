/* SPDX-License-Identifier: Apache-2.0
 * Order of memory accesses. Loads of a space pass each other; a store keeps its place among the accesses of its space
 * unless both have the same base and do not overlap; volatile and strong ones and atomics keep their place among all
 * accesses that could see them, barriers and fences among all. So do asynchronous copies. */
#include "sched_memory.h"

enum { GLOBAL = 1, SHARED = 2, LOCAL = 4, ANY = 7 };

static unsigned spaces_of(enum heddle_isa_mem m) {
  switch (m) {
  case ISA_MEM_GLOBAL_LOAD:
  case ISA_MEM_GLOBAL_STORE:
  case ISA_MEM_GLOBAL_ATOM:
  case ISA_MEM_GLOBAL_RED:
    return GLOBAL;
  case ISA_MEM_SHARED_LOAD:
  case ISA_MEM_SHARED_STORE:
  case ISA_MEM_SHARED_ATOM:
    return SHARED;
  case ISA_MEM_LOCAL_LOAD:
  case ISA_MEM_LOCAL_STORE:
    return LOCAL;
  case ISA_MEM_GLOBAL_COPY:
    return GLOBAL | SHARED;
  case ISA_MEM_GENERIC_LOAD:
  case ISA_MEM_GENERIC_STORE:
  case ISA_MEM_GENERIC_ATOM:
    return ANY;
  default:
    return 0;
  }
}

static bool is_load(enum heddle_isa_mem m) {
  return m == ISA_MEM_GLOBAL_LOAD || m == ISA_MEM_SHARED_LOAD || m == ISA_MEM_LOCAL_LOAD || m == ISA_MEM_GENERIC_LOAD;
}

static bool is_atomic(enum heddle_isa_mem m) {
  return m == ISA_MEM_GLOBAL_ATOM || m == ISA_MEM_SHARED_ATOM || m == ISA_MEM_GENERIC_ATOM || m == ISA_MEM_GLOBAL_RED;
}

struct sched_access sched_access_of(const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  const enum heddle_isa_mem m = (enum heddle_isa_mem)info->mem;
  const struct mir_operand *data = i->rd.kind != MIR_NONE ? &i->rd : &i->src[1];
  struct sched_access a = {.spaces = (uint8_t)spaces_of(m), .base = UINT32_MAX};
  a.writes = a.spaces && !is_load(m);
  a.strong = is_atomic(m) || m == ISA_MEM_GLOBAL_COPY ||
             (a.spaces && (i->ordered || mir_get(i, ISA_F_STRONG) != ISA_STRONG_WEAK));
  a.across = info->unit == ISA_UNIT_WARP || info->unit == ISA_UNIT_TENSOR || i->op == ISA_OP_LDSM_16;
  a.offset = (int64_t)mir_get(i, ISA_F_OFF24);
  a.bytes = 4u * (data->words ? data->words : 4u);
  /* The control unit's: barriers and fences, for the others are walls. CCTL too. */
  a.fence = info->unit == ISA_UNIT_BR || (info->unit == ISA_UNIT_MEM && m == ISA_MEM_NONE);
  if (a.fence) a.across = true;
  return a;
}

static bool accesses_apart(const struct sched_access *a, const struct sched_access *b) {
  return a->base == b->base && (a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset);
}

bool sched_conflict(const struct sched_access *first, const struct sched_access *second) {
  if (first->across && second->across) return true;
  if ((first->fence && second->spaces) || (second->fence && first->spaces)) return true;
  if (first->strong && second->strong) return true;
  if (!(first->spaces & second->spaces)) return false;
  if (first->strong || second->strong) return true;
  if (!first->writes && !second->writes) return false;
  return !accesses_apart(first, second);
}

#define FP64_LATENCY 24u /* of a machine that nobody named */

uint32_t sched_guess(const struct mir_function *f, const struct mir_insn *i) {
  const struct heddle_isa_instr *info = heddle_isa_instr_info((enum heddle_isa_op)i->op);
  switch (mir_unit(i)) {
  case ISA_UNIT_MEM:
    return spaces_of((enum heddle_isa_mem)info->mem) & (GLOBAL | LOCAL) ? 80 : 28;
  case ISA_UNIT_FP64:
    return f->fp64_latency > 0 ? f->fp64_latency : FP64_LATENCY;
  case ISA_UNIT_TENSOR:
    return 24;
  default:
    return 18;
  }
}
