/* SPDX-License-Identifier: Apache-2.0
 * What a kernel took, beside what the machine can give: throughput by counts, latency and concurrency by Little's law
 * (docs/study-bounds.md). */
#include "run/profile/internal.h"

static double flops_of(const struct profiler *p) {
  double sum = 0;
  struct charge c;
  for (uint32_t i = 0; i < p->places; i++) {
    const struct place *is = &p->place[i];
    if (is->flops + is->warp_flops == 0) continue;
    charge_of_pc(p, i * ISA_STEP, &c);
    sum += (double)c.lanes * (is->flops + is->warp_flops / 32.0);
  }
  return sum;
}

static bool used(const struct profiler *p, unsigned unit) {
  struct charge c;
  for (uint32_t i = 0; i < p->places; i++) {
    if (p->place[i].flops + p->place[i].warp_flops == 0 || p->place[i].unit != unit) continue;
    charge_of_pc(p, i * ISA_STEP, &c);
    if (c.lanes != 0) return true;
  }
  return false;
}

static void add_roof(struct roofline *r, const char *name, double peak) {
  if (r->roofs < ROOFS_MOST && peak > 0) r->roof[r->roofs++] = (struct roof){name, peak};
}

/* A multiply-add is two operations, of halves four; a matrix instruction of 16 x 8 x 16 is 4096. */
static void find_roofs(const struct profiler *p, struct roofline *r) {
  const struct heddle_config *m = p->machine;
  const double parts = (double)m->partitions * m->sms;
  if (!r->flops) {
    add_roof(r, "lanes", parts * m->lanes);
    return;
  }
  if (used(p, ISA_UNIT_FMA)) add_roof(r, "fma", 2 * parts * m->fma_lanes);
  if (used(p, ISA_UNIT_HALF)) add_roof(r, "half", 4 * parts * m->lanes);
  if (used(p, ISA_UNIT_FP64)) add_roof(r, "fp64", 2 * parts * m->fp64_lanes);
  if (used(p, ISA_UNIT_TENSOR) && m->tensor_cycles != 0) add_roof(r, "tensor", 4096 * parts / m->tensor_cycles);
  if (r->roofs == 0) add_roof(r, "sfu", parts * m->sfu_lanes);
}

static void find_bounds(const struct profiler *p, struct roofline *r, const struct charge *all) {
  struct bounded *b = &r->bounded;
  bounds_count(p->bounds, b);
  b->cycles = p->cycles;
  b->bound[BOUND_READ] = (double)p->read_beats / p->machine->axi_ports;
  b->bound[BOUND_WRITE] = (double)p->write_beats / p->machine->axi_ports;
  const uint64_t others = all->cycles[HEDDLE_COUNTER_NOT_SELECTED] + all->cycles[HEDDLE_COUNTER_PIPE] +
                          all->cycles[HEDDLE_COUNTER_MEMORY] + all->cycles[HEDDLE_COUNTER_OTHER];
  const double issued = (double)all->cycles[HEDDLE_COUNTER_ISSUED], there = (double)charge_cycles(all);
  r->warps = there / r->cycles;
  r->slots = (double)p->warps * p->sms;
  if (issued > 0) r->interval = there / issued;
  if (issued > 0) r->own = (there - (double)others) / issued;
  if (r->warps > 0) b->bound[BOUND_LATENCY] = (there - (double)others) / r->warps;
  const double most = b->bound[bounds_holds(b)];
  if (most > 0) r->warps_wanted = r->warps * b->bound[BOUND_LATENCY] / most;
}

void roofline_of(const struct profiler *p, struct roofline *r) {
  struct charge all;
  charge_of_all(p, &all);
  const double flops = flops_of(p), row = p->machine->axi_bits / 8.0, all_ports = p->machine->axi_ports * row;
  *r = (struct roofline){.flops = flops > 0};
  r->work = r->flops ? flops : (double)all.lanes;
  r->cycles = p->cycles != 0 ? (double)p->cycles : 1;
  r->bytes = (double)(p->read_beats + p->write_beats) * row;
  r->bandwidth = 2 * all_ports;
  find_roofs(p, r);
  find_bounds(p, r, &all);
  if (all.requests == 0) return;
  r->latency = (double)all.in_flight / (double)all.requests;
  r->in_flight = (double)all.in_flight / r->cycles;
  const double each = 32.0 * (double)all.sectors / (double)all.requests;
  if (each > 0) r->in_flight_wanted = r->latency * all_ports / each;
}
