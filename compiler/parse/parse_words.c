/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and state spaces as words.
 */
#include "compiler/ir/ast.h"

#include <string.h>

static const struct {
  const char *word;
  unsigned bytes;
} types[] = {
    [PTX_NO_TYPE] = {"", 0}, [PTX_PRED] = {"pred", 0}, [PTX_B8] = {"b8", 1},      [PTX_B16] = {"b16", 2},
    [PTX_B32] = {"b32", 4},  [PTX_B64] = {"b64", 8},   [PTX_U8] = {"u8", 1},      [PTX_U16] = {"u16", 2},
    [PTX_U32] = {"u32", 4},  [PTX_U64] = {"u64", 8},   [PTX_S8] = {"s8", 1},      [PTX_S16] = {"s16", 2},
    [PTX_S32] = {"s32", 4},  [PTX_S64] = {"s64", 8},   [PTX_F16] = {"f16", 2},    [PTX_F16X2] = {"f16x2", 4},
    [PTX_F32] = {"f32", 4},  [PTX_F64] = {"f64", 8},   [PTX_B128] = {"b128", 16},
};

static const char *const spaces[] = {
    [PTX_GENERIC] = "",      [PTX_REG] = "reg",     [PTX_SREG] = "sreg",   [PTX_CONST] = "const",
    [PTX_GLOBAL] = "global", [PTX_LOCAL] = "local", [PTX_PARAM] = "param", [PTX_SHARED] = "shared",
};

unsigned ptx_type_bytes(enum ptx_type t) {
  return types[t].bytes;
}

const char *ptx_type_word(enum ptx_type t) {
  return types[t].word;
}

const char *ptx_space_word(enum ptx_space s) {
  return spaces[s];
}

enum ptx_type ptx_type_of_word(const char *word) {
  for (unsigned t = PTX_PRED; t <= PTX_B128; t++)
    if (strcmp(word, types[t].word) == 0) return (enum ptx_type)t;
  return PTX_NO_TYPE;
}

enum ptx_space ptx_space_of_word(const char *word) {
  for (unsigned s = PTX_REG; s <= PTX_SHARED; s++)
    if (strcmp(word, spaces[s]) == 0) return (enum ptx_space)s;
  return PTX_GENERIC;
}
