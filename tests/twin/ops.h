/* SPDX-License-Identifier: Apache-2.0
 *
 * The operations of the C twin: what a PTX instruction computes, written from the PTX manual and isa/doc in plain C.
 * Nothing here uses the model or the compiler. Floats are raw bits; 8- and 16-bit results are cut to their type.
 * Modifiers are a set of M_ bits, named like the words of an opcode.
 */
#ifndef TWIN_OPS_H
#define TWIN_OPS_H

#include <stdbool.h>
#include <stdint.h>

#define M_BIT(n) (UINT64_C(1) << (n))
enum { /* bit numbers */
       B_rn,
       B_rz,
       B_rm,
       B_rp,
       B_rni,
       B_rzi,
       B_rmi,
       B_rpi,
       B_ftz,
       B_sat,
       B_relu,
       B_NaN,
       B_eq,
       B_ne,
       B_lt,
       B_le,
       B_gt,
       B_ge,
       B_lo,
       B_ls,
       B_hi,
       B_hs,
       B_equ,
       B_neu,
       B_ltu,
       B_leu,
       B_gtu,
       B_geu,
       B_num,
       B_nan,
       B_and,
       B_or,
       B_xor,
       B_clamp,
       B_wrap,
       B_f4e,
       B_b4e,
       B_rc8,
       B_ecl,
       B_ecr,
       B_rc16,
       B_finite,
       B_infinite,
       B_number,
       B_notanumber,
       B_normal,
       B_subnormal,
       B_shiftamt
};
#define M_rn M_BIT(B_rn)
#define M_rz M_BIT(B_rz)
#define M_rm M_BIT(B_rm)
#define M_rp M_BIT(B_rp)
#define M_rni M_BIT(B_rni)
#define M_rzi M_BIT(B_rzi)
#define M_rmi M_BIT(B_rmi)
#define M_rpi M_BIT(B_rpi)
#define M_ftz M_BIT(B_ftz)
#define M_sat M_BIT(B_sat)
#define M_relu M_BIT(B_relu)
#define M_NaN M_BIT(B_NaN)
#define M_eq M_BIT(B_eq)
#define M_ne M_BIT(B_ne)
#define M_lt M_BIT(B_lt)
#define M_le M_BIT(B_le)
#define M_gt M_BIT(B_gt)
#define M_ge M_BIT(B_ge)
#define M_lo M_BIT(B_lo)
#define M_ls M_BIT(B_ls)
#define M_hi M_BIT(B_hi)
#define M_hs M_BIT(B_hs)
#define M_equ M_BIT(B_equ)
#define M_neu M_BIT(B_neu)
#define M_ltu M_BIT(B_ltu)
#define M_leu M_BIT(B_leu)
#define M_gtu M_BIT(B_gtu)
#define M_geu M_BIT(B_geu)
#define M_num M_BIT(B_num)
#define M_nan M_BIT(B_nan)
#define M_and M_BIT(B_and)
#define M_or M_BIT(B_or)
#define M_xor M_BIT(B_xor)
#define M_clamp M_BIT(B_clamp)
#define M_wrap M_BIT(B_wrap)
#define M_f4e M_BIT(B_f4e)
#define M_b4e M_BIT(B_b4e)
#define M_rc8 M_BIT(B_rc8)
#define M_ecl M_BIT(B_ecl)
#define M_ecr M_BIT(B_ecr)
#define M_rc16 M_BIT(B_rc16)
#define M_finite M_BIT(B_finite)
#define M_infinite M_BIT(B_infinite)
#define M_number M_BIT(B_number)
#define M_notanumber M_BIT(B_notanumber)
#define M_normal M_BIT(B_normal)
#define M_subnormal M_BIT(B_subnormal)
#define M_shiftamt M_BIT(B_shiftamt)

