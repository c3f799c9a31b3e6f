// SPDX-License-Identifier: Apache-2.0
// Which SM a beat or an answer of a bank is for: its tag has the number of the SM above the SM's own.
// Latency: combinational. Handshake: a bank is ready where the SM that it names is.
// It chooses nobody.
module cross_who #(
  localparam int unsigned SMS   = line_pkg::SENDERS,
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned BD_W  = $bits(line_pkg::bank_read_t),
  localparam int unsigned BA_W  = $bits(line_pkg::bank_answer_t)
) (
  // beats, and the SMs that they are for
  input  logic [BANKS-1:0]            ld_valid_i,
  input  logic [BANKS-1:0][BD_W-1:0]  ld_i,          // line_pkg::bank_read_t each
  output logic [BANKS-1:0][SMS-1:0]   ld_for_o,
  input  logic [BANKS-1:0][SMS-1:0]   ld_take_i,
  output logic [BANKS-1:0]            ld_ready_o,
  // answers
  input  logic [BANKS-1:0]            la_valid_i,
  input  logic [BANKS-1:0][BA_W-1:0]  la_i,          // line_pkg::bank_answer_t each
  output logic [BANKS-1:0][SMS-1:0]   la_for_o,
  input  logic [BANKS-1:0][SMS-1:0]   la_take_i,
  output logic [BANKS-1:0]            la_ready_o
);

  /* verilator lint_off UNUSEDSIGNAL */   // their tags alone
  line_pkg::bank_read_t   ld;
  line_pkg::bank_answer_t la;
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    ld_for_o = '0;
    la_for_o = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      ld = ld_i[b];
      la = la_i[b];
      ld_for_o[b][line_pkg::sm_of(ld.tag)] = ld_valid_i[b];
      la_for_o[b][line_pkg::sm_of(la.tag)] = la_valid_i[b];
      ld_ready_o[b] = ld_take_i[b] != '0;
      la_ready_o[b] = la_take_i[b] != '0;
    end
  end

endmodule
