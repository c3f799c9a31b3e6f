/* SPDX-License-Identifier: Apache-2.0
 * What gdb reads in pieces: descriptions of registers and threads, the program as a file; and "monitor COMMAND". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "run/command/tool.h"
#include "run/debug/server_internal.h"

/* Registers and threads as gdb reads them. gdb knows no Heddle: it is told of a 64-bit RISC-V without an
 * operating system, whose registers must be there, and of our registers beside them. */

static void describe_registers(FILE *f, const struct target *t) {
  struct target_register r;
  unsigned number = 0;
  fputs("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
        "<architecture>riscv:rv64</architecture><osabi>none</osabi><feature name=\"org.gnu.gdb.riscv.cpu\">",
        f);
  for (; number <= TARGET_PC && target_register(t, number, &r); number++)
    fprintf(f, "<reg name=\"%s\" bitsize=\"64\" type=\"%s\" regnum=\"%u\"/>", r.name, r.type, number);
  fputs("</feature><feature name=\"org.heddle.thread\"><struct id=\"dim3\"><field name=\"x\" type=\"uint32\"/>"
        "<field name=\"y\" type=\"uint32\"/><field name=\"z\" type=\"uint32\"/></struct>",
        f);
  for (; target_register(t, number, &r); number++)
    fprintf(f, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" group=\"%s\" regnum=\"%u\"/>", r.name, 8 * r.bytes, r.type,
            r.group, number);
  fputs("</feature></target>", f);
}

static void threads(FILE *f, const struct target *t) {
  char name[80];
  fputs("<?xml version=\"1.0\"?><threads>", f);
  for (unsigned w = 0; w < t->slots; w++)
    for (uint32_t rest = target_lanes(t, w); rest != 0; rest &= rest - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(rest);
      fprintf(f, "<thread id=\"%" PRIx64 "\" name=\"%s\"/>", target_thread(t, w, lane),
              target_name(t, w, lane, name, sizeof name));
    }
  fputs("</threads>", f);
}

