/* SPDX-License-Identifier: Apache-2.0
 *
 * The AXI memory full: 256 transactions each way and no more, order within an id, latency to the cycle, and bursts of
 * every length and width of beats.
 */
#include <stdlib.h>
#include <string.h>

#include <heddle/axi_mem.h>
#include "tests/test.h"
#include "base/splitmix64.h"

#define BASE 0x40000u
#define BYTES 0x20000u
#define PAGE 4096u
#define MANY 256u

struct rig {
  struct heddle_axi_mem *m;
  struct heddle_axi_mem_in in;
  struct heddle_axi_mem_out out; /* of the cycle that is over */
  uint64_t cycle;
};

static struct heddle_axi_mem_config calm(unsigned bus, uint32_t latency) {
  struct heddle_axi_mem_config c = {.size = sizeof c, .base = BASE, .bytes = BYTES, .data_bytes = bus};
  heddle_axi_mem_calm(&c);
  c.latency_min = c.latency_max = latency;
  return c;
}

static void tick(struct rig *g) {
  g->out = *heddle_axi_mem_outputs(g->m);
  heddle_axi_mem_clock(g->m, &g->in);
  g->cycle++;
}

static void begin(struct rig *g, const struct heddle_axi_mem_config *c) {
  memset(g, 0, sizeof *g);
  g->m = heddle_axi_mem_new(c);
  assert_non_null(g->m);
  tick(g); /* readies come up */
}

static void end(struct rig *g) {
  if (heddle_axi_mem_protocol_error(g->m) != NULL) fail_msg("%s", heddle_axi_mem_protocol_error(g->m));
  heddle_axi_mem_free(g->m);
}

static struct heddle_axi_mem_addr one_sector(uint32_t id, unsigned number) {
  return (struct heddle_axi_mem_addr){true, 3, 3, 1, id, BASE + 32ull * number};
}

/* Offers the next of `n` and counts those that are taken, in one cycle. */
static void offer(struct rig *g, bool write, unsigned n, unsigned ids, unsigned *taken) {
  struct heddle_axi_mem_addr *a = write ? &g->in.aw : &g->in.ar;
  a->valid = false;
  if (*taken < n) *a = one_sector(*taken % ids, write ? *taken : 1024 + *taken);
  tick(g);
  *taken += a->valid && (write ? g->out.aw_ready : g->out.ar_ready);
}

/* Of 300 reads, one a cycle, 256 are taken at once; the next waits until one is over, and so does each after it. */
static void test_many_reads(void **state) {
  (void)state;
  static struct rig g;
  const struct heddle_axi_mem_config c = calm(8, 1000);
  unsigned taken = 0, beats = 0;
  begin(&g, &c);
  for (unsigned i = 0; i < 900; i++) {
    assert_true(i >= MANY || taken == i);
    offer(&g, false, 300, 200, &taken);
  }
  assert_int_equal(taken, MANY);
  g.in.r_ready = true;
  for (unsigned i = 0; i < 3000; i++) {
    offer(&g, false, 300, 200, &taken);
    beats += g.out.r_valid;
    assert_true(taken <= MANY + beats / 4);
  }
  assert_int_equal(taken, 300);
  assert_int_equal(beats, 4 * 300);
  assert_true(heddle_axi_mem_idle(g.m));
  end(&g);
}

/* The same of writes, whose data comes only then; meanwhile as many reads are under way. */
static void test_many_writes(void **state) {
  (void)state;
  static struct rig g;
  const struct heddle_axi_mem_config c = calm(8, 1000);
  unsigned reads = 0, writes = 0, answers = 0, beat = 0;
  begin(&g, &c);
  for (unsigned i = 0; i < 400; i++) offer(&g, false, MANY, 3, &reads);
  for (unsigned i = 0; i < 400; i++) offer(&g, true, 300, 200, &writes);
  assert_int_equal(reads, MANY);
  assert_int_equal(writes, MANY);
  g.in.b_ready = g.in.w_valid = true;
  for (unsigned i = 0; i < 5000; i++) {
    g.in.w_valid = beat < 4 * 300;
    g.in.w_strb[0] = 0xff;
    g.in.w_last = beat % 4 == 3;
    g.in.w_data[0] = (uint8_t)(beat / 4);
    offer(&g, true, 300, 200, &writes);
    beat += g.in.w_valid && g.out.w_ready;
    if (g.out.b_valid) assert_int_equal(g.out.b_id, answers++ % 200);
    assert_true(writes <= MANY + answers);
  }
  assert_int_equal(answers, 300);
  for (unsigned i = 0; i < 300; i++) assert_int_equal(heddle_axi_mem_view(g.m)[32 * i], (uint8_t)i);
  end(&g);
}

