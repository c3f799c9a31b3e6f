// SPDX-License-Identifier: Apache-2.0
// Which banks of the register file each reader may read in this cycle: all that it wants, or, where another one wants some of
// them and has the turn, the rest; and what is read then.
// Latency: none, from registers; the turn goes to the other reader after a cycle in which both want one bank.
// No handshake: a reader reads what it may, and wants the rest again.
// It does not look at what a reader waits for: one with the turn may be held by a write port.
module bank_arb #(
  parameter  int unsigned READERS = core_pkg::READERS,
  localparam int unsigned BANKS   = cfg_pkg::BANKS
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // from and to each reader
  input  logic [READERS-1:0][BANKS-1:0]     op_want_i,
  output logic [READERS-1:0][BANKS-1:0]     ba_free_o,
  input  bus_pkg::bank_read_t [READERS-1:0] op_read_i,
  // to the register file
  output bus_pkg::bank_read_t               ba_read_o
);

  always_comb begin
    ba_read_o = op_read_i[0];
    for (int unsigned k = 1; k < READERS; k++) begin
      ba_read_o.en    |= op_read_i[k].en;
      ba_read_o.group |= op_read_i[k].group;   // zero without en
      for (int unsigned b = 0; b < BANKS; b++) if (op_read_i[k].en[b]) ba_read_o.beat[b] = op_read_i[k].beat[b];
    end
  end

  if (READERS > 1) begin : gen_turns
    logic turn_q, clash;
    assign clash     = (op_want_i[0] & op_want_i[1]) != '0;
    assign ba_free_o = {turn_q ? '1 : ~op_want_i[0], turn_q ? ~op_want_i[1] : '1};
    always_ff @(posedge clk_i) begin
      if (!rst_ni)    turn_q <= 1'b0;
      else if (clash) turn_q <= !turn_q;
    end
  end else begin : gen_all
    assign ba_free_o = '1;
    logic unused;
    assign unused = ^{clk_i, rst_ni, op_want_i};
  end

endmodule
