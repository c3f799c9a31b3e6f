// SPDX-License-Identifier: Apache-2.0
// Which bank a request is for, and which SM a beat or an answer: lines lie in the banks in turns,
// and a bank's tag has the number of the SM above the SM's own.
// Latency: combinational. Handshake: a bank is ready where the SM that it names is.
// It chooses nobody.
`default_nettype none

module cross_who #(
  localparam int unsigned SMS   = line_pkg::SMS,
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned LQ_W  = $bits(line_pkg::request_t),
  localparam int unsigned BD_W  = $bits(line_pkg::bank_read_t),
  localparam int unsigned BA_W  = $bits(line_pkg::bank_answer_t)
) (
  // the oldest request of each SM, and the banks that they are for
  input  logic [SMS-1:0]              q_valid_i,
  input  logic [SMS-1:0][LQ_W-1:0]    q_lq_i,        // line_pkg::request_t each
  output logic [BANKS-1:0][SMS-1:0]   asks_o,
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

  localparam int unsigned BANK_W = line_pkg::MEM_BANK_W;

  /* verilator lint_off UNUSEDSIGNAL */   // of a request its line, of the others their tags
  line_pkg::request_t     rq;
  line_pkg::bank_read_t   ld;
  line_pkg::bank_answer_t la;
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin
    asks_o   = '0;
    ld_for_o = '0;
    la_for_o = '0;
    for (int unsigned s = 0; s < SMS; s++) begin
      rq = q_lq_i[s];
      asks_o[(BANKS > 1) ? BANK_W'(rq.line) : '0][s] = q_valid_i[s];
    end
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

`default_nettype wire
