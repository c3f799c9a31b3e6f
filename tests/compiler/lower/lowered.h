/* SPDX-License-Identifier: Apache-2.0
 *
 * Text through the parser and lowering; the graph as text that a test can write down. A register has its name without
 * "%", a temporary is t0, t1 ... in the order of appearance.
 */
#ifndef HEDDLE_TEST_LOWERED_H
#define HEDDLE_TEST_LOWERED_H

#include <ctype.h>

#include "compiler/ir/ir.h"
#include "tests/compiler/parse/parsed.h"

struct lowered {
  struct parsed p;
  struct ptx_arena *arena; /* the kernel's */
  struct ir_function *f;   /* of the first entry; NULL: refused */
  char *text;              /* of the graph, normalised, lines joined by "; " */
};

#define REGISTERS                                                                                                      \
  ".reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>; .reg .f64 %e<8>; .reg .b8 "   \
  "%c<4>;"
/* The rest is on line 2. */
#define OPEN HEAD ".entry k(.param .u64 pa, .param .u32 pb) { " REGISTERS "\n"
#define CLOSE "\n}"
#define BODY(text) OPEN text CLOSE

static inline const struct ptx_function *first_entry(const struct ptx_module *m) {
  const struct ptx_function *k = m->functions;
  while (k && !k->entry) k = k->next;
  return k;
}

static inline bool all_digits(const char *s, size_t n) {
  for (size_t k = 0; k < n; k++)
    if (!isdigit((unsigned char)s[k])) return false;
  return n > 0;
}

struct normaliser {
  FILE *to;
  unsigned long seen[1000];
  unsigned temps;
};

static inline void put_token(struct normaliser *z, const char *s, size_t n) {
  size_t dot = n;
  while (dot > 0 && s[dot - 1] != '.') dot--;
  if (s[0] == '%' && all_digits(s + 1, n - 1)) {
    unsigned long id = strtoul(s + 1, NULL, 10);
    unsigned k = 0;
    while (k < z->temps && z->seen[k] != id) k++;
    if (k == z->temps && z->temps < 999) z->seen[z->temps++] = id;
    fprintf(z->to, "t%u", k);
  } else if (dot > 1 && all_digits(s + dot, n - dot)) {
    fprintf(z->to, "%.*s", (int)(dot - 1 - (s[0] == '%')), s + (s[0] == '%'));
  } else {
    fprintf(z->to, "%.*s", (int)n, s);
  }
}

static inline bool in_token(char c) {
  return isalnum((unsigned char)c) || c == '%' || c == '.' || c == '_' || c == '$';
}

/* `blocks`: the lines "b0:" too. */
static inline char *normalised(const struct ir_function *f, bool blocks) {
  char *raw = NULL, *out = NULL;
  size_t raw_size, out_size;
  FILE *to = open_memstream(&raw, &raw_size);
  ir_print(f, to);
  fclose(to);
  struct normaliser z = {.to = open_memstream(&out, &out_size)};
  const char *between = "";
  for (char *save, *line = strtok_r(raw, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    bool label = line[0] == 'b' && isdigit((unsigned char)line[1]);
    if (strncmp(line, "kernel", 6) == 0 || (label && !blocks)) continue;
    fputs(between, z.to);
    between = "; ";
    for (const char *s = line + (label ? 0 : 2); *s;) {
      size_t n = 0;
      while (in_token(s[n])) n++;
      if (n)
        put_token(&z, s, n);
      else
        fputc(s[n++], z.to);
      s += n;
    }
  }
  fclose(z.to);
  free(raw);
  return out;
}

static inline struct ir_function *lowered(struct lowered *l, const char *text, bool blocks) {
  l->f = NULL;
  l->text = NULL;
  l->arena = NULL;
  if (!parsed_text(&l->p, text)) return NULL;
  unsigned before = ptx_errors(&l->p.diag);
  l->arena = ptx_arena_new((size_t)1 << 30);
  ptx_arena_report(l->arena, &l->p.diag);
  if (setjmp(l->p.diag.exit) == 0)
    l->f = ir_lower(l->arena, &l->p.diag, l->p.module, first_entry(l->p.module));
  else
    l->p.gave_up = true;
  assert_int_equal(l->f == NULL, ptx_errors(&l->p.diag) > before);
  if (!l->f) return NULL;
  const char *wrong = ir_check(l->f, false);
  if (wrong) fail_msg("%s\n%s", wrong, text);
  l->text = normalised(l->f, blocks);
  return l->f;
}

static inline void lowered_free(struct lowered *l) {
  free(l->text);
  ptx_arena_free(l->arena);
  ptx_arena_free(l->p.arena);
}

struct lowering { /* statements, and what they become */
  const char *body, *graph;
};

/* The bodies, each in a kernel of its own; what they end with, "; exit", is not written down. */
static inline void check_bodies(const struct lowering *t, size_t n) {
  for (size_t k = 0; k < n; k++) {
    char text[2000], wanted[2000];
    struct lowered l;
    snprintf(text, sizeof text, "%s%s%s", OPEN, t[k].body, CLOSE);
    snprintf(wanted, sizeof wanted, "%s%sexit", t[k].graph, t[k].graph[0] ? "; " : "");
    if (!lowered(&l, text, false)) fail_msg("%s: %s", t[k].body, l.p.messages ? l.p.message[0].text : "no message");
    if (strcmp(l.text, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", t[k].body, l.text, wanted);
    lowered_free(&l);
  }
}
#define CHECK_BODIES(table) check_bodies(table, sizeof(table) / sizeof(table)[0])

struct refusal { /* a module, with ` where the first message points, and a part of that message */
  const char *text, *message;
};

/* The text without its mark, and where that was. */
static inline char *unmarked(const char *text, unsigned *line, unsigned *column) {
  const char *mark = strchr(text, '`');
  char *out = malloc(strlen(text) + 1);
  assert_true(mark && out);
  *line = 1;
  *column = 1;
  for (const char *s = text; s < mark; s++) {
    *column = *s == '\n' ? 1 : *column + 1;
    *line += *s == '\n';
  }
  memcpy(out, text, (size_t)(mark - text));
  strcpy(out + (mark - text), mark + 1);
  return out;
}

static inline void check_refusals(const struct refusal *t, size_t n) {
  for (size_t k = 0; k < n; k++) {
    struct lowered l;
    unsigned line, column;
    char *text = unmarked(t[k].text, &line, &column);
    if (lowered(&l, text, false)) fail_msg("not refused: %s", text);
    assert_true(l.p.messages > 0);
    const struct heddle_message *m = &l.p.message[0];
    if (m->line != line || m->column != column || !strstr(m->text, t[k].message))
      fail_msg("%s\n  is     %u:%u: %s\n  wanted %u:%u: %s", text, m->line, m->column, m->text, line, column,
               t[k].message);
    lowered_free(&l);
    free(text);
  }
}
#define CHECK_REFUSALS(table) check_refusals(table, sizeof(table) / sizeof(table)[0])

#endif
