/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs for these tests, and programs with known faults.
 */
#include "sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/test.h"

static void note(void *ctx, const struct heddle_message *m) {
  unsigned *warned = ctx;
  if (m->warning && warned) {
    ++*warned;
    return;
  }
  fail_msg("%s:%u:%u: %s", m->file, m->line, m->column, m->text);
}

struct heddle_program *assembled(const char *text, const char *name, unsigned *warned) {
  const struct heddle_asm_options o = {
      .size = sizeof o, .stall = {5, 6, 8, 7, 6, 12}, .message = note, .ctx = warned, .long_words = true};
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, strlen(text), name, &o, &p), HEDDLE_SUCCESS);
  return p;
}

static struct heddle_program *from_file(const char *path) {
  static char text[1 << 16];
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s", path);
  const size_t n = fread(text, 1, sizeof text - 1, f);
  (void)fclose(f);
  text[n] = '\0';
  return assembled(text, path, NULL);
}

static const char *const files[] = {"histogram", "ifelse", "nested", "permute", "reduce", "sgemm", "vecadd"};

static const char units[] = ".kernel units\n"
                            " MUFU.RCP R4, R0 ;\n DADD R6, R2, R8 ;\n SHFL.BFLY P0, R10, R0, 0x1, 0x1f ;\n"
                            " R2UR UR4, R0 ;\n VOTE.ANY R11, P1, P0 ;\n UMOV UR6, 0x5 ;\n LDS.64 R12, [R0] ;\n"
                            " HADD2 R14, R0, R1 ;\n F2I R15, R0 ;\n FADD R16, R4, R14 ;\n UIADD3 UR4, UR4, UR6, URZ ;\n"
                            " IADD3 R17, R15, UR4, RZ ;\n DFMA R6, R6, R12, R6 ;\n DSETP.LT.AND P2, PT, R6, R2, PT ;\n"
                            "@P1 MOV R18, R11 ;\n SEL R18, R18, R10, P2 ;\n HMMA.16816.F32 R20, R24, R28, R20 ;\n"
                            " P2R R19, PR, RZ, 0x7f ;\n R2P PR, R19, 0x3 ;\n@P0 MUFU.EX2 R16, R16 ;\n"
                            " LDSM.16.4 R24, [R18] ;\n HMMA.16816.F32 R20, R24, R28, R20 ;\n STS.128 [R0], R20 ;\n"
                            " REDUX.SUM UR8, R16 ;\n UMOV UR9, UR8 ;\n UISETP.LT.AND UP0, UPT, UR9, UR4, UPT ;\n"
                            "@UP0 UMOV UR4, UR9 ;\n UP2P P3, UP0 ;\n@P3 EXIT ;\n STS [R0], R17 ;\n MOV R1, UR4 ;\n"
                            " LDC R30, c[0x0][R1] ;\n STG.E [R2], R30 ;\n EXIT ;\n.end\n";

static const char calls[] = ".kernel calls\n MOV R4, 0x3 ;\n MOV R20, back ;\n MOV R21, RZ ;\n LDG.E R5, [R2] ;\n"
                            " CALL.REL twice ;\nback:\n FADD R6, R4, R5 ;\n MOV R8, thrice ;\n MOV R9, RZ ;\n"
                            " MOV R20, again ;\n MUFU.RCP R7, R6 ;\n CALL.ABS R8 ;\nagain:\n STG.E [R2], R7 ;\n"
                            " MOV R10, table ;\n MOV R11, RZ ;\n BRX R10 ;\ntable:\n BRA out ;\n BRA back ;\nout:\n"
                            "@P0 JMP back ;\n EXIT ;\n.end\n"
                            ".func twice\n FADD R4, R4, R4 ;\n@P1 RET R20 ;\n MUFU.RCP R4, R4 ;\n RET R20 ;\n.end\n"
                            ".func thrice\n LDG.E R7, [R2] ;\n FADD R7, R7, R6 ;\n RET R20 ;\n.end\n";

static const char sync[] = ".kernel sync\n LDG.E R4, [R2] ;\n LDS R5, [R0] ;\n MUFU.RCP R6, R0 ;\n BAR.SYNC 0x0 ;\n"
                           " FADD R4, R4, R5 ;\n FADD R6, R6, R4 ;\n BAR.RED.POPC R7, 0x0, 0x0, P0 ;\n"
                           " BAR.RED.OR P1, 0x0, 0x0, P0 ;\n@P1 IADD3 R8, R7, R7, RZ ;\n BMOV.GET R9, B0 ;\n"
                           " IADD3 R9, R9, R8, RZ ;\n LDG.E R10, [R2] ;\n MEMBAR.GPU ;\n STG.E [R2], R10 ;\n"
                           " WARPSYNC R9 ;\n BSSY B1, join ;\n LDS R11, [R0] ;\n@P1 BRA join ;\n MOV R11, R9 ;\njoin:\n"
                           " BSYNC B1 ;\n STS [R0], R11 ;\n EXIT ;\n.end\n";

