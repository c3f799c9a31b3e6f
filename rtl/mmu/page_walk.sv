// SPDX-License-Identifier: Apache-2.0
// Page walks, WALKS in parallel, and the host's EXCHANGE, on one request channel.
// Latency: a walk of n reads, alone on the channel, ends n (L + 3) + 1 cycles after its start; memory answers L cycles after a request.
// A compare-and-swap adds L + 1 and the beats of its operands: four at 32 bits, two at 64, else one.
// Throughput: WALKS walks in that time; a request a cycle.
// EXCHANGE: one atomic access, requested a cycle after ex_go_i; the old value is held from a cycle after its end until the next.
// Handshake: start_i is an event for a free walk; done_o is held until taken; ex_go_i is an event, with no exchange under way
// (ex_busy_o); the channel's rules.
// Results are not cached here; the values of an exchange are not checked.
`include "heddle_assert.svh"

module page_walk #(
  parameter  int unsigned WALKS   = 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from and to mmu_waits
  input  logic [WALKS-1:0]              start_i,    // one of them
  input  logic [mmu_pkg::PAGE_W-1:0]    page_i,
  input  logic                          write_i,
  output logic [WALKS-1:0]              done_o,
  input  logic [WALKS-1:0]              take_i,
  output mmu_pkg::found_t [WALKS-1:0]   found_o,
  // from and to the host
  input  logic [mmu_pkg::ROOT_W-1:0]    root_i,
  input  logic                          ex_go_i,
  input  logic [mmu_pkg::WORD_W-1:0]    ex_word_i,
  input  logic [63:0]                   ex_value_i,
  output logic                          ex_busy_o,
  output logic [63:0]                   ex_old_o,
  output logic                          ex_err_o,   // memory answered with an error: nothing was changed
  // the request channel
  output line_pkg::sent_t               ch_o,
  output line_pkg::note_t               note_o,
  input  line_pkg::got_t                ch_i,
  // records
  output logic [31:0]                   number_o,         // of the walk that starts
  output logic                          rec_valid_o,
  output mmu_pkg::record_t              rec_o
);

  localparam int unsigned CLIENTS = WALKS + 1;

  logic [CLIENTS-1:0]           ac_valid, ac_ready, end_valid;
  mmu_pkg::access_t [CLIENTS-1:0] ac;
  logic [CLIENTS-1:0][1:0]      part_valid;
  logic [CLIENTS-1:0][63:0]     part;
  logic                         end_err;
  logic [31:0]                  number_q;

  assign number_o = number_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)              number_q <= '0;
    else if (start_i != '0)   number_q <= number_q + 32'd1;
  end

  for (genvar w = 0; w < WALKS; w++) begin : gen_walk
    walk_steps u_steps (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .start_i      (start_i[w]),
      .page_i       (page_i),
      .write_i      (write_i),
      .root_i       (root_i),
      .number_i     (number_q),
      .done_o       (done_o[w]),
      .take_i       (take_i[w]),
      .found_o      (found_o[w]),
      .ac_valid_o   (ac_valid[w]),
      .ac_ready_i   (ac_ready[w]),
      .ac_o         (ac[w]),
      .part_valid_i (part_valid[w]),
      .part_i       (part[w]),
      .end_valid_i  (end_valid[w]),
      .end_err_i    (end_err)
    );
  end

  // ---- the host's exchange --------------------------------------------------------------------------
  logic                       busy_q, asks_q, err_q;
  logic [mmu_pkg::WORD_W-1:0] word_q;
  logic [63:0]                value_q, old_q;
  logic [31:0]                exchange_q;      // its number

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      asks_q     <= 1'b0;
      exchange_q <= '0;
      err_q      <= 1'b0;
    end else begin
      busy_q <= ex_go_i || (busy_q && !end_valid[WALKS]);
      asks_q <= ex_go_i || (asks_q && !ac_ready[WALKS]);
      if (end_valid[WALKS]) begin
        exchange_q <= exchange_q + 32'd1;
        err_q      <= end_err;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (ex_go_i) begin
      word_q  <= ex_word_i;
      value_q <= ex_value_i;
    end
    if (part_valid[WALKS] != '0) old_q <= part[WALKS];
  end

  assign ex_busy_o       = busy_q;
  assign ex_old_o        = old_q;
  assign ex_err_o        = err_q;
  assign ac_valid[WALKS] = asks_q;
  assign ac[WALKS]       = '{what: mmu_pkg::EXCHANGE, word: word_q, b: value_q, c: '0, level: '0, number: exchange_q};

  // One at a time.
  `ASSERT_IF(a_go, ex_go_i, !busy_q)

  walk_channel #(.CLIENTS(CLIENTS)) u_channel (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .ac_valid_i   (ac_valid),
    .ac_ready_o   (ac_ready),
    .ac_i         (ac),
    .part_valid_o (part_valid),
    .part_o       (part),
    .end_valid_o  (end_valid),
    .end_err_o    (end_err),
    .ch_o         (ch_o),
    .note_o       (note_o),
    .ch_i         (ch_i),
    .rec_valid_o  (rec_valid_o),
    .rec_o        (rec_o)
  );

endmodule