/* ---- ops_int.c: for T in u16 s16 u32 s32 u64 s64, U the unsigned type of that size ---- */
#define TWIN_INT(T, U)                                                                                                 \
  U add_##T(U a, U b);                                                                                                 \
  U sub_##T(U a, U b);                                                                                                 \
  U mul_lo_##T(U a, U b);                                                                                              \
  U mul_hi_##T(U a, U b);                                                                                              \
  U mad_lo_##T(U a, U b, U c);                                                                                         \
  U mad_hi_##T(U a, U b, U c);                                                                                         \
  U div_##T(U a, U b);                                                                                                 \
  U rem_##T(U a, U b);                                                                                                 \
  U abs_##T(U a);                                                                                                      \
  U neg_##T(U a);                                                                                                      \
  U min_##T(U a, U b);                                                                                                 \
  U max_##T(U a, U b);                                                                                                 \
  U sad_##T(U a, U b, U c);                                                                                            \
  U shl_##T(U a, uint32_t n);                                                                                          \
  U shr_##T(U a, uint32_t n);                                                                                          \
  bool cmp_##T(U a, U b, uint64_t m);
TWIN_INT(u16, uint16_t)
TWIN_INT(s16, uint16_t)
TWIN_INT(u32, uint32_t)
TWIN_INT(s32, uint32_t)
TWIN_INT(u64, uint64_t)
TWIN_INT(s64, uint64_t)
uint32_t mul_wide_u16(uint16_t a, uint16_t b);
uint32_t mul_wide_s16(uint16_t a, uint16_t b);
uint64_t mul_wide_u32(uint32_t a, uint32_t b);
uint64_t mul_wide_s32(uint32_t a, uint32_t b);
uint32_t add_sat_s32(uint32_t a, uint32_t b);
uint32_t sub_sat_s32(uint32_t a, uint32_t b);
uint32_t mad_hi_sat_s32(uint32_t a, uint32_t b, uint32_t c);
uint32_t mul24_lo_u32(uint32_t a, uint32_t b);
uint32_t mul24_lo_s32(uint32_t a, uint32_t b);
uint32_t mul24_hi_u32(uint32_t a, uint32_t b);
uint32_t mul24_hi_s32(uint32_t a, uint32_t b);
uint32_t mad24_hi_sat_s32(uint32_t a, uint32_t b, uint32_t c);
/* The result; *cf carry (or borrow) in and out. */
uint64_t add_carry(uint64_t a, uint64_t b, unsigned bits, bool *cf);
uint64_t sub_borrow(uint64_t a, uint64_t b, unsigned bits, bool *cf);

/* ---- ops_bits.c ---- */
uint32_t shf_l(uint32_t a, uint32_t b, uint32_t n, uint64_t m);
uint32_t shf_r(uint32_t a, uint32_t b, uint32_t n, uint64_t m);
uint32_t popc_b32(uint32_t a);
uint32_t popc_b64(uint64_t a);
uint32_t clz_b32(uint32_t a);
uint32_t clz_b64(uint64_t a);
uint32_t bfind_u32(uint32_t a, uint64_t m);
uint32_t bfind_s32(uint32_t a, uint64_t m);
uint32_t bfind_u64(uint64_t a, uint64_t m);
uint32_t bfind_s64(uint64_t a, uint64_t m);
uint32_t brev_b32(uint32_t a);
uint64_t brev_b64(uint64_t a);
uint32_t bfe_u32(uint32_t a, uint32_t pos, uint32_t len);
uint32_t bfe_s32(uint32_t a, uint32_t pos, uint32_t len);
uint64_t bfe_u64(uint64_t a, uint32_t pos, uint32_t len);
uint64_t bfe_s64(uint64_t a, uint32_t pos, uint32_t len);
uint32_t bfi_b32(uint32_t f, uint32_t a, uint32_t pos, uint32_t len);
uint64_t bfi_b64(uint64_t f, uint64_t a, uint32_t pos, uint32_t len);
uint32_t prmt(uint32_t a, uint32_t b, uint32_t c, uint64_t m);
uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t lut);
uint32_t dp4a(bool sa, bool sb, uint32_t a, uint32_t b, uint32_t c);
uint32_t dp2a(bool sa, bool sb, bool high, uint32_t a, uint32_t b, uint32_t c);