/* Written codes: results on their way across branches, round a loop, and by a counter where stalls would do. */
static const char written[] =
    ".kernel written\n"
    "[B------:R-:W0:-:S01] LDG.E R4, [R2] ;\n[B------:R-:W1:-:S03] LDG.E R5, [R2+0x4] ;\n"
    "[B------:R-:W-:-:S02] ISETP.LT.AND P0, PT, R0, R1, PT ;\n[B------:R-:W-:-:S02] FADD R6, R0, R1 ;\n"
    "[B------:R-:W-:-:S02] NOP ;\n[B------:R-:W-:-:S04] @P0 BRA over ;\n"
    "[B0-----:R-:W-:-:S01] MOV R7, R4 ;\nover:\n[B------:R-:W2:-:S06] FADD R8, R6, R0 ;\n"
    "[B01----:R-:W-:-:S03] FADD R9, R4, R5 ;\n[B--2---:R-:W-:-:S02] MOV R10, R8 ;\n[B------:R-:W3:-:S01] MUFU.RCP R12, "
    "R0 ;\n"
    "loop:\n[B------:R-:W4:-:S02] LDS R11, [R0] ;\n[B------:R-:W-:-:S06] ISETP.LT.AND P0, PT, R0, R1, PT ;\n"
    "[B----4-:R1:W-:-:S01] STS [R0], R11 ;\n[B------:R-:W-:-:S05] @P0 BRA loop ;\n"
    "[B---3--:R-:W-:-:S01] FADD R12, R12, R12 ;\n[B------:R-:W-:-:S05] MOV R14, R10 ;\n"
    "[B------:R-:W-:-:S02] NOP ;\n[B------:R-:W-:-:S01] STG.E [R2], R12 ;\n[B------:R-:W-:-:S01] EXIT ;\n.end\n";

static const char *const texts[] = {units, calls, sync, written};
static const char *const names[] = {"units", "calls", "sync", "written"};

struct heddle_program *source_at(unsigned i, const char **name) {
  static char path[512];
  const unsigned n = sizeof files / sizeof *files, m = sizeof texts / sizeof *texts;
  unsigned warned = 0;
  if (i >= n + m) return NULL;
  *name = i < n ? files[i] : names[i - n];
  if (i >= n) return assembled(texts[i - n], names[i - n], &warned); /* the assembler looks at each block by itself */
  (void)snprintf(path, sizeof path, "%s/%s.s", KERNEL_DIR, files[i]);
  return from_file(path);
}

static void hear(void *ctx, const struct heddle_lint_finding *f) {
  struct heard *h = ctx;
  if (h->n < KEPT) h->f[h->n] = *f;
  h->n++;
}

struct heard lint(const struct heddle_program *p, struct heddle_lint_totals *t) {
  struct heard h = {.n = 0};
  const struct heddle_lint_options o = {.size = sizeof o, .finding = hear, .ctx = &h};
  const enum heddle_lint_verdict v = heddle_lint(p, &o, t);
  assert_int_equal(v, h.n > 0 ? HEDDLE_LINT_FOUND : HEDDLE_LINT_PROVEN);
  return h;
}

struct heddle_program *program(const char *body) {
  static char text[8192];
  unsigned warned = 0;
  (void)snprintf(text, sizeof text, ".kernel k\n%s\n.end\n", body);
  return assembled(text, "t.s", &warned);
}

void check(const struct fault *f) {
  struct heddle_program *p = program(f->body);
  const struct heard h = lint(p, NULL);
  const bool right = f->kind < 0 ? h.n == 0
                                 : h.n == 1 && (int)h.f[0].kind == f->kind && h.f[0].pc == f->insn * 16 &&
                                       strcmp(h.f[0].place, f->place) == 0 && strstr(h.f[0].advice, f->advice) != NULL;
  if (!right)
    fail_msg("%s: %u findings, the first: kind %d at %u of %s: %s", f->body, h.n, (int)h.f[0].kind, h.f[0].pc / 16,
             h.f[0].place, h.f[0].advice);
  heddle_program_free(p);
}

void check_all(const struct fault *f, size_t n) {
  for (size_t i = 0; i < n; i++) check(&f[i]);
}
