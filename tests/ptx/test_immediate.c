/* SPDX-License-Identifier: Apache-2.0
 *
 * The forms of tests/silicon/ops with some or all of their operands written as constants (as literals of the
 * instruction itself, or through mov, which propagation takes away): what the compiler folds, rewrites, or puts into
 * the words of instructions must give what the GPU returned. Every set of operands, both targets, optimised and not.
 */
#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "form_file.h"
#include "ptx.h"
#include "select_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define BASE UINT64_C(0x7f40000000)
enum { COUNT = 2048, PART = 8 * COUNT, TOGETHER = 16, SAMPLES = 48 };

struct operand { /* of a form: slots a, b, c; d the silicon's result */
  bool is_there;
  char kind;      /* of ".f32": 'f' */
  unsigned width; /* bytes */
  uint8_t *raw;
};

struct form {
  const char *path;      /* or name */
  char *text, body[400]; /* the operation itself */
  struct operand o[4];
  unsigned count; /* of elements */
};

static uint64_t number(const struct operand *o, unsigned k) {
  uint64_t x = 0;
  for (unsigned n = 0; n < o->width; n++) x |= (uint64_t)o->raw[k * o->width + n] << (8 * n);
  return x;
}

/* ".reg .s32 a;" says what `a` is. */
static struct operand operand_of(const struct form *f, unsigned slot) {
  struct operand o = {0};
  char path[400], letter;
  unsigned bits;
  for (const char *at = f->text; !o.is_there && (at = strstr(at, "\n.reg .")) != NULL; at++)
    o.is_there = sscanf(at, "\n.reg .%c%u %c;", &o.kind, &bits, &letter) == 3 && letter == (char)('a' + slot);
  if (!o.is_there) return o;
  o.width = bits / 8;
  if (slot == 3)
    (void)snprintf(path, sizeof path, "%.*s.gold.bin", (int)strlen(f->path) - 4, f->path);
  else
    (void)snprintf(path, sizeof path, SILICON_DIR "/ops/%c%u.%u.bin", o.kind == 'f' ? 'f' : 'i', bits, slot);
  o.raw = form_file_bytes(path, (size_t)COUNT * o.width);
  return o;
}

/* What stands between the last load and the address of the result. */
static void open_form(struct form *f, const char *path) {
  *f = (struct form){.path = path, .text = form_file_text(path), .count = COUNT};
  for (unsigned slot = 0; slot < 4; slot++) f->o[slot] = operand_of(f, slot);
  const char *end = strstr(f->text, "ld.param.u64 x,[pd]"), *start = NULL;
  for (const char *at = f->text; (at = strstr(at, "ld.global.")) != NULL && at < end; at++) start = at;
  assert_true(f->o[3].is_there && start != NULL && end != NULL);
  start = strchr(start, '\n') + 1;
  assert_true(start < end && (size_t)(end - start) < sizeof f->body);
  memcpy(f->body, start, (size_t)(end - start));
}

static void close_form(struct form *f) {
  for (unsigned slot = 0; slot < 4; slot++) free(f->o[slot].raw);
  free(f->text);
}

static void literal(FILE *to, const struct operand *o, unsigned k) {
  const uint64_t x = number(o, k);
  if (o->kind == 'f')
    (void)fprintf(to, "0%c%0*llx", o->width == 8 ? 'd' : 'f', (int)(2 * o->width), (unsigned long long)x);
  else
    (void)fprintf(to, "0x%llx", (unsigned long long)x);
}

static bool in_word(char c) {
  return c == '.' || c == '%' || isalnum((unsigned char)c);
}

/* The operation; the operands of `constants` are replaced. */
static void write_body(FILE *to, const struct form *f, unsigned k, unsigned constants) {
  for (const char *p = f->body; *p != '\0'; p++) {
    const bool alone = !in_word(p[1]) && (p == f->body || !in_word(p[-1]));
    if (alone && *p >= 'a' && *p <= 'c' && (constants >> (*p - 'a') & 1))
      literal(to, &f->o[*p - 'a'], k);
    else
      (void)fputc(*p, to);
  }
}

