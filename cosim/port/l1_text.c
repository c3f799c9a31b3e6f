/* SPDX-License-Identifier: Apache-2.0
 *
 * The cache in words: its bugs, its options, who waits for what when nothing moves.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/port/l1_internal.h"

static const struct {
  const char *name, *meaning, *breaks;
} bugs[BUGS] = {
#define X(id, name, meaning, breaks) [BUG_##id] = {name, meaning, breaks},
    L1_BUGS(X)
#undef X
};

const char *heddle_l1_bug_name(unsigned n) {
  return n < BUGS ? bugs[n].name : NULL;
}
const char *heddle_l1_bug_meaning(unsigned n) {
  return n < BUGS ? bugs[n].meaning : NULL;
}

unsigned heddle_l1_bug_find(const char *name) {
  for (unsigned i = 1; i < BUGS; i++)
    if (strcmp(bugs[i].name, name) == 0) return i;
  return 0;
}

/* ---- options ------------------------------------------------------------------------------------ */

static bool option_number(const char *text, unsigned *v) {
  char *end;
  const unsigned long n = strtoul(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != 0 || n > UINT32_MAX) return false;
  *v = (unsigned)n;
  return true;
}

static bool take_l1_option(struct l1_options *o, const char *word, char *err, size_t err_bytes) {
  const struct {
    const char *name;
    unsigned *to;
  } known[] = {{"ways=", &o->ways}, {"mshrs=", &o->mshrs}, {"epoch=", &o->epoch_bits}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strncmp(word, known[i].name, strlen(known[i].name)) == 0 &&
        option_number(word + strlen(known[i].name), known[i].to))
      return true;
  if (strncmp(word, "bug=", 4) == 0) {
    o->bug = heddle_l1_bug_find(word + 4);
    if (o->bug != 0) return true;
    snprintf(err, err_bytes, "there is no bug '%s' of the L1", word + 4);
    return false;
  }
  snprintf(err, err_bytes, "'%s' is none of ways=N, mshrs=N, epoch=N, bug=NAME", word);
  return false;
}

/* Words between commas, one after the other; what is after the last one is NULL. */
static char *next_word(char **rest) {
  char *word = *rest;
  if (word == NULL) return NULL;
  const size_t n = strcspn(word, ",");
  *rest = word[n] == 0 ? NULL : word + n + 1;
  word[n] = 0;
  return word;
}

bool heddle_l1_parse(struct l1_options *o, const char *text, char *err, size_t err_bytes) {
  char copy[200], *rest = copy;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy) {
    snprintf(err, err_bytes, "too long");
    return false;
  }
  const char *word = next_word(&rest);
  unsigned bytes = 0;
  if (!option_number(word, &bytes)) {
    snprintf(err, err_bytes, "'%s' is no number of bytes", word);
    return false;
  }
  o->bytes = bytes;
  while ((word = next_word(&rest)) != NULL)
    if (!take_l1_option(o, word, err, err_bytes)) return false;
  struct l1 *c = heddle_l1_new(o);
  if (c == NULL)
    snprintf(err, err_bytes,
             "an L1 has 2^n bytes from 128 * ways to 1 MiB, 1 to 64 ways (2^n), 1 to %u mshrs, epochs of 1 to 16 bits",
             L1_MAX_MSHRS);
  heddle_l1_free(c);
  return c != NULL;
}

/* ---- who waits ---------------------------------------------------------------------------------- */

static void append_error(struct l1 *c, const char *text) {
  const size_t n = strlen(c->error);
  snprintf(c->error + n, sizeof c->error - n, "%s", text);
}

static void add_access(struct l1 *c, const struct access *e) {
  static const char *const what[] = {"", "for its pass", "for fills", "for memory", "for the SM"};
  char text[120];
  snprintf(text, sizeof text, "; tag %u (slot %u seq %u line 0x%llx) %s", e->r.tag, e->r.slot, e->r.seq,
           (unsigned long long)e->name.key, what[e->where]);
  append_error(c, text);
}

void l1_still(struct l1 *c) {
  if (c->error[0] != 0) return;
  snprintf(c->error, sizeof c->error,
           "cycle %llu: L1 of SM %u: nothing has moved for %u cycles; %u fences wait, %u are to leave with credits %u "
           "+ %u; these wait:",
           (unsigned long long)c->cycle, c->o.sm, L1_STILL, c->fences, c->leaves, c->credits, c->atoms);
  for (unsigned t = 0; t < c->o.tags; t++)
    if (c->access[t].where != FREE) add_access(c, &c->access[t]);
}
