// SPDX-License-Identifier: Apache-2.0
// The write port of predicates, one beat a cycle: of alu and half, equally late; a late result's wait for a cycle without these.
// Latency: none.
// Handshake: a late result waits (lt_pred_ask), and is written when wb_pred_ready and lt_pred_valid. After 8 cycles of waiting no
// beat that would write predicates is read until it is written (wb_starved).
// It does not decide whether the other parts of a late result are written too.
`include "heddle_idle.svh"

module write_predicates #(
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // from the reservation table: the beat at alu's end, which has predicates now; from the pipes
  input  logic                    rs_pred_i,
  input  back_pkg::dest_t         rs_dest_i,
  input  bus_pkg::results_t       ex_i,
  // to the reservation table
  output logic                    wb_starved_o,
  // from and to late_join
  input  logic                    lt_pred_ask_i,
  output logic                    wb_pred_ready_o,
  input  logic                    lt_pred_valid_i,
  input  core_pkg::result_t       lr_i,
  // to issue
  output front_pkg::pred_write_t  wb_pred_o
);

  logic fixed;
  assign fixed           = rs_pred_i && rs_dest_i.mask != '0 && (rs_dest_i.preds || rs_dest_i.pd0 != isa_pkg::PT || rs_dest_i.pd1 != isa_pkg::PT);
  assign wb_pred_ready_o = !fixed;

  always_comb begin
    wb_pred_o.valid = fixed || lt_pred_valid_i;
    wb_pred_o.id    = rs_dest_i.id;
    wb_pred_o.beat  = rs_dest_i.beat;
    wb_pred_o.mask  = rs_dest_i.mask;
    wb_pred_o.pd0   = rs_dest_i.pd0;
    wb_pred_o.pd1   = rs_dest_i.pd1;
    wb_pred_o.d0    = ex_i.pd0;
    wb_pred_o.d1    = ex_i.pd1;
    if (!fixed && `HEDDLE_LIVE(lt_pred_valid_i)) begin
      wb_pred_o.id   = lr_i.tag.id;
      wb_pred_o.beat = lr_i.tag.beat;
      wb_pred_o.mask = lr_i.mask;
      wb_pred_o.pd0  = lr_i.tag.to.pd0;
      wb_pred_o.pd1  = lr_i.tag.to.pd1;
      wb_pred_o.d0   = lr_i.d0;
      wb_pred_o.d1   = lr_i.d1;
    end
    // R2P: alu's words have the values, and above them which predicates they are for.
    wb_pred_o.all = fixed && rs_dest_i.preds;
    wb_pred_o.en  = '0;
    wb_pred_o.val = '0;
    if (`HEDDLE_LIVE(fixed && rs_dest_i.preds)) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        for (int unsigned p = 0; p < 7; p++) begin
          wb_pred_o.en[p][l]  = ex_i.word[cfg_pkg::PIPE_ALU][0][l][8+p] && rs_dest_i.mask[l];
          wb_pred_o.val[p][l] = ex_i.word[cfg_pkg::PIPE_ALU][0][l][p];
        end
      end
    end
  end

  localparam int unsigned WAIT_MAX = 8;
  logic [3:0] wait_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !lt_pred_ask_i || lt_pred_valid_i) wait_q <= '0;
    else if (wait_q != 4'(WAIT_MAX))                  wait_q <= wait_q + 4'd1;
  end
  assign wb_starved_o = wait_q == 4'(WAIT_MAX);

  // Registers have other ports.
  logic unused;
  assign unused = ^{rs_dest_i, ex_i, lr_i};

endmodule
