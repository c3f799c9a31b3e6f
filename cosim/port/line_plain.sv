// SPDX-License-Identifier: Apache-2.0
// The request channel with its structs taken apart into plain ports, for what is written in C++
// (channel.hpp).
// Latency: none. Handshake: that of the channel (rtl/line_pkg.sv).
// It adds no logic.
module line_plain (
  // the SM's side
  input  logic                        lw_valid_i,
  input  line_pkg::write_t            lw_i,
  input  logic                        lq_valid_i,
  input  line_pkg::request_t          lq_i,
  output logic                        lc_valid_o,
  output logic                        lc_atom_o,
  output logic                        ld_valid_o,
  output line_pkg::read_t             ld_o,
  output logic                        la_valid_o,
  input  logic                        la_ready_i,
  output line_pkg::answer_t           la_o,
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

  assign lw_valid_o   = lw_valid_i;
  assign lw_atom_o    = lw_i.atom;
  assign lw_lane_o    = lw_i.lane;
  assign lw_place_o   = lw_i.place;
  assign lw_piece_o   = lw_i.piece;
  assign lw_beat_o    = 8'(lw_i.beat);
  assign lw_strb_o    = lw_i.strb;
  assign lw_data_o    = lw_i.data;

  assign lq_valid_o   = lq_valid_i;
  assign lq_sm_o      = lq_i.sm;
  assign lq_tag_o     = 16'(lq_i.tag);
  assign lq_kind_o    = lq_i.kind;
  assign lq_scope_o   = lq_i.scope;
  assign lq_line_o    = 64'(lq_i.line);
  assign lq_sectors_o = lq_i.sectors;
  assign lq_op_o      = lq_i.op;
  assign lq_wide_o    = lq_i.wide;
  assign lq_gives_o   = lq_i.gives;
  assign lq_slot_o    = 8'(lq_i.id.slot);
  assign lq_gen_o     = lq_i.id.gen;
  assign lq_seq_o     = lq_i.id.seq;
  assign lq_lanes_o   = lq_i.lanes;
  assign lq_at_o      = lq_i.at;
  assign lq_local_o   = lq_i.is_local;
  assign lq_word_o    = 32'(lq_i.word);

  assign lc_valid_o = lc_valid_i;
  assign lc_atom_o  = lc_atom_i;
  assign ld_valid_o = ld_valid_i;
  assign ld_o       = '{tag: line_pkg::TAG_W'(ld_tag_i), beat: line_pkg::BEAT_W'(ld_beat_i), data: ld_data_i};
  assign la_valid_o = la_valid_i;
  assign la_ready_o = la_ready_i;
  assign la_o       = '{tag: line_pkg::TAG_W'(la_tag_i), done: la_done_i, err: la_err_i, lane: la_lane_i, old: la_old_i};

  // Numbers that the SM gave come back; their upper bits are zero.
  logic unused;
  assign unused = ^{ld_tag_i, ld_beat_i, la_tag_i};

endmodule
