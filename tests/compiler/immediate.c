/* SPDX-License-Identifier: Apache-2.0 */
#include "immediate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>
#include "tests/compiler/select/select_run.h"
#include "tests/test.h"

#define BASE UINT64_C(0x7f40000000)
enum { PART = 8 * IMMEDIATE_MOST, TOGETHER = 16 };

uint64_t immediate_number(const struct immediate_operand *o, unsigned k) {
  uint64_t x = 0;
  for (unsigned n = 0; n < o->width; n++) x |= (uint64_t)o->raw[k * o->width + n] << (8 * n);
  return x;
}

void immediate_put(struct immediate_operand *o, unsigned k, uint64_t x) {
  if (o->raw == NULL) o->raw = calloc(IMMEDIATE_MOST, o->width);
  for (unsigned n = 0; n < o->width; n++) o->raw[k * o->width + n] = (uint8_t)(x >> (8 * n));
}

void immediate_free(struct immediate_form *f) {
  for (unsigned slot = 0; slot < 4; slot++) free(f->o[slot].raw);
}

static void literal(FILE *to, const struct immediate_operand *o, unsigned k) {
  const uint64_t x = immediate_number(o, k);
  if (o->kind == 'f')
    (void)fprintf(to, "0%c%0*llx", o->width == 8 ? 'd' : 'f', (int)(2 * o->width), (unsigned long long)x);
  else
    (void)fprintf(to, "0x%llx", (unsigned long long)x);
}

static bool in_word(char c) {
  return c == '.' || c == '%' || isalnum((unsigned char)c);
}

/* The operation; the operands of `constants` are replaced. */
static void write_body(FILE *to, const struct immediate_form *f, unsigned k, unsigned constants) {
  for (const char *p = f->body; *p != '\0'; p++) {
    const bool alone = !in_word(p[1]) && (p == f->body || !in_word(p[-1]));
    if (alone && *p >= 'a' && *p <= 'c' && (constants >> (*p - 'a') & 1))
      literal(to, &f->o[*p - 'a'], k);
    else
      (void)fputc(*p, to);
  }
}

/* One element: d[at] = op of element k. */
static void write_element(FILE *to, const struct immediate_form *f, unsigned k, unsigned at, unsigned constants,
                          bool direct) {
  (void)fprintf(to, "{ ");
  for (unsigned slot = 0; slot < 4; slot++)
    if (f->o[slot].is_there) (void)fprintf(to, ".reg .%c%u %c; ", f->o[slot].kind, 8 * f->o[slot].width, "abcd"[slot]);
  for (unsigned slot = 0; slot < 3; slot++) {
    const struct immediate_operand *o = &f->o[slot];
    if (!o->is_there) continue;
    (void)fprintf(to, "%s.%c%u %c, ", constants >> slot & 1 ? "mov" : "ld.global", o->kind, 8 * o->width, "abc"[slot]);
    if (constants >> slot & 1)
      literal(to, o, k);
    else
      (void)fprintf(to, "[%%p+%u]", slot * PART + 8 * k);
    (void)fprintf(to, ";");
  }
  (void)fprintf(to, "\n");
  write_body(to, f, k, direct ? constants : 0);
  (void)fprintf(to, "st.global.%c%u [%%p+%u], d; }\n", f->o[3].kind, 8 * f->o[3].width, 3 * PART + 8 * at);
}

struct batch {
  const struct immediate_form *f;
  unsigned element[TOGETHER];
  bool direct, apart; /* literals in the operation itself; addresses that differ from thread to thread */
  unsigned from, to;  /* sets of constants */
};

static unsigned sets(const struct immediate_form *f) {
  return 1u << (f->o[0].is_there + f->o[1].is_there + f->o[2].is_there);
}

static char *text_of(const struct batch *b) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  (void)fprintf(to,
                ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
                ".reg .b64 %%p; .reg .b32 %%t; ld.param.u64 %%p, [base];%s\n",
                b->apart ? " mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 8, %p;" : "");
  for (unsigned n = 0, at = 0; n < TOGETHER; n++)
    for (unsigned constants = b->from; constants < b->to; constants++, at++)
      write_element(to, b->f, b->element[n], at, constants, b->direct);
  (void)fprintf(to, "ret; }\n");
  (void)fclose(to);
  return text;
}

static void tell(void *ctx, const struct heddle_message *m) {
  if (!m->warning) print_error("%s:%u:%u: %s\n", (const char *)ctx, m->line, m->column, m->text);
}

static struct heddle_program *compile(const struct batch *b, unsigned level, enum heddle_ptx_target target) {
  char *text = text_of(b);
  const struct heddle_ptx_options o = {.size = sizeof o,
                                       .target = target,
                                       .level = level,
                                       .stall = {4, 12, 4, 6, 6, 12},
                                       .message = tell,
                                       .ctx = (void *)(uintptr_t)b->f->name,
                                       .check = true};
  struct heddle_program *p;
  if (heddle_ptx_compile(text, strlen(text), b->f->name, &o, &p, NULL, NULL) != HEDDLE_SUCCESS)
    fail_msg("%s is refused\n%s", b->f->name, text);
  free(text);
  return p;
}

