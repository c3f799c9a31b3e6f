// SPDX-License-Identifier: Apache-2.0
// Global-memory instructions from their queue to the point of order and back: coalescer, store merge, tracking, gather.
// Latency: queue head to first request BEATS + 2 cycles; last answer to first result row three cycles. Up to eight
// instructions in flight.
// Handshake: valid/ready to gmem, from gmem, and to the end of the unit; the queue's head is popped.
// Requests leave in order; instructions end in any order. It does not order accesses to one sector: gmem does.
`default_nettype none

module global_pipe #(
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    fault_i,
  // from the queue
  input  logic                          head_valid_i,
  input  core_pkg::memop_t              head_op_i,
  output logic [mem_pkg::BEAT_W-1:0]    rd_beat_o,
  input  logic [LANES-1:0][39:0]        rd_addr_i,
  input  logic [3:0][LANES-1:0][31:0]   rd_data_i,
  output logic                          pop_o,
  // to gmem
  output logic                          rq_valid_o,
  input  logic                          rq_ready_i,
  output mem_pkg::greq_t                rq_o,
  output logic                          co_row_valid_o,   // event: operands of an instruction that takes a gslot
  output logic [mem_pkg::GROW_W-1:0]    co_row_o,
  output logic [LANES-1:0][2:0]         co_word_o,
  output logic [LANES-1:0][31:0]        co_operand_o,
  // from gmem
  input  logic                          gm_valid_i,
  output logic                          gm_ready_o,
  input  mem_pkg::grsp_t                gm_rsp_i,
  // to the end of the unit
  output logic                          res_valid_o,
  input  logic                          res_ready_i,
  output mem_pkg::result_t              res_o,
  output logic [LANES-1:0][31:0]        res_data_o,
  output logic                          idle_o
);

  logic                          co_pop, sm_pop, slot_free, co_alloc, co_valid, co_ready, co_last, co_drop;
  logic                          sm_rd_en, rq_count, rq_close, dn_valid, dn_err, rows_valid, rows_ready;
  logic                          sm_valid, sm_ready;
  mem_pkg::greq_t                sm_rq;
  logic [3:0]                    idle;
  logic [mem_pkg::BEAT_W-1:0]    co_beat, sm_beat;
  logic [mem_pkg::GSLOT_W-1:0]   slot, co_slot, rq_slot, dn_slot;
  core_pkg::id_t                 co_id;
  isa_pkg::mem_e                 co_mem;
  logic [2:0]                    co_size;
  logic [mem_pkg::SECTOR_W-1:0]  co_sector, dn_sector;
  logic [31:0]                   co_lanes, dn_lanes;
  logic [LANES-1:0][4:0]         offset;
  logic [mem_pkg::GROW_W-1:0]    rd_row;
  logic [3:0][LANES-1:0][31:0]   row_data;
  mem_pkg::rows_t                rows;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign offset[l]       = rd_addr_i[l][4:0];
    assign co_word_o[l]    = rd_addr_i[l][4:2];
    assign co_operand_o[l] = rd_data_i[0][l];
  end

  assign rd_beat_o = sm_rd_en ? sm_beat : co_beat;
  assign pop_o     = co_pop || sm_pop;
  assign idle_o    = &idle;

  coalescer u_coalescer (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .fault_i        (fault_i),
    .head_valid_i   (head_valid_i),
    .head_id_i      (head_op_i.id),
    .head_mem_i     (head_op_i.mem),
    .head_size_i    (head_op_i.size),
    .head_exec_i    (head_op_i.exec),
    .rd_beat_o      (co_beat),
    .rd_addr_i      (rd_addr_i),
    .pop_o          (co_pop),
    .store_popped_i (sm_pop),
    .slot_free_i    (slot_free),
    .slot_i         (slot),
    .co_alloc_o     (co_alloc),
    .co_row_valid_o (co_row_valid_o),
    .co_row_o       (co_row_o),
    .co_valid_o     (co_valid),
    .co_ready_i     (co_ready),
    .co_id_o        (co_id),
    .co_mem_o       (co_mem),
    .co_size_o      (co_size),
    .co_slot_o      (co_slot),
    .co_sector_o    (co_sector),
    .co_lanes_o     (co_lanes),
    .co_last_o      (co_last),
    .co_drop_o      (co_drop),
    .idle_o         (idle[0])
  );

  store_merge u_merge (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .fault_i     (fault_i),
    .co_valid_i  (co_valid),
    .co_ready_o  (co_ready),
    .co_id_i     (co_id),
    .co_mem_i    (co_mem),
    .co_size_i   (co_size),
    .co_slot_i   (co_slot),
    .co_sector_i (co_sector),
    .co_lanes_i  (co_lanes),
    .co_last_i   (co_last),
    .co_drop_i   (co_drop),
    .rd_en_o     (sm_rd_en),
    .rd_beat_o   (sm_beat),
    .rd_offset_i (offset),
    .rd_data_i   (rd_data_i),
    .pop_o       (sm_pop),
    .rq_valid_o  (sm_valid),
    .rq_ready_i  (sm_ready),
    .rq_o        (sm_rq),
    .rq_count_o  (rq_count),
    .rq_close_o  (rq_close),
    .rq_slot_o   (rq_slot),
    .idle_o      (idle[1])
  );

  skid #(.WIDTH($bits(mem_pkg::greq_t))) u_request (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (sm_valid),
    .in_ready_o  (sm_ready),
    .in_data_i   (sm_rq),
    .out_valid_o (rq_valid_o),
    .out_ready_i (rq_ready_i),
    .out_data_o  (rq_o)
  );

  load_gather u_gather (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .co_row_valid_i (co_row_valid_o),
    .co_row_i       (co_row_o),
    .co_offset_i    (offset),
    .gm_valid_i     (gm_valid_i),
    .gm_ready_o     (gm_ready_o),
    .gm_rsp_i       (gm_rsp_i),
    .dn_valid_o     (dn_valid),
    .dn_slot_o      (dn_slot),
    .dn_err_o       (dn_err),
    .dn_lanes_o     (dn_lanes),
    .dn_sector_o    (dn_sector),
    .rd_row_i       (rd_row),
    .rd_data_o      (row_data),
    .idle_o         (idle[2])
  );

  global_track u_track (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .slot_free_o  (slot_free),
    .slot_o       (slot),
    .co_alloc_i   (co_alloc),
    .co_op_i      (head_op_i),
    .rq_count_i   (rq_count),
    .rq_close_i   (rq_close),
    .rq_slot_i    (rq_slot),
    .dn_valid_i   (dn_valid),
    .dn_slot_i    (dn_slot),
    .dn_err_i     (dn_err),
    .dn_lanes_i   (dn_lanes),
    .dn_sector_i  (dn_sector),
    .rd_row_o     (rd_row),
    .rows_valid_o (rows_valid),
    .rows_ready_i (rows_ready),
    .rows_o       (rows),
    .idle_o       (idle[3])
  );

  row_writer u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .in_valid_i   (rows_valid),
    .in_ready_o   (rows_ready),
    .in_rows_i    (rows),
    .in_data_i    (row_data),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_data_o   (res_data_o)
  );

endmodule

`default_nettype wire
