// SPDX-License-Identifier: Apache-2.0
// INVALIDATE: holds lookups back until no walk can have read an old entry, then invalidates the shared TLB, then the SMs' TLBs.
// It ends when each SM has performed its accesses with old translations.
// Latency: the walks under way, the walk over the sets, two cycles, and the SMs' time.
// Handshake: go_i is an event, with nothing under way (busy_o); clear_ valid/ready; forget_o is an event to all channels, each
// of which acknowledges once.
// It holds back neither EXCHANGE nor hits of the micro-TLBs.
`include "heddle_assert.svh"

module mmu_forget #(
  parameter int unsigned CHANNELS = 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from and to the host
  input  logic                go_i,
  input  mmu_pkg::forget_t    what_i,
  output logic                busy_o,          // STATUS: invalidating
  // to and from the pipe
  output logic                hold_o,
  input  logic                quiet_i,         // nothing is under way
  output logic                clear_valid_o,
  input  logic                clear_ready_i,
  output mmu_pkg::forget_t    what_o,
  // to and from the SMs
  output logic                forget_o,
  input  logic [CHANNELS-1:0] forgotten_i      // event: accesses with old translations are performed
);

  typedef enum logic [1:0] {REST, DRAIN, CLEAR, SMS} state_e;

  state_e              state_q;
  mmu_pkg::forget_t    what_q;
  logic [CHANNELS-1:0] owed_q;
  logic                forget_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= REST;
      owed_q   <= '0;
      forget_q <= 1'b0;
    end else begin
      forget_q <= clear_valid_o && clear_ready_i;
      owed_q   <= (clear_valid_o && clear_ready_i) ? '1 : owed_q & ~forgotten_i;
      unique case (state_q)
        REST:  if (go_i) state_q <= DRAIN;
        DRAIN: if (quiet_i) state_q <= CLEAR;
        CLEAR: if (clear_ready_i) state_q <= SMS;
        SMS:   if (owed_q == '0) state_q <= REST;
      endcase
    end
  end
  always_ff @(posedge clk_i) begin
    if (go_i) what_q <= what_i;
  end

  assign busy_o        = state_q != REST;
  assign hold_o        = state_q == DRAIN || state_q == CLEAR;
  assign clear_valid_o = state_q == CLEAR;
  assign what_o        = what_q;
  assign forget_o      = forget_q;

  // One at a time.
  `ASSERT_IF(a_go, go_i, state_q == REST)
  // An acknowledge has its request.
  `ASSERT(a_owed, (forgotten_i & ~owed_q) == '0)

endmodule