static void put_le(uint8_t *to, uint64_t v) {
  for (unsigned k = 0; k < 8; k++) to[k] = (uint8_t)(v >> (8 * k));
}

static uint64_t get_le(const uint8_t *from, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned k = 0; k < bytes; k++) v |= (uint64_t)from[k] << (8 * k);
  return v;
}

/* Open in PTX, and known of silicon to 32 places (see test_ops.c). */
static bool is_close(const struct immediate_form *f, uint64_t got, uint64_t want) {
  if (strstr(f->name, "/rsqrt.approx.f64.") == NULL) return got == want;
  return (got > want ? got - want : want - got) < UINT64_C(1) << 21;
}

static void judge(const struct batch *b, const uint8_t *results, const char *how, unsigned *wrong) {
  const struct immediate_form *f = b->f;
  for (unsigned n = 0; n < TOGETHER * (b->to - b->from); n++) {
    const unsigned k = b->element[n / (b->to - b->from)], constants = n % (b->to - b->from) + b->from;
    const uint64_t got = get_le(results + 8 * n, f->o[3].width), want = immediate_number(&f->o[3], k);
    if (is_close(f, got, want) || (*wrong)++ > 0) continue;
    print_error("%s, %s%s, element %u:", f->name, how, b->direct ? ", literals" : "", k);
    for (unsigned slot = 0; slot < 3; slot++)
      if (f->o[slot].is_there)
        print_error(" %c=%llx%s", "abc"[slot], (unsigned long long)immediate_number(&f->o[slot], k),
                    constants >> slot & 1 ? " (constant)" : "");
    print_error(": got %llx, want %llx\n", (unsigned long long)got, (unsigned long long)want);
  }
}

static void run(const struct batch *b, uint8_t *memory, unsigned level, enum heddle_ptx_target target) {
  struct heddle_program *p = compile(b, level, target);
  uint8_t param[8];
  put_le(param, BASE);
  memset(memory + 3 * PART, 0xa5, PART);
  const struct select_job job = {.base = BASE,
                                 .global = memory,
                                 .bytes = 4 * PART,
                                 .blocks = 1,
                                 .threads = 1,
                                 .param = param,
                                 .param_bytes = sizeof param};
  const char *bad = select_launch(p, &job);
  if (bad) fail_msg("%s: %s", b->f->name, bad);
  heddle_program_free(p);
}

static uint8_t *memory_of(const struct immediate_form *f) {
  uint8_t *memory = calloc(4, PART);
  assert_non_null(memory);
  for (unsigned slot = 0; slot < 3; slot++)
    for (unsigned k = 0; f->o[slot].is_there && k < f->count; k++)
      put_le(memory + slot * PART + 8 * k, immediate_number(&f->o[slot], k));
  return memory;
}

static unsigned try_batch(struct batch *b, uint8_t *memory, unsigned number) {
  static const char *const targets[] = {[HEDDLE_PTX_TARGET_RTL] = "rtl", [HEDDLE_PTX_TARGET_MODEL] = "model"};
  unsigned wrong = 0;
  const bool literals = strstr(b->f->body, ".f16x2") == NULL && b->f->o[0].width > 2; /* of halves there are none */
  for (unsigned way = number % 2; way < 8; way += 3) {
    if ((way & 1) && !literals) continue;
    const enum heddle_ptx_target target = way & 4 ? HEDDLE_PTX_TARGET_MODEL : HEDDLE_PTX_TARGET_RTL;
    b->direct = way & 1;
    b->apart = (way >> 1 & 1) == 0;
    run(b, memory, 1, target);
    judge(b, memory + 3 * PART, targets[target], &wrong);
  }
  if (number % 3 == 0) {
    run(b, memory, 0, HEDDLE_PTX_TARGET_RTL);
    judge(b, memory + 3 * PART, "level 0", &wrong);
  }
  return wrong;
}

unsigned immediate_try(const struct immediate_form *f, unsigned first, unsigned samples) {
  unsigned wrong = 0;
  uint8_t *memory = memory_of(f);
  for (unsigned at = 0; at < samples; at += TOGETHER) {
    struct batch b = {.f = f, .from = 1, .to = sets(f)};
    for (unsigned n = 0; n < TOGETHER; n++)
      b.element[n] = (first + (at + n) * (f->count / samples) + (at + n) * 7 % 31 * (f->count > samples)) % f->count;
    wrong += try_batch(&b, memory, at / TOGETHER);
  }
  free(memory);
  return wrong;
}

void immediate_run(struct immediate_form *f) {
  uint8_t *memory = memory_of(f);
  for (unsigned at = 0; at < f->count; at += TOGETHER) {
    struct batch b = {.f = f, .apart = true, .from = 0, .to = 1};
    for (unsigned n = 0; n < TOGETHER; n++) b.element[n] = (at + n) % f->count;
    run(&b, memory, 0, HEDDLE_PTX_TARGET_MODEL);
    for (unsigned n = 0; n < TOGETHER; n++)
      immediate_put(&f->o[3], b.element[n], get_le(memory + 3 * PART + 8 * n, f->o[3].width));
  }
  free(memory);
}
