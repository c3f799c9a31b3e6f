// SPDX-License-Identifier: Apache-2.0
// rtl/writeback/reserve.sv, with the pipes, latencies and four banks of `wide`: of one line, as without row queues.
// config: wide
`include "properties.svh"

module reserve_formal (
  input logic                      clk_i,
  input logic [cfg_pkg::PIPES-1:0] pipe,         // of the beat that wants to be taken; none of a register branch
  input logic                      rd_en,
  input logic                      wide,         // it writes two registers
  input logic [back_pkg::WREG_W-1:0] wreg,
  input logic                      pred,
  input logic [7:0]                tag,
  input logic                      want,
  input logic [cfg_pkg::BANKS-1:0] starved,
  input logic                      pred_starved
);
  `RESET
  localparam int unsigned PIPES = cfg_pkg::PIPES, BANKS = cfg_pkg::BANKS;
  localparam int unsigned DEEP  = cfg_pkg::LATENCY_MAX + 2;

  logic                                    ok, take, rs_pred;
  logic [PIPES-1:0]                        rs_valid;
  logic [PIPES-1:0][back_pkg::DEST_W-1:0]  rs_dest;
  logic [BANKS-1:0]                        ports, taken, at_ends;
  bus_pkg::claim_t                         claim;
  back_pkg::dest_t                         dest, dest_1_q, dest_2_q;
  logic                                    valid_1_q, valid_2_q;

  // Banks of a beat's registers: consecutive ones are in different banks.
  function automatic logic [BANKS-1:0] banks(input logic en, input logic two, input logic [back_pkg::WREG_W-1:0] first);
    banks = '0;
    if (en) banks[back_pkg::bank_of(first)] = 1'b1;
    if (en && two) banks[back_pkg::bank_of(first + 1'b1)] = 1'b1;
  endfunction

  always_comb begin
    dest       = '0;
    dest.id    = {$bits(core_pkg::id_t)'(tag)};
    dest.pipe  = pipe;
    dest.rd_en = rd_en;
    dest.rd_n  = {1'b0, wide};
    dest.wreg  = wreg;
  end
  assign ports = banks(rd_en && pipe != '0, wide, wreg);
  assign claim = '{ports: ports, pipe: pipe, preds: pred};
  assign take  = want && ok;

  reserve u_dut (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .op_claim_i        (claim),
    .op_take_i         (take),
    .rs_ok_o           (ok),
    .op_alu_valid_i    (valid_2_q),
    .op_alu_dest_i     (dest_2_q),
    .op_fma_valid_i    (valid_2_q),
    .op_fma_dest_i     (dest_2_q),
    .wb_starved_i      (starved),
    .wb_pred_starved_i (pred_starved),
    .rs_taken_o        (taken),
    .rs_valid_o        (rs_valid),
    .rs_dest_o         (rs_dest),
    .rs_pred_o         (rs_pred)
  );

  // One pipe at the most. A taken beat is on the bus two cycles later.
  `GIVEN(g_pipe, $countones(pipe) <= 1)
  always_ff @(posedge clk_i) begin
    valid_1_q <= rst_ni && take;
    valid_2_q <= rst_ni && valid_1_q;
    dest_1_q  <= dest;
    dest_2_q  <= dest_1_q;
  end

  // Taken beats, cycle by cycle: hist_q[n] n + 1 cycles ago.
  typedef struct packed {
    logic             valid;
    logic [PIPES-1:0] pipe;
    logic [7:0]       tag;
    logic [BANKS-1:0] ports;
  } beat_t;
  beat_t [DEEP-1:0] hist_q;
  always_ff @(posedge clk_i) begin
    for (int n = 1; n < int'(DEEP); n++) hist_q[n] <= rst_ni ? hist_q[n-1] : '0;
    hist_q[0] <= rst_ni ? {take, pipe, tag, ports} : '0;
  end

  // At the end of each pipe is the beat taken its latency and a cycle ago; and the others that will want its banks then.
  logic                        on_time, apart, busy;
  logic [PIPES-1:0][BANKS-1:0] at;
  back_pkg::dest_t             one;
  beat_t                       then_taken;
  always_comb begin
    on_time = 1'b1;
    apart   = 1'b1;
    busy    = 1'b0;
    at_ends = '0;
    for (int p = 0; p < int'(PIPES); p++) begin
      one        = rs_dest[p];
      then_taken = hist_q[cfg_pkg::PIPE_LATENCY[p]];
      at[p]      = rs_valid[p] ? banks(one.rd_en, one.rd_n[0], one.wreg) : '0;
      at_ends   |= at[p];
      if (rs_valid[p] != (then_taken.valid && then_taken.pipe[p])) on_time = 1'b0;
      if (rs_valid[p] && 8'(one.id) != then_taken.tag) on_time = 1'b0;
      for (int q = 0; q < p; q++) if ((at[p] & at[q]) != '0) apart = 1'b0;
      // A beat of pipe q taken n + 1 cycles ago is at its port latency(q) - n cycles from now; this one in latency(p) + 1.
      for (int q = 0; q < int'(PIPES); q++) begin
        for (int n = 0; n < int'(DEEP); n++) begin
          if (pipe[p] && int'(cfg_pkg::PIPE_LATENCY[q]) - n == int'(cfg_pkg::PIPE_LATENCY[p]) + 1 && hist_q[n].valid && hist_q[n].pipe[q]
              && (hist_q[n].ports & ports) != '0) busy = 1'b1;
        end
      end
    end
  end

  // Two pipes never write a bank in the same cycle.
  `PROVE(p_apart, apart)
  // The banks that are shown as taken are those of the beats at the ends of the pipes.
  `PROVE(p_taken, taken == at_ends)
  // Each beat is at the end of its pipe exactly its latency after it was on the bus, itself and no other.
  `PROVE(p_on_time, on_time)
  // A bank, or the predicates, for which a late result has waited long is not reserved again.
  `PROVE(p_starved, !ok || pipe == '0 || ((ports & starved) == '0 && !(pred && pred_starved)))
  // A beat waits only for a port that is taken then or is given to a late result: free ports are not refused.
  `PROVE(p_free, ok || busy || (ports & starved) != '0 || (pred && pred_starved))
  // A beat that finds a port taken is refused.
  `PROVE(p_refuse, !busy || !ok)
  // The ends of two pipes are there in one cycle, and a beat for either is refused.
  `REACH(r_two, $countones(rs_valid) == 2 && (rs_valid & pipe) != '0 && !ok && starved == '0)
endmodule