/* Which answer of its id is this? Reads tell by their data. */
static void test_order(void **state) {
  (void)state;
  static struct rig g;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    struct heddle_axi_mem_config c = calm(32, 1);
    const unsigned ids = seed < 5 ? 5 : 300; /* and ids that are equal in the low byte */
    unsigned taken = 0, done = 0, next[300] = {0}, passed = 0;
    heddle_axi_mem_adversarial(&c, seed);
    c.latency_min = 300, c.latency_max = 400; /* all are under way before the first is answered */
    begin(&g, &c);
    for (unsigned i = 0; i < MANY; i++) memcpy(heddle_axi_mem_bytes(g.m) + 32 * (1024 + i), &i, sizeof i);
    g.in.r_ready = true;
    for (unsigned i = 0; i < 5000; i++) {
      if (!g.in.ar.valid && taken < MANY)
        g.in.ar = (struct heddle_axi_mem_addr){true, 0, 5, 1, taken % ids, BASE + 32ull * (1024 + taken)};
      tick(&g);
      if (g.in.ar.valid && g.out.ar_ready) taken++, g.in.ar.valid = false;
      if (!g.out.r_valid) continue;
      unsigned which;
      memcpy(&which, g.out.r_data, sizeof which);
      assert_int_equal(which % ids, g.out.r_id);
      assert_int_equal(which / ids, next[g.out.r_id]++);
      passed += which != done++;
    }
    assert_int_equal(done, MANY);
    assert_true(passed > MANY / 2); /* different ids pass each other */
    end(&g);
  }
}

/* Exactly `latency` cycles lie between request and answer, one after the other and one a cycle. */
static void latency_of_reads(uint32_t latency, unsigned every) {
  static struct rig g;
  const struct heddle_axi_mem_config c = calm(32, latency);
  uint64_t asked[600];
  unsigned taken = 0, done = 0;
  begin(&g, &c);
  g.in.r_ready = true;
  for (unsigned i = 0; done < 200; i++) {
    g.in.ar.valid = false;
    if (i % every == 0) g.in.ar = (struct heddle_axi_mem_addr){true, 0, 5, 1, i % 7, BASE + 32ull * (i % 1024)};
    tick(&g);
    if (g.in.ar.valid && g.out.ar_ready) asked[taken++ % 600] = g.cycle;
    if (g.out.r_valid) assert_int_equal(g.cycle, asked[done++ % 600] + latency + 1);
  }
  assert_true(taken <= done + MANY);
  end(&g);
}

/* Two beats a write, so an address every other cycle; its data a cycle later. */
static void latency_of_writes(uint32_t latency) {
  static struct rig g;
  const struct heddle_axi_mem_config c = calm(16, latency);
  uint64_t whole[600];
  unsigned beats = 0, done = 0;
  begin(&g, &c);
  g.in.b_ready = true;
  for (unsigned i = 0; done < 120; i++) {
    g.in.aw.valid = i % 2 == 0;
    if (g.in.aw.valid) g.in.aw = (struct heddle_axi_mem_addr){true, 1, 4, 1, i % 7, BASE + 16ull * (i % 1024)};
    g.in.w_valid = i > 0;
    g.in.w_strb[0] = 0xffff;
    g.in.w_last = i % 2 == 0;
    tick(&g);
    assert_true(g.out.aw_ready && g.out.w_ready);
    if (g.in.w_valid && g.in.w_last) whole[beats++ % 600] = g.cycle;
    if (g.out.b_valid) assert_int_equal(g.cycle, whole[done++ % 600] + latency + 1);
  }
  end(&g);
}

static void test_latency(void **state) {
  static const uint32_t latency[] = {0, 1, 2, 7, 100, 200, 250, 1000};
  (void)state;
  for (unsigned i = 0; i < sizeof latency / sizeof *latency; i++) {
    const bool room = latency[i] + 4 < MANY; /* for one a cycle */
    if (room) latency_of_reads(latency[i], 1);
    latency_of_reads(latency[i], 5);
    if (room) latency_of_writes(latency[i]);
  }
}

/* ---- bursts ---- */

struct burst {
  struct heddle_axi_mem_addr a;
  unsigned bus;
};

/* Bytes of beat `k`, as the bus numbers them: from the address (of the first beat) to the end of the transfer. */
static uint64_t beat_from(const struct burst *b, unsigned k) {
  const uint64_t step = 1ull << b->a.size;
  return k == 0 ? b->a.addr : b->a.addr / step * step + k * step;
}

static uint64_t beat_end(const struct burst *b, unsigned k) {
  const uint64_t step = 1ull << b->a.size;
  return (beat_from(b, k) / step + 1) * step;
}