static char *write_to_text(const struct target *t, void (*write)(FILE *f, const struct target *t), size_t *size) {
  char *text = NULL;
  FILE *f = open_memstream(&text, size);
  if (!f) return NULL;
  write(f, t);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

static char *description_registers(const struct target *t, size_t *size) {
  return write_to_text(t, describe_registers, size);
}

/* malloc'ed text of *size bytes; NULL: no memory. */
static char *description_threads(const struct target *t, size_t *size) {
  return write_to_text(t, threads, size);
}

/* Packets for what is larger than one: descriptions, and the program, which gdb opens as if it were a file. */

#define PROGRAM_NAME "/heddle-program"
enum { PROGRAM_FD = 3, STAT_BYTES = 64, STAT_SIZE_AT = 28, STAT_MODE_AT = 8, MODE_FILE = 0100444 };

/* "OFFSET,BYTES" of an object; m: there is more behind it. */
static void piece(struct server *s, const char *text, const void *object, size_t size) {
  uint64_t offset, bytes;
  if (!object || !packet_number(&text, &offset) || *text++ != ',' || !packet_number(&text, &bytes) || offset > size) {
    packet_put(&s->out, "E01");
    return;
  }
  const uint64_t left = size - offset, want = bytes < left ? bytes : left;
  packet_put(&s->out, "m");
  const size_t put = packet_bytes(&s->out, (const char *)object + offset, (size_t)want);
  if (put == left) s->out.text[0] = 'l';
}

/* Behind "NAME:read:ANNEX:"; NULL: it is another object. */
static const char *object_text(const char *text, const char *name) {
  const size_t n = strlen(name);
  return strncmp(text, name, n) == 0 ? text + n : NULL;
}

void answer_object(struct server *s, const char *text) {
  const char *rest = object_text(text, "features:read:target.xml:");
  if (rest) {
    if (!s->registers) s->registers = description_registers(s->t, &s->registers_size);
    piece(s, rest, s->registers, s->registers_size);
    return;
  }
  rest = object_text(text, "threads:read::");
  if (rest) {
    if (!s->threads || strncmp(rest, "0,", 2) == 0) { /* a list is of the moment in which its beginning is read */
      if (s->unseen) s->t->focus = s->last.thread;
      s->t->others = (struct target_others){0};
      s->unseen = false;
      free(s->threads);
      s->threads = description_threads(s->t, &s->threads_size);
    }
    piece(s, rest, s->threads, s->threads_size);
    return;
  }
  const char *colon = strncmp(text, "exec-file:read:", 15) == 0 ? strchr(text + 15, ':') : NULL;
  if (colon) piece(s, colon + 1, PROGRAM_NAME, strlen(PROGRAM_NAME));
}

/* ---- files ---- */

static void read_program(struct server *s, const char *text) {
  uint64_t fd, bytes, offset;
  const bool good = packet_number(&text, &fd) && *text++ == ',' && packet_number(&text, &bytes) && *text++ == ',' &&
                    packet_number(&text, &offset);
  if (!good || fd != PROGRAM_FD) {
    packet_put(&s->out, "F-1,9");
    return;
  }
  const size_t left = offset < s->program_size ? s->program_size - (size_t)offset : 0;
  size_t want = bytes < left ? (size_t)bytes : left;
  if (want > PACKET_MAX / 2 - 32) want = PACKET_MAX / 2 - 32; /* each byte may need an escape */
  packet_put(&s->out, "F%zx;", want);
  (void)packet_bytes(&s->out, s->program + (want > 0 ? offset : 0), want);
}

/* struct stat of the protocol: numbers with their highest byte first. */
static void stat_program(struct server *s) {
  uint8_t b[STAT_BYTES] = {0};
  for (unsigned i = 0; i < 4; i++) b[STAT_MODE_AT + i] = (uint8_t)(MODE_FILE >> (24 - 8 * i));
  for (unsigned i = 0; i < 8; i++) b[STAT_SIZE_AT + i] = (uint8_t)((uint64_t)s->program_size >> (56 - 8 * i));
  packet_put(&s->out, "F%x;", STAT_BYTES);
  (void)packet_bytes(&s->out, b, sizeof b);
}

static void open_program(struct server *s, const char *text) {
  char name[sizeof PROGRAM_NAME] = "";
  const char *comma = strchr(text, ',');
  const size_t n = comma ? (size_t)(comma - text) / 2 : 0;
  const bool same =
      n == sizeof PROGRAM_NAME - 1 && packet_unhex(&text, (uint8_t *)name, n) && strcmp(name, PROGRAM_NAME) == 0;
  if (same)
    packet_put(&s->out, "F%x", PROGRAM_FD);
  else
    packet_put(&s->out, "F-1,2"); /* no such file */
}

void answer_file(struct server *s, const char *text) {
  if (strncmp(text, "setfs:", 6) == 0 || strncmp(text, "close:", 6) == 0)
    packet_put(&s->out, "F0");
  else if (strncmp(text, "open:", 5) == 0)
    open_program(s, text + 5);
  else if (strncmp(text, "pread:", 6) == 0)
    read_program(s, text + 6);
  else if (strncmp(text, "fstat:", 6) == 0)
    stat_program(s);
}

/* Warps, their paths, predicates and barriers; memory by space; instructions. */

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
} commands[] = {{"warps", "warps that live, and where their lanes are", warps},
                {"paths", "the same of this thread's warp", paths},
                {"predicates", "of this thread's warp, a bit a lane", print_predicates},
                {"barriers", "at which this thread's warp or some lanes of it wait", barriers},
                {"space", "shared|local ADDR [BYTES], const BANK ADDR [BYTES]: memory as this thread sees it", space},
                {"dis", "[ADDR [COUNT]]: instructions, from this thread's next one", dis},
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
