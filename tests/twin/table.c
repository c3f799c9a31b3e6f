/* SPDX-License-Identifier: Apache-2.0
 * The table of instructions. */
#include "table.h"

#define U8_32 ".u8,.s8,.u16,.s16,.u32,.s32"
#define U8_16 ".u8,.s8,.u16,.s16"
#define U8_64 U8_32 ",.u64,.s64"
#define ROUND "{.rn,.rz,.rm,.rp}"
#define ROUND0 "{.rn,.rz,.rm,.rp,}"
#define TO_INT "{.rni,.rzi,.rmi,.rpi}"
#define BOOL "{.and,.or,.xor}"
#define CMP_S "{.eq,.ne,.lt,.le,.gt,.ge}"
#define CMP_U "{.eq,.ne,.lt,.le,.gt,.ge,.lo,.ls,.hi,.hs}"
#define CMP_B "{.eq,.ne}"
#define CMP_F "{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}"
#define CMP_F0 "{.eq,.lt,.ge,.neu,.leu,.nan}"
#define FTZ "{.ftz,}"
#define SAT "{.sat,}"

/* An operation of integers of all widths with both signs. */
#define INTS(name, c, sh, sr, sd, w)                                                                                   \
  {name "<.u16,.s16>", sh, c, w}, {name "<.u32,.s32>", sr, c, w}, {                                                    \
    name "<.u64,.s64>", sd, c, w                                                                                       \
  }
#define SIGNS(name, c)                                                                                                 \
  {name "<.s16>", "h=h", c, 2}, {name "<.s32>", "r=r", c, 3}, {                                                        \
    name "<.s64>", "d=d", c, 2                                                                                         \
  }
#define LOGIC(name, c)                                                                                                 \
  {name ".b16", "h=hh", c, 2}, {name ".b32", "r=rr", c, 4}, {name ".b64", "d=dd", c, 2}, {                             \
    name ".pred", "p=pp", c, 2                                                                                         \
  }
/* A comparison into a predicate, combined with one, into two (not of .f16). */
#define SETP1(cmps, types, few, sig, call)                                                                             \
  {"setp" cmps types, "p=" sig, call, 5}, {                                                                            \
    "setp" few BOOL types, "p=" sig "q", "combine(" call ", $3, $m)", 2                                                \
  }
#define SETP(cmps, types, few, sig, call)                                                                              \
  SETP1(cmps, types, few, sig, call), {                                                                                \
    "setp" few BOOL types, "2=" sig "q", "=unsigned v = both(" call ", $3, $m); $a = v & 1; $b = v >> 1;", 2           \
  }
#define SET(cmps, ftz, type, sig, call)                                                                                \
  {"set" cmps ftz "<.u32,.s32>" type, "r=" sig, call " ? UINT32_MAX : 0", 1},                                          \
      {"set" cmps ftz ".f32" type, "f=" sig, call " ? 0x3f800000 : 0", 1}, {                                           \
    "set" cmps BOOL ftz ".u32" type, "r=" sig "q", "combine(" call ", $3, $m) ? UINT32_MAX : 0", 1                     \
  }
#define FLOAT3(op, sig)                                                                                                \
  {op ROUND0 FTZ SAT ".f32", "f=ff", sig "_f32", 6}, {op ROUND0 ".f64", "g=gg", sig "_f64", 4},                        \
      {op "{.rn,}" FTZ SAT ".f16", "e=ee", sig "_f16", 3}, {                                                           \
    op "{.rn,}" FTZ SAT ".f16x2", "x=xx", sig "_f16x2", 3                                                              \
  }
