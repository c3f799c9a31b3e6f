// SPDX-License-Identifier: Apache-2.0
// Makes the request of a sector from its rows; for stores it first sends the bytes of the row's
// lanes to the point of order, as store_words finds them.
// Latency: one cycle. A load's row a cycle; a store's row as many cycles as store_words needs. A
// last row without lanes costs none while bytes still go out.
// Handshake: rows valid/ready; bytes and requests to gmem valid/ready. Data of stores lie here by
// gslot since they arrived.
// It does not wait for the answer; rq_count_o and rq_close_o tell global_track what to wait for.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module store_merge #(
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned BEATS    = mem_pkg::BEATS,
  localparam int unsigned GSLOT_W  = mem_pkg::GSLOT_W,
  localparam int unsigned KEY_W    = mem_pkg::KEY_W,
  localparam int unsigned ST_BITS  = mem_pkg::ST_BITS,
  localparam int unsigned GROUP_W  = (mem_pkg::ST_TAKE == 4) ? 1 : $clog2(mem_pkg::ST_GROUPS)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [7:0]                    fault_i,
  // from address generation: data of a row of lanes
  input  logic                          ag_row_valid_i,
  input  logic [mem_pkg::GROW_W-1:0]    ag_row_i,      // gslot * BEATS + beat
  input  logic [3:0][LANES-1:0][31:0]   ag_data_i,
  // from the coalescer
  input  logic                          co_valid_i,
  output logic                          co_ready_o,
  input  logic [GSLOT_W-1:0]            co_slot_i,
  input  logic [mem_pkg::BEAT_W-1:0]    co_beat_i,
  input  logic [KEY_W-1:0]              co_sector_i,   // with co_first_i
  input  logic [LANES-1:0]              co_lanes_i,
  input  logic [LANES-1:0][4:0]         co_offset_i,
  input  logic [1:0]                    co_part_i,
  input  logic                          co_store_i,
  input  logic                          co_first_i,
  input  logic                          co_final_i,
  input  logic                          co_begin_i,
  input  logic                          co_last_i,
  // from and to global_track
  output logic [GSLOT_W-1:0]            op_slot_o,
  input  core_pkg::id_t                 op_id_i,       // of the instruction in op_slot_o
  input  isa_pkg::mem_e                 op_mem_i,
  input  logic [2:0]                    op_size_i,
  output logic [GSLOT_W-1:0]            rq_slot_o,
  output logic                          rq_count_o,    // event: an answer will come
  output logic                          rq_close_o,    // event: that was the last sector
  // to gmem
  output logic                          st_valid_o,
  input  logic                          st_ready_i,
  output logic [31:0]                   st_strb_o,
  output mem_pkg::piece_t               st_piece_o,
  output logic [ST_BITS-1:0]            st_data_o,
  output logic                          rq_valid_o,
  input  logic                          rq_ready_i,
  output mem_pkg::greq_t                rq_o,
  output logic                          idle_o
);

  logic                         valid_q, final_q, begin_q, last_q, store_q, drop, lost, merged, asked, leave, free, load, take, close;
  core_pkg::id_t                id_q;
  isa_pkg::mem_e                mem_q;
  logic [GSLOT_W-1:0]           slot_q;
  logic [KEY_W-1:0]             sector_q;
  logic [1:0]                   part_q;
  logic [2:0]                   size_q;        // a word at a time of local memory
  logic [31:0]                  strb_q, strb;
  logic [BEATS-1:0][LANES-1:0]  lanes_q;         // of each row, which comes once in a sector
  logic [LANES-1:0]             left_q, left_next;   // lanes of the row that are not merged yet
  logic [LANES-1:0][4:0]        offset_q;
  logic [mem_pkg::ST_TAKE-1:0][LANES-1:0][31:0] data;
  logic [mem_pkg::GROW_W-1:0]   row;
  logic [3:0]                   every_q;       // counts store sectors, for the injected fault
  logic                         step;          // bytes go out in this cycle
  logic                         final_piece;   // ... the last of the row
  logic [GROUP_W-1:0]           group;         // words of the row that come next

  // Read when a row comes, and kept for as long as it is in work; with few lanes word by word.
  assign row = mem_pkg::GROW_W'(32'(co_slot_i) * BEATS + 32'(co_beat_i));

  if (mem_pkg::ST_TAKE == 4) begin : gen_rows
    logic unused;
    assign unused = group;
    ram_apart #(.WIDTH(LANES * 128), .DEPTH(mem_pkg::GROWS), .RACE(1'b1)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (ag_data_i),
      .rd_en_i   (take && co_store_i),
      .rd_addr_i (row),
      .rd_data_o (data)
    );
  end else begin : gen_words
    logic [mem_pkg::GROW_W-1:0] row_q;
    always_ff @(posedge clk_i) begin
      if (take) row_q <= row;
    end
    ram_unpack #(.WIDTH(mem_pkg::ST_TAKE * LANES * 32), .WORDS(mem_pkg::ST_GROUPS), .DEPTH(mem_pkg::GROWS),
      .RACE(1'b1)) u_data (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ag_row_valid_i),
      .wr_addr_i (ag_row_i),
      .wr_data_i (ag_data_i),
      .rd_en_i   (take ? co_store_i : step),
      .rd_addr_i (take ? row : row_q),
      .rd_word_i (take ? GROUP_W'(co_part_i >> $clog2(mem_pkg::ST_TAKE)) : group),
      .rd_data_o (data)
    );
  end

  assign drop      = fault_i == core_pkg::FAULT_SECTOR_DROP && mem_q == isa_pkg::MEM_GLOBAL_LOAD && last_q && !begin_q;
  assign lost      = fault_i == core_pkg::FAULT_STORE_LOST && store_q && every_q == '1;

  // ---- bytes of the row -------------------------------------------------------------------------
  store_words u_words (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .valid_i     (st_valid_o),
    .step_i      (step),
    .size_i      (size_q),
    .part_i      (part_q),
    .left_i      (left_q),
    .offset_i    (offset_q),
    .data_i      (data),
    .left_next_o (left_next),
    .final_o     (final_piece),
    .group_o     (group),
    .strb_o      (st_strb_o),
    .piece_o     (st_piece_o),
    .data_o      (st_data_o)
  );

  assign st_valid_o = valid_q && store_q && left_q != '0;
  assign step       = st_valid_o && st_ready_i;
  assign merged     = !st_valid_o || (step && final_piece);
  assign strb       = st_valid_o ? strb_q | st_strb_o : strb_q;

  // ---- the request ------------------------------------------------------------------------------
  assign asked      = valid_q && final_q && merged;
  assign rq_valid_o = asked && !drop && !lost;
  assign leave      = valid_q && merged && (!final_q || rq_ready_i || drop || lost);
  assign free       = !valid_q || leave;
  assign close      = co_valid_i && co_lanes_i == '0 && !free;   // it only says that the row here was the last
  assign co_ready_o = free || close;
  assign load       = co_valid_i && free;
  // What counts only with a valid row is taken with any: whether there is one is known last.
  assign take       = free && `HEDDLE_LIVE(co_valid_i);
  assign op_slot_o  = co_slot_i;
  assign rq_slot_o  = slot_q;
  assign rq_count_o = rq_valid_o && rq_ready_i;
  assign rq_close_o = leave && final_q && last_q;
  assign idle_o     = !valid_q;

  assign rq_o.meta.id     = id_q;
  assign rq_o.meta.kind   = store_q ? core_pkg::SECT_STORE : mem_pkg::is_atom(mem_q) ? core_pkg::SECT_ATOM : core_pkg::SECT_LOAD;
  assign rq_o.meta.sector = sector_q;
  assign rq_o.meta.lanes  = lanes_q;
  assign rq_o.meta.gslot  = slot_q;
  assign rq_o.meta.size   = size_q;
  assign rq_o.meta.part   = part_q;
  assign rq_o.wstrb       = strb;

  always_ff @(posedge clk_i) begin
    if (take) begin
      id_q     <= op_id_i;
      mem_q    <= op_mem_i;
      store_q  <= co_store_i;
      slot_q   <= co_slot_i;
      part_q   <= co_part_i;
      final_q  <= co_final_i;
      begin_q  <= co_begin_i;
      last_q   <= co_last_i;
      left_q   <= co_lanes_i;
      if (co_store_i) offset_q <= co_offset_i;
    end else begin
      if (step) left_q <= left_next;
      if (close) begin
        final_q <= 1'b1;
        last_q  <= co_last_i;
      end
    end
    if (load) begin
      strb_q  <= co_first_i ? '0 : strb;
      if (co_first_i) begin
        sector_q <= co_sector_i;
        size_q   <= (co_sector_i[KEY_W-1] && mem_pkg::size_mask(op_size_i) > 4'd3) ? isa_pkg::SIZE_32 : op_size_i;
      end
    end else if (step) begin
      strb_q <= strb;
    end
  end

  for (genvar b = 0; b < BEATS; b++) begin : gen_lanes
    always_ff @(posedge clk_i) begin
      if (load) begin
        if (32'(co_beat_i) == b) lanes_q[b] <= co_lanes_i;
        else if (co_first_i)     lanes_q[b] <= '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      every_q <= '0;
    end else begin
      if (free) valid_q <= co_valid_i;
      if (leave && final_q && store_q) every_q <= every_q + 1'b1;
    end
  end

  // A row without lanes ends the sector of the row that is here.
  `ASSERT_IF(a_close, close, !final_q && slot_q == co_slot_i && !co_first_i)

endmodule

`default_nettype wire
