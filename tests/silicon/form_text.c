/* SPDX-License-Identifier: Apache-2.0 */
#include "form_text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tests/test.h"

struct out {
  char *text;
  size_t n;
};

static void put(struct out *o, const char *s, size_t n) {
  assert_true(o->n + n < FORM_TEXT_MAX);
  memcpy(o->text + o->n, s, n);
  o->n += n;
  o->text[o->n] = '\0';
}

static void puts_to(struct out *o, const char *s) {
  put(o, s, strlen(s));
}

/* The register that a placeholder stands for; NULL: none. */
static const char *placeholder(const char *s, size_t n) {
  static const struct {
    const char *name, *reg;
  } known[] = {{"a", "R4"},   {"a1", "R5"},  {"b", "R6"},   {"b1", "R7"}, {"c", "R8"},   {"c1", "R9"}, {"d", "R10"},
               {"d1", "R11"}, {"t", "R12"},  {"t1", "R13"}, {"u", "R14"}, {"u1", "R15"}, {"v", "R16"}, {"v1", "R17"},
               {"w", "R18"},  {"w1", "R19"}, {"p", "P0"},   {"q", "P1"},  {"e", "UR4"}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strlen(known[i].name) == n && memcmp(known[i].name, s, n) == 0) return known[i].reg;
  return NULL;
}

/* Instructions apart by ';', a line each, the placeholders replaced. Numbers begin with a digit and stay. */
static void put_instructions(struct out *o, const struct form_line *form, const char *s) {
  if (*s == '\0') return;
  while (*s != '\0') {
    size_t n = 1;
    if (isalnum((unsigned char)*s)) {
      while (isalnum((unsigned char)s[n])) n++;
      if (islower((unsigned char)*s)) {
        const char *reg = placeholder(s, n);
        if (reg == NULL) fail_msg("%s (line %u): unknown operand '%.*s'", form->name, form->line, (int)n, s);
        puts_to(o, reg);
      } else {
        put(o, s, n);
      }
    } else if (*s == ';') {
      puts_to(o, " ;\n");
    } else {
      put(o, s, 1);
    }
    s += n;
  }
  puts_to(o, " ;\n");
}

/* R2:R3 = address of this thread's element; R0 holds the number of the thread in the grid. */
static void put_address(struct out *o, char slot, unsigned width) {
  char line[160];
  (void)snprintf(line, sizeof line, "MOV R2, c[0x0][p%c] ;\nMOV R3, c[0x0][p%c+4] ;\nIMAD.WIDE.U32 R2, R0, %u, R2 ;\n",
                 slot, slot, width);
  puts_to(o, line);
}

void form_text(const struct form_line *form, const unsigned width[4], char text[FORM_TEXT_MAX]) {
  struct out o = {text, 0};
  puts_to(&o, ".kernel form\n.param u64 pa\n.param u64 pb\n.param u64 pc\n.param u64 pd\n"
              "S2R R0, SR_TID.X ;\nS2R R1, SR_CTAID.X ;\nIMAD R0, R1, c[0x0][0x0], R0 ;\n");
  for (unsigned slot = 0; slot < 3; slot++) {
    if (width[slot] == 0) continue;
    char line[64];
    put_address(&o, (char)('a' + slot), width[slot]);
    (void)snprintf(line, sizeof line, "LDG.E%s R%u, [R2] ;\n", width[slot] == 8 ? ".64" : "", 4 + 2 * slot);
    puts_to(&o, line);
  }
  put_instructions(&o, form, form->before);
  put_instructions(&o, form, form->text);
  put_instructions(&o, form, form->after);
  put_address(&o, 'd', width[3]);
  puts_to(&o, width[3] == 8 ? "STG.E.64 [R2], R10 ;\n" : "STG.E [R2], R10 ;\n");
  puts_to(&o, "EXIT ;\n.end\n");
}

unsigned form_mnemonic(const char *insn, const char **start) {
  insn += strspn(insn, " ");
  if (*insn == '@') {
    insn += strcspn(insn, " ");
    insn += strspn(insn, " ");
  }
  *start = insn;
  return (unsigned)strcspn(insn, " ;");
}