#define LD_INT(op, a, w)                                                                                               \
  {op "<.u8,.s8,.b8,.u16,.s16,.b16>", "h=" a, "(uint16_t)load($1, L%1)", w},                                           \
      {op "<.u8,.s8,.b8,.u16,.s16,.b16,.u32,.s32,.b32>", "r=" a, "(uint32_t)load($1, L%1)", w},                        \
      {op "<.u8,.s8,.b8,.u16,.s16,.b16,.u32,.s32,.b32,.u64,.s64,.b64>", "d=" a, "load($1, L%1)", w},                   \
      {op ".f32", "f=" a, "(uint32_t)load($1, L_b32)", w}, {                                                           \
    op ".f64", "g=" a, "load($1, L_b64)", w                                                                            \
  }
#define ST_INT(op, a, w)                                                                                               \
  {op "<.u8,.s8,.b8,.u16,.s16,.b16>", "=" a "h", "=store($1, N%1, $2);", w},                                           \
      {op "<.u8,.s8,.b8,.u16,.s16,.b16,.u32,.s32,.b32>", "=" a "r", "=store($1, N%1, $2);", w},                        \
      {op "<.u8,.b16,.u32,.u64,.s64,.b64>", "=" a "d", "=store($1, N%1, $2);", w},                                     \
      {op ".f32", "=" a "f", "=store($1, 4, $2);", w}, {                                                               \
    op ".f64", "=" a "g", "=store($1, 8, $2);", w                                                                      \
  }
#define LD_VECTOR(op, a)                                                                                               \
  {op ".v2<.u8,.s8,.u16,.s16,.u32,.s32,.b32>", "{rr}=" a,                                                              \
   "=const uint8_t *v = $1; $a = (uint32_t)load(v, L%1); $b = (uint32_t)load(v + N%1, L%1);", 1},                      \
      {op ".v4<.u8,.s8,.u16,.s16,.u32,.b32>", "{rrrr}=" a,                                                             \
       "=const uint8_t *v = $1; $a = (uint32_t)load(v, L%1); $b = (uint32_t)load(v + N%1, L%1); "                      \
       "$c = (uint32_t)load(v + 2 * N%1, L%1); $d = (uint32_t)load(v + 3 * N%1, L%1);",                                \
       1},                                                                                                             \
      {op ".v2<.u16,.b16>", "{hh}=" a,                                                                                 \
       "=const uint8_t *v = $1; $a = (uint16_t)load(v, L%1); $b = (uint16_t)load(v + 2, L%1);", 1},                    \
      {op ".v2<.u64,.s64,.b64>", "{dd}=" a, "=const uint8_t *v = $1; $a = load(v, L%1); $b = load(v + 8, L%1);", 1},   \
      {op ".v4.f32", "{ffff}=" a,                                                                                      \
       "=const uint8_t *v = $1; $a = (uint32_t)load(v, L_b32); $b = (uint32_t)load(v + 4, L_b32); "                    \
       "$c = (uint32_t)load(v + 8, L_b32); $d = (uint32_t)load(v + 12, L_b32);",                                       \
       1},                                                                                                             \
  {                                                                                                                    \
    op ".v2.f64", "{gg}=" a, "=const uint8_t *v = $1; $a = load(v, L_b64); $b = load(v + 8, L_b64);", 1                \
  }
#define ST_VECTOR(op, a)                                                                                               \
  {op ".v2<.u8,.u16,.u32,.b32>", "=" a "{rr}",                                                                         \
   "=uint8_t *v = $1; uint32_t x = $2, y = $3; store(v, N%1, x); store(v + N%1, N%1, y);", 1},                         \
      {op ".v4<.u8,.u16,.u32,.b32>", "=" a "{rrrr}",                                                                   \
       "=uint8_t *v = $1; store(v, N%1, $2); store(v + N%1, N%1, $3); store(v + 2 * N%1, N%1, $4); "                   \
       "store(v + 3 * N%1, N%1, $5);",                                                                                 \
       1},                                                                                                             \
      {op ".v2<.u64,.b64>", "=" a "{dd}", "=uint8_t *v = $1; store(v, 8, $2); store(v + 8, 8, $3);", 1}, {             \
    op ".v2.f32", "=" a "{ff}", "=uint8_t *v = $1; store(v, 4, $2); store(v + 4, 4, $3);", 1                           \
  }
