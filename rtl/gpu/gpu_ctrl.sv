// SPDX-License-Identifier: Apache-2.0
// Start, abort and end of a grid: drains AXI, resets the SM, says go, watches the run, keeps its outcome and its cycles. Where SMs
// share a cache it is flushed before the outcome is told, and stays so until the next reset; an abort gives up what it had.
// Latency: go comes RESET_CYCLES + 2 cycles after a start when AXI is quiet. An abort is over when status is idle again.
// Handshake: start_i and abort_i are events; an abort always counts. A start while a grid runs is ignored; while an abort drains it
// is not: its grid begins behind that.
// The SM is reset before every grid, so nothing survives from one launch to the next. It does not stop a grid that hangs.
`default_nettype none

module gpu_ctrl #(
  parameter int unsigned RESET_CYCLES = 4
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the host registers
  input  logic              start_i,
  input  logic              abort_i,
  output logic              running_o,
  output logic              done_o,
  output logic              trapped_o,
  output logic              refused_o,
  output logic              draining_o,
  output logic [3:0]        refuse_o,
  output logic [63:0]       cycles_o,
  output logic              dropped_o,       // the last abort gave something up
  // from and to the AXI gate
  output logic              drain_o,
  input  logic              drained_i,
  // from and to the SM
  output logic              sm_rst_no,
  output logic              go_o,
  input  logic              grid_done_i,
  input  logic [3:0]        ct_refuse_i,
  input  logic              is_trap_valid_i,
  // from and to the cache that SMs share
  output logic              flush_o,
  input  logic              flushed_i,
  input  logic              dirty_i
);

  localparam logic [2:0] ST_IDLE = 3'd0, ST_DRAIN = 3'd1, ST_RESET = 3'd2, ST_GO = 3'd3, ST_RUN = 3'd4, ST_FLUSH = 3'd5;

  logic [2:0]  state_q;
  logic [3:0]  count_q, refuse_q;
  logic        start_q;                    // a grid follows the reset
  logic        done_q, trapped_q, refused_q, go_q, sm_rst_nq;
  logic        over;                       // the grid is, and its outcome is told
  logic        flush_q, dropped_q;
  logic [63:0] cycles_q;

  assign over = l2_pkg::THERE ? state_q == ST_FLUSH && flushed_i : state_q == ST_RUN && (is_trap_valid_i || grid_done_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flush_q   <= 1'b0;
      dropped_q <= 1'b0;
      state_q   <= ST_IDLE;
      start_q   <= 1'b0;
      done_q    <= 1'b0;
      trapped_q <= 1'b0;
      refused_q <= 1'b0;
      refuse_q  <= '0;
      go_q      <= 1'b0;
      sm_rst_nq <= 1'b0;
      count_q   <= '0;
    end else begin
      go_q      <= 1'b0;
      sm_rst_nq <= state_q != ST_RESET;
      case (state_q)
        ST_IDLE: ;
        ST_DRAIN: begin
          count_q <= '0;
          if (drained_i) begin
            state_q   <= ST_RESET;
            dropped_q <= l2_pkg::THERE && !start_q && dirty_i;
          end
        end
        ST_RESET: begin
          count_q <= count_q + 4'd1;
          flush_q <= 1'b0;
          if (count_q == 4'(RESET_CYCLES - 1)) state_q <= start_q ? ST_GO : ST_IDLE;
        end
        ST_GO: begin
          // The reset ends in this cycle; go comes in the next.
          go_q     <= 1'b1;
          state_q  <= ST_RUN;
        end
        default: begin
          // A trap stands until the reset, and so does why the launch was refused.
          if (l2_pkg::THERE && state_q == ST_RUN && (is_trap_valid_i || grid_done_i)) begin
            state_q <= ST_FLUSH;
            flush_q <= 1'b1;
          end
          if (over && is_trap_valid_i) begin
            trapped_q <= 1'b1;
            state_q   <= ST_IDLE;
          end else if (over) begin
            done_q    <= ct_refuse_i == core_pkg::REFUSE_NONE;
            refused_q <= ct_refuse_i != core_pkg::REFUSE_NONE;
            refuse_q  <= ct_refuse_i;
            state_q   <= ST_IDLE;
          end
        end
      endcase

      if (abort_i || (start_i && !running_o)) begin
        done_q    <= 1'b0;
        trapped_q <= 1'b0;
        refused_q <= 1'b0;
        refuse_q  <= '0;
        dropped_q <= 1'b0;
        start_q   <= !abort_i;
        state_q   <= ST_DRAIN;
        go_q      <= 1'b0;
      end
    end
  end

  // Apart from the rest: the clear is that of the registers, and costs no logic.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || state_q == ST_GO) cycles_q <= '0;
    else if (state_q == ST_RUN || state_q == ST_FLUSH) cycles_q <= cycles_q + 64'd1;
  end

  assign drain_o    = state_q == ST_DRAIN || state_q == ST_RESET || !sm_rst_nq;
  assign sm_rst_no  = sm_rst_nq && rst_ni;   // the SM is in reset from the first edge on
  assign go_o       = go_q;
  assign running_o  = state_q == ST_RUN || state_q == ST_FLUSH || state_q == ST_GO || (state_q != ST_IDLE && start_q);
  assign draining_o = state_q == ST_DRAIN || state_q == ST_RESET;
  assign done_o     = done_q;
  assign trapped_o  = trapped_q;
  assign refused_o  = refused_q;
  assign refuse_o   = refuse_q;
  assign cycles_o   = cycles_q;
  assign flush_o    = flush_q;
  assign dropped_o  = dropped_q;

endmodule

`default_nettype wire
