/* SPDX-License-Identifier: Apache-2.0
 *
 * The instructions. A statement is matched against the rows of its name: the first that has its type, its modifiers and
 * its number of operands lowers it. What no row takes is refused by name.
 */
#include "compiler/lower/lower.h"

#include <string.h>

#define M(kind) GIVEN(K_##kind)
enum {
  INT16 = T(U16) | T(S16),
  INT32 = T(U32) | T(S32),
  INT64 = T(U64) | T(S64),
  INTS = INT16 | INT32 | INT64,
  SIGNED = T(S16) | T(S32) | T(S64),
  BITS = T(B16) | T(B32) | T(B64),
  WIDE = INT32 | INT64,
  HALF = T(F16) | T(F16X2),
  FLOATS = T(F32) | T(F64),
  MEMORY = T(B8) | T(U8) | T(S8) | BITS | INTS | HALF | FLOATS,
  CONVERTS = T(U8) | T(S8) | INTS | HALF | FLOATS,
  CHOICES = BITS | INTS | FLOATS
};
#define FENCED (M(SEM) | M(SCOPE))
#define LOADED (M(SPACE) | M(VECTOR) | M(CACHE) | M(MMIO) | FENCED)
#define MATHS (M(ROUND) | M(FTZ))
enum { EXTEND = ROW_EXTEND, RN = ROW_RN, TWO = ROW_TWO, CARRIED = ROW_CARRIED, OWN = ROW_OWN, MORE = ROW_MORE };