#define ATOM(space, a)                                                                                                 \
  {"atom" space "<.add>.u64", "d=" a "d", "atom($1, A%1, 8, false, false, $2, 0)", 1},                                 \
      {"atom" space "<.add,.min,.max>.s32", "r=" a "r", "(uint32_t)atom($1, A%1, 4, true, false, $2, 0)", 1},          \
      {"atom" space "<.add,.min,.max,.inc,.dec>.u32", "r=" a "r", "(uint32_t)atom($1, A%1, 4, false, false, $2, 0)",   \
       1},                                                                                                             \
      {"atom" space "<.and,.or,.xor,.exch>.b32", "r=" a "r", "(uint32_t)atom($1, A%1, 4, false, false, $2, 0)", 1},    \
      {"atom" space "<.cas>.b32", "r=" a "rr", "(uint32_t)atom($1, A%1, 4, false, false, $2, $3)", 1},                 \
      {"atom" space "<.min,.max>.s64", "d=" a "d", "atom($1, A%1, 8, true, false, $2, 0)", 1},                         \
      {"atom" space "<.min,.max>.u64", "d=" a "d", "atom($1, A%1, 8, false, false, $2, 0)", 1},                        \
      {"atom" space "<.and,.or,.xor,.exch>.b64", "d=" a "d", "atom($1, A%1, 8, false, false, $2, 0)", 1},              \
      {"atom" space "<.cas>.b64", "d=" a "dd", "atom($1, A%1, 8, false, false, $2, $3)", 1},                           \
      {"atom" space "<.add>.f32", "f=" a "f", "(uint32_t)atom($1, A%1, 4, false, true, $2, 0)", 1},                    \
      {"red" space "<.add,.min,.max>.s32", "=" a "r", "=atom($1, A%1, 4, true, false, $2, 0);", 1},                    \
      {"red" space "<.add,.min,.max,.inc,.dec>.u32", "=" a "r", "=atom($1, A%1, 4, false, false, $2, 0);", 1}, {       \
    "red" space "<.and,.or,.xor>.b64", "=" a "d", "=atom($1, A%1, 8, false, false, $2, 0);", 1                         \
  }