static struct burst any_burst(uint64_t *rng, unsigned bus) {
  struct burst b = {.bus = bus};
  unsigned widest = 0;
  while (1u << widest < bus) widest++;
  b.a = (struct heddle_axi_mem_addr){.valid = true, .burst = 1, .id = (uint32_t)(splitmix64(rng) % 16)};
  b.a.size = (uint8_t)(splitmix64(rng) % 3 == 0 ? splitmix64(rng) % (widest + 1) : widest);
  const uint64_t page = BASE + splitmix64(rng) % (BYTES / PAGE) * PAGE, step = 1ull << b.a.size,
                 at = splitmix64(rng) % 4 == 0 ? 0 : splitmix64(rng) % PAGE;
  const uint64_t room = (PAGE - at / step * step) / step, most = room < 256 ? room : 256;
  b.a.addr = page + at;
  b.a.len = (uint8_t)((splitmix64(rng) % 4 == 0 ? most : 1 + splitmix64(rng) % most) - 1);
  return b;
}

static void write_burst(struct rig *g, const struct burst *b, uint64_t *rng, uint8_t *shadow) {
  bool asked = false;
  unsigned k = 0;
  g->in.aw = b->a;
  for (bool answered = false; !answered;) {
    g->in.aw.valid = !asked;
    if (!g->in.w_valid && k <= b->a.len) {
      const uint64_t bus = beat_from(b, k) / b->bus * b->bus;
      g->in.w_valid = true;
      g->in.w_last = k == b->a.len;
      memset(g->in.w_strb, 0, sizeof g->in.w_strb);
      for (unsigned j = 0; j < b->bus; j++) g->in.w_data[j] = (uint8_t)splitmix64(rng);
      const bool all = splitmix64(rng) % 2 != 0;
      for (uint64_t at = beat_from(b, k); at < beat_end(b, k); at++)
        if (all || splitmix64(rng) % 2 != 0) {
          g->in.w_strb[(at - bus) / 32] |= 1u << (at - bus) % 32;
          shadow[at - BASE] = g->in.w_data[at - bus];
        }
    }
    g->in.b_ready = splitmix64(rng) % 2 != 0;
    tick(g);
    asked = asked || g->out.aw_ready;
    if (g->in.w_valid && g->out.w_ready) g->in.w_valid = false, k++;
    answered = g->out.b_valid && g->in.b_ready;
  }
  assert_int_equal(g->out.b_id, b->a.id);
  assert_int_equal(g->out.b_resp, 0);
}

static void read_burst(struct rig *g, const struct burst *b, uint64_t *rng, const uint8_t *shadow) {
  bool asked = false;
  g->in.ar = b->a;
  for (unsigned k = 0; k <= b->a.len;) {
    g->in.ar.valid = !asked;
    g->in.r_ready = splitmix64(rng) % 2 != 0;
    tick(g);
    asked = asked || g->out.ar_ready;
    if (!g->out.r_valid || !g->in.r_ready) continue;
    const uint64_t from = beat_from(b, k), bus = from / b->bus * b->bus;
    assert_int_equal(g->out.r_id, b->a.id);
    assert_int_equal(g->out.r_last, k == b->a.len);
    assert_memory_equal(g->out.r_data + (from - bus), shadow + (from - BASE), beat_end(b, k) - from);
    k++;
  }
}

/* On every width of bus, calm and not: bursts of 1 to 256 beats, whole and narrow, from any byte on. */
static void test_bursts(void **state) {
  (void)state;
  static struct rig g;
  static uint8_t shadow[BYTES];
  for (unsigned bus = 4; bus <= HEDDLE_AXI_MEM_MAX_BYTES; bus *= 2)
    for (uint64_t seed = 0; seed < 2; seed++) {
      struct heddle_axi_mem_config c = calm(bus, 1);
      uint64_t rng = 100 * bus + seed;
      unsigned longest = 0;
      if (seed != 0) heddle_axi_mem_adversarial(&c, seed);
      begin(&g, &c);
      memset(shadow, 0, sizeof shadow);
      for (unsigned i = 0; i < 150; i++) {
        const struct burst b = any_burst(&rng, bus);
        longest += b.a.len == 255;
        if (i % 3 == 2)
          read_burst(&g, &b, &rng, shadow);
        else
          write_burst(&g, &b, &rng, shadow);
      }
      assert_true(longest > 0);
      assert_memory_equal(heddle_axi_mem_view(g.m), shadow, BYTES);
      end(&g);
    }
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_reads), cmocka_unit_test(test_many_writes),
                                     cmocka_unit_test(test_order), cmocka_unit_test(test_latency),
                                     cmocka_unit_test(test_bursts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
