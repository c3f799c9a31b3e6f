// SPDX-License-Identifier: Apache-2.0
// The request channel with its structs taken apart into plain ports, for what is written in C++
// (channel.hpp).
// Latency: none. Handshake: that of the channel (rtl/line_pkg.sv).
// It adds no logic.
module line_plain (
  // the SM's side
  input  line_pkg::sent_t             ch_i,
  input  line_pkg::note_t             note_i,        // of the request in the same cycle; of a refill there is none, and its fields are 0
  output line_pkg::got_t              ch_o,
  // data to memory
  output logic                        lw_valid_o,
  output logic                        lw_atom_o,
  output logic [4:0]                  lw_lane_o,
  output logic [4:0]                  lw_place_o,
  output logic [1:0]                  lw_piece_o,
  output logic [7:0]                  lw_beat_o,
  output logic [line_pkg::BYTES-1:0]  lw_strb_o,
  output logic [line_pkg::BITS-1:0]   lw_data_o,
  // requests to memory
  output logic                        lq_valid_o,
  output logic [7:0]                  lq_sm_o,
  output logic [15:0]                 lq_tag_o,
  output logic [2:0]                  lq_kind_o,
  output logic [1:0]                  lq_scope_o,
  output logic [63:0]                 lq_line_o,
  output logic [3:0]                  lq_sectors_o,
  output logic [5:0]                  lq_op_o,
  output logic                        lq_wide_o,
  output logic                        lq_gives_o,
  output logic [7:0]                  lq_slot_o,
  output logic [7:0]                  lq_gen_o,
  output logic [31:0]                 lq_seq_o,
  output logic [31:0]                 lq_lanes_o,
  output logic [63:0]                 lq_at_o,       // two bits a lane
  output logic                        lq_local_o,
  output logic [31:0]                 lq_word_o,
  // from memory: credits, data, answers
  input  logic                        lc_valid_i,
  input  logic                        lc_atom_i,
  input  logic                        ld_valid_i,
  input  logic [15:0]                 ld_tag_i,
  input  logic [7:0]                  ld_beat_i,
  input  logic [line_pkg::BITS-1:0]   ld_data_i,
  input  logic                        la_valid_i,
  output logic                        la_ready_o,
  input  logic [15:0]                 la_tag_i,
  input  logic                        la_done_i,
  input  logic                        la_err_i,
  input  logic [4:0]                  la_lane_i,
  input  logic [63:0]                 la_old_i
);

  line_pkg::note_t note;
  assign note         = note_i.valid ? note_i : '0;

  assign lw_valid_o   = ch_i.lw_valid;
  assign lw_atom_o    = ch_i.lw.atom;
  assign lw_lane_o    = ch_i.lw.lane;
  assign lw_place_o   = ch_i.lw.place;
  assign lw_piece_o   = ch_i.lw.piece;
  assign lw_beat_o    = 8'(ch_i.lw.beat);
  assign lw_strb_o    = ch_i.lw.strb;
  assign lw_data_o    = ch_i.lw.data;

  assign lq_valid_o   = ch_i.lq_valid;
  assign lq_sm_o      = ch_i.lq.sm;
  assign lq_tag_o     = 16'(ch_i.lq.tag);
  assign lq_kind_o    = ch_i.lq.kind;
  assign lq_scope_o   = ch_i.lq.scope;
  assign lq_line_o    = 64'(ch_i.lq.line);
  assign lq_sectors_o = ch_i.lq.sectors;
  assign lq_op_o      = ch_i.lq.op;
  assign lq_wide_o    = ch_i.lq.wide;
  assign lq_gives_o   = ch_i.lq.gives;
  assign lq_slot_o    = 8'(ch_i.lq.slot);
  assign lq_gen_o     = note.gen;
  assign lq_seq_o     = note.seq;
  assign lq_lanes_o   = ch_i.lq.lanes;
  assign lq_at_o      = note.at;
  assign lq_local_o   = ch_i.lq.is_local;
  assign lq_word_o    = 32'(note.word);

  assign la_ready_o = ch_i.la_ready;
  assign ch_o       = '{
    lc_valid: lc_valid_i,
    lc_atom:  lc_atom_i,
    ld_valid: ld_valid_i,
    ld:       '{tag: line_pkg::TAG_W'(ld_tag_i), beat: line_pkg::BEAT_W'(ld_beat_i), data: ld_data_i},
    la_valid: la_valid_i,
    la:       '{tag: line_pkg::TAG_W'(la_tag_i), done: la_done_i, err: la_err_i, lane: la_lane_i, old: la_old_i}
  };

  // Numbers that the SM gave come back; their upper bits are zero.
  logic unused;
  assign unused = ^{note, ld_tag_i, ld_beat_i, la_tag_i};

endmodule