/* clang-format off */
const struct twin_row twin_rows[] = {
  /* integers */
  INTS("add", "add", "h=hh", "r=rr", "d=dd", 4), INTS("sub", "sub", "h=hh", "r=rr", "d=dd", 3),
  INTS("mul.lo", "mul_lo", "h=hh", "r=rr", "d=dd", 3), INTS("mul.hi", "mul_hi", "h=hh", "r=rr", "d=dd", 2),
  INTS("mad.lo", "mad_lo", "h=hhh", "r=rrr", "d=ddd", 3), INTS("mad.hi", "mad_hi", "h=hhh", "r=rrr", "d=ddd", 2),
  INTS("div", "div", "h=hH", "r=rR", "d=dD", 3), INTS("rem", "rem", "h=hH", "r=rR", "d=dD", 3),
  INTS("min", "min", "h=hh", "r=rr", "d=dd", 2), INTS("max", "max", "h=hh", "r=rr", "d=dd", 2),
  INTS("sad", "sad", "h=hhh", "r=rrr", "d=ddd", 2),
  SIGNS("abs", "abs"), SIGNS("neg", "neg"),
  {"mul.wide<.u16,.s16>", "r=hh", "mul_wide", 3}, {"mul.wide<.u32,.s32>", "d=rr", "mul_wide", 3},
  {"mad.wide<.u16,.s16>", "r=hhr", "mul_wide%1($1, $2) + $3", 3},
  {"mad.wide<.u32,.s32>", "d=rrd", "mul_wide%1($1, $2) + $3", 3},
  {"add.sat.s32", "r=rr", "add_sat_s32", 2}, {"sub.sat.s32", "r=rr", "sub_sat_s32", 2},
  {"mad.hi.sat.s32", "r=rrr", "mad_hi_sat_s32", 2},
  {"mul24.lo<.u32,.s32>", "r=rr", "mul24_lo", 1}, {"mul24.hi<.u32,.s32>", "r=rr", "mul24_hi", 1},
  {"mad24.lo<.u32,.s32>", "r=rrr", "mul24_lo%1($1, $2) + $3", 1},
  {"mad24.hi<.u32,.s32>", "r=rrr", "mul24_hi%1($1, $2) + $3", 1},
  {"mad24.hi.sat.s32", "r=rrr", "mad24_hi_sat_s32", 1},
  /* bits */
  LOGIC("and", "$1 & $2"), LOGIC("or", "$1 | $2"), LOGIC("xor", "$1 ^ $2"),
  {"not.b16", "h=h", "~$1", 1}, {"not.b32", "r=r", "~$1", 2}, {"not.b64", "d=d", "~$1", 1}, {"not.pred", "p=p", "!$1", 2},
  {"cnot.b16", "h=h", "$1 == 0", 1}, {"cnot.b32", "r=r", "$1 == 0", 1}, {"cnot.b64", "d=d", "$1 == 0", 1},
  {"and.b32", "n=rk", "$1 & $2", 5},
  {"shl.b16", "h=hn", "shl_u16", 2}, {"shl.b32", "r=rn", "shl_u32", 4}, {"shl.b64", "d=dn", "shl_u64", 3},
  {"shr<.u16,.s16>", "h=hn", "shr", 2}, {"shr<.u32,.s32>", "r=rn", "shr", 4}, {"shr<.u64,.s64>", "d=dn", "shr", 3},
  {"shr.b16", "h=hn", "shr_u16", 1}, {"shr.b32", "r=rn", "shr_u32", 1}, {"shr.b64", "d=dn", "shr_u64", 1},
  {"shf.l{.clamp,.wrap}.b32", "r=rrn", "shf_l", 3}, {"shf.r{.clamp,.wrap}.b32", "r=rrn", "shf_r", 3},
  {"popc.b32", "n=r", "popc_b32", 2}, {"popc.b64", "n=d", "popc_b64", 1},
  {"clz.b32", "n=r", "clz_b32", 2}, {"clz.b64", "n=d", "clz_b64", 1},
  {"bfind{.shiftamt,}<.u32,.s32>", "r=r", "bfind", 2}, {"bfind{.shiftamt,}<.u64,.s64>", "r=d", "bfind", 2},
  {"brev.b32", "r=r", "brev_b32", 1}, {"brev.b64", "d=d", "brev_b64", 1},
  {"bfe<.u32,.s32>", "r=rnn", "bfe", 3}, {"bfe<.u64,.s64>", "d=dnn", "bfe", 3},
  {"bfi.b32", "r=rrnn", "bfi_b32", 3}, {"bfi.b64", "d=ddnn", "bfi_b64", 3},
  {"prmt.b32{.f4e,.b4e,.rc8,.ecl,.ecr,.rc16,}", "r=rrr", "prmt", 4},
  {"lop3.b32", "r=rrri", "lop3", 4},
  {"dp4a<.u32,.s32><.u32,.s32>", "r=rrr", "dp4a(S%1, S%2, $1, $2, $3)", 2},
  {"dp2a.lo<.u32,.s32><.u32,.s32>", "r=rrr", "dp2a(S%1, S%2, false, $1, $2, $3)", 1},
  {"dp2a.hi<.u32,.s32><.u32,.s32>", "r=rrr", "dp2a(S%1, S%2, true, $1, $2, $3)", 1},
  /* moves, packing, choices */
  {"mov.b32", "f=r", "$1", 2}, {"mov.b32", "r=f", "$1", 2}, {"mov.b64", "g=d", "$1", 1}, {"mov.b64", "d=g", "$1", 1},
  {"mov.b16", "e=h", "$1", 1}, {"mov.b16", "h=e", "$1", 1}, {"mov.b32", "x=r", "$1", 1}, {"mov.b32", "r=x", "$1", 1},
  {"mov<.u16,.s16,.b16>", "h=h", "$1", 1}, {"mov<.u32,.s32,.b32>", "r=r", "$1", 1}, {"mov<.u64,.s64,.b64>", "d=d", "$1", 1},
  {"mov.f32", "f=f", "$1", 1}, {"mov.f64", "g=g", "$1", 1}, {"mov.pred", "p=p", "$1", 1},
  {"mov.b32", "r={hh}", "(uint32_t)$2 << 16 | $1", 1}, {"mov.b32", "x={ee}", "(uint32_t)$2 << 16 | $1", 1},
  {"mov.b64", "d={rr}", "(uint64_t)$2 << 32 | $1", 1}, {"mov.b64", "g={rr}", "(uint64_t)$2 << 32 | $1", 1},
  {"mov.b64", "d={hhhh}", "(uint64_t)$4 << 48 | (uint64_t)$3 << 32 | (uint64_t)$2 << 16 | $1", 1},
  {"mov.b32", "{hh}=r", "=uint32_t v = $1; $a = (uint16_t)v; $b = (uint16_t)(v >> 16);", 1},
  {"mov.b32", "{ee}=x", "=uint32_t v = $1; $a = (uint16_t)v; $b = (uint16_t)(v >> 16);", 1},
  {"mov.b64", "{rr}=d", "=uint64_t v = $1; $a = (uint32_t)v; $b = (uint32_t)(v >> 32);", 1},
  {"mov.b64", "{rr}=g", "=uint64_t v = $1; $a = (uint32_t)v; $b = (uint32_t)(v >> 32);", 1},
  {"mov.b64", "{hhhh}=d", "=uint64_t v = $1; $a = (uint16_t)v; $b = (uint16_t)(v >> 16); $c = (uint16_t)(v >> 32); $d = (uint16_t)(v >> 48);", 1},
  {"selp<.b16,.u16,.s16>", "h=hhp", "$3 ? $1 : $2", 1}, {"selp<.b32,.u32,.s32>", "r=rrp", "$3 ? $1 : $2", 2},
  {"selp<.b64,.u64,.s64>", "d=ddp", "$3 ? $1 : $2", 1}, {"selp.f32", "f=ffp", "$3 ? $1 : $2", 2}, {"selp.f64", "g=ggp", "$3 ? $1 : $2", 1},
  {"slct<.b16,.u16,.s16>.s32", "h=hhr", "$3 >> 31 ? $2 : $1", 1}, {"slct<.b32,.u32,.s32>.s32", "r=rrr", "$3 >> 31 ? $2 : $1", 1},
  {"slct<.b64,.u64,.s64>.s32", "d=ddr", "$3 >> 31 ? $2 : $1", 1}, {"slct.f32.s32", "f=ffr", "$3 >> 31 ? $2 : $1", 1},
  {"slct.f64.s32", "g=ggr", "$3 >> 31 ? $2 : $1", 1},
  {"slct" FTZ ".f32.f32", "f=fff", "cmp_f32($3, 0, M_ge | $m) ? $1 : $2", 1}, {"slct" FTZ ".b32.f32", "r=rrf", "cmp_f32($3, 0, M_ge | $m) ? $1 : $2", 1},
  /* comparisons */
  SETP(CMP_S, "<.s16>", CMP_S, "hh", "cmp%1($1, $2, $m)"), SETP(CMP_U, "<.u16>", CMP_S, "hh", "cmp%1($1, $2, $m)"),
  SETP(CMP_S, "<.s32>", CMP_S, "rr", "cmp%1($1, $2, $m)"), SETP(CMP_U, "<.u32>", CMP_S, "rr", "cmp%1($1, $2, $m)"),
  SETP(CMP_S, "<.s64>", CMP_S, "dd", "cmp%1($1, $2, $m)"), SETP(CMP_U, "<.u64>", CMP_S, "dd", "cmp%1($1, $2, $m)"),
  {"setp" CMP_B ".b16", "p=hh", "cmp_u16", 1}, {"setp" CMP_B ".b32", "p=rr", "cmp_u32", 1}, {"setp" CMP_B ".b64", "p=dd", "cmp_u64", 1},
  SETP(CMP_F, FTZ ".f32", CMP_F0, "ff", "cmp_f32($1, $2, $m)"), SETP(CMP_F, ".f64", CMP_F0, "gg", "cmp_f64($1, $2, $m)"),
  SETP1(CMP_F, FTZ ".f16", CMP_F0, "ee", "cmp_f16($1, $2, $m)"),
  {"setp" CMP_F0 ".f16x2", "2=xx", "=uint32_t v = $1, w = $2; $a = cmp_f16((uint16_t)v, (uint16_t)w, $m); $b = cmp_f16((uint16_t)(v >> 16), (uint16_t)(w >> 16), $m);", 1},
  SET(CMP_S, "", ".s32", "rr", "cmp_s32($1, $2, $m)"), SET(CMP_S, "", ".u32", "rr", "cmp_u32($1, $2, $m)"), SET(CMP_S, "", ".u16", "hh", "cmp_u16($1, $2, $m)"),
  SET(CMP_S, "", ".s64", "dd", "cmp_s64($1, $2, $m)"), SET(CMP_F0, FTZ, ".f32", "ff", "cmp_f32($1, $2, $m)"), SET(CMP_F0, "", ".f64", "gg", "cmp_f64($1, $2, $m)"),
  /* floats */
  FLOAT3("add", "add"), FLOAT3("sub", "sub"), FLOAT3("mul", "mul"),
  {"fma" ROUND FTZ SAT ".f32", "f=fff", "fma_f32", 6}, {"mad" ROUND FTZ SAT ".f32", "f=fff", "fma_f32", 2},
  {"fma" ROUND ".f64", "g=ggg", "fma_f64", 4}, {"mad" ROUND ".f64", "g=ggg", "fma_f64", 1},
  {"fma{.rn}" FTZ SAT ".f16", "e=eee", "fma_f16", 2}, {"fma{.rn}" FTZ SAT ".f16x2", "x=xxx", "fma_f16x2", 2},
  {"fma{.rn}" FTZ "{.relu}.f16", "e=eee", "fma_f16", 1}, {"fma{.rn}" FTZ "{.relu}.f16x2", "x=xxx", "fma_f16x2", 1},
  {"div" ROUND FTZ ".f32", "f=ff", "div_f32", 3}, {"rcp" ROUND FTZ ".f32", "f=f", "rcp_f32", 2}, {"sqrt" ROUND FTZ ".f32", "f=f", "sqrt_f32", 2},
  {"div" ROUND ".f64", "g=gg", "div_f64", 3}, {"rcp" ROUND ".f64", "g=g", "rcp_f64", 2}, {"sqrt" ROUND ".f64", "g=g", "sqrt_f64", 2},
  {"min" FTZ "{.NaN,}.f32", "f=ff", "min_f32", 3}, {"max" FTZ "{.NaN,}.f32", "f=ff", "max_f32", 3},
  {"min.f64", "g=gg", "min_f64", 2}, {"max.f64", "g=gg", "max_f64", 2},
  {"min" FTZ "{.NaN,}.f16", "e=ee", "min_f16", 1}, {"max" FTZ "{.NaN,}.f16", "e=ee", "max_f16", 1},
  {"min" FTZ "{.NaN,}.f16x2", "x=xx", "min_f16x2", 1}, {"max" FTZ "{.NaN,}.f16x2", "x=xx", "max_f16x2", 1},
  {"abs" FTZ ".f32", "f=f", "abs_f32", 2}, {"neg" FTZ ".f32", "f=f", "neg_f32", 2}, {"abs.f64", "g=g", "abs_f64", 1}, {"neg.f64", "g=g", "neg_f64", 1},
  {"abs" FTZ ".f16", "e=e", "abs_f16", 1}, {"neg" FTZ ".f16", "e=e", "neg_f16", 1}, {"abs" FTZ ".f16x2", "x=x", "abs_f16x2", 1}, {"neg" FTZ ".f16x2", "x=x", "neg_f16x2", 1},
  {"copysign.f32", "f=ff", "copysign_f32", 2}, {"copysign.f64", "g=gg", "copysign_f64", 2},
  {"testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}.f32", "p=f", "testp_f32", 3},
  {"testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}.f64", "p=g", "testp_f64", 3},
  /* conversions */
  {"cvt" SAT "<" U8_32 "><" U8_32 ">", "r=r", "(uint32_t)cvt_int($1, T%2, T%1, $m)", 5},
  {"cvt" SAT "<" U8_32 "><" U8_64 ">", "r=d", "(uint32_t)cvt_int($1, T%2, T%1, $m)", 3},
  {"cvt" SAT "<" U8_64 "><" U8_32 ">", "d=r", "cvt_int($1, T%2, T%1, $m)", 4}, {"cvt" SAT "<" U8_64 "><" U8_64 ">", "d=d", "cvt_int($1, T%2, T%1, $m)", 3},
  {"cvt" SAT "<" U8_16 "><" U8_16 ">", "h=h", "(uint16_t)cvt_int($1, T%2, T%1, $m)", 2}, {"cvt" SAT "<" U8_16 "><" U8_32 ">", "h=r", "(uint16_t)cvt_int($1, T%2, T%1, $m)", 3},
  {"cvt" SAT "<" U8_16 "><" U8_64 ">", "h=d", "(uint16_t)cvt_int($1, T%2, T%1, $m)", 2}, {"cvt" SAT "<" U8_32 "><" U8_16 ">", "r=h", "(uint32_t)cvt_int($1, T%2, T%1, $m)", 3},
  {"cvt" SAT "<" U8_64 "><" U8_16 ">", "d=h", "cvt_int($1, T%2, T%1, $m)", 2},
  {"cvt" ROUND SAT ".f32<" U8_32 ">", "f=r", "cvt_f32_int($1, T%1, $m)", 4}, {"cvt" ROUND SAT ".f32<.u64,.s64>", "f=d", "cvt_f32_int($1, T%1, $m)", 3},
  {"cvt" ROUND ".f64<" U8_32 ">", "g=r", "cvt_f64_int($1, T%1, $m)", 3}, {"cvt" ROUND SAT ".f64<.u64,.s64>", "g=d", "cvt_f64_int($1, T%1, $m)", 3},
  {"cvt" ROUND SAT ".f16<" U8_32 ">", "e=r", "cvt_f16_int($1, T%1, $m)", 2}, {"cvt" ROUND ".f16<.u64,.s64>", "e=d", "cvt_f16_int($1, T%1, $m)", 2},
  {"cvt" ROUND ".f16<" U8_16 ">", "e=h", "cvt_f16_int($1, T%1, $m)", 1}, {"cvt" ROUND ".f32<" U8_16 ">", "f=h", "cvt_f32_int($1, T%1, $m)", 1},
  {"cvt" TO_INT FTZ SAT "<" U8_32 ">.f32", "r=f", "(uint32_t)cvt_int_f32($1, T%1, $m)", 4}, {"cvt" TO_INT FTZ "<.u64,.s64>.f32", "d=f", "cvt_int_f32($1, T%1, $m)", 3},
  {"cvt" TO_INT "<" U8_32 ">.f64", "r=g", "(uint32_t)cvt_int_f64($1, T%1, $m)", 3}, {"cvt" TO_INT "<.u64,.s64>.f64", "d=g", "cvt_int_f64($1, T%1, $m)", 3},
  {"cvt" TO_INT "<" U8_32 ">.f16", "r=e", "(uint32_t)cvt_int_f16($1, T%1, $m)", 2}, {"cvt" TO_INT "<.u64,.s64>.f16", "d=e", "cvt_int_f16($1, T%1, $m)", 2},
  {"cvt" TO_INT "<" U8_16 ">.f32", "h=f", "(uint16_t)cvt_int_f32($1, T%1, $m)", 1}, {"cvt" TO_INT "<" U8_16 ">.f64", "h=g", "(uint16_t)cvt_int_f64($1, T%1, $m)", 1},
  {"cvt" TO_INT FTZ SAT ".f32.f32", "f=f", "cvt_f32_f32", 3}, {"cvt" TO_INT SAT ".f64.f64", "g=g", "cvt_f64_f64", 2},
  {"cvt{.ftz}" SAT ".f32.f32", "f=f", "cvt_f32_f32", 1}, {"cvt{.sat}.f32.f32", "f=f", "cvt_f32_f32", 1}, {"cvt{.sat}.f64.f64", "g=g", "cvt_f64_f64", 1},
  {"cvt" TO_INT SAT ".f16.f16", "e=e", "cvt_f16_f16", 2},
  {"cvt" ROUND FTZ SAT ".f32.f64", "f=g", "cvt_f32_f64", 3}, {"cvt" FTZ SAT ".f64.f32", "g=f", "cvt_f64_f32", 3},
  {"cvt" ROUND FTZ SAT ".f16.f32", "e=f", "cvt_f16_f32", 3}, {"cvt" FTZ SAT ".f32.f16", "f=e", "cvt_f32_f16", 3},
  {"cvt" ROUND SAT ".f16.f64", "e=g", "cvt_f16_f64", 2}, {"cvt" SAT ".f64.f16", "g=e", "cvt_f64_f16", 2},
  {"cvt{.rn,.rz}{.relu,}.f16x2.f32", "x=ff", "cvt_f16x2_f32", 2},
  /* memory */
  LD_INT("ld.global", "G", 3), LD_VECTOR("ld.global", "G"), LD_INT("ld.global.nc", "G", 1),
  LD_INT("ld.global", "O", 2), LD_VECTOR("ld.global", "O"), LD_INT("ld.volatile.global", "O", 1), LD_INT("ld.relaxed.gpu.global", "O", 1),
  ST_INT("st.global", "O", 2), ST_VECTOR("st.global", "O"), ST_INT("st.volatile.global", "O", 1),
  LD_INT("ld.shared", "S", 2), LD_VECTOR("ld.shared", "S"), LD_INT("ld.volatile.shared", "S", 1),
  ST_INT("st.shared", "S", 2), ST_VECTOR("st.shared", "S"), ST_INT("st.volatile.shared", "S", 1),
  LD_INT("ld.local", "L", 2), LD_VECTOR("ld.local", "L"), ST_INT("st.local", "L", 2), ST_VECTOR("st.local", "L"),
  LD_INT("ld.const", "C", 2), LD_VECTOR("ld.const", "C"), LD_INT("ld.param", "P", 1),
  LD_INT("ld", "Y", 2), LD_VECTOR("ld", "Y"), ST_INT("st", "Y", 2), ST_VECTOR("st", "Y"), LD_INT("ld.volatile", "Y", 1),
  ATOM(".global", "O"), ATOM(".shared", "S"), ATOM("", "A")
};
/* clang-format on */
const unsigned twin_row_count = sizeof twin_rows / sizeof *twin_rows;