/* ---- ops_f32.c, ops_f64.c, ops_f16.c ---- */
uint32_t add_f32(uint32_t a, uint32_t b, uint64_t m);
uint32_t sub_f32(uint32_t a, uint32_t b, uint64_t m);
uint32_t mul_f32(uint32_t a, uint32_t b, uint64_t m);
uint32_t fma_f32(uint32_t a, uint32_t b, uint32_t c, uint64_t m);
uint32_t div_f32(uint32_t a, uint32_t b, uint64_t m);
uint32_t rcp_f32(uint32_t a, uint64_t m);
uint32_t sqrt_f32(uint32_t a, uint64_t m);
uint32_t min_f32(uint32_t a, uint32_t b, uint64_t m);
uint32_t max_f32(uint32_t a, uint32_t b, uint64_t m);
uint32_t abs_f32(uint32_t a, uint64_t m);
uint32_t neg_f32(uint32_t a, uint64_t m);
uint32_t copysign_f32(uint32_t a, uint32_t b);
bool testp_f32(uint32_t a, uint64_t m);
bool cmp_f32(uint32_t a, uint32_t b, uint64_t m);
uint64_t add_f64(uint64_t a, uint64_t b, uint64_t m);
uint64_t sub_f64(uint64_t a, uint64_t b, uint64_t m);
uint64_t mul_f64(uint64_t a, uint64_t b, uint64_t m);
uint64_t fma_f64(uint64_t a, uint64_t b, uint64_t c, uint64_t m);
uint64_t div_f64(uint64_t a, uint64_t b, uint64_t m);
uint64_t rcp_f64(uint64_t a, uint64_t m);
uint64_t sqrt_f64(uint64_t a, uint64_t m);
uint64_t min_f64(uint64_t a, uint64_t b);
uint64_t max_f64(uint64_t a, uint64_t b);
uint64_t abs_f64(uint64_t a);
uint64_t neg_f64(uint64_t a);
uint64_t copysign_f64(uint64_t a, uint64_t b);
bool testp_f64(uint64_t a, uint64_t m);
bool cmp_f64(uint64_t a, uint64_t b, uint64_t m);
#define TWIN_HALF(T, U)                                                                                                \
  U add_##T(U a, U b, uint64_t m);                                                                                     \
  U sub_##T(U a, U b, uint64_t m);                                                                                     \
  U mul_##T(U a, U b, uint64_t m);                                                                                     \
  U fma_##T(U a, U b, U c, uint64_t m);                                                                                \
  U min_##T(U a, U b, uint64_t m);                                                                                     \
  U max_##T(U a, U b, uint64_t m);                                                                                     \
  U abs_##T(U a, uint64_t m);                                                                                          \
  U neg_##T(U a, uint64_t m);
TWIN_HALF(f16, uint16_t)
TWIN_HALF(f16x2, uint32_t)
bool cmp_f16(uint16_t a, uint16_t b, uint64_t m);

/* A comparison's verdict combined with c by .and .or .xor. Two destinations: bit 0 the verdict, bit 1 its opposite. */
bool combine(bool verdict, bool c, uint64_t m);
unsigned both(bool verdict, bool c, uint64_t m);

