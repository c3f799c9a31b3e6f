// SPDX-License-Identifier: Apache-2.0
//
// A first-level cache in C (heddle/l1_port.h) in the seat: its records for the retire port, and its inputs from issued
// instructions. These are fences, since the channel has no request for them, and scopes of accesses, since the RTL sends
// all of them with the scope of the whole machine.
#ifndef HEDDLE_CACHE_HPP
#define HEDDLE_CACHE_HPP

extern "C" {
#include <heddle/isa.h>
#include <heddle/isa_tables.h>
#include "cosim/port/l1_port.h"
}
#include "cosim/verilator/sample.hpp"

namespace seat {

class Cache {
public:
  Cache() = default;
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;
  ~Cache() { heddle_l1_free(it); }

  // `text` as heddle_l1_parse has it; NULL: there is none.
  bool begin(const char *text, unsigned bits, unsigned tags, unsigned atoms)
  {
    heddle_l1_free(it);
    it = nullptr;
    lost = false;
    if (text == nullptr) return true;
    char why[200];
    heddle_l1_usual(&o, bits, tags, atoms);
    if (heddle_l1_parse(&o, text, why, sizeof why)) it = heddle_l1_new(&o);
    return it != nullptr;
  }
  bool on() const { return it != nullptr; }
  unsigned tags(unsigned own) const { return on() ? heddle_l1_tags(&o) : own; }
  void reset() { heddle_l1_reset(it); }
  const heddle_line_port_out *shows() const { return heddle_l1_show(it); }

  // Outputs of SM and memory in this cycle; inputs of the memory.
  inline const heddle_line_port_in *between(heddle_line_port_in &in, const heddle_line_port_out &out)
  {
    heddle_line_port_request &r = in.request;
    if (in.request_valid && r.kind != HEDDLE_LINE_PORT_FETCH) r.scope = scope[r.slot % SLOTS][r.seq % ACCESSES];
    heddle_l1_offer(it, &in);
    heddle_l1_hear(it, &out);
    return heddle_l1_ask(it);
  }
  inline void clock() { heddle_l1_clock(it); }
  const char *error() const { return lost ? "more fences are under way than an L1 in C has room for" : heddle_l1_error(it); }

  inline void show(sample::Buffer &b)
  {
    const l1_event *e;
    const unsigned n = heddle_l1_events(it, &e);
    for (unsigned i = 0; i < n; i++) put(e[i], b);
  }

  // Issued instructions of this cycle that execute.
  inline void watch(const heddle_retire_record *r, size_t n)
  {
    for (size_t i = 0; i < n; i++)
      if (r[i].kind == HEDDLE_RECORD_ISSUE && r[i].u.issue.exec != 0) issued(r[i].u.issue);
  }

private:
  l1 *it = nullptr;
  l1_options o{};
  bool lost = false;
  // Issued accesses, by warp slot and number: far fewer of a warp are under way.
  static constexpr unsigned SLOTS = HEDDLE_RECORD_WARPS, ACCESSES = 256;
  uint8_t scope[SLOTS][ACCESSES]{};

  void issued(const heddle_record_issue &r)
  {
    heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_isa_word{r.word[0], r.word[1]}, &d)) return;
    const bool scoped = heddle_isa_enc_owns(static_cast<heddle_isa_enc>(d.enc), ISA_F_STRONG);
    scope[r.id.slot % SLOTS][r.id.seq % ACCESSES] =
        static_cast<uint8_t>(scoped ? heddle_isa_get(d.word, ISA_F_STRONG) : HEDDLE_LINE_PORT_WEAK);
    if (d.op == ISA_OP_MEMBAR)
      fence(r.id, heddle_isa_get(d.word, ISA_F_SCOPE) == ISA_SCOPE_CTA ? L1_CTA : L1_GPU);
    else if (d.op == ISA_OP_CCTL_E && heddle_isa_get(d.word, ISA_F_CCTL) == ISA_CCTL_IVALL)
      fence(r.id, L1_EMPTY);
  }
  void fence(const heddle_record_id &id, l1_scope scope)
  {
    if (!heddle_l1_fence(it, id.slot, id.gen, id.seq, scope)) lost = true;
  }

  heddle_record_id id_of(const l1_event &e) const
  {
    const uint8_t partition = static_cast<uint8_t>(e.slot % HEDDLE_PARTITIONS_OF_CONFIG);
    return heddle_record_id{static_cast<uint8_t>(o.sm), partition, e.slot, e.gen, e.seq};
  }
  void put(const l1_event &e, sample::Buffer &b)
  {
    switch (e.kind) {
    case L1_ACK:
      b.add(HEDDLE_RECORD_ACK).u.ack = heddle_record_ack{id_of(e), e.line, e.lanes};
      break;
    case L1_DROP:
      put_drop(e, b.add(HEDDLE_RECORD_DROP).u.drop);
      break;
    case L1_MERGE:
      put_load(e, b.add(HEDDLE_RECORD_MERGE).u.merge);
      break;
    case L1_HIT:
      put_load(e, b.add(HEDDLE_RECORD_HIT).u.merge);
      break;
    default:
      put_fence(e, b.add(HEDDLE_RECORD_FENCE).u.fence);
    }
  }
  void put_drop(const l1_event &e, heddle_record_drop &d)
  {
    d = heddle_record_drop{};
    d.id = id_of(e);
    d.line = e.line;
    d.lanes = e.lanes;
    d.sectors = e.sectors;
    d.all = e.all;
    d.is_local = e.is_local;
    d.cause = e.cause;
  }
  void put_load(const l1_event &e, heddle_record_merge &m)
  {
    m = heddle_record_merge{};
    m.id = id_of(e);
    m.line = e.line;
    m.lanes = e.lanes;
    m.used = e.sectors;
    m.access = e.is_local ? HEDDLE_RECORD_LOCAL_LOAD : HEDDLE_RECORD_LOAD;
    std::memcpy(m.number, e.number, sizeof m.number);
  }
  void put_fence(const l1_event &e, heddle_record_fence &f)
  {
    f = heddle_record_fence{};
    f.id = id_of(e);
    f.scope = e.scope;
  }
};

} // namespace seat

#endif
