/* SPDX-License-Identifier: Apache-2.0
 *
 * Special registers as sources.
 */
#include "compiler/lower/lower.h"

#include <string.h>

static const struct special {
  const char *name;
  uint8_t sreg, bytes;
} specials[] = {{"%tid.x", IR_TID_X, 4},
                {"%tid.y", IR_TID_Y, 4},
                {"%tid.z", IR_TID_Z, 4},
                {"%ntid.x", IR_NTID_X, 4},
                {"%ntid.y", IR_NTID_Y, 4},
                {"%ntid.z", IR_NTID_Z, 4},
                {"%ctaid.x", IR_CTAID_X, 4},
                {"%ctaid.y", IR_CTAID_Y, 4},
                {"%ctaid.z", IR_CTAID_Z, 4},
                {"%nctaid.x", IR_NCTAID_X, 4},
                {"%nctaid.y", IR_NCTAID_Y, 4},
                {"%nctaid.z", IR_NCTAID_Z, 4},
                {"%laneid", IR_LANEID, 4},
                {"%warpid", IR_WARPID, 4},
                {"%nwarpid", IR_NWARPID, 4},
                {"%smid", IR_SMID, 4},
                {"%nsmid", IR_NSMID, 4},
                {"%gridid", IR_GRIDID, 8},
                {"%lanemask_eq", IR_LANEMASK_EQ, 4},
                {"%lanemask_lt", IR_LANEMASK_LT, 4},
                {"%lanemask_le", IR_LANEMASK_LE, 4},
                {"%lanemask_gt", IR_LANEMASK_GT, 4},
                {"%lanemask_ge", IR_LANEMASK_GE, 4},
                {"%clock", IR_CLOCK, 4},
                {"%clock64", IR_CLOCK64, 8},
                {"%globaltimer", IR_CLOCK64, 8}, /* a cycle is a nanosecond */
                {"%globaltimer_lo", IR_CLOCK, 4},
                {"%total_smem_size", IR_SHARED_BYTES, 4},
                {"%aggr_smem_size", IR_SHARED_BYTES, 4},
                {"%dynamic_smem_size", IR_SHARED_BYTES, 4},
                {"%clusterid.x", IR_CTAID_X, 4}, /* a cluster is one block */
                {"%clusterid.y", IR_CTAID_Y, 4},
                {"%clusterid.z", IR_CTAID_Z, 4},
                {"%nclusterid.x", IR_NCTAID_X, 4},
                {"%nclusterid.y", IR_NCTAID_Y, 4},
                {"%nclusterid.z", IR_NCTAID_Z, 4},
                {"%envreg0", IR_ENVREG_0, 4},
                {"%envreg1", IR_ENVREG_1, 4},
                {"%envreg2", IR_ENVREG_2, 4},
                {"%envreg3", IR_ENVREG_3, 4}};

/* What is the same everywhere. */
static const struct {
  const char *name;
  uint32_t value;
} fixed[] = {{"%cluster_ctaid.x", 0},  {"%cluster_ctaid.y", 0},  {"%cluster_ctaid.z", 0},
             {"%cluster_nctaid.x", 1}, {"%cluster_nctaid.y", 1}, {"%cluster_nctaid.z", 1},
             {"%cluster_ctarank", 0},  {"%cluster_nctarank", 1}, {"%tid.w", 0},
             {"%ntid.w", 0},           {"%ctaid.w", 0},          {"%nctaid.w", 0}};

/* %envreg4 to %envreg31: the driver sets none. */
static bool is_environment(const char *name) {
  enum { LENGTH = 7, LEAST = 4, MOST = 31 };
  if (strncmp(name, "%envreg", LENGTH) != 0) return false;
  const char *n = name + LENGTH;
  size_t digits = strspn(n, "0123456789");
  if (digits == 0 || digits > 2 || n[digits] != '\0' || (n[0] == '0' && digits > 1)) return false;
  const int k = digits == 1 ? n[0] - '0' : (n[0] - '0') * 10 + n[1] - '0';
  return k >= LEAST && k <= MOST;
}

static bool is_fixed(const char *name, uint32_t *value) {
  *value = 0;
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
    if (strcmp(name, fixed[k].name) == 0) {
      *value = fixed[k].value;
      return true;
    }
  return is_environment(name);
}

static struct ir_operand read(struct lower *l, enum ir_sreg which, unsigned bytes) {
  enum ptx_type t = bytes == 8 ? PTX_U64 : PTX_U32;
  struct ir_insn *i = lower_temp(l, IR_SREG, t, ir_class_of(t), 0, NULL);
  i->sreg = (uint8_t)which;
  return lower_result(i);
}

/* What a launch adds to the kernel's own: all but what lies in front of dynamic variables. */
static struct ir_operand dynamic_shared(struct lower *l, struct ptx_pos pos) {
  static const struct ptx_variable first = {
      .name = "%dynamic_smem_size", .space = PTX_SHARED, .type = PTX_B8, .vector = 1, .align = 1, .is_extern = true};
  if (!layout_use(l, &first, pos)) return ir_bits(0);
  return lower_two(l, IR_SUB, PTX_U32, read(l, IR_SHARED_BYTES, 4), lower_variable(l, &first, 0, PTX_U32));
}

bool lower_special(struct lower *l, const struct ptx_operand *o, struct ir_operand *value, unsigned *bytes) {
  if (strcmp(o->name, "%clock_hi") == 0 || strcmp(o->name, "%globaltimer_hi") == 0) {
    *bytes = 4;
    *value = lower_cvt(l, PTX_U32, PTX_U64, lower_two(l, IR_SHR, PTX_U64, read(l, IR_CLOCK64, 8), ir_bits(32)));
    return true;
  }
  if (strcmp(o->name, "%dynamic_smem_size") == 0) {
    *bytes = 4;
    *value = dynamic_shared(l, o->pos);
    return true;
  }
  uint32_t known;
  if (is_fixed(o->name, &known)) {
    *bytes = 4;
    *value = ir_bits(known);
    return true;
  }
  for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
    if (strcmp(o->name, specials[k].name) != 0) continue;
    *bytes = specials[k].bytes;
    *value = read(l, (enum ir_sreg)specials[k].sreg, *bytes);
    return true;
  }
  ptx_error(l->d, o->pos, "the special register %s is not supported", o->name);
  return false;
}

const char *lower_special_name(unsigned k) {
  enum { READ = sizeof specials / sizeof *specials, FIXED = sizeof fixed / sizeof *fixed };
  if (k < READ) return specials[k].name;
  return k < READ + FIXED ? fixed[k - READ].name : k == READ + FIXED ? "%envreg4" : NULL;
}