/* One element: d[at] = op of element k. */
static void write_element(FILE *to, const struct form *f, unsigned k, unsigned at, unsigned constants, bool direct) {
  (void)fprintf(to, "{ ");
  for (unsigned slot = 0; slot < 4; slot++)
    if (f->o[slot].is_there) (void)fprintf(to, ".reg .%c%u %c; ", f->o[slot].kind, 8 * f->o[slot].width, "abcd"[slot]);
  for (unsigned slot = 0; slot < 3; slot++) {
    const struct operand *o = &f->o[slot];
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
  const struct form *f;
  unsigned element[TOGETHER];
  bool direct, apart; /* literals in the operation itself; addresses that differ from thread to thread */
  unsigned results;
};

static unsigned sets(const struct form *f) {
  return 1u << (f->o[0].is_there + f->o[1].is_there + f->o[2].is_there);
}

static char *text_of(struct batch *b) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  (void)fprintf(to,
                ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
                ".reg .b64 %%p; .reg .b32 %%t; ld.param.u64 %%p, [base];%s\n",
                b->apart ? " mov.u32 %t, %tid.x; mad.wide.u32 %p, %t, 8, %p;" : "");
  b->results = 0;
  for (unsigned n = 0; n < TOGETHER; n++)
    for (unsigned constants = 1; constants < sets(b->f); constants++)
      write_element(to, b->f, b->element[n], b->results++, constants, b->direct);
  (void)fprintf(to, "ret; }\n");
  (void)fclose(to);
  return text;
}

static void tell(void *ctx, const struct heddle_message *m) {
  if (!m->warning) print_error("%s:%u:%u: %s\n", (const char *)ctx, m->line, m->column, m->text);
}

static struct heddle_program *compile(struct batch *b, unsigned level, enum ptx_target target) {
  char *text = text_of(b);
  const struct ptx_options o = {.target = target,
                                .level = level,
                                .stall = {4, 12, 4, 6, 6, 12},
                                .message = tell,
                                .ctx = (void *)(uintptr_t)b->f->path,
                                .check = true};
  struct heddle_program *p = ptx_compile(text, strlen(text), b->f->path, &o, NULL, NULL);
  if (!p) fail_msg("%s is refused\n%s", b->f->path, text);
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
static bool is_close(const struct form *f, uint64_t got, uint64_t want) {
  if (strstr(f->path, "/rsqrt.approx.f64.") == NULL) return got == want;
  return (got > want ? got - want : want - got) < UINT64_C(1) << 21;
}

static void judge(const struct batch *b, const uint8_t *results, const char *how, unsigned *wrong) {
  const struct form *f = b->f;
  for (unsigned n = 0; n < b->results; n++) {
    const unsigned k = b->element[n / (sets(f) - 1)], constants = n % (sets(f) - 1) + 1;
    const uint64_t got = get_le(results + 8 * n, f->o[3].width), want = number(&f->o[3], k);
    if (is_close(f, got, want) || (*wrong)++ > 0) continue;
    print_error("%s, %s%s, element %u:", f->path, how, b->direct ? ", literals" : "", k);
    for (unsigned slot = 0; slot < 3; slot++)
      if (f->o[slot].is_there)
        print_error(" %c=%llx%s", "abc"[slot], (unsigned long long)number(&f->o[slot], k),
                    constants >> slot & 1 ? " (constant)" : "");
    print_error(": got %llx, silicon %llx\n", (unsigned long long)got, (unsigned long long)want);
  }
}

static void run(struct batch *b, uint8_t *memory, unsigned level, enum ptx_target target, unsigned *wrong) {
  char how[40];
  (void)snprintf(how, sizeof how, "level %u, %s", level, target == PTX_TARGET_RTL ? "rtl" : "model");
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
  if (bad) fail_msg("%s, %s: %s", b->f->path, how, bad);
  judge(b, memory + 3 * PART, how, wrong);
  heddle_program_free(p);
}

/* Elements spread over all, from another one on for every form. */
static unsigned try_form(const struct form *f, unsigned first, unsigned samples) {
  unsigned wrong = 0;
  const bool literals = strstr(f->body, ".f16x2") == NULL && f->o[0].width > 2; /* of halves there are none */
  uint8_t *memory = calloc(4, PART);
  assert_non_null(memory);
  for (unsigned slot = 0; slot < 3; slot++)
    for (unsigned k = 0; f->o[slot].is_there && k < f->count; k++)
      put_le(memory + slot * PART + 8 * k, number(&f->o[slot], k));
  for (unsigned at = 0; at < samples; at += TOGETHER) {
    struct batch b = {.f = f};
    for (unsigned n = 0; n < TOGETHER; n++)
      b.element[n] = (first + (at + n) * (f->count / samples) + (at + n) * 7 % 31 * (f->count > samples)) % f->count;
    for (unsigned way = 0; way < 8; way++) {
      if ((way & 1) && !literals) continue;
      b.direct = way & 1;
      b.apart = (way >> 1 & 1) == 0;
      run(&b, memory, 1, way & 4 ? PTX_TARGET_MODEL : PTX_TARGET_RTL, &wrong);
    }
    run(&b, memory, 0, PTX_TARGET_RTL, &wrong);
  }
  free(memory);
  return wrong;
}

/* What depends on other lanes has no operands that can be constant one by one. */
static bool is_warp_wide(const char *path) {
  static const char *const words[] = {"/shfl.", "/vote.", "/match.", "/redux.", "/activemask."};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strstr(path, words[k])) return true;
  return false;
}

