/* SPDX-License-Identifier: Apache-2.0
 *
 * Types of PTX, as lowering asks for them. */
#include "compiler/lower/lower.h"

enum ptx_type lower_promote(enum ptx_type t) {
  switch (t) {
  case PTX_B8:
  case PTX_B16:
    return PTX_B32;
  case PTX_U8:
  case PTX_U16:
    return PTX_U32;
  case PTX_S8:
  case PTX_S16:
    return PTX_S32;
  default:
    return t;
  }
}

bool lower_signed(enum ptx_type t) {
  return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}

bool lower_float(enum ptx_type t) {
  return t == PTX_F16 || t == PTX_F16X2 || t == PTX_F32 || t == PTX_F64;
}
