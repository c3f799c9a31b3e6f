/* SPDX-License-Identifier: Apache-2.0
 *
 * A dictionary for libFuzzer: the words of a language, those of the instruction set out of its file.
 * usage: fuzz_make_dictionary assemble|isa|config|elf|trace|ptx FILE.isa
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cfg.h"
#include "spec.h"

// clang-format off
static const char *const assembly[] = {
    ".kernel k\n", ".func f\n", ".end\n", ".param u64 ", ".param blob24 ", ".shared ", ".regs ", ".barriers ",
    ".stalls 5 6 8 6\n", ".const t u32 ", ".equ N ", ".word 0x", "[B------:R-:W-:-:S01]", "[B012345:R0:W1:Y:S15]",
    "c[0x0][", "c[0x3][", "@P0 ", "@!P6 ", "@UP0 ", "RZ", "R254", "PT", "URZ", "UPT", "UR0", "UR62", "B15", ".reuse",
    "-|R0|", "~R1", "!P1", "+INF", "-QNAN", "0x7fffffff", "-0x80000000", "0b101", "1e-45", "label:\n", "// ", "# ",
    " ;\n", NULL};

static const char *const ptx_words[] = {
    ".version 8.0\n", ".target sm_90\n", ".address_size 64\n", ".visible", ".weak", ".extern", ".entry k()\n{\n", ".func",
    ".param", ".reg", ".shared", ".local", ".const", ".global", ".sreg", ".align", ".ptr", ".v2", ".v4", ".pred", ".b8", ".b16",
    ".b32", ".b64", ".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".f16", ".f16x2", ".f32", ".f64",
    ".maxntid 32, 1, 1", ".reqntid", ".maxnreg", ".minnctapersm", ".noreturn", ".pragma \"nounroll\";\n", ".loc 1 1 1", ".file",
    ".section .debug {", ".callprototype", ".calltargets", ".branchtargets", ".alias", "call.uni", "bra.uni", "ret;\n", "exit;\n",
    "setp.lt.and.f32", "ld.param.u64", "mov.b64", "fma.rn.f32", "brx.idx", "@%p1", "@!%p1", "%r<5>", "%tid.x", "%r1.h0", "%v.xyzw",
    "{%r1, %r2}", "%p1|%p2", "(retval0)", "[%rd1+8]", "generic(x)", "mask()", "_", "0f3F800000", "0d3FF0000000000000", "0x7fffffff",
    "0b101", "077", "1e-5", "WARP_SZ", "<<", ">>", "&&", "||", "? 1 : 2", "(.s64)", "//", "/*", "*/", "$L__1:", NULL};
// clang-format on

/* One entry; what is no plain character goes as \xHH. */
static void entry(const char *s, size_t n) {
  if (n == 0) return;
  putchar('"');
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)s[i];
    if (isgraph(c) && c != '"' && c != '\\')
      putchar(c);
    else
      printf("\\x%02X", c);
  }
  puts("\"");
}

static void words(const char *const *list) {
  for (; *list != NULL; list++) entry(*list, strlen(*list));
}

static void assemble(const struct spec *s) {
  words(assembly);
  for (unsigned i = 0; i < s->n_insns; i++) entry(s->insn[i].name, strlen(s->insn[i].name));
  for (unsigned i = 0; i < s->n_sets; i++)
    for (unsigned k = 0; k < s->set[i].n_tokens; k++) entry(s->set[i].token[k].text, strlen(s->set[i].token[k].text));
}

static void isa(const struct spec *s) {
  static const char *const fixed[] = {
      "isa ",     " 128\n",     "import ",     "\n=== b.isa\n", "move ",         "shuffle ",   "unit ",   "fixed",
      "variable", "control",    "set ",        "width ",        "field ",        "always ",    "format ", "insn ",
      "unit=",    "imm=",       "mem=",        "sem=",          "wide=",         "only=model", "a=",      "b=",
      "c=",       "const",      "global.load", "shared.atom",   "generic.store", "{rd}",       "{a:-|}",  "{b:~}",
      "{c:.}",    "[{a}{off}]", "[, {p}]",     "127:0",         "-|.X=0",        "*",          "#",       NULL};
  words(fixed);
  words(spec_kind_names);
  words(spec_imm_types);
  for (unsigned i = 0; i < s->n_fields; i++) entry(s->field[i].name, strlen(s->field[i].name));
  for (unsigned i = 0; i < s->n_sets; i++) entry(s->set[i].name, strlen(s->set[i].name));
  for (unsigned i = 0; i < s->n_formats; i++) entry(s->format[i].name, strlen(s->format[i].name));
  for (unsigned i = 0; i < s->n_units; i++) entry(s->unit[i].name, strlen(s->unit[i].name));
}

static void config(void) {
  static const char *const fixed[] = {
      " = ", "gto", "lrr", "alu", "fma", "cvt", "sched", "pipes", "0x", "18446744073709551615", NULL};
  words(fixed);
  for (unsigned i = 0; i < CFG_KEYS; i++) entry(cfg_key_names[i], strlen(cfg_key_names[i]));
}

static void elf(void) {
  static const char *const fixed[] = {".text",
                                      ".const3",
                                      ".note.heddle",
                                      ".symtab",
                                      ".strtab",
                                      ".shstrtab",
                                      "HEDDLE",
                                      "\x7f"
                                      "ELF",
                                      NULL};
  words(fixed);
}

int main(int argc, char **argv) {
  struct diag d = {0};
  if (argc != 3) return 2;
  struct spec *s = spec_load(argv[2], &d);
  if (s == NULL) {
    fprintf(stderr, "%s\n", d.text);
    return 1;
  }
  if (strcmp(argv[1], "assemble") == 0) assemble(s);
  if (strcmp(argv[1], "isa") == 0) isa(s);
  if (strcmp(argv[1], "config") == 0) config();
  if (strcmp(argv[1], "elf") == 0) elf();
  if (strcmp(argv[1], "ptx") == 0) words(ptx_words);
  if (strcmp(argv[1], "trace") == 0) entry("HDLTRACE", 8);
  spec_free(s);
  return fflush(stdout) == 0 ? 0 : 1;
}
