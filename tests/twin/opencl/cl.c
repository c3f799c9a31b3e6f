/* SPDX-License-Identifier: Apache-2.0
 * The generator of OpenCL C. */
#include "cl.h"

#include <stdarg.h>
#include <stdbool.h>

#include "tests/twin/twin.h"
#include "base/splitmix64.h"

enum { UINTS = 5, LONGS = 3, FLOATS = 4, ARRAY = 8, FUNCTIONS = 2 };

struct cl {
  FILE *to;
  uint64_t rng;
  unsigned place, loops, depth;
  bool in_function;
};

static const char prelude[] =
    "#ifdef __OPENCL_C_VERSION__\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#define KERNEL(name) __kernel void name(__global const uint *in, __global uint *out) { uint id = "
    "(uint)get_global_id(0);\n"
    "#define FUNCTION __attribute__((noinline)) static\n#define TABLE __constant\n#define GLOBAL __global\n#define "
    "BITS(x) as_uint(x)\n#define FLOAT(x) as_float(x)\n"
    "#else\n"
    "#include <stdint.h>\n#include <string.h>\n#include <math.h>\n"
    "#define KERNEL(name) void name(uint32_t id, const uint32_t *in, uint32_t *out) {\n"
    "#define FUNCTION static\n#define TABLE static const\n#define GLOBAL\n"
    "typedef uint32_t uint; typedef uint64_t ulong; typedef uint16_t ushort; typedef uint8_t uchar;\n"
    "#define long int64_t\n"
    "static uint BITS(float f) { uint u; memcpy(&u, &f, 4); return u; }\n"
    "static float FLOAT(uint u) { float f; memcpy(&f, &u, 4); return f; }\n"
    "static uint popcount(uint x) { return (uint)__builtin_popcount(x); }\n"
    "static uint clz(uint x) { return x ? (uint)__builtin_clz(x) : 32; }\n"
    "static uint rotate(uint x, uint n) { n &= 31; return n ? x << n | x >> (32 - n) : x; }\n"
    "static uint mul_hi(uint a, uint b) { return (uint)((ulong)a * b >> 32); }\n"
    "static uint min(uint a, uint b) { return a < b ? a : b; }\nstatic uint max(uint a, uint b) { return a > b ? a : "
    "b; }\n"
    "static float fma_(float a, float b, float c) { return fmaf(a, b, c); }\n#define fma fma_\n"
    "static float sqrt_(float a) { return sqrtf(a); }\n#define sqrt sqrt_\n"
    "#endif\n"
    "static uint stored(float f) { return f == f ? BITS(f) : 0x7fffffffu; }\n"
    "static uint whole(float f) { return f > -1e9f && f < 1e9f ? (uint)(int)f : 7u; }\n";

void cl_head(FILE *to) {
  fputs(prelude, to);
}

static void put(struct cl *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct cl *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vfprintf(c->to, format, args);
  va_end(args);
}
static unsigned below(struct cl *c, unsigned n) {
  return (unsigned)((splitmix64(&c->rng) >> 32) % n);
}

/* ---- expressions: the text is written as it is drawn ---- */

static void number(struct cl *c, unsigned depth);

static void floating(struct cl *c, unsigned depth) {
  static const char *const two[] = {" + ", " - ", " * ", " / "};
  switch (depth == 0 ? below(c, 2) : below(c, 8)) {
  case 0:
    put(c, "f%u", below(c, FLOATS));
    break;
  case 1:
    put(c, "FLOAT(0x%xu)", (unsigned)twin_float(&c->rng, 4) & 0xff7fffff);
    break;
  case 2:
    put(c, "fma(");
    floating(c, depth - 1), put(c, ", "), floating(c, depth - 1), put(c, ", "), floating(c, 0), put(c, ")");
    break;
  case 3:
    put(c, "sqrt("), floating(c, depth - 1), put(c, ")");
    break;
  case 4:
    put(c, "(float)(%s)(", below(c, 2) ? "int" : "uint"), number(c, depth - 1), put(c, ")");
    break;
  default:
    put(c, "("), floating(c, depth - 1), put(c, "%s", two[below(c, 4)]), floating(c, depth - 1), put(c, ")");
  }
}

static void leaf(struct cl *c) {
  switch (below(c, 5)) {
  case 0:
    put(c, "0x%xu", (unsigned)twin_integer(&c->rng, 4));
    break;
  case 1:
    put(c, "a[u%u & %u]", below(c, UINTS), ARRAY - 1);
    break;
  case 2:
    put(c, "(uint)l%u", below(c, LONGS));
    break;
  default:
    put(c, "u%u", below(c, UINTS));
  }
}

static void condition(struct cl *c, unsigned depth) {
  static const char *const relation[] = {" < ", " <= ", " == ", " != ", " > ", " >= "};
  unsigned kind = below(c, 4);
  if (kind == 0) {
    floating(c, depth), put(c, "%s", relation[below(c, 6)]), floating(c, 0);
    return;
  }
  const char *type = kind == 1 ? "(int)" : "";
  put(c, "%s(", type), number(c, depth), put(c, ")%s%s(", relation[below(c, 6)], type), leaf(c), put(c, ")");
}

