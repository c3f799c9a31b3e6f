/* SPDX-License-Identifier: Apache-2.0
 * Kernels and machines; kernels and their notes. */
#include "lint_needs.h"

#include <stdio.h>

#include <heddle/host.h>
#include <heddle/needs.h>

enum { NAMES = 160 };

static void tell_lack(const char *file, const char *kind, const struct heddle_kernel *k, const char *text,
                      json_t *list) {
  printf("%s: %s\n", file, text);
  (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "kind", kind, "kernel", k->name, "text", text));
}

/* Threads of a block that the kernel requires; 0: any number, or one that no launch has. */
static uint32_t required(const struct heddle_kernel *k) {
  const uint32_t one[3] = {1, 1, 1}, *b = k->promise.block;
  return heddle_host_check_shape(one, b) == HEDDLE_REFUSE_NONE ? b[0] * b[1] * b[2] : 0;
}

static unsigned lacking(const char *file, const struct heddle_program *p, const struct heddle_kernel *k,
                        const struct heddle_machine *m, json_t *list) {
  struct heddle_lack lack[HEDDLE_LACKS_MAX];
  char text[700];
  const unsigned n = heddle_machine_lacks(m, p, k, required(k), k->shared_bytes, lack);
  for (unsigned i = 0; i < n; i++)
    tell_lack(file, "lacks", k, heddle_lack_text(m, p, k, &lack[i], text, sizeof text), list);
  return n;
}

static unsigned noted_wrong(const char *file, const struct heddle_program *p, const struct heddle_kernel *k,
                            json_t *list) {
  struct heddle_needs n;
  char noted[NAMES], words[NAMES], text[3 * NAMES + HEDDLE_NAME_MAX];
  if (!k->noted || !heddle_kernel_needs(p, k, &n)) return 0;
  if (n.units == k->needs.units && n.uniform_regs == k->needs.uniform_regs) return 0;
  heddle_needs_text(k->needs.units, noted, sizeof noted);
  heddle_needs_text(n.units, words, sizeof words);
  snprintf(text, sizeof text,
           "kernel %s: its note says units '%s' and %u uniform registers, its words need '%s' and %u", k->name, noted,
           k->needs.uniform_regs, words, n.uniform_regs);
  tell_lack(file, "note", k, text, list);
  return 1;
}

/* Blocks of so many threads that an SM of the machine holds at once. */
static uint32_t held(const struct heddle_machine *m, const struct heddle_kernel *k, uint32_t threads) {
  const uint32_t warps = (threads + 31) / 32,
                 of[3] = {m->warps / warps, m->regs / (warps * k->regs),
                          k->shared_bytes > 0 ? m->shared_bytes / k->shared_bytes : m->blocks};
  uint32_t n = m->blocks;
  for (unsigned i = 0; i < 3; i++) n = of[i] < n ? of[i] : n;
  return n;
}

/* What its launches are held to; the number of blocks at once is a wish, which the machine may not grant. */
static void show_promise(const char *file, const struct heddle_kernel *k, const struct heddle_machine *m) {
  const struct heddle_promise *p = &k->promise;
  if (p->block[0] != 0)
    printf("%s: kernel %s requires blocks of %ux%ux%u (.reqntid)\n", file, k->name, p->block[0], p->block[1],
           p->block[2]);
  if (p->threads != 0)
    printf("%s: kernel %s takes blocks of at most %u threads (.maxntid)\n", file, k->name, p->threads);
  if (p->blocks == 0) return;
  const uint32_t threads = heddle_host_block_threads(p);
  printf("%s: kernel %s wants %u blocks of an SM at once (.minnctapersm)", file, k->name, p->blocks);
  if (m) printf("; %s holds %u of %u threads", m->name, held(m, k, threads), threads);
  putchar('\n');
}

unsigned lint_needs(const char *file, const struct heddle_program *p, const struct heddle_machine *m, json_t *list) {
  unsigned n = 0;
  for (uint32_t i = 0; i < p->kernels; i++) {
    const struct heddle_kernel *k = &p->kernel[i];
    if (k->is_function) continue;
    show_promise(file, k, m);
    n += noted_wrong(file, p, k, list);
    if (m) n += lacking(file, p, k, m, list);
  }
  return n;
}
