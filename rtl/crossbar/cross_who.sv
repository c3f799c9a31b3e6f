// SPDX-License-Identifier: Apache-2.0
// Which bank a request is for, and which SM a beat or an answer: lines lie in the banks in turns,
// and a bank's tag has the number of the SM above the SM's own.
// Latency: combinational. Handshake: a bank is ready where the SM that it names is.
// It chooses nobody. Also the place of injected faults: every 16th beat, or answer, for a load/store unit goes to
// another SM; one of two beats in a cycle is lost; an atomic goes to a bank that is not its line's.
`default_nettype none

module cross_who #(
  localparam int unsigned SMS   = line_pkg::SMS,
  localparam int unsigned BANKS = line_pkg::MEM_BANKS,
  localparam int unsigned LQ_W  = $bits(line_pkg::request_t),
  localparam int unsigned BD_W  = $bits(line_pkg::bank_read_t),
  localparam int unsigned BA_W  = $bits(line_pkg::bank_answer_t)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  fault_i,
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

  localparam int unsigned SM_W   = line_pkg::SM_W;
  localparam int unsigned BANK_W = line_pkg::MEM_BANK_W;

  /* verilator lint_off UNUSEDSIGNAL */   // of a request its line, of the others their tags
  line_pkg::request_t     rq;
  line_pkg::bank_read_t   ld;
  line_pkg::bank_answer_t la, last;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [3:0]             beats_q;   // counter for the fault
  logic                   counts, stray;
  logic [3:0]             ends_q;
  logic                   ends, astray, lost, strange, elsewhere;

  assign counts = ld_valid_i[0] && 32'(line_pkg::TAG_W'(ld_i[0][BD_W-1-:line_pkg::BANK_TAG_W])) < line_pkg::LINES;
  assign stray  = SMS > 1 && fault_i == fault_pkg::CROSS_STRAY && counts && beats_q == '1;

  // Answers that end a request of a load/store unit.
  assign last    = la_i[0];
  assign ends    = last.done && 32'(line_pkg::TAG_W'(last.tag)) < line_pkg::LINES;
  assign astray  = SMS > 1 && fault_i == fault_pkg::CROSS_ANSWER && ends && ends_q == '1;
  assign lost    = fault_i == fault_pkg::CROSS_BEAT;
  assign strange = BANKS > 1 && fault_i == fault_pkg::CROSS_BANK;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     beats_q <= '0;
    else if (counts) beats_q <= beats_q + 4'd1;
    if (!rst_ni)                                     ends_q <= '0;
    else if (ends && la_valid_i[0] && la_ready_o[0]) ends_q <= ends_q + 4'd1;
  end

  always_comb begin
    asks_o   = '0;
    ld_for_o = '0;
    la_for_o = '0;
    for (int unsigned s = 0; s < SMS; s++) begin
      rq = q_lq_i[s];
      elsewhere = strange && rq.sm[0] && rq.kind == line_pkg::ATOM;
      asks_o[(BANKS > 1) ? BANK_W'(rq.line) ^ BANK_W'(elsewhere) : '0][s] = q_valid_i[s];
    end
    for (int unsigned b = 0; b < BANKS; b++) begin
      ld = ld_i[b];
      la = la_i[b];
      ld_for_o[b][line_pkg::sm_of(ld.tag) ^ SM_W'(stray && b == 0)] = ld_valid_i[b];
      la_for_o[b][line_pkg::sm_of(la.tag) ^ SM_W'(astray && b == 0)] = la_valid_i[b];
      ld_ready_o[b] = ld_take_i[b] != '0 || lost;
      la_ready_o[b] = la_take_i[b] != '0;
    end
  end

endmodule

`default_nettype wire