static void one_of(struct cl *c, unsigned depth) {
  static const char *const call[] = {
      "popcount", "clz", "(uint)(uchar)", "(uint)(short)", "(uint)(ushort)", "(uint)(int)(signed char)", "~", "0u - "};
  static const char *const pair[] = {"min", "max", "mul_hi", "rotate"};
  switch (below(c, 6)) {
  case 0:
  case 1:
    put(c, "%s(", call[below(c, 8)]), number(c, depth), put(c, ")");
    break;
  case 2:
    put(c, "%s(", pair[below(c, 4)]), number(c, depth), put(c, ", "), number(c, depth), put(c, ")");
    break;
  case 3:
    put(c, "("), condition(c, depth), put(c, " ? "), number(c, depth), put(c, " : "), number(c, depth), put(c, ")");
    break;
  case 4:
    put(c, "whole("), floating(c, depth), put(c, ")");
    break;
  default:
    put(c, "stored("), floating(c, depth), put(c, ")");
  }
}

static void number(struct cl *c, unsigned depth) {
  static const char *const two[] = {" + ", " - ", " * ", " & ", " | ", " ^ "};
  if (depth == 0) return leaf(c);
  switch (below(c, 9)) {
  case 0:
  case 1:
    one_of(c, depth - 1);
    break;
  case 2:
    put(c, "("), number(c, depth - 1), put(c, " %s (", below(c, 2) ? "<<" : ">>"), number(c, depth - 1),
        put(c, " & 31u))");
    break;
  case 3:
    put(c, "(uint)((int)("), number(c, depth - 1), put(c, ") >> ("), number(c, depth - 1), put(c, " & 31u))");
    break;
  case 4:
    put(c, "("), number(c, depth - 1), put(c, " %s (", below(c, 2) ? "/" : "%"), number(c, depth - 1),
        put(c, " | 1u))");
    break;
  case 5: /* a positive divisor */
    put(c, "(uint)((int)("), number(c, depth - 1), put(c, ") %s (int)(", below(c, 2) ? "/" : "%"), number(c, depth - 1),
        put(c, " & 0x7fffu | 1u))");
    break;
  default:
    put(c, "("), number(c, depth - 1), put(c, "%s", two[below(c, 6)]), number(c, depth - 1), put(c, ")");
  }
}

static void wide(struct cl *c) {
  static const char *const two[] = {"+", "-", "*", "^", "&", "|"};
  unsigned k = below(c, LONGS), b;
  switch (below(c, 6)) {
  case 0:
    put(c, "l%u << (u%u & 63u)", k, below(c, UINTS));
    break;
  case 1:
    put(c, "(ulong)((long)l%u >> (u%u & 63u))", k, below(c, UINTS));
    break;
  case 2:
    b = below(c, LONGS);
    put(c, "l%u %s (l%u | 1)", k, below(c, 2) ? "/" : "%", b);
    break;
  case 3:
    b = below(c, UINTS);
    put(c, "(ulong)u%u * u%u + l%u", below(c, UINTS), b, k);
    break;
  default:
    b = below(c, LONGS);
    put(c, "l%u %s l%u", k, two[below(c, 6)], b);
  }
}

/* ---- statements ---- */

static void statements(struct cl *c, unsigned n);

static void loop(struct cl *c) {
  unsigned k = c->loops++;
  c->depth++;
  put(c, "for (uint i%u = 0; i%u < (", k, k), number(c, 1),
      put(c, ") %% %uu; i%u++) {\n", 2 + below(c, c->depth > 1 ? 2 : 5), k);
  statements(c, 1 + below(c, 3));
  if (below(c, 2)) put(c, "if ("), condition(c, 1), put(c, ") %s;\n", below(c, 2) ? "break" : "continue");
  statements(c, 1);
  put(c, "}\n");
  c->depth--;
}

static void choice(struct cl *c) {
  unsigned cases = 2 + below(c, 5);
  c->depth++;
  put(c, "switch (("), number(c, 1), put(c, ") %% %uu) {\n", cases + 1);
  for (unsigned k = 0; k < cases; k++) {
    put(c, "case %u:\n", k);
    statements(c, 1 + below(c, 2));
    if (below(c, 4)) put(c, "break;\n");
  }
  put(c, "default:\n");
  statements(c, 1);
  put(c, "}\n");
  c->depth--;
}

static void call(struct cl *c) {
  const unsigned r = below(c, FLOATS), q = below(c, LONGS), p = below(c, UINTS), function = below(c, FUNCTIONS);
  put(c, "u%u = g%u_%u(u%u, l%u, f%u);\n", below(c, UINTS), c->place, function, p, q, r);
}

