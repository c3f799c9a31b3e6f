/* SPDX-License-Identifier: Apache-2.0
 * Names of the passes that may be left out. */
#include <string.h>

#include <heddle/ptx.h>

const char *heddle_ptx_pass_name(enum heddle_ptx_pass pass) {
  static const char *const name[HEDDLE_PTX_PASSES] = {
      [HEDDLE_PTX_PASS_FOLD] = "fold",       [HEDDLE_PTX_PASS_CSE] = "cse",
      [HEDDLE_PTX_PASS_FORWARD] = "forward", [HEDDLE_PTX_PASS_WIDEN] = "widen",
      [HEDDLE_PTX_PASS_SWITCH] = "switch",   [HEDDLE_PTX_PASS_IF] = "if",
      [HEDDLE_PTX_PASS_HOIST] = "hoist",     [HEDDLE_PTX_PASS_UNROLL] = "unroll",
      [HEDDLE_PTX_PASS_UNIFORM] = "uniform", [HEDDLE_PTX_PASS_SCHEDULE] = "schedule",
      [HEDDLE_PTX_PASS_BANKS] = "banks",     [HEDDLE_PTX_PASS_ROTATE] = "rotate",
  };
  return (unsigned)pass < HEDDLE_PTX_PASSES ? name[pass] : NULL;
}

static bool find_pass(const char *name, size_t length, uint32_t *bit) {
  for (unsigned k = 0; k < HEDDLE_PTX_PASSES; k++) {
    const char *is = heddle_ptx_pass_name((enum heddle_ptx_pass)k);
    *bit = UINT32_C(1) << k;
    if (strlen(is) == length && memcmp(is, name, length) == 0) return true;
  }
  return false;
}

bool heddle_ptx_passes(const char *names, uint32_t *without) {
  for (uint32_t bit; *names; *without |= bit) {
    const size_t length = strcspn(names, ",");
    if (!find_pass(names, length, &bit)) return false;
    names += length + (names[length] == ',' && names[length + 1] ? 1 : 0);
    if (*names == ',') return false;
  }
  return *without != 0;
}
