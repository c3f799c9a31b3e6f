// SPDX-License-Identifier: Apache-2.0
// Global instructions in flight: one gslot each, with the number of sectors whose answer is still to come. A complete
// instruction sends its result rows, beat by beat; then its gslot is free again.
// Latency: two cycles from the last answer to the first row. Handshake: alloc, count, close and done are events; rows valid/ready.
// Instructions complete in any order. A bus error sends a trap instead of rows.
// It does not know addresses.
`default_nettype none
`include "heddle_assert.svh"

module global_track #(
  localparam int unsigned GSLOTS  = mem_pkg::GSLOTS,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from and to the coalescer
  output logic                          slot_free_o,
  output logic [GSLOT_W-1:0]            slot_o,
  input  logic                          co_alloc_i,
  input  core_pkg::memop_t              co_op_i,
  // from store_merge
  input  logic                          rq_count_i,
  input  logic                          rq_close_i,
  input  logic [GSLOT_W-1:0]            rq_slot_i,
  // from load_gather
  input  logic                          dn_valid_i,
  input  logic [GSLOT_W-1:0]            dn_slot_i,
  input  logic                          dn_err_i,
  input  logic [31:0]                   dn_lanes_i,
  input  logic [mem_pkg::SECTOR_W-1:0]  dn_sector_i,
  // to load_gather: the result rows that the row writer wants
  output logic [mem_pkg::GROW_W-1:0]    rd_row_o,
  // to the row writer
  output logic                          rows_valid_o,
  input  logic                          rows_ready_i,
  output mem_pkg::rows_t                rows_o,
  output logic                          idle_o
);

  logic [GSLOTS-1:0]            used_q, open_q, err_q, free, ready, pick, unused_free;
  logic [GSLOTS-1:0][5:0]       wait_q;
  logic [31:0]                  err_lanes;
  logic [mem_pkg::SECTOR_W-1:0] err_sector;

  // The instruction whose rows leave.
  logic                         out_valid_q, out_last, start, finish;
  logic [GSLOT_W-1:0]           out_slot_q, pick_index;
  logic [4:0]                   out_beat_q;
  logic                         has_rows, out_err;
  core_pkg::memop_t             out_op;

  assign free = ~used_q;

  lowest_one #(.N(GSLOTS)) u_free (
    .in_i     (free),
    .onehot_o (unused_free),
    .index_o  (slot_o),
    .any_o    (slot_free_o)
  );

  for (genvar s = 0; s < GSLOTS; s++) begin : gen_slot
    logic up, down;
    assign up       = rq_count_i && rq_slot_i == GSLOT_W'(s);
    assign down     = dn_valid_i && dn_slot_i == GSLOT_W'(s);
    assign ready[s] = used_q[s] && !open_q[s] && wait_q[s] == '0 && !(out_valid_q && out_slot_q == GSLOT_W'(s));

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        used_q[s] <= 1'b0;
        open_q[s] <= 1'b0;
        err_q[s]  <= 1'b0;
        wait_q[s] <= '0;
      end else begin
        if (co_alloc_i && slot_o == GSLOT_W'(s)) begin
          used_q[s] <= 1'b1;
          open_q[s] <= 1'b1;
          err_q[s]  <= 1'b0;
        end else begin
          if (finish && out_slot_q == GSLOT_W'(s))     used_q[s] <= 1'b0;
          if (rq_close_i && rq_slot_i == GSLOT_W'(s))  open_q[s] <= 1'b0;
          if (down && dn_err_i)                        err_q[s]  <= 1'b1;
        end
        if (up && !down)      wait_q[s] <= wait_q[s] + 1'b1;
        else if (down && !up) wait_q[s] <= wait_q[s] - 1'b1;
      end
    end

    // An answer belongs to an instruction in flight.
    `ASSERT(a_answer, !down || (used_q[s] && wait_q[s] != '0))
  end

  ram_async #(.WIDTH($bits(core_pkg::memop_t)), .DEPTH(GSLOTS)) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (co_alloc_i),
    .wr_addr_i (slot_o),
    .wr_data_i (co_op_i),
    .rd_addr_i (out_slot_q),
    .rd_data_o (out_op)
  );

  // Where the error was. Lanes and address of an instruction with several failing sectors are those of the last of them.
  ram_async #(.WIDTH(32 + mem_pkg::SECTOR_W), .DEPTH(GSLOTS)) u_err (
    .clk_i     (clk_i),
    .wr_en_i   (dn_valid_i && dn_err_i),
    .wr_addr_i (dn_slot_i),
    .wr_data_i ({dn_lanes_i, dn_sector_i}),
    .rd_addr_i (out_slot_q),
    .rd_data_o ({err_lanes, err_sector})
  );

  arb_rr #(.N(GSLOTS)) u_ready (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (ready),
    .grant_o (pick),
    .take_i  (start)
  );

  onehot_index #(.N(GSLOTS)) u_pick (
    .onehot_i (pick),
    .index_o  (pick_index)
  );

  assign has_rows = mem_pkg::returns(out_op.mem) && out_op.rd != isa_pkg::RZ && !out_err;
  assign out_err  = err_q[out_slot_q];
  assign out_last = !has_rows || out_beat_q == 5'(cfg_pkg::BEATS - 1);
  assign finish   = out_valid_q && rows_ready_i && out_last;
  assign start    = (!out_valid_q || finish) && ready != '0;

  always_ff @(posedge clk_i) begin
    if (start) out_slot_q <= pick_index;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
      out_beat_q  <= '0;
    end else begin
      out_valid_q <= start || (out_valid_q && !finish);
      if (start) out_beat_q <= '0;
      else if (out_valid_q && rows_ready_i) out_beat_q <= out_beat_q + 1'b1;
    end
  end

  assign rd_row_o     = mem_pkg::GROW_W'(32'(out_slot_q) * cfg_pkg::BEATS + 32'(out_beat_q));
  assign rows_valid_o = out_valid_q;
  assign rows_o.op    = out_op;
  assign rows_o.beat  = out_beat_q;
  assign rows_o.rows  = has_rows;
  assign rows_o.last  = out_last;
  assign rows_o.trap  = out_err;
  assign rows_o.lanes = err_lanes;
  assign rows_o.addr  = {24'd0, err_sector, 5'd0};
  assign idle_o       = used_q == '0;

endmodule

`default_nettype wire
