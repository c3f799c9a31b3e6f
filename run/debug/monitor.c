/* SPDX-License-Identifier: Apache-2.0
 * Warps, their paths, predicates and barriers; memory by space; instructions. */
#include "monitor.h"

#include <inttypes.h>
#include <string.h>

#include <heddle/asm.h>
#include "run/command/tool.h"

enum { WORDS_MAX = 8, DUMP_MAX = 4096, INSTRUCTIONS_MAX = 256 };

struct asked {
  const struct target *t;
  unsigned w, lane;
  const char *report;
  char *word[WORDS_MAX]; /* "" behind the last */
  FILE *out;
};

/* ---- warps ---- */

static void print_instruction(const struct asked *a, uint32_t pc) {
  const struct heddle_program *p = a->t->job->program;
  char text[256] = "no instruction";
  const char *file;
  unsigned line;
  if (pc < p->code_bytes && heddle_program_begins(p, pc))
    heddle_disassemble(heddle_program_word(p, pc), pc, text, sizeof text);
  fprintf(a->out, "0x%04" PRIx32 "  %s", pc, text);
  if (heddle_program_line(p, pc, &file, &line)) fprintf(a->out, "  // %s:%u", file, line);
  fputc('\n', a->out);
}

static void path(const struct asked *a, const struct heddle_path *p, bool waits) {
  fprintf(a->out, "  lanes 0x%08" PRIx32 " ", p->lanes);
  if (p->doing == HEDDLE_LANES_PARK && p->barrier < 16)
    fprintf(a->out, "parked at B%u, ", p->barrier);
  else if (p->doing == HEDDLE_LANES_PARK)
    fprintf(a->out, "parked at WARPSYNC, ");
  else
    fputs(p->doing == HEDDLE_LANES_WAIT ? "wait for their turn, " : waits ? "then " : "issue ", a->out);
  print_instruction(a, p->pc);
}

static void one_warp(const struct asked *a, unsigned w) {
  struct heddle_standing s;
  struct heddle_path p[HEDDLE_LANES];
  if (!heddle_warp_standing(a->t->m, w, &s)) return;
  fprintf(a->out, "%c slot %u: block (%u,%u,%u) warp %u, instruction %u", w == a->w ? '*' : ' ', w, s.ctaid[0],
          s.ctaid[1], s.ctaid[2], s.index, s.seq);
  if (s.ended) fputs(", has ended", a->out);
  if (s.waiting)
    fprintf(a->out, ", waits at barrier %u (%d of %u warps are there)", s.bar_id, __builtin_popcount(s.bar_here),
            s.bar_needs);
  fputc('\n', a->out);
  const unsigned n = heddle_warp_paths(a->t->m, w, p);
  for (unsigned i = 0; i < n; i++) path(a, &p[i], s.waiting);
}

static void warps(const struct asked *a) {
  for (unsigned w = 0; w < a->t->slots; w++) one_warp(a, w);
}

static void paths(const struct asked *a) {
  one_warp(a, a->w);
}

static void print_predicates(const struct asked *a) {
  for (unsigned p = 0; p < 7; p++) {
    uint32_t lanes = 0;
    for (unsigned i = 0; i < HEDDLE_LANES; i++) lanes |= (uint32_t)heddle_pred(a->t->m, a->w, p, i) << i;
    fprintf(a->out, "P%u  lanes 0x%08" PRIx32 "    UP%u %d\n", p, lanes, p, heddle_upred(a->t->m, a->w, p));
  }
}

static void barriers(const struct asked *a) {
  struct heddle_standing s;
  bool any = false;
  if (!heddle_warp_standing(a->t->m, a->w, &s)) return;
  for (unsigned x = 0; x < 17; x++) {
    if (s.parked[x] == 0) continue;
    any = true;
    if (x < 16) fprintf(a->out, "B%u: ", x);
    if (x == 16) fputs("WARPSYNC: ", a->out);
    fprintf(a->out, "lanes 0x%08" PRIx32 " are parked, until 0x%08" PRIx32 " come\n", s.parked[x], s.missing[x]);
  }
  if (s.waiting)
    fprintf(a->out, "barrier %u: warps 0x%08" PRIx32 " of the block are there, %u release it\n", s.bar_id, s.bar_here,
            s.bar_needs);
  if (!any && !s.waiting) fputs("the warp waits at no barrier\n", a->out);
}

/* ---- memory, instructions ---- */

