// SPDX-License-Identifier: Apache-2.0
//
// Between a Verilated top with the ports of line_plain.sv and line_port: what the SM drives in a cycle, and what
// memory does. Both work on the same cycle: drive before the top is evaluated, sample after.
#pragma once
#include <cstring>

#include <heddle/line_port.h>

namespace heddle {

// A port of up to 64 bits, or wider, as bytes from the lowest on (little-endian hosts).
template <class P> void port_out(const P &port, void *to, size_t bytes) {
  std::memcpy(to, &port, bytes < sizeof port ? bytes : sizeof port);
}
template <class P> void port_in(P &port, const void *from, size_t bytes) {
  std::memcpy(&port, from, bytes < sizeof port ? bytes : sizeof port);
}

// bytes: of a beat
template <class Top> void channel_sample(const Top &t, unsigned bytes, heddle_line_port_in *in) {
  std::memset(in, 0, sizeof *in);
  in->write_valid = t.lw_valid_o;
  if (in->write_valid) {
    heddle_line_port_write &w = in->write;
    w.atom = t.lw_atom_o;
    w.lane = t.lw_lane_o;
    w.place = t.lw_place_o;
    w.piece = t.lw_piece_o;
    w.beat = t.lw_beat_o;
    port_out(t.lw_strb_o, w.strb, (bytes + 7) / 8);
    port_out(t.lw_data_o, w.data, bytes);
  }
  in->request_valid = t.lq_valid_o;
  if (in->request_valid) {
    heddle_line_port_request &r = in->request;
    r.sm = t.lq_sm_o;
    r.tag = t.lq_tag_o;
    r.kind = t.lq_kind_o;
    r.scope = t.lq_scope_o;
    r.line = t.lq_line_o;
    r.sectors = t.lq_sectors_o;
    r.op = t.lq_op_o;
    r.wide = t.lq_wide_o;
    r.gives = t.lq_gives_o;
    r.slot = t.lq_slot_o;
    r.gen = t.lq_gen_o;
    r.seq = t.lq_seq_o;
    r.lanes = t.lq_lanes_o;
    for (unsigned l = 0; l < 32; l++) r.at[l] = t.lq_at_o >> (2 * l) & 3;
    r.is_local = t.lq_local_o;
    r.word = t.lq_word_o;
  }
  in->answer_ready = t.la_ready_o;
}

template <class Top> void channel_drive(Top &t, unsigned bytes, const heddle_line_port_out &o) {
  t.lc_valid_i = o.credit_valid;
  t.lc_atom_i = o.credit_atom;
  t.ld_valid_i = o.read_valid;
  if (o.read_valid) {
    t.ld_tag_i = o.read.tag;
    t.ld_beat_i = o.read.beat;
    port_in(t.ld_data_i, o.read.data, bytes);
  }
  t.la_valid_i = o.answer_valid;
  if (o.answer_valid) {
    t.la_tag_i = o.answer.tag;
    t.la_done_i = o.answer.done;
    t.la_err_i = o.answer.err;
    t.la_lane_i = o.answer.lane;
    t.la_old_i = o.answer.old;
  }
}

} // namespace heddle
