// SPDX-License-Identifier: Apache-2.0
// Global-memory instructions from the check to the point of order and back: coalescer, store
// merge, gather, tracking.
// Latency: commit to first request three cycles; last answer to first result row four. GSLOTS
// instructions in flight.
// Handshake: valid/ready to gmem, from gmem, and to the end of the unit. Data and addresses of an
// instruction come as events into the memories of whoever needs them, at the place of its gslot.
// Requests leave in order; instructions end in any order. It does not order accesses to one
// sector: gmem does.
`default_nettype none
`include "heddle_idle.svh"

module global_pipe #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W,
  localparam int unsigned ROW_W   = mem_pkg::GROW_W,
  localparam int unsigned CO_W    = GSLOT_W + mem_pkg::BEAT_W + mem_pkg::KEY_W + 6 * LANES + 7
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    fault_i,
  // from and to address generation
  output logic                          room_o,
  output logic [GSLOT_W-1:0]            free_slot_o,
  input  logic                          ag_take_i,        // event: a beat is taken
  input  logic                          ag_first_i,
  input  isa_pkg::mem_e                 ag_mem_i,
  input  logic [ROW_W-1:0]              ag_row_i,         // gslot * BEATS + beat
  input  logic [3:0][LANES-1:0][31:0]   ag_data_i,
  // from the check
  input  logic                          ck_row_valid_i,   // event: addresses of a beat
  input  logic                          ck_end_i,         // event: the instruction is judged
  input  logic                          ck_commit_i,
  input  logic [GSLOT_W-1:0]            ck_slot_i,
  input  core_pkg::memop_t              ck_op_i,
  input  logic [ROW_W-1:0]              ck_row_i,
  input  logic [LANES-1:0][40:0]        ck_addr_i,        // key and byte
  input  logic [LANES-1:0]              ck_lanes_i,       // lanes of the beat that execute
  input  logic [LANES-1:0]              ck_local_i,       // lanes in local memory
  input  logic [mem_pkg::BEATS-1:0]     ck_rows_i,        // with ck_end_i: beats with lanes that execute,
  input  logic [mem_pkg::BEATS-1:0]     ck_rows_local_i,  // and in local memory
  input  logic                          ck_pair_i,        // another part goes through shared memory
  input  logic                          peer_valid_i,     // event: that has ended
  input  logic [GSLOT_W-1:0]            peer_slot_i,
  // to gmem
  output logic                          st_valid_o,
  input  logic                          st_ready_i,
  output logic [31:0]                   st_strb_o,
  output mem_pkg::piece_t              st_piece_o,
  output logic [mem_pkg::ST_BITS-1:0]   st_data_o,
  output logic                          rq_valid_o,
  input  logic                          rq_ready_i,
  output mem_pkg::greq_t                rq_o,
  // from gmem
  input  logic                          gm_valid_i,
  output logic                          gm_ready_o,
  output logic                          gm_one_ready_o,
  input  mem_pkg::grsp_t                gm_rsp_i,
  input  logic                          gm_next_i,
  input  logic [mem_pkg::BEATS-1:0]     gm_next_rows_i,
  input  logic [GSLOT_W-1:0]            gm_next_slot_i,
  input  logic [mem_pkg::BEAT_W-1:0]    gm_next_beat_i,
  output logic                          gm_read_o,
  output logic                          gm_here_o,
  output logic [LANES-1:0][2:0]         gm_at_o,
  input  logic [LANES-1:0][31:0]        gm_words_i,
  // to the end of the unit
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [LANES-1:0][31:0]        res_data_o,
  output mem_pkg::bytes_t               res_bytes_o,
  output logic                          idle_o
);

  logic                          go_valid, go_pop, go_store, rq_count, rq_close, dn_valid, dn_err, rd_en;
  logic                          co_valid, co_ready, co_store, co_first, co_final, co_begin, co_last;
  logic [3:0]                    idle;
  logic [GSLOT_W-1:0]            go_slot, co_slot, op_slot, rq_slot, dn_slot;
  logic [mem_pkg::BEAT_W-1:0]    go_beat, co_beat;
  core_pkg::id_t                 op_id;
  isa_pkg::mem_e                 op_mem;
  logic [2:0]                    op_size;
  logic [mem_pkg::KEY_W-1:0]     co_sector, dn_sector;
  logic [CO_W-1:0]               co_row, mg_row;   // what the coalescer says of a row
  logic                          mg_valid, mg_ready, mg_store, mg_first, mg_final, mg_begin, mg_last;
  logic [GSLOT_W-1:0]            mg_slot;
  logic [mem_pkg::BEAT_W-1:0]    mg_beat;
  logic [mem_pkg::KEY_W-1:0]     mg_sector;
  logic [LANES-1:0]              mg_lanes;
  logic [LANES-1:0][4:0]         mg_offset;
  logic [1:0]                    mg_part;
  logic [mem_pkg::BEATS-1:0]     go_rows, go_rows_local;
  logic [1:0]                    go_words, co_part;
  logic [LANES-1:0]              co_lanes;
  logic [LANES-1:0][4:0]         ck_offset, co_offset;
  logic [31:0]                   dn_lanes;
  logic [ROW_W-1:0]              rd_row;
  logic [1:0]                    rd_word;

  always_comb begin
    ck_offset = 'x;
    if (`HEDDLE_LIVE(ck_row_valid_i)) begin
      for (int unsigned l = 0; l < LANES; l++) ck_offset[l] = ck_addr_i[l][4:0];
    end
  end

  assign idle_o = &idle;

  coalescer u_coalescer (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_row_valid_i (ck_row_valid_i),
    .ck_row_i       (ck_row_i),
    .ck_addr_i      (ck_addr_i),
    .ck_lanes_i     (ck_lanes_i),
    .ck_local_i     (ck_local_i),
    .go_valid_i     (go_valid),
    .go_pop_o       (go_pop),
    .go_slot_i      (go_slot),
    .go_store_i     (go_store),
    .go_rows_i      (go_rows),
    .go_beat_i      (go_beat),
    .go_rows_local_i (go_rows_local),
    .go_words_i     (go_words),
    .co_valid_o     (co_valid),
    .co_ready_i     (co_ready),
    .co_slot_o      (co_slot),
    .co_beat_o      (co_beat),
    .co_sector_o    (co_sector),
    .co_lanes_o     (co_lanes),
    .co_offset_o    (co_offset),
    .co_part_o      (co_part),
    .co_store_o     (co_store),
    .co_first_o     (co_first),
    .co_final_o     (co_final),
    .co_begin_o     (co_begin),
    .co_last_o      (co_last),
    .idle_o         (idle[0])
  );

  // Whether gmem takes what is asked of it is known late in a cycle, and so is which lanes share a sector: the one does not
  // wait for the other.
  always_comb begin
    co_row = 'x;
    if (`HEDDLE_LIVE(co_valid)) begin
      co_row = {co_slot, co_beat, co_sector, co_lanes, co_offset, co_part, co_store, co_first, co_final, co_begin, co_last};
    end
  end
  assign {mg_slot, mg_beat, mg_sector, mg_lanes, mg_offset, mg_part, mg_store, mg_first, mg_final, mg_begin, mg_last} = mg_row;

  spare #(.WIDTH(CO_W)) u_row (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (co_valid),
    .in_ready_o  (co_ready),
    .in_data_i   (co_row),
    .out_valid_o (mg_valid),
    .out_ready_i (mg_ready),
    .out_data_o  (mg_row)
  );

  store_merge u_merge (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .fault_i        (fault_i),
    .ag_row_valid_i (ag_take_i && mem_pkg::is_store(ag_mem_i)),
    .ag_row_i       (ag_row_i),
    .ag_data_i      (ag_data_i),
    .co_valid_i     (mg_valid),
    .co_ready_o     (mg_ready),
    .co_slot_i      (mg_slot),
    .co_beat_i      (mg_beat),
    .co_sector_i    (mg_sector),
    .co_lanes_i     (mg_lanes),
    .co_offset_i    (mg_offset),
    .co_part_i      (mg_part),
    .co_store_i     (mg_store),
    .co_first_i     (mg_first),
    .co_final_i     (mg_final),
    .co_begin_i     (mg_begin),
    .co_last_i      (mg_last),
    .op_slot_o      (op_slot),
    .op_id_i        (op_id),
    .op_mem_i       (op_mem),
    .op_size_i      (op_size),
    .rq_slot_o      (rq_slot),
    .rq_count_o     (rq_count),
    .rq_close_o     (rq_close),
    .st_valid_o     (st_valid_o),
    .st_ready_i     (st_ready_i),
    .st_strb_o      (st_strb_o),
    .st_piece_o     (st_piece_o),
    .st_data_o      (st_data_o),
    .rq_valid_o     (rq_valid_o),
    .rq_ready_i     (rq_ready_i),
    .rq_o           (rq_o),
    .idle_o         (idle[1])
  );

  load_gather u_gather (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_row_valid_i (ck_row_valid_i),
    .ck_row_i       (ck_row_i),
    .ck_offset_i    (ck_offset),
    .gm_valid_i     (gm_valid_i),
    .gm_ready_o     (gm_ready_o),
    .gm_one_ready_o (gm_one_ready_o),
    .gm_rsp_i       (gm_rsp_i),
    .gm_next_i      (gm_next_i),
    .gm_next_rows_i (gm_next_rows_i),
    .gm_next_slot_i (gm_next_slot_i),
    .gm_next_beat_i (gm_next_beat_i),
    .gm_read_o      (gm_read_o),
    .gm_here_o      (gm_here_o),
    .gm_at_o        (gm_at_o),
    .gm_words_i     (gm_words_i),
    .dn_valid_o     (dn_valid),
    .dn_slot_o      (dn_slot),
    .dn_err_o       (dn_err),
    .dn_lanes_o     (dn_lanes),
    .dn_sector_o    (dn_sector),
    .rd_en_i        (rd_en),
    .rd_row_i       (rd_row),
    .rd_word_i      (rd_word),
    .rd_live_i      (res_valid_o),
    .rd_data_o      (res_data_o),
    .rd_sub_o       (res_bytes_o.sub),
    .idle_o         (idle[2])
  );

  global_track u_track (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .free_o       (room_o),
    .free_slot_o  (free_slot_o),
    .ag_begin_i   (ag_take_i && ag_first_i),
    .ck_end_i     (ck_end_i),
    .ck_commit_i  (ck_commit_i),
    .ck_slot_i    (ck_slot_i),
    .ck_op_i      (ck_op_i),
    .ck_row_valid_i (ck_row_valid_i),
    .ck_row_i     (ck_row_i),
    .ck_lanes_i   (ck_lanes_i),
    .ck_rows_i    (ck_rows_i),
    .ck_rows_local_i (ck_rows_local_i),
    .ck_pair_i    (ck_pair_i),
    .peer_valid_i (peer_valid_i),
    .peer_slot_i  (peer_slot_i),
    .go_valid_o   (go_valid),
    .go_pop_i     (go_pop),
    .go_slot_o    (go_slot),
    .go_store_o   (go_store),
    .go_rows_o    (go_rows),
    .go_beat_o    (go_beat),
    .go_rows_local_o (go_rows_local),
    .go_words_o   (go_words),
    .rq_count_i   (rq_count),
    .rq_close_i   (rq_close),
    .rq_slot_i    (rq_slot),
    .op_slot_i    (op_slot),
    .op_id_o      (op_id),
    .op_mem_o     (op_mem),
    .op_size_o    (op_size),
    .dn_valid_i   (dn_valid),
    .dn_slot_i    (dn_slot),
    .dn_err_i     (dn_err),
    .dn_lanes_i   (dn_lanes),
    .dn_sector_i  (dn_sector),
    .rd_en_o      (rd_en),
    .rd_row_o     (rd_row),
    .rd_word_o    (rd_word),
    .res_valid_o  (res_valid_o),
    .res_ready_i  (res_ready_i),
    .res_o        (res_o),
    .res_size_o   (res_bytes_o.size),
    .idle_o       (idle[3])
  );

endmodule

`default_nettype wire