static void dump(const struct asked *a, uint64_t window, uint64_t at, uint64_t bytes) {
  uint8_t b[16];
  for (uint64_t i = 0; i < bytes && i < DUMP_MAX; i += 16) {
    const size_t want = bytes - i < 16 ? (size_t)(bytes - i) : 16;
    const size_t n = target_look(a->t, a->w, a->lane, window | (at + i), b, want);
    fprintf(a->out, "0x%06" PRIx64 " ", at + i);
    for (size_t k = 0; k + 4 <= n; k += 4)
      fprintf(a->out, " %08" PRIx32,
              (uint32_t)b[k] | (uint32_t)b[k + 1] << 8 | (uint32_t)b[k + 2] << 16 | (uint32_t)b[k + 3] << 24);
    for (size_t k = n / 4 * 4; k < n; k++) fprintf(a->out, " %02x", b[k]);
    fputs(n < want ? "  no memory behind it\n" : "\n", a->out);
    if (n < want) break;
  }
}

/* space shared ADDR [BYTES], space local ADDR [BYTES], space const BANK ADDR [BYTES] */
static void space(const struct asked *a) {
  const bool shared = strcmp(a->word[1], "shared") == 0, local = strcmp(a->word[1], "local") == 0;
  const bool constant = strcmp(a->word[1], "const") == 0;
  const unsigned first = constant ? 3 : 2;
  uint64_t bank = 0, at, bytes = 64;
  if (!(shared || local || constant) || (constant && !tool_number(a->word[2], 3, &bank)) ||
      !tool_number(a->word[first], UINT32_MAX, &at) ||
      (a->word[first + 1][0] && !tool_number(a->word[first + 1], DUMP_MAX, &bytes))) {
    fprintf(a->out, "space shared|local ADDR [BYTES], or space const BANK ADDR [BYTES]; at most %d bytes\n", DUMP_MAX);
    return;
  }
  dump(a, shared ? TARGET_SHARED : local ? TARGET_LOCAL : TARGET_CONST | bank << 32, at, bytes);
}

/* dis [ADDR [COUNT]] */
static void dis(const struct asked *a) {
  const struct heddle_program *p = a->t->job->program;
  uint64_t pc = target_pc(a->t, a->w, a->lane), count = 8;
  const bool good = (!a->word[1][0] || tool_number(a->word[1], UINT32_MAX, &pc)) &&
                    (!a->word[2][0] || tool_number(a->word[2], INSTRUCTIONS_MAX, &count));
  if (!good || pc >= p->code_bytes || !heddle_program_begins(p, (uint32_t)pc)) {
    fprintf(a->out, "dis [ADDR [COUNT]]: ADDR of an instruction, COUNT at most %d\n", INSTRUCTIONS_MAX);
    return;
  }
  for (; count > 0 && pc < p->code_bytes; count--, pc = heddle_program_next(p, (uint32_t)pc)) {
    fputs(pc == target_pc(a->t, a->w, a->lane) ? "=> " : "   ", a->out);
    print_instruction(a, (uint32_t)pc);
  }
}

static void print_difference(const struct asked *a) {
  fputs(a->report ? a->report : "there is no difference: the model runs alone\n", a->out);
}

/* ---- */

static void help(const struct asked *a);

static const struct {
  const char *name, *what;
  void (*run)(const struct asked *a);
} commands[] = {{"warps", "warps that live, and where their lanes stand", warps},
                {"paths", "the same of this thread's warp", paths},
                {"predicates", "of this thread's warp, a bit a lane", print_predicates},
                {"barriers", "at which this thread's warp or some lanes of it wait", barriers},
                {"space", "shared|local ADDR [BYTES], const BANK ADDR [BYTES]: memory as this thread sees it", space},
                {"dis", "[ADDR [COUNT]]: instructions, from where this thread stands", dis},
                {"report", "the difference at which a lockstep run stopped", print_difference},
                {"help", "this list", help}};

static void help(const struct asked *a) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    fprintf(a->out, "monitor %-10s %s\n", commands[i].name, commands[i].what);
}

void monitor_run(const struct target *t, unsigned w, unsigned lane, const char *report_text, const char *line,
                 FILE *out) {
  static char nothing[1];
  char text[256], *rest = NULL;
  struct asked a = {.t = t, .w = w, .lane = lane, .report = report_text, .out = out};
  snprintf(text, sizeof text, "%s", line);
  char *word = strtok_r(text, " ", &rest);
  if (word && strcmp(word, "info") == 0) word = strtok_r(NULL, " ", &rest);
  for (unsigned i = 0; i < WORDS_MAX; i++, word = word ? strtok_r(NULL, " ", &rest) : NULL)
    a.word[i] = word ? word : nothing;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(a.word[0], commands[i].name) == 0) {
      commands[i].run(&a);
      return;
    }
  fprintf(out, "no such command; 'monitor help' lists them\n");
}
