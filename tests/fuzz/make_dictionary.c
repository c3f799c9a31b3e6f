/* SPDX-License-Identifier: Apache-2.0
 *
 * A dictionary for libFuzzer: the words of a language, those of the instruction set out of its file, those of PTX out
 * of the compiler's tables.
 * usage: fuzz_make_dictionary assemble|isa|config|layout|records|elf|trace|ptx FILE.isa
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <heddle/host_regs.h>
#include "isa/configs/gen/cfg.h"
#include "tests/fuzz/ptx_dictionary.h"
#include "isa/gen/spec.h"

// clang-format off
static const char *const assembly[] = {
    ".kernel k\n", ".func f\n", ".end\n", ".param u64 ", ".param blob24 ", ".shared ", ".regs ", ".barriers ",
    ".stalls 5 6 8 6\n", ".reqntid 32 4 1\n", ".maxntid 64\n", ".const t u32 ", ".globals 64 32\n", ".global g 8 4\n", ".initial 8 1, 2\n", ".address 16\n",
    ".equ N ", ".word 0x", "[B------:R-:W-:-:S01]", "[B012345:R0:W1:Y:S15]",
    "c[0x0][", "c[0x3][", "@P0 ", "@!P6 ", "@UP0 ", "RZ", "R254", "PT", "URZ", "UPT", "UR0", "UR62", "B15", ".reuse",
    "-|R0|", "~R1", "!P1", "+INF", "-QNAN", "0x7fffffff", "-0x80000000", "0b101", "1e-45", "label:\n", "// ", "# ",
    " ;\n", NULL};
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
      "{c:.}",    "[{a}{off}]", "[, {p}]",     "127:0",         "-|.X=0",        "*",          "#",       "flow=",
      "drains",   NULL};
  words(fixed);
  words(spec_flows);
  words(spec_kind_names);
  words(spec_imm_types);
  for (unsigned i = 0; i < s->n_fields; i++) entry(s->field[i].name, strlen(s->field[i].name));
  for (unsigned i = 0; i < s->n_sets; i++) entry(s->set[i].name, strlen(s->set[i].name));
  for (unsigned i = 0; i < s->n_formats; i++) entry(s->format[i].name, strlen(s->format[i].name));
  for (unsigned i = 0; i < s->n_units; i++) entry(s->unit[i].name, strlen(s->unit[i].name));
}

static void config(void) {
  static const char *const fixed[] = {" = ", HEDDLE_POLICY_NAMES,    "alu", "fma", "cvt", "sched", "pipes",
                                      "0x",  "18446744073709551615", NULL};
  words(fixed);
  for (unsigned i = 0; i < CFG_KEYS; i++) entry(cfg_key_names[i], strlen(cfg_key_names[i]));
}

static void layout(void) {
  static const char *const fixed[] = {"layout ", "part ",  "const ",    "at ",  "field ", "values ", "value ",
                                      "count=",  "every=", "saturates", " rw ", " 11:8 ", "0x",      NULL};
  words(fixed);
}

static void records(void) {
  static const char *const fixed[] = {"records ", "const ", "dim ",  "struct ", "record ", "field ", "like=", "when=",
                                      " u8 ",     " u16 ",  " u32 ", " u64 ",   " u128 ",  "::",     NULL};
  words(fixed);
}

static void elf(void) {
  static const char *const fixed[] = {".text",
                                      ".const3",
                                      ".global",
                                      ".global.zero",
                                      ".global.address",
                                      ".note.heddle",
                                      ".symtab",
                                      ".strtab",
                                      ".shstrtab",
                                      "HEDDLE",
                                      "alu br",
                                      " uni",
                                      " fatom",
                                      " async",
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
  if (strcmp(argv[1], "layout") == 0) layout();
  if (strcmp(argv[1], "records") == 0) records();
  if (strcmp(argv[1], "elf") == 0) elf();
  if (strcmp(argv[1], "ptx") == 0) ptx_dictionary(entry);
  if (strcmp(argv[1], "trace") == 0) entry("HDLTRACE", 8);
  spec_free(s);
  return fflush(stdout) == 0 ? 0 : 1;
}