static void every_form(void **state) {
  (void)state;
  unsigned forms = 0, wrong = 0;
  glob_t g;
  assert_int_equal(glob(SILICON_DIR "/ops/*.ptx", 0, NULL, &g), 0);
  for (size_t n = 0; n < g.gl_pathc; n++) {
    struct form f;
    if (is_warp_wide(g.gl_pathv[n])) continue;
    open_form(&f, g.gl_pathv[n]);
    const unsigned bad = try_form(&f, (unsigned)n * 13, SAMPLES);
    if (bad) print_error("%s: %u differ\n", f.path, bad);
    wrong += bad;
    forms++;
    close_form(&f);
  }
  globfree(&g);
  print_message("%u forms, %d elements each\n", forms, SAMPLES);
  assert_true(forms > 350);
  assert_int_equal(wrong, 0);
}

/* "add.rn.f64 7ff8000000000000 7ff8000000001234 -> 7ff8000000001234": an element; false: of another form. */
static bool add_row(struct form *f, const char *line) {
  char text[200], word[6][40] = {""};
  (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
  const int words = sscanf(text, "%39s %39s %39s %39s %39s %39s", word[0], word[1], word[2], word[3], word[4], word[5]);
  if (words < 4 || (f->count > 0 && strcmp(word[0], f->text) != 0)) return false;
  if (f->count == 0) {
    f->path = f->text = strdup(word[0]);
    (void)snprintf(f->body, sizeof f->body, "%s d%s;\n", word[0],
                   words == 4   ? ", a"
                   : words == 5 ? ", a, b"
                                : ", a, b, c");
  }
  for (int n = 1; n < words; n++) {
    if (n == words - 2) continue; /* the arrow */
    struct operand *o = &f->o[n == words - 1 ? 3 : n - 1];
    const uint64_t x = strtoull(word[n], NULL, 16);
    o->is_there = true;
    o->width = (unsigned)strlen(word[n]) / 2;
    o->kind = n == words - 1 || o->width == 2 ? 'b' : 'f';
    if (f->count == 0) o->raw = calloc(COUNT, o->width);
    for (unsigned k = 0; k < o->width; k++) o->raw[f->count * o->width + k] = (uint8_t)(x >> (8 * k));
  }
  f->count++;
  return true;
}

static void nan_rows(void **state) {
  (void)state;
  char *all = form_file_text(SILICON_DIR "/nan.txt");
  unsigned forms = 0, rows = 0, wrong = 0;
  for (const char *at = strchr(all, '\n') + 1; *at != '\0'; forms++) {
    struct form f = {.count = 0};
    for (; *at != '\0' && add_row(&f, at); at += strcspn(at, "\n") + 1) assert_true(f.count < COUNT);
    assert_true(f.count > 0);
    const unsigned bad = try_form(&f, 0, f.count);
    if (bad) print_error("%s: %u differ\n", f.path, bad);
    wrong += bad;
    rows += f.count;
    close_form(&f);
  }
  free(all);
  print_message("%u forms, %u rows of special values\n", forms, rows);
  assert_true(rows > 5000);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_form), cmocka_unit_test(nan_rows)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