static void branch(struct cl *c) {
  c->depth++;
  put(c, "if ("), condition(c, 1), put(c, ") {\n");
  statements(c, 1 + below(c, 3));
  if (below(c, 2)) put(c, "} else {\n"), statements(c, 1 + below(c, 3));
  put(c, "}\n");
  c->depth--;
}

static void statement(struct cl *c) {
  unsigned dice = below(c, 100), b;
  if (dice < 12 && c->depth < 3)
    branch(c);
  else if (dice < 20 && c->depth < 3)
    loop(c);
  else if (dice < 25 && c->depth < 3)
    choice(c);
  else if (dice < 32 && !c->in_function)
    call(c);
  else if (dice < 40)
    put(c, "a[u%u & %u] = ", below(c, UINTS), ARRAY - 1), number(c, 2), put(c, ";\n");
  else if (dice < 46 && !c->in_function)
    b = below(c, UINTS), put(c, "u%u ^= in[(id + u%u) & %u];\n", below(c, UINTS), b, CL_IN_WORDS - 1);
  else if (dice < 52)
    b = below(c, UINTS), put(c, "u%u += t%u[u%u & 15];\n", below(c, UINTS), c->place, b);
  else if (dice < 57 && !c->in_function)
    b = below(c, UINTS), put(c, "out[id * %u + (u%u & 7)] = u%u;\n", CL_OUT_WORDS, below(c, UINTS), b);
  else if (dice < 68)
    put(c, "l%u = ", below(c, LONGS)), wide(c), put(c, ";\n");
  else if (dice < 82)
    put(c, "f%u = ", below(c, FLOATS)), floating(c, 2), put(c, ";\n");
  else
    put(c, "u%u = ", below(c, UINTS)), number(c, 3), put(c, ";\n");
}

static void statements(struct cl *c, unsigned n) {
  while (n-- > 0) statement(c);
}

static void variables(struct cl *c, const char *u, const char *l, const char *f) {
  for (unsigned k = 0; k < UINTS; k++) put(c, "uint u%u = %s * %uu + %uu;\n", k, u, 2 * k + 1, k);
  for (unsigned k = 0; k < LONGS; k++) put(c, "ulong l%u = %s * %uu;\n", k, l, 2 * k + 0x10001);
  for (unsigned k = 0; k < FLOATS; k++) put(c, "float f%u = %s * %u.25f;\n", k, f, k);
  put(c, "uint a[%u];\nfor (uint i = 0; i < %u; i++) a[i] = u1 * i;\n", ARRAY, ARRAY);
}

void cl_write(uint64_t seed, uint64_t index, unsigned place, FILE *to) {
  struct cl c = {.to = to, .place = place};
  uint64_t from_index = ~index;
  c.rng = splitmix64(&seed);
  c.rng ^= splitmix64(&from_index);
  put(&c, "TABLE uint t%u[16] = {", place);
  for (unsigned k = 0; k < 16; k++) put(&c, "0x%xu,", (unsigned)twin_integer(&c.rng, 4));
  put(&c, "};\n");
  c.in_function = true;
  for (unsigned f = 0; f < FUNCTIONS; f++) {
    put(&c, "FUNCTION uint g%u_%u(uint p, ulong q, float r) {\n", place, f);
    variables(&c, "p", "q", "r");
    statements(&c, 2 + below(&c, 5));
    const unsigned r = below(&c, FLOATS), l = below(&c, LONGS);
    put(&c, "return u%u ^ (uint)l%u ^ stored(f%u);\n}\n", below(&c, UINTS), l, r);
  }
  c.in_function = false;
  put(&c, "KERNEL(k%u)\n", place);
  put(&c,
      "uint first = in[id & %u]; ulong second = (ulong)in[(id + 7) & %u] << 32 | first; float third = FLOAT(in[(id * "
      "3) & %u]);\n",
      CL_IN_WORDS - 1, CL_IN_WORDS - 1, CL_IN_WORDS - 1);
  variables(&c, "first", "second", "third");
  statements(&c, 6 + below(&c, 14));
  put(&c, "GLOBAL uint *o = out + id * %u + 8;\n", CL_OUT_WORDS);
  put(&c,
      "o[0] = u0; o[1] = u1 ^ u2; o[2] = u3 + u4; o[3] = (uint)(l0 ^ l1); o[4] = (uint)(l0 >> 32) + (uint)(l2 >> 32);\n"
      "o[5] = stored(f0) + stored(f1); o[6] = stored(f2) ^ stored(f3); o[7] = a[0] + a[3] + a[7];\n}\n");
}

void cl_input(uint64_t seed, uint64_t index, uint32_t *in) {
  uint64_t rng = seed ^ (index * 2654435761u + 99);
  for (unsigned k = 0; k < CL_IN_WORDS; k++)
    in[k] = (uint32_t)(k % 3 == 0 ? twin_float(&rng, 4) : twin_integer(&rng, 4));
}
