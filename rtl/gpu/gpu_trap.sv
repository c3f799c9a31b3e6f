// SPDX-License-Identifier: Apache-2.0
// The machine's point of decision for traps: which SM's counts. The first that halts stops all; of
// several in one cycle the one with the lowest number. Its trap is told once everything in all SMs
// has drained; traps of others are not told, nor shown. The host stops all SMs in the same way.
// Latency: halt_o follows an SM's halt two cycles later, and stop_i a cycle later; the trap is told
// three cycles after halt_o at the earliest, drained_o a cycle after it. With one SM a trap is wires.
// One trap until reset.
// Handshake: levels, until reset.
// It does not choose among the traps of one SM: sm_trap does.
module gpu_trap #(
  parameter  int unsigned N      = cfg_pkg::SMS,
  localparam int unsigned SM_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  // from the SMs
  input  logic [N-1:0]             sm_halt_i,        // a trap of its own has stopped it
  input  logic [N-1:0]             sm_drained_i,     // nothing is left in it that could trap
  input  logic [N-1:0]             sm_trap_valid_i,  // ... and its trap stands
  input  core_pkg::trap_t [N-1:0]  sm_trap_i,
  // to the SMs
  output logic                     halt_o,           // another's trap stops it, or the host
  output logic [N-1:0]             won_o,            // its trap is told
  // from and to the host
  input  logic                     stop_i,           // a level: all are stopped
  output logic                     drained_o,        // ... and have drained
  output logic                     trap_valid_o,
  output core_pkg::trap_t          trap_o,
  output logic [SM_W-1:0]          trap_sm_o
);

  logic trapped, halt_q, seen_q;

  // An SM that is idle has drained before the halt reaches it: what it says counts from then on.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      halt_q <= 1'b0;
      seen_q <= 1'b0;
    end else begin
      halt_q <= trapped || stop_i;
      seen_q <= halt_q;
    end
  end
  assign halt_o    = halt_q;
  assign drained_o = stop_i && seen_q && sm_drained_i == '1;

  if (N == 1) begin : gen_wires
    assign trapped      = 1'b0;   // it stops itself
    assign won_o        = sm_trap_valid_i;
    assign trap_valid_o = sm_trap_valid_i[0];
    assign trap_o       = sm_trap_i[0];
    assign trap_sm_o    = '0;
    logic unused;
    assign unused       = &{1'b0, sm_halt_i};
  end else begin : gen_choose
    logic [N-1:0] first, first_q;
    logic         ready;

    arb_fixed #(.N(N)) u_first (
      .req_i   (sm_halt_i),
      .grant_o (first)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        first_q <= '0;
        won_o   <= '0;
      end else begin
        if (first_q == '0) first_q <= first;
        if (ready) won_o <= first_q;
      end
    end

    assign trapped      = first_q != '0;
    assign ready        = seen_q && (first_q & sm_trap_valid_i) != '0 && (sm_drained_i | first_q) == '1;
    assign trap_valid_o = won_o != '0;

    onehot_index #(.N(N)) u_number (
      .onehot_i (first_q),
      .index_o  (trap_sm_o)
    );
    onehot_mux #(.N(N), .WIDTH($bits(core_pkg::trap_t))) u_trap (
      .sel_i  (first_q),
      .data_i (sm_trap_i),
      .data_o (trap_o)
    );
  end

endmodule
