// SPDX-License-Identifier: Apache-2.0
// rtl/writeback/reserve.sv of two lines, as with row queues: alu and cvt on line 0, fma on line 1. Pipes, latencies and
// two banks are those of `tiny`, or cvt and fma are equally late, as before an fma of two lanes. A queue's
// claim holds until it is taken, the next one comes when the passes of its row are made (row_queue_formal.sv:
// p_claim, p_passes).
// config: tiny
// also reserve_equal: tiny FMA_LANES=2 FMA_PASSES=2 LATENCY_FMA=7 LATENCY_MAX=7
`include "properties.svh"

module reserve_lines_formal (
  input logic                                                clk_i,
  input logic [core_pkg::LINES-1:0]                          want,      // a row could leave its queue
  input logic                                                cvt,       // that of line 0 is for cvt
  input logic [core_pkg::LINES-1:0]                          rd_en,
  input logic                                                wide,      // that of line 1 writes two registers
  input logic [core_pkg::LINES-1:0][back_pkg::WREG_W-1:0]    wreg,
  input logic                                                pred,      // that of line 0 writes predicates
  input logic [core_pkg::LINES-1:0][7:0]                     tag,
  input logic [cfg_pkg::BANKS-1:0]                           starved,
  input logic                                                pred_starved
);
  `RESET
  localparam int unsigned PIPES = cfg_pkg::PIPES, BANKS = cfg_pkg::BANKS, LINES = core_pkg::LINES;
  localparam int unsigned DEEP  = cfg_pkg::LATENCY_MAX + 1;

  logic                                    rs_pred;
  logic [LINES-1:0]                        ok, take, valid_q;
  logic [PIPES-1:0]                        rs_valid;
  logic [PIPES-1:0][back_pkg::DEST_W-1:0]  rs_dest;
  logic [BANKS-1:0]                        taken, at_ends;
  logic [LINES-1:0][PIPES-1:0]             pipe;
  logic [LINES-1:0][BANKS-1:0]             ports;
  bus_pkg::claim_t [LINES-1:0]             claim;
  back_pkg::dest_t [LINES-1:0]             dest, dest_q;

  // Banks of a row's registers: consecutive ones are in different banks.
  function automatic logic [BANKS-1:0] banks(input logic en, input logic two, input logic [back_pkg::WREG_W-1:0] first);
    banks = '0;
    if (en) banks[back_pkg::bank_of(first)] = 1'b1;
    if (en && two) banks[back_pkg::bank_of(first + 1'b1)] = 1'b1;
  endfunction

  assign pipe[0] = want[0] ? (cvt ? PIPES'(1) << cfg_pkg::PIPE_CVT : PIPES'(1) << cfg_pkg::PIPE_ALU) : '0;
  assign pipe[1] = want[1] ? PIPES'(1) << cfg_pkg::PIPE_FMA : '0;
  always_comb begin
    for (int k = 0; k < int'(LINES); k++) begin
      dest[k]       = '0;
      dest[k].id    = {$bits(core_pkg::id_t)'(tag[k])};
      dest[k].pipe  = pipe[k];
      dest[k].rd_en = rd_en[k];
      dest[k].rd_n  = {1'b0, k == 1 && wide};
      dest[k].wreg  = wreg[k];
      ports[k]      = banks(rd_en[k], k == 1 && wide, wreg[k]);
      claim[k]      = '{ports: ports[k], pipe: pipe[k], preds: k == 0 && pred};
    end
  end
  assign take = want & ok;

  reserve u_dut (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .op_claim_i        (claim),
    .op_take_i         (take),
    .rs_ok_o           (ok),
    .op_alu_valid_i    (valid_q[0]),
    .op_alu_dest_i     (dest_q[0]),
    .op_fma_valid_i    (valid_q[1]),
    .op_fma_dest_i     (dest_q[1]),
    .wb_starved_i      (starved),
    .wb_pred_starved_i (pred_starved),
    .rs_taken_o        (taken),
    .rs_valid_o        (rs_valid),
    .rs_dest_o         (rs_dest),
    .rs_pred_o         (rs_pred)
  );

  // ---- the queues: what leaves one is on its line in the next cycle -----------------------------------------
  logic [LINES-1:0]                        held_q;      // claimed, and not taken
  back_pkg::dest_t [LINES-1:0]             was_q;
  logic                                    pred_q;
  logic [LINES-1:0][2:0]                   left_q;      // passes of the row before it that are still to come
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < int'(LINES); k++) begin
      valid_q[k] <= rst_ni && take[k];
      held_q[k]  <= rst_ni && want[k] && !ok[k];
      if (!rst_ni) left_q[k] <= '0;
      else if (take[k])
        left_q[k] <= 3'(((k == 1) ? cfg_pkg::FMA_PASSES : cvt ? cfg_pkg::CVT_PASSES : cfg_pkg::ALU_PASSES) - 1);
      else if (left_q[k] != '0) left_q[k] <= left_q[k] - 3'd1;
    end
    dest_q <= dest;
    was_q  <= dest;
    pred_q <= pred;
  end
  `GIVEN(g_passes, (left_q[0] == '0 || !want[0]) && (left_q[1] == '0 || !want[1]))
  `GIVEN(g_stands, (!held_q[0] || (want[0] && dest[0] == was_q[0] && pred == pred_q))
    && (!held_q[1] || (want[1] && dest[1] == was_q[1])))

  // Taken rows, cycle by cycle and line by line: hist_q[k][n] n + 1 cycles ago.
  typedef struct packed {
    logic             valid;
    logic [PIPES-1:0] pipe;
    logic [7:0]       tag;
    logic [BANKS-1:0] ports;
  } beat_t;
  beat_t [LINES-1:0][DEEP-1:0] hist_q;
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < int'(LINES); k++) begin
      for (int n = 1; n < int'(DEEP); n++) hist_q[k][n] <= rst_ni ? hist_q[k][n-1] : '0;
      hist_q[k][0] <= rst_ni ? {take[k], pipe[k], tag[k], ports[k]} : '0;
    end
  end

  // At the end of each pipe is the row that left its queue its latency ago; and the others that will want its banks then.
  logic                        on_time, apart, clash;
  logic [LINES-1:0]            busy, late;
  logic [PIPES-1:0][BANKS-1:0] at;
  back_pkg::dest_t             one;
  beat_t                       then_taken;
  always_comb begin
    on_time = 1'b1;
    apart   = 1'b1;
    busy    = '0;
    at_ends = '0;
    clash   = 1'b0;
    for (int p = 0; p < int'(PIPES); p++) begin
      one        = rs_dest[p];
      then_taken = hist_q[core_pkg::line_of(p)][cfg_pkg::PIPE_LATENCY[p] - 1];
      at[p]      = rs_valid[p] ? banks(one.rd_en, one.rd_n[0], one.wreg) : '0;
      at_ends   |= at[p];
      if (rs_valid[p] != (then_taken.valid && then_taken.pipe[p])) on_time = 1'b0;
      if (rs_valid[p] && (8'(one.id) != then_taken.tag || at[p] != then_taken.ports)) on_time = 1'b0;
      for (int q = 0; q < p; q++) if ((at[p] & at[q]) != '0) apart = 1'b0;
      // A row of pipe q taken n + 1 cycles ago is at its port latency(q) - n - 1 cycles from now; this one in
      // latency(p).
      for (int q = 0; q < int'(PIPES); q++) begin
        for (int n = 0; n < int'(DEEP); n++) begin
          for (int k = 0; k < int'(LINES); k++) begin
            for (int j = 0; j < int'(LINES); j++) begin
              if (pipe[k][p] && int'(cfg_pkg::PIPE_LATENCY[q]) - n - 1 == int'(cfg_pkg::PIPE_LATENCY[p]) && hist_q[j][n].valid
                  && hist_q[j][n].pipe[q] && (hist_q[j][n].ports & ports[k]) != '0) busy[k] = 1'b1;
            end
          end
        end
        // Both want one port in one cycle.
        if (pipe[0][p] && pipe[1][q] && cfg_pkg::PIPE_LATENCY[p] == cfg_pkg::PIPE_LATENCY[q]
            && (ports[0] & ports[1]) != '0) clash = 1'b1;
      end
    end
    late = {(ports[1] & starved) != '0, (ports[0] & starved) != '0 || (pred && pred_starved)};
  end

  // For how many cycles in a row a row has been refused, without a late result with a kept port that a row wants. For how
  // long each bank has been kept for one.
  logic [LINES-1:0][2:0]       refused_q;
  logic [BANKS-1:0][3:0]       kept_q;
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < int'(LINES); k++) begin
      if (!rst_ni || !want[k] || ok[k] || late != '0) refused_q[k] <= '0;
      else if (refused_q[k] != '1) refused_q[k] <= refused_q[k] + 3'd1;
    end
    for (int b = 0; b < int'(BANKS); b++) begin
      if (!rst_ni || !starved[b]) kept_q[b] <= '0;
      else if (kept_q[b] != '1) kept_q[b] <= kept_q[b] + 4'd1;
    end
  end
  logic soon;
  always_comb begin
    soon = 1'b1;
    for (int b = 0; b < int'(BANKS); b++) if (kept_q[b] >= 4'(cfg_pkg::LATENCY_MAX) && taken[b]) soon = 1'b0;
  end

  // Two pipes never write a bank in the same cycle.
  `PROVE(p_apart, apart)
  // The banks that are shown as taken are those of the rows at the ends of the pipes.
  `PROVE(p_taken, taken == at_ends)
  // Each row is at the end of its pipe exactly its latency after it left its queue, itself and no other, with the
  // ports that it claimed.
  `PROVE(p_on_time, on_time)
  // A bank, or the predicates, for which a late result has waited long is not reserved again.
  `PROVE(p_starved, (take & late) == '0)
  // Its port is free as soon as all have passed that had it before: the late result waits so much longer at the most.
  `PROVE(p_late, soon)
  // A row waits only for a port that is taken then, or is given to a late result, or for the row of line 0 that wants
  // it, too.
  `PROVE(p_free, (ok[0] || !want[0] || busy[0] || late[0]) && (ok[1] || !want[1] || busy[1] || late[1] || clash))
  // A row that finds a port taken is refused, and so is that of line 1 where line 0 wants the port.
  `PROVE(p_refuse, (take & busy) == '0 && !(clash && take[1]))
  // Both leave in one cycle where both have their ports.
  `PROVE(p_both, want != '1 || busy != '0 || late != '0 || clash || take == '1)
  // No row is refused in two cycles in a row, but for late results: neither line keeps the other from its ports.
  `PROVE(p_wait, refused_q[0] <= 3'd1 && refused_q[1] <= 3'd1)
  // The predicates that are shown are those of a row of alu.
  `PROVE(p_pred, rs_pred == rs_valid[cfg_pkg::PIPE_ALU])
  // A row is refused for one that left the other line before.
  `REACH(r_other, want[0] && !ok[0] && busy[0] && late == '0)
  // Both lines have rows at the ends of their pipes in one cycle, and both leave.
  `REACH(r_two, rs_valid[cfg_pkg::PIPE_FMA] && $countones(rs_valid) == 2 && at_ends == '1 && take == '1)
endmodule