/* clang-format off */
static const struct row table[] = { /* sorted by name */
  {"abs", SIGNED, 0, 0, lower_plain, IR_ABS, 2, 2, EXTEND},
  {"abs", T(F32) | HALF, 0, M(FTZ), lower_plain, IR_ABS, 2, 2, 0},
  {"abs", T(F64), 0, 0, lower_plain, IR_ABS, 2, 2, 0},
  {"abs", 0, M(BF16), 0, lower_bf16, IR_ABS, 2, 2, 0},
  {"activemask", T(B32), 0, 0, lower_activemask, 0, 1, 1, 0},
  {"add", INTS, 0, 0, lower_plain, IR_ADD, 3, 3, 0},
  {"add", T(S32), M(SAT), 0, lower_sat, IR_ADD, 3, 3, 0},
  {"add", WIDE, M(CC), 0, lower_carry, IR_ADDC, 3, 3, 0},
  {"add", T(F32), 0, MATHS | M(SAT), lower_plain, IR_ADD, 3, 3, 0},
  {"add", T(F64), 0, M(ROUND), lower_plain, IR_ADD, 3, 3, 0},
  {"add", HALF, 0, MATHS | M(SAT), lower_plain, IR_ADD, 3, 3, RN},
  {"add", 0, M(BF16), M(ROUND), lower_bf16, IR_ADD, 3, 3, RN},
  {"add", 0, M(SHORTS), 0, lower_shorts, IR_ADD, 3, 3, 0},
  {"add", 0, M(SINGLES), MATHS, lower_singles, IR_ADD, 3, 3, 0},
  {"addc", WIDE, 0, M(CC), lower_carry, IR_ADDC, 3, 3, CARRIED},
  {"alloca", T(U32) | T(U64), 0, 0, lower_alloca, 0, 2, 3, 0},
  {"and", BITS | T(PRED), 0, 0, lower_plain, IR_AND, 3, 3, 0},
  {"applypriority", 0, M(CACHE), M(SPACE), lower_nothing, 0, 2, 2, 0},
  {"atom", T(B32) | T(B64) | WIDE | FLOATS | T(F16X2), M(ATOM), FENCED | M(SPACE) | M(NOFTZ) | M(CACHE), lower_atom, IR_ATOM, 3, 5, 0},
  {"atom", T(F16), M(ATOM) | M(NOFTZ), FENCED | M(SPACE) | M(CACHE), lower_atom_loop, IR_ATOM, 3, 3, 0},
  {"atom", 0, M(ATOM) | M(NOFTZ) | M(BF16), FENCED | M(SPACE) | M(CACHE), lower_atom_loop, IR_ATOM, 3, 3, 0},
  {"atom", T(B16), M(ATOM), FENCED | M(SPACE) | M(CACHE), lower_atom_loop, IR_ATOM, 4, 4, 0},
  {"atom", T(F32) | T(F16) | T(F16X2), M(ATOM) | M(VECTOR), FENCED | M(SPACE) | M(NOFTZ) | M(CACHE), lower_atom_vector, IR_ATOM, 3, 3, 0},
  {"atom", 0, M(ATOM) | M(NOFTZ) | M(BF16) | M(VECTOR), FENCED | M(SPACE) | M(CACHE), lower_atom_vector, IR_ATOM, 3, 3, 0},
  {"bar", 0, M(BAR), M(SCOPE) | M(ALIGNED) | M(WARP), lower_bar, 0, 1, 2, 0},
  {"bar", T(U32) | T(PRED), M(BAR) | M(BARRED), M(SCOPE) | M(ALIGNED), lower_bar, 0, 3, 4, 0},
  {"barrier", 0, M(BAR), M(SCOPE) | M(ALIGNED), lower_bar, 0, 1, 2, 0},
  {"barrier", T(U32) | T(PRED), M(BAR) | M(BARRED), M(SCOPE) | M(ALIGNED), lower_bar, 0, 3, 4, 0},
  {"bfe", WIDE, 0, 0, lower_bits, IR_BFE, 4, 4, 0},
  {"bfi", T(B32) | T(B64), 0, 0, lower_bits, IR_BFI, 5, 5, 0},
  {"bfind", WIDE, 0, M(SHIFTAMT), lower_bits, IR_BFIND, 2, 2, 0},
  {"bmsk", T(B32), M(WRAP), 0, lower_bmsk, 0, 3, 3, 0},
  {"bra", 0, 0, M(UNI), lower_bra, 0, 1, 1, 0},
  {"brev", T(B32) | T(B64), 0, 0, lower_plain, IR_BREV, 2, 2, 0},
  {"brkpt", 0, 0, 0, lower_end, IR_TRAP, 0, 0, 0},
  {"brx", 0, M(IDX), M(UNI), lower_brx, 0, 2, 2, 0},
  {"call", 0, 0, M(UNI), lower_call, 0, 1, 4, 0},
  {"clz", T(B32) | T(B64), 0, 0, lower_bits, IR_CLZ, 2, 2, 0},
  {"cnot", BITS, 0, 0, lower_cnot, 0, 2, 2, 0},
  {"copysign", FLOATS, 0, 0, lower_plain, IR_COPYSIGN, 3, 3, 0},
  {"cos", T(F32), M(APPROX), M(FTZ), lower_plain, IR_COS, 2, 2, 0},
  {"cp", 0, 0, 0, lower_async, 0, 0, 5, OWN},
  {"createpolicy", T(B64), M(POLICY), M(CACHE) | M(SPACE) | M(LEVEL), lower_policy, 0, 1, 4, 0},
  {"cvt", CONVERTS, 0, MATHS | M(SAT) | M(RELU), lower_convert, 0, 2, 3, TWO},
  {"cvt", CONVERTS, M(BF16), M(ROUND) | M(RNA) | M(RELU) | M(FTZ), lower_bf16_convert, 0, 2, 3, 0},
  {"cvt", 0, M(BF16), M(ROUND), lower_bf16_same, 0, 2, 2, 0},
  {"cvt", T(F32) | T(F16X2), M(ROUND) | M(EIGHT), M(FINITE) | M(RELU), lower_fp8, 0, 2, 3, RN},
  {"cvt", T(U8) | T(S8) | INT16, M(PACK) | M(SAT), 0, lower_pack, 0, 3, 4, MORE},
  {"cvta", T(U64), M(SPACE), M(TO), lower_cvta, 0, 2, 2, 0},
  {"discard", 0, M(LEVEL), M(SPACE), lower_nothing, 0, 2, 2, 0},
  {"div", INTS, 0, 0, lower_plain, IR_DIV, 3, 3, EXTEND},
  {"div", T(F32), M(ROUND), M(FTZ), lower_plain, IR_DIV, 3, 3, 0},
  {"div", T(F32), M(APPROX), M(FTZ), lower_plain, IR_DIV, 3, 3, 0},
  {"div", T(F32), M(FULL), M(FTZ), lower_plain, IR_DIV, 3, 3, 0},
  {"div", T(F64), M(ROUND), 0, lower_plain, IR_DIV, 3, 3, 0},
  {"dp2a", INT32, M(PART), 0, lower_dot, IR_DP2A, 4, 4, TWO},
  {"dp4a", INT32, 0, 0, lower_dot, IR_DP4A, 4, 4, TWO},
  {"elect", 0, M(SYNC), 0, lower_elect, 0, 2, 2, 0},
  {"ex2", T(F32), M(APPROX), M(FTZ), lower_plain, IR_EX2, 2, 2, 0},
  {"ex2", HALF, M(APPROX), 0, lower_special_half, IR_EX2, 2, 2, 0},
  {"ex2", 0, M(APPROX) | M(FTZ) | M(BF16), 0, lower_bf16, IR_EX2, 2, 2, 0},
  {"exit", 0, 0, 0, lower_end, IR_EXIT, 0, 0, 0},
  {"fence", 0, M(SCOPE), M(SEM), lower_membar, 0, 0, 0, 0},
  {"fence", 0, M(PROXY) | M(SIDE), M(SPACE), lower_nothing, 0, 0, 0, 0},
  {"fence", 0, M(PROXY) | M(SEM) | M(SCOPE), 0, lower_init_fence, 0, 0, 0, 0},
  {"fma", T(F32), M(ROUND), M(FTZ) | M(SAT), lower_plain, IR_FMA, 4, 4, 0},
  {"fma", T(F64), M(ROUND), 0, lower_plain, IR_FMA, 4, 4, 0},
  {"fma", HALF, M(ROUND), M(FTZ) | M(SAT), lower_plain, IR_FMA, 4, 4, RN},
  {"fma", HALF, M(ROUND) | M(RELU), M(FTZ), lower_plain, IR_FMA, 4, 4, RN},
  {"fma", 0, M(ROUND) | M(BF16), M(RELU), lower_bf16, IR_FMA, 4, 4, RN},
  {"fma", 0, M(ROUND) | M(SINGLES), M(FTZ), lower_singles, IR_FMA, 4, 4, 0},
  {"fns", T(B32), 0, 0, lower_fns, 0, 4, 4, 0},
  {"griddepcontrol", 0, M(GRID), 0, lower_nothing, 0, 0, 0, 0},
  {"isspacep", 0, M(SPACE), 0, lower_isspacep, 0, 2, 2, 0},
  {"ld", MEMORY | T(B128), 0, LOADED | M(NC), lower_ld, 0, 2, 3, 0},
  {"ldmatrix", 0, 0, 0, lower_ldmatrix, IR_LDSM, 2, 2, OWN},
  {"ldu", MEMORY, 0, M(SPACE) | M(VECTOR), lower_ld, 0, 2, 2, 0},
  {"lg2", T(F32), M(APPROX), M(FTZ), lower_plain, IR_LG2, 2, 2, 0},
  {"lop3", T(B32), 0, 0, lower_lop3, 0, 5, 5, 0},
  {"lop3", T(B32), M(BOOL), 0, lower_lop3, 0, 6, 6, 0},
  {"mad", INTS, M(PART), 0, lower_mul, IR_MAD, 4, 4, 0},
  {"mad", T(S32), M(PART) | M(SAT), 0, lower_sat, IR_MADHI, 4, 4, 0},
  {"mad", WIDE, M(PART) | M(CC), 0, lower_carry, IR_MADC, 4, 4, 0},
  {"mad", T(F32), M(ROUND), M(FTZ) | M(SAT), lower_plain, IR_FMA, 4, 4, 0},
  {"mad", T(F64), M(ROUND), 0, lower_plain, IR_FMA, 4, 4, 0},
  {"mad24", INT32, M(PART), 0, lower_mul24, IR_MAD24, 4, 4, 0},
  {"mad24", T(S32), M(PART) | M(SAT), 0, lower_sat, IR_MAD24, 4, 4, 0},
  {"madc", WIDE, M(PART), M(CC), lower_carry, IR_MADC, 4, 4, CARRIED},
  {"match", T(B32) | T(B64), M(MATCH) | M(SYNC), 0, lower_match, 0, 3, 3, 0},
  {"max", INTS, 0, 0, lower_plain, IR_MAX, 3, 3, EXTEND},
  {"max", T(F32) | HALF, 0, M(FTZ) | M(NAN), lower_plain, IR_MAX, 3, 3, 0},
  {"max", T(F64), 0, 0, lower_plain, IR_MAX, 3, 3, 0},
  {"max", T(F32) | HALF, M(XORSIGN) | M(ABS), M(FTZ) | M(NAN), lower_xorsign, IR_MAX, 3, 3, 0},
  {"max", T(F32), 0, M(FTZ) | M(NAN) | M(ABS), lower_of_three, IR_MAX, 4, 4, 0},
  {"max", T(S32), M(RELU), 0, lower_relu, IR_MAX, 3, 3, 0},
  {"max", 0, M(SHORTS), M(RELU), lower_shorts, IR_MAX, 3, 3, 0},
  {"max", 0, M(BF16), M(NAN) | M(XORSIGN) | M(ABS), lower_bf16, IR_MAX, 3, 3, 0},
  {"mbarrier", 0, 0, 0, lower_mbarrier, 0, 1, 4, OWN},
  {"membar", 0, M(SCOPE), 0, lower_membar, 0, 0, 0, 0},
  {"min", INTS, 0, 0, lower_plain, IR_MIN, 3, 3, EXTEND},
  {"min", T(F32) | HALF, 0, M(FTZ) | M(NAN), lower_plain, IR_MIN, 3, 3, 0},
  {"min", T(F64), 0, 0, lower_plain, IR_MIN, 3, 3, 0},
  {"min", T(F32) | HALF, M(XORSIGN) | M(ABS), M(FTZ) | M(NAN), lower_xorsign, IR_MIN, 3, 3, 0},
  {"min", T(F32), 0, M(FTZ) | M(NAN) | M(ABS), lower_of_three, IR_MIN, 4, 4, 0},
  {"min", T(S32), M(RELU), 0, lower_relu, IR_MIN, 3, 3, 0},
  {"min", 0, M(SHORTS), M(RELU), lower_shorts, IR_MIN, 3, 3, 0},
  {"min", 0, M(BF16), M(NAN) | M(XORSIGN) | M(ABS), lower_bf16, IR_MIN, 3, 3, 0},
  {"mma", 0, 0, 0, lower_mma, IR_MMA, 4, 4, OWN},
  {"mov", CHOICES | T(PRED) | HALF, 0, 0, lower_mov, 0, 2, 2, 0},
  {"mov", T(B128), 0, 0, lower_mov_128, 0, 2, 2, 0},
  {"movmatrix", 0, 0, 0, lower_movmatrix, 0, 2, 2, OWN},
  {"mul", INTS, M(PART), 0, lower_mul, IR_MUL, 3, 3, 0},
  {"mul", T(F32), 0, MATHS | M(SAT), lower_plain, IR_MUL, 3, 3, 0},
  {"mul", T(F64), 0, M(ROUND), lower_plain, IR_MUL, 3, 3, 0},
  {"mul", HALF, 0, MATHS | M(SAT), lower_plain, IR_MUL, 3, 3, RN},
  {"mul", 0, M(BF16), M(ROUND), lower_bf16, IR_MUL, 3, 3, RN},
  {"mul", 0, M(SINGLES), MATHS, lower_singles, IR_MUL, 3, 3, 0},
  {"mul24", INT32, M(PART), 0, lower_mul24, IR_MUL24, 3, 3, 0},
  {"nanosleep", T(U32), 0, 0, lower_nanosleep, 0, 1, 1, 0},
  {"neg", SIGNED, 0, 0, lower_plain, IR_NEG, 2, 2, 0},
  {"neg", T(F32) | HALF, 0, M(FTZ), lower_plain, IR_NEG, 2, 2, 0},
  {"neg", T(F64), 0, 0, lower_plain, IR_NEG, 2, 2, 0},
  {"neg", 0, M(BF16), 0, lower_bf16, IR_NEG, 2, 2, 0},
  {"not", BITS | T(PRED), 0, 0, lower_plain, IR_NOT, 2, 2, 0},
  {"or", BITS | T(PRED), 0, 0, lower_plain, IR_OR, 3, 3, 0},
  {"pmevent", 0, 0, 0, lower_nothing, 0, 1, 1, 0},
  {"popc", T(B32) | T(B64), 0, 0, lower_bits, IR_POPC, 2, 2, 0},
  {"prefetch", 0, 0, M(SPACE) | M(LEVEL) | M(CACHE), lower_prefetch, 0, 1, 1, 0},
  {"prefetchu", 0, M(LEVEL), 0, lower_prefetch, 0, 1, 1, 0},
  {"prmt", T(B32), 0, M(PRMT), lower_plain, IR_PRMT, 4, 4, 0},
  {"rcp", T(F32), M(ROUND), M(FTZ), lower_plain, IR_RCP, 2, 2, 0},
  {"rcp", T(F32), M(APPROX), M(FTZ), lower_plain, IR_RCP, 2, 2, 0},
  {"rcp", T(F64), M(ROUND), 0, lower_plain, IR_RCP, 2, 2, 0},
  {"rcp", T(F64), M(APPROX) | M(FTZ), 0, lower_plain, IR_RCP, 2, 2, 0},
  {"red", BITS | WIDE | FLOATS | T(F16X2), M(ATOM), FENCED | M(SPACE) | M(NOFTZ) | M(CACHE), lower_atom, IR_RED, 2, 3, 0},
  {"red", T(F16), M(ATOM) | M(NOFTZ), FENCED | M(SPACE) | M(CACHE), lower_atom_loop, IR_RED, 2, 2, 0},
  {"red", 0, M(ATOM) | M(NOFTZ) | M(BF16), FENCED | M(SPACE) | M(CACHE), lower_atom_loop, IR_RED, 2, 2, 0},
  {"red", T(F32) | T(F16) | T(F16X2), M(ATOM) | M(VECTOR), FENCED | M(SPACE) | M(NOFTZ) | M(CACHE), lower_atom_vector, IR_RED, 2, 2, 0},
  {"red", 0, M(ATOM) | M(NOFTZ) | M(BF16) | M(VECTOR), FENCED | M(SPACE) | M(CACHE), lower_atom_vector, IR_RED, 2, 2, 0},
  {"redux", INT32 | T(B32), M(REDUX) | M(SYNC), 0, lower_redux, 0, 3, 3, 0},
  {"rem", INTS, 0, 0, lower_plain, IR_REM, 3, 3, EXTEND},
  {"ret", 0, 0, M(UNI), lower_ret, 0, 0, 0, 0},
  {"rsqrt", FLOATS, M(APPROX), M(FTZ), lower_plain, IR_RSQRT, 2, 2, 0},
  {"sad", INTS, 0, 0, lower_sad, 0, 4, 4, EXTEND},
  {"selp", CHOICES, 0, 0, lower_selp, 0, 4, 4, 0},
  {"set", INT16 | INT32 | T(F32) | HALF, M(CMP), M(BOOL) | M(FTZ), lower_set, 0, 3, 4, TWO},
  {"set", INT16 | INT32, M(CMP) | M(BF16), M(BOOL), lower_bf16_set, 0, 3, 4, 0},
  {"setp", CHOICES | HALF, M(CMP), M(BOOL) | M(FTZ), lower_setp, 0, 3, 4, 0},
  {"setp", 0, M(CMP) | M(BF16), M(BOOL), lower_bf16_setp, 0, 3, 4, 0},
  {"shf", T(B32), M(RIGHT) | M(WRAP), 0, lower_bits, IR_SHF, 4, 4, 0},
  {"shfl", T(B32), M(SHFL), M(SYNC), lower_shfl, 0, 4, 5, 0},
  {"shl", BITS, 0, 0, lower_shift, IR_SHL, 3, 3, 0},
  {"shr", BITS | INTS, 0, 0, lower_shift, IR_SHR, 3, 3, EXTEND},
  {"sin", T(F32), M(APPROX), M(FTZ), lower_plain, IR_SIN, 2, 2, 0},
  {"slct", CHOICES, 0, M(FTZ), lower_slct, 0, 4, 4, TWO},
  {"sqrt", T(F32), M(ROUND), M(FTZ), lower_plain, IR_SQRT, 2, 2, 0},
  {"sqrt", T(F32), M(APPROX), M(FTZ), lower_plain, IR_SQRT, 2, 2, 0},
  {"sqrt", T(F64), M(ROUND), 0, lower_plain, IR_SQRT, 2, 2, 0},
  {"st", MEMORY | T(B128), 0, LOADED, lower_st, 0, 2, 3, 0},
  {"stackrestore", T(U32) | T(U64), 0, 0, lower_stackrestore, 0, 1, 1, 0},
  {"stacksave", T(U32) | T(U64), 0, 0, lower_stacksave, 0, 1, 1, 0},
  {"stmatrix", 0, 0, 0, lower_stmatrix, 0, 2, 2, OWN},
  {"sub", INTS, 0, 0, lower_plain, IR_SUB, 3, 3, 0},
  {"sub", T(S32), M(SAT), 0, lower_sat, IR_SUB, 3, 3, 0},
  {"sub", WIDE, M(CC), 0, lower_carry, IR_SUBC, 3, 3, 0},
  {"sub", T(F32), 0, MATHS | M(SAT), lower_plain, IR_SUB, 3, 3, 0},
  {"sub", T(F64), 0, M(ROUND), lower_plain, IR_SUB, 3, 3, 0},
  {"sub", HALF, 0, MATHS | M(SAT), lower_plain, IR_SUB, 3, 3, RN},
  {"sub", 0, M(BF16), M(ROUND), lower_bf16, IR_SUB, 3, 3, RN},
  {"sub", 0, M(SINGLES), MATHS, lower_singles, IR_SUB, 3, 3, 0},
  {"subc", WIDE, 0, M(CC), lower_carry, IR_SUBC, 3, 3, CARRIED},
  {"szext", INT32, M(WRAP), 0, lower_szext, 0, 3, 3, 0},
  {"tanh", T(F32), M(APPROX), 0, lower_plain, IR_TANH, 2, 2, 0},
  {"tanh", HALF, M(APPROX), 0, lower_special_half, IR_TANH, 2, 2, 0},
  {"tanh", 0, M(APPROX) | M(BF16), 0, lower_bf16, IR_TANH, 2, 2, 0},
  {"testp", FLOATS, M(TESTP), 0, lower_testp, 0, 2, 2, 0},
  {"trap", 0, 0, 0, lower_end, IR_TRAP, 0, 0, 0},
  {"vabsdiff", INT32, 0, M(SAT) | M(ATOM), lower_video, IR_SAD, 3, 4, MORE},
  {"vabsdiff2", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_SAD, 4, 4, MORE},
  {"vabsdiff4", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_SAD, 4, 4, MORE},
  {"vadd", INT32, 0, M(SAT) | M(ATOM), lower_video, IR_ADD, 3, 4, MORE},
  {"vadd2", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_ADD, 4, 4, MORE},
  {"vadd4", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_ADD, 4, 4, MORE},
  {"vavrg2", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_SHR, 4, 4, MORE},
  {"vavrg4", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_SHR, 4, 4, MORE},
  {"vmad", INT32, 0, M(SAT) | M(PLUS) | M(SCALE), lower_vmad, 0, 4, 4, MORE},
  {"vmax", INT32, 0, M(SAT) | M(ATOM), lower_video, IR_MAX, 3, 4, MORE},
  {"vmax2", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_MAX, 4, 4, MORE},
  {"vmax4", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_MAX, 4, 4, MORE},
  {"vmin", INT32, 0, M(SAT) | M(ATOM), lower_video, IR_MIN, 3, 4, MORE},
  {"vmin2", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_MIN, 4, 4, MORE},
  {"vmin4", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_MIN, 4, 4, MORE},
  {"vote", T(PRED) | T(B32), M(VOTE), M(SYNC), lower_vote, 0, 2, 3, 0},
  {"vset", INT32, M(CMP), M(ATOM), lower_video, IR_SET, 3, 4, MORE},
  {"vset2", INT32, M(CMP), M(ATOM), lower_simd, IR_SET, 4, 4, MORE},
  {"vset4", INT32, M(CMP), M(ATOM), lower_simd, IR_SET, 4, 4, MORE},
  {"vshl", INT32, M(WRAP), M(SAT) | M(ATOM), lower_video, IR_SHL, 3, 4, MORE},
  {"vshr", INT32, M(WRAP), M(SAT) | M(ATOM), lower_video, IR_SHR, 3, 4, MORE},
  {"vsub", INT32, 0, M(SAT) | M(ATOM), lower_video, IR_SUB, 3, 4, MORE},
  {"vsub2", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_SUB, 4, 4, MORE},
  {"vsub4", INT32, 0, M(SAT) | M(ATOM), lower_simd, IR_SUB, 4, 4, MORE},
  {"wmma", 0, 0, 0, lower_wmma, IR_MMA, 2, 4, OWN},
  {"xor", BITS | T(PRED), 0, 0, lower_plain, IR_XOR, 3, 3, 0}
};
/* clang-format on */
enum { ROWS = sizeof table / sizeof *table };

