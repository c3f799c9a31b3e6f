/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/memory-port.md: a cache in front of a slow memory, as time, and an SM that reads eight lines twice. */
#include <stdio.h>

#include <heddle/line_port.h>

#define SETS 64u

struct cache {
  uint64_t line[SETS]; /* + 1; 0: nothing there */
  unsigned hits, misses;
};

/* Direct-mapped; stores and atomics go through. */
static uint32_t time_of(void *context, const struct heddle_line_port_request *r, uint64_t cycle) {
  struct cache *c = context;
  uint64_t *held = &c->line[r->line % SETS];
  (void)cycle;
  const bool hit = *held == r->line + 1 && r->kind != HEDDLE_LINE_PORT_ATOM;
  *held = r->line + 1;
  hit ? c->hits++ : c->misses++;
  return hit ? 8 : 200;
}

/* The SM: line `n`, all four sectors, of warp 0; returns the cycles until its end. */
static uint64_t time_line_load(struct heddle_line_port *p, uint64_t n, uint32_t seq) {
  const uint64_t from = heddle_line_port_cycle(p);
  struct heddle_line_port_in in = {.request_valid = true, .answer_ready = true};
  in.request = (struct heddle_line_port_request){.line = n, .sectors = 15, .seq = seq, .lanes = ~0u};
  for (unsigned l = 0; l < 32; l++) in.request.at[l] = (uint8_t)(l / 8);
  do {
    heddle_line_port_offer(p, 0, &in);
    heddle_line_port_clock(p);
    in.request_valid = false;
  } while (!heddle_line_port_show(p, 0)->answer_valid);
  heddle_line_port_offer(p, 0, &in); /* the end is taken */
  heddle_line_port_clock(p);
  return heddle_line_port_cycle(p) - from;
}

int main(void) {
  struct cache c = {.hits = 0};
  struct heddle_line_port_options o = {.size = sizeof o};
  heddle_line_port_calm(&o, 256, 1);
  o.bytes = 1 << 16;
  o.tags = o.atoms = 1;
  o.memory.context = &c;
  o.memory.time = time_of;
  struct heddle_line_port *p = heddle_line_port_new(&o);
  if (p == NULL) return 1;
  for (unsigned i = 0; i < 4; i++) heddle_line_port_clock(p); /* credits come */
  for (unsigned turn = 0; turn < 2; turn++) {
    uint64_t cycles = 0;
    for (unsigned n = 0; n < 8; n++) cycles += time_line_load(p, n, 8 * turn + n);
    printf("turn %u: %llu cycles a line\n", turn, (unsigned long long)cycles / 8);
  }
  printf("%u hits, %u misses%s\n", c.hits, c.misses,
         heddle_line_port_error(p) != NULL ? heddle_line_port_error(p) : "");
  heddle_line_port_free(p);
  return 0;
}