/* ---- ops_cvt.c ---- */
/* From an integer of `bits` bits (the low ones of a) to one of `to` bits, in 64 bits, extended by its own sign. */
uint64_t cvt_int(uint64_t a, unsigned bits, bool is_signed, unsigned to, bool to_signed, uint64_t m);
uint16_t cvt_f16_int(uint64_t a, unsigned bits, bool is_signed, uint64_t m);
uint32_t cvt_f32_int(uint64_t a, unsigned bits, bool is_signed, uint64_t m);
uint64_t cvt_f64_int(uint64_t a, unsigned bits, bool is_signed, uint64_t m);
uint64_t cvt_int_f16(uint16_t a, unsigned to, bool to_signed, uint64_t m);
uint64_t cvt_int_f32(uint32_t a, unsigned to, bool to_signed, uint64_t m);
uint64_t cvt_int_f64(uint64_t a, unsigned to, bool to_signed, uint64_t m);
uint16_t cvt_f16_f16(uint16_t a, uint64_t m);
uint16_t cvt_f16_f32(uint32_t a, uint64_t m);
uint16_t cvt_f16_f64(uint64_t a, uint64_t m);
uint32_t cvt_f32_f16(uint16_t a, uint64_t m);
uint32_t cvt_f32_f32(uint32_t a, uint64_t m);
uint32_t cvt_f32_f64(uint64_t a, uint64_t m);
uint64_t cvt_f64_f16(uint16_t a, uint64_t m);
uint64_t cvt_f64_f32(uint32_t a, uint64_t m);
uint64_t cvt_f64_f64(uint64_t a, uint64_t m);
uint32_t cvt_f16x2_f32(uint32_t a, uint32_t b, uint64_t m);

/* ---- ops_memory.c: little-endian bytes ---- */
uint64_t load(const uint8_t *from, unsigned bytes, bool is_signed);
void store(uint8_t *to, unsigned bytes, uint64_t v);
enum twin_atom { A_add, A_min, A_max, A_and, A_or, A_xor, A_exch, A_cas, A_inc, A_dec };
/* The old contents. Signed: for min and max; is_float: add of f32, f64. */
uint64_t atom(uint8_t *at, enum twin_atom op, unsigned bytes, bool is_signed, bool is_float, uint64_t b, uint64_t c);

/* ---- ops_warp.c: over the threads 0 .. n-1 of a block, those with act[t]; operands and results one a thread ---- */
enum twin_shfl { S_idx, S_up, S_down, S_bfly };
enum twin_vote { V_all, V_any, V_uni, V_ballot };
enum twin_redux { R_add, R_min, R_max, R_and, R_or, R_xor };
enum { TWIN_THREADS = 256 };
struct twin_lanes {
  unsigned n;
  bool act[TWIN_THREADS];
  uint64_t a[TWIN_THREADS], b[TWIN_THREADS], c[TWIN_THREADS];
  uint64_t d[TWIN_THREADS];
  bool p[TWIN_THREADS];
};
void warp_shfl(struct twin_lanes *x, enum twin_shfl mode);
void warp_vote(struct twin_lanes *x, enum twin_vote mode); /* a: the predicate; d: the verdict or ballot */
void warp_match(struct twin_lanes *x, bool all);
void warp_redux(struct twin_lanes *x, enum twin_redux op, bool is_signed);
void block_red(struct twin_lanes *x, enum twin_vote how); /* ballot: the count */

/* Acts of a program that PTX leaves open, or for which NVIDIA's machines differ from its manual. */
enum ops_open {
  OPEN_NANS = 1,     /* two NaNs of F64 met: either may come back */
  OPEN_SHUFFLE = 2,  /* a lane was read that does not take part: an H200 gives 0 */
  OPEN_TINY_SUM = 4, /* a subnormal F32 in an atomic sum: flushed there in global memory */
  OPEN_ACTIVE = 8,   /* activemask: the set of lanes there is the machine's own */
  OPEN_GUARD = 16,   /* `set` or `testp` under a guard: NVIDIA's assembler converts what was not written, too */
  OPEN_FOLD = 32     /* the assembler computes or drops a value by itself, otherwise than the machine would. Those are
                      * max x, x; abs and neg of F32 under a guard; slct by a constant; bfi of a constant length > 32 */
};
extern unsigned ops_open; /* set by what runs, never cleared by it */

#endif