/* The first row that is not below `name`. */
static unsigned find_rows(const char *name) {
  unsigned from = 0, to = ROWS;
  while (from < to) {
    unsigned mid = (from + to) / 2;
    if (strcmp(table[mid].name, name) < 0)
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

static bool rounding_fits(const struct row *r, const struct insn *in) {
  bool to_integers = r->lower == lower_convert || r->lower == lower_bf16_convert || r->lower == lower_bf16_same;
  unsigned most = to_integers ? IR_RZI : r->flags & ROW_RN ? IR_RN : IR_RZ;
  return !given(in, K_ROUND) || in->w.value[K_ROUND] <= most;
}

static bool row_takes(const struct row *r, const struct insn *in) {
  unsigned types = r->types == 0 ? 0 : r->flags & ROW_TWO ? 2 : 1;
  unsigned operands = in->operands - (in->w.cache_hint && in->operands ? 1 : 0);
  if (r->flags & ROW_MORE) types = in->w.types == 3 ? 3 : 2;
  if (in->w.types != types || (types && !(r->types >> in->type & 1))) return false;
  if (in->w.twice != (r->lower == lower_bf16_same)) return false;
  if ((r->must & ~in->w.given) || (in->w.given & ~(r->must | r->may))) return false;
  return rounding_fits(r, in) && operands >= r->least && operands <= r->most;
}

static bool find_row(struct lower *l, struct insn *in) {
  const char *name = in->s->word[0], *bad;
  unsigned first = find_rows(name), end = first;
  uint64_t may = 0;
  const char *instead = lower_instead(in->s);
  if (instead) {
    lower_refuse(l, in, "%s", instead);
    return false;
  }
  for (; end < ROWS && strcmp(table[end].name, name) == 0; end++) may |= table[end].must | table[end].may;
  if (first == end) {
    lower_refuse(l, in, "this instruction is not supported");
    return false;
  }
  if (table[first].flags & ROW_OWN) {
    in->row = &table[first];
    return true;
  }
  if (!words_read(in->s, may, &in->w, &bad)) {
    lower_refuse(l, in, ".%s is not supported here", bad);
    return false;
  }
  in->type = in->w.type[0];
  for (unsigned k = first; k < end; k++)
    if (row_takes(&table[k], in)) {
      in->row = &table[k];
      return true;
    }
  lower_refuse(l, in, "this combination of type, modifiers and %u operands is not supported", in->operands);
  return false;
}

static bool find_guard(struct lower *l, const struct ptx_statement *s) {
  l->guard = NULL;
  l->guard_invert = s->guard_invert;
  if (!s->guard) return true;
  const struct ptx_operand o = {.kind = PTX_OP_NAME, .pos = s->pos, .name = s->guard};
  unsigned before = ptx_errors(l->d);
  struct ir_operand v = lower_read(l, &o, PTX_PRED);
  if (v.kind == IR_VALUE) l->guard = v.value;
  return ptx_errors(l->d) == before;
}

/* "{ %r1 }" is %r1: Triton writes vectors of one. */
static const struct ptx_operand *without_braces(struct lower *l, const struct ptx_statement *s) {
  struct ptx_operand *plain = NULL;
  for (unsigned k = 0; k < s->operands; k++) {
    if (s->operand[k].kind != PTX_OP_VECTOR || s->operand[k].elements != 1) continue;
    if (!plain) {
      plain = ptx_alloc(l->a, sizeof s->operand);
      memcpy(plain, s->operand, sizeof s->operand);
    }
    plain[k] = s->operand[k].element[0];
  }
  return plain ? plain : s->operand;
}

void lower_instruction(struct lower *l, const struct ptx_statement *s) {
  struct insn in = {.s = s, .o = s->operand, .operands = s->operands};
  if (!find_row(l, &in) || !find_guard(l, s)) return;
  if (!(in.row->flags & ROW_OWN)) in.o = without_braces(l, s);
  if (in.w.cache_hint && in.operands) in.operands--;
  in.row->lower(l, &in);
  l->guard = NULL;
}

const struct row *lower_row(unsigned k) {
  return k < ROWS ? &table[k] : NULL;
}
