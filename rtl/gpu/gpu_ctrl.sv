// SPDX-License-Identifier: Apache-2.0
// Start, abort and end of launches: drains AXI, resets the SMs, says go, watches the run, keeps its outcome and its cycles. README.md
// has its states. Where SMs share a cache it is flushed before the outcome of the last launch is told; an abort gives up what it had.
// Latency: go comes RESET_CYCLES + 2 cycles after a start when AXI is quiet, and three after the end of the launch before where one
// waits, without a reset. An abort is over when status is idle again.
// Handshake: events from the host; an abort always counts. Whether a START does launch_queue says (start_i: it has been taken).
// A launch from idle finds SMs that were reset, unless the shared cache has kept what KEEP left in it. It does not stop a grid that
// hangs.
// With an mmu a launch ends, and another one comes to the SMs, once nothing is translated any more; and FLUSH and EMPTY count while a
// launch runs, too.
module gpu_ctrl #(
  parameter int unsigned RESET_CYCLES = 4,
  parameter bit          QUEUE        = cfg_pkg::LAUNCH_QUEUE > 0,
  parameter bit          WARM         = 1'b1,  // 0: there is a reset between launches of a queue, too
  localparam bit         MMU          = cfg_pkg::MMU != 0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the host registers; an abort always counts
  input  gpu_pkg::command_t command_i,
  output gpu_pkg::state_t   state_o,
  // from and to the launch registers
  input  logic              waiting_i,       // launches wait, but for one that is taken in this cycle
  input  logic              next_ready_i,    // one can begin
  output logic              free_o,          // the launch registers of the SMs may change
  output logic              begin_o,
  // from and to the AXI gate
  output logic              drain_o,
  input  logic              drained_i,
  // from and to the SM
  output logic              sm_rst_no,
  output logic              go_o,
  input  logic              grid_done_i,
  input  logic [3:0]        ct_refuse_i,
  input  logic              is_trap_valid_i,
  output logic              stop_o,          // all SMs are stopped
  input  logic              sm_drained_i,    // ... and have drained
  // from and to the cache that SMs share
  output logic              flush_o,
  output logic              flush_range_o,   // of the host's range
  output logic              flush_keep_o,
  input  logic              flushed_i,
  input  logic              dirty_i,
  // from and to the mmu
  input  logic              mmu_idle_i,      // nothing is translated, nor will be before the next launch
  output logic              mmu_runs_o       // an exchange may begin
);

  typedef enum logic [2:0] {ST_IDLE, ST_DRAIN, ST_RESET, ST_NEXT, ST_RUN, ST_FLUSH, ST_STOP, ST_CACHE} state_e;

  state_e      state_q;
  logic [3:0]  count_q, refuse_q;
  logic        done_q, trapped_q, refused_q, go_q, sm_rst_nq;
  logic        flush_q, dropped_q;
  logic        skip_q, stop_q;             // the launch in front is given up; SMs are stopped
  logic        held_q;                     // behind one that trapped or was refused others wait for a SKIP
  logic        kept_q, keep_q;             // the shared cache may have lines; a command keeps them
  logic        ends_q, cache_q;            // the grid has ended; a command is under way while it runs
  logic        waits, over, bad, skip, finish, more, begins, settled;
  logic        ended_q, busy_q;
  logic [2:0]  how_q;
  logic [63:0] cycles_q;

  assign waits  = waiting_i || command_i.start;
  assign settled = !MMU || (mmu_idle_i && !cache_q);
  assign over   = state_q == ST_RUN && (is_trap_valid_i || grid_done_i || ends_q) && settled;
  assign bad    = is_trap_valid_i || ct_refuse_i != core_pkg::REFUSE_NONE;   // stands until the reset
  assign skip   = QUEUE && (skip_q || command_i.skip);
  assign more   = QUEUE && !bad && waits;             // the next one follows at once
  // The outcome of the launch is told.
  assign finish = (l2_pkg::THERE && state_q == ST_FLUSH && flushed_i) || (over && !skip && (more || !l2_pkg::THERE || (!bad && command_i.keep)));
  assign begins = state_q == ST_NEXT && next_ready_i && !command_i.drop;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flush_q   <= 1'b0;
      dropped_q <= 1'b0;
      state_q   <= ST_IDLE;
      done_q    <= 1'b0;
      trapped_q <= 1'b0;
      refused_q <= 1'b0;
      refuse_q  <= '0;
      go_q      <= 1'b0;
      sm_rst_nq <= 1'b0;
      count_q   <= '0;
      skip_q    <= 1'b0;
      stop_q    <= 1'b0;
      held_q    <= 1'b0;
      kept_q    <= 1'b0;
      keep_q    <= 1'b0;
      ends_q    <= 1'b0;
      cache_q   <= 1'b0;
    end else begin
      ends_q    <= MMU && state_q == ST_RUN && (ends_q || grid_done_i) && !over;
      go_q      <= begins;
      sm_rst_nq <= state_q != ST_RESET;
      if (skip && state_o.running) skip_q <= 1'b1;
      case (state_q)
        ST_IDLE: begin
          if (QUEUE && command_i.skip && (trapped_q || refused_q)) begin
            state_q   <= ST_DRAIN;
            held_q    <= 1'b0;
            trapped_q <= 1'b0;
            refused_q <= 1'b0;
            refuse_q  <= '0;
          end else if (QUEUE && l2_pkg::THERE && (command_i.flush || command_i.empty) && !waits) begin
            state_q <= ST_CACHE;
            flush_q <= 1'b1;
            keep_q  <= !command_i.empty;
          end
        end
        ST_DRAIN: begin
          count_q <= '0;
          if (drained_i) begin
            state_q   <= ST_RESET;
            dropped_q <= l2_pkg::THERE && !waiting_i && dirty_i;
          end
        end
        ST_RESET: begin
          count_q <= count_q + 4'd1;
          flush_q <= 1'b0;
          stop_q  <= 1'b0;
          kept_q  <= 1'b0;
          if (count_q == 4'(RESET_CYCLES - 1)) state_q <= waiting_i ? ST_NEXT : ST_IDLE;
        end
        // The reset, if there was one, ends in this cycle; go comes in the next.
        ST_NEXT: if (next_ready_i) state_q <= ST_RUN;
        ST_STOP: if (QUEUE && sm_drained_i && settled) begin
          state_q <= l2_pkg::THERE ? ST_FLUSH : ST_DRAIN;
          flush_q <= l2_pkg::THERE;
          skip_q  <= l2_pkg::THERE;
        end
        ST_CACHE: if (QUEUE && flushed_i) begin
          flush_q <= 1'b0;
          state_q <= !waits ? ST_IDLE : kept_q ? ST_NEXT : ST_DRAIN;
        end
        default: begin
          if (state_q == ST_RUN && skip) begin
            state_q <= ST_STOP;
            stop_q  <= 1'b1;
          end else if (over && !finish) begin
            state_q <= ST_FLUSH;
            flush_q <= 1'b1;
          end else if (MMU && l2_pkg::THERE && state_q == ST_RUN && !over && !cache_q && (command_i.flush || command_i.empty)) begin
            flush_q <= 1'b1;
            cache_q <= 1'b1;
            keep_q  <= !command_i.empty;
          end
          if (finish) begin
            flush_q <= 1'b0;
            kept_q  <= l2_pkg::THERE && state_q == ST_RUN;
            skip_q  <= 1'b0;
            if (skip || (more && !WARM)) begin
              state_q <= ST_DRAIN;
            end else if (more) begin
              state_q <= ST_NEXT;
            end else begin
              // A trap stands until the reset, and so does why the launch was refused.
              state_q   <= ST_IDLE;
              trapped_q <= is_trap_valid_i;
              done_q    <= !is_trap_valid_i && ct_refuse_i == core_pkg::REFUSE_NONE;
              refused_q <= !is_trap_valid_i && ct_refuse_i != core_pkg::REFUSE_NONE;
              refuse_q  <= is_trap_valid_i ? '0 : ct_refuse_i;
              held_q    <= QUEUE && waits;
            end
          end
        end
      endcase

      if (command_i.drop || (command_i.start && !state_o.running && !held_q)) begin
        done_q    <= 1'b0;
        trapped_q <= 1'b0;
        refused_q <= 1'b0;
        refuse_q  <= '0;
        dropped_q <= 1'b0;
        if (command_i.drop || state_q != ST_CACHE)
          state_q <= (state_q == ST_IDLE && kept_q && !command_i.drop) ? ST_NEXT : ST_DRAIN;
      end
      if (cache_q && flushed_i) begin
        flush_q <= 1'b0;
        cache_q <= 1'b0;
      end
      if (command_i.drop) begin
        skip_q  <= 1'b0;
        held_q  <= 1'b0;
        cache_q <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ended_q <= 1'b0;
      busy_q  <= 1'b0;
    end else begin
      ended_q <= !command_i.drop && (finish || (QUEUE && !l2_pkg::THERE && state_q == ST_STOP && sm_drained_i && settled));
      busy_q  <= state_q != ST_IDLE;
    end
  end
  always_ff @(posedge clk_i) begin
    if (skip || (QUEUE && state_q == ST_STOP)) how_q <= '0;
    else                            how_q <= {bad && !is_trap_valid_i, is_trap_valid_i, !bad};
  end
  assign state_o.ended = ended_q;
  assign state_o.how   = how_q;
  assign state_o.idle  = busy_q && state_q == ST_IDLE && !waiting_i;

  // Apart from the rest: the clear is that of the registers, and costs no logic.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || begins) cycles_q <= '0;
    else if (state_q == ST_RUN || state_q == ST_FLUSH) cycles_q <= cycles_q + 64'd1;
  end

  assign drain_o       = state_q == ST_DRAIN || state_q == ST_RESET || !sm_rst_nq;
  assign sm_rst_no     = sm_rst_nq && rst_ni;   // the SM is in reset from the first edge on
  assign go_o          = go_q;
  assign begin_o       = begins;
  assign free_o        = (state_q == ST_RESET || state_q == ST_NEXT) && (!MMU || mmu_idle_i);
  assign stop_o        = stop_q;
  assign state_o.running     = state_q == ST_NEXT || state_q == ST_RUN || state_q == ST_FLUSH || (QUEUE && state_q == ST_STOP)
    || (state_q != ST_IDLE && waiting_i);
  assign state_o.draining    = state_q == ST_DRAIN || state_q == ST_RESET;
  assign state_o.flushing    = QUEUE && (state_q == ST_CACHE || cache_q);
  assign state_o.done        = done_q;
  assign state_o.trapped     = trapped_q;
  assign state_o.refused     = refused_q;
  assign state_o.refuse      = refuse_q;
  assign state_o.cycles      = cycles_q;
  assign flush_o       = flush_q;
  assign flush_range_o = state_q == ST_CACHE || cache_q;
  assign flush_keep_o  = (state_q == ST_CACHE || cache_q) && keep_q;
  assign mmu_runs_o    = state_q == ST_RUN && !over;
  assign state_o.dropped     = dropped_q;

endmodule
