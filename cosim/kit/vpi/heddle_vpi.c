/* SPDX-License-Identifier: Apache-2.0
 *
 * The checker as system functions, for simulators without DPI (Icarus 11). A bench is a number.
 *   $heddle_open(core, launches)  $heddle_launch(b)  $heddle_value(b, name)  $heddle_ranges(b)
 *   $heddle_range_at(b, i)  $heddle_range_bytes(b, i)  $heddle_word(b, addr)  $heddle_byte(b, addr)
 *   $heddle_record(b, kind, cycle, vector)  $heddle_step(b, cycle)  $heddle_ended(b)
 *   $heddle_put(b, addr, word)  $heddle_memory(b, cycle)  $heddle_verdict(b)  (prints the report)
 * All are functions of 64 bits. Texts of any length; of a vector a byte with X or Z counts as 8'ha5.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vpi_user.h>

#include "heddle_bench.h"

enum { BENCHES_MAX = 64, ARGUMENTS = 4, WORDS_MAX = 256 };

static struct heddle_bench *bench[BENCHES_MAX];

/* The arguments of a call, as their users want them. */
struct call {
  vpiHandle arg[ARGUMENTS];
  unsigned n;
};

static uint64_t number_argument(const struct call *c, unsigned i) {
  s_vpi_value v = {.format = vpiVectorVal};
  if (i >= c->n) return 0;
  const PLI_INT32 bits = vpi_get(vpiSize, c->arg[i]);
  vpi_get_value(c->arg[i], &v);
  uint64_t out = (uint32_t)v.value.vector[0].aval;
  if (bits > 32) out |= (uint64_t)(uint32_t)v.value.vector[1].aval << 32;
  return out;
}

/* Borrowed until the next value is asked for. */
static const char *text_argument(const struct call *c, unsigned i) {
  s_vpi_value v = {.format = vpiStringVal};
  if (i >= c->n) return "";
  vpi_get_value(c->arg[i], &v);
  return v.value.str != NULL ? v.value.str : "";
}

static uint32_t mark_unknown(uint32_t a, uint32_t b) {
  for (unsigned k = 0; k < 32; k += 8)
    if ((b >> k & 0xff) != 0) a = (a & ~(UINT32_C(0xff) << k)) | UINT32_C(0xa5) << k;
  return a;
}

static size_t vector(const struct call *c, unsigned i, uint32_t word[WORDS_MAX]) {
  s_vpi_value v = {.format = vpiVectorVal};
  if (i >= c->n) return 0;
  const PLI_INT32 bits = vpi_get(vpiSize, c->arg[i]);
  vpi_get_value(c->arg[i], &v);
  size_t n = 0;
  for (; n < WORDS_MAX && (PLI_INT32)(32 * n) < bits; n++)
    word[n] = mark_unknown((uint32_t)v.value.vector[n].aval, (uint32_t)v.value.vector[n].bval);
  return n;
}

static struct heddle_bench *bench_of(const struct call *c) {
  const uint64_t i = number_argument(c, 0);
  struct heddle_bench *b = i >= 1 && i <= BENCHES_MAX ? bench[i - 1] : NULL;
  if (b == NULL) {
    vpi_printf("$heddle: %llu is no bench; $heddle_open returns one\n", (unsigned long long)i);
    vpi_control(vpiFinish, 1);
  }
  return b;
}

static uint64_t do_open(const struct call *c) {
  char *core = strdup(text_argument(c, 0));
  for (unsigned i = 0; i < BENCHES_MAX && core != NULL; i++) {
    if (bench[i] != NULL) continue;
    bench[i] = bench_open(core, text_argument(c, 1));
    free(core);
    return bench[i] != NULL ? i + 1 : 0;
  }
  free(core);
  return 0;
}

static uint64_t do_launch(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL && bench_launch(b);
}

static uint64_t do_value(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL ? bench_value(b, text_argument(c, 1)) : 0;
}

static uint64_t do_ranges(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL ? bench_ranges(b) : 0;
}

static uint64_t do_range_at(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL ? bench_range_at(b, (unsigned)number_argument(c, 1)) : 0;
}

static uint64_t do_range_bytes(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL ? bench_range_bytes(b, (unsigned)number_argument(c, 1)) : 0;
}

static uint64_t do_word(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL ? bench_word(b, number_argument(c, 1)) : 0;
}

static uint64_t do_byte(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL ? bench_byte(b, number_argument(c, 1)) : 0;
}

static uint64_t do_record(const struct call *c) {
  uint32_t word[WORDS_MAX];
  struct heddle_bench *b = bench_of(c);
  if (b == NULL) return 0;
  const unsigned kind = (unsigned)number_argument(c, 1);
  const uint64_t cycle = number_argument(c, 2);
  return bench_record(b, kind, cycle, word, vector(c, 3, word));
}

static uint64_t do_step(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL && bench_step(b, number_argument(c, 1));
}

static uint64_t do_ended(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL && bench_ended(b);
}

static uint64_t do_put(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  if (b != NULL) bench_put(b, number_argument(c, 1), (uint32_t)number_argument(c, 2));
  return b != NULL;
}

static uint64_t do_memory(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  return b != NULL && bench_memory(b, number_argument(c, 1));
}

/* Line by line: a simulator's printf has a buffer of some length. */
static uint64_t do_verdict(const struct call *c) {
  struct heddle_bench *b = bench_of(c);
  if (b == NULL) return HEDDLE_VERDICT_MISUSE;
  const char *end;
  for (const char *s = bench_report(b); *s != '\0'; s = end) {
    end = strchr(s, '\n');
    end = end != NULL ? end + 1 : s + strlen(s);
    vpi_printf("%.*s", (int)(end - s), s);
  }
  return (uint64_t)bench_verdict(b);
}

static const struct function {
  const char *name;
  uint64_t (*run)(const struct call *c);
} functions[] = {
    {"$heddle_open", do_open},     {"$heddle_launch", do_launch},     {"$heddle_value", do_value},
    {"$heddle_ranges", do_ranges}, {"$heddle_range_at", do_range_at}, {"$heddle_range_bytes", do_range_bytes},
    {"$heddle_word", do_word},     {"$heddle_byte", do_byte},         {"$heddle_record", do_record},
    {"$heddle_step", do_step},     {"$heddle_ended", do_ended},       {"$heddle_put", do_put},
    {"$heddle_memory", do_memory}, {"$heddle_verdict", do_verdict}};

static PLI_INT32 call(PLI_BYTE8 *data) {
  const struct function *f = (const struct function *)(const void *)data;
  const vpiHandle self = vpi_handle(vpiSysTfCall, NULL);
  struct call c = {.n = 0};
  const vpiHandle list = vpi_iterate(vpiArgument, self);
  for (vpiHandle h; list != NULL && (h = vpi_scan(list)) != NULL;)
    if (c.n < ARGUMENTS) c.arg[c.n++] = h;
  const uint64_t out = f->run(&c);
  s_vpi_vecval bits[2] = {{.aval = (PLI_INT32)out}, {.aval = (PLI_INT32)(out >> 32)}};
  s_vpi_value v = {.format = vpiVectorVal, .value.vector = bits};
  vpi_put_value(self, &v, NULL, vpiNoDelay);
  return 0;
}

static PLI_INT32 size(PLI_BYTE8 *data) {
  (void)data;
  return 64;
}

static void register_functions(void) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    s_vpi_systf_data d = {.type = vpiSysFunc,
                          .sysfunctype = vpiSizedFunc,
                          .tfname = functions[i].name,
                          .calltf = call,
                          .sizetf = size,
                          .user_data = (PLI_BYTE8 *)(uintptr_t)&functions[i]};
    vpi_register_systf(&d);
  }
}

void (*vlog_startup_routines[])(void) = {register_functions, NULL};
