// SPDX-License-Identifier: Apache-2.0
// Cuts a beat of shared-memory accesses into passes without bank conflicts. In a pass the lowest waiting lane of each bank
// leads, and all lanes that want the same row of that bank go with it (broadcast, merged stores); of an atomic only leaders go.
// Accesses of 2 or 4 words take 2 or 4 neighbouring banks at once. Latency: none; a pass a cycle, after one of an atomic an
// empty cycle (it is written back), after a load of n words the cycles that the return path needs for them.
// Handshake: passes are events, read from the head of the queue, which is popped with the last of its last beat; hold_i
// stops them. Beats ascend, an empty one is a pass without lanes. It does not touch data.
`default_nettype none

module shm_conflict #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned PAIRS = mem_pkg::SHM_PAIRS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  fault_i,
  // from the queue of shared-memory instructions
  input  logic                        head_valid_i,
  input  isa_pkg::mem_e               head_mem_i,
  input  logic [2:0]                  head_size_i,
  input  logic [31:0]                 head_exec_i,
  output logic [mem_pkg::BEAT_W-1:0]  rd_beat_o,
  input  logic [PAIRS-1:0]            rd_hi_i,      // as shm_match says
  input  logic [PAIRS-1:0]            rd_lo_i,
  output logic                        pop_o,
  // from the return path
  input  logic                        hold_i,
  // to the router
  output logic                        ps_valid_o,   // event
  output logic                        ps_last_o,    // last pass of the beat
  output logic [LANES-1:0]            ps_grant_o,
  output logic [LANES-1:0]            ps_send_o     // those of them whose data is stored: another wins the others' bytes
);

  logic [mem_pkg::BEAT_W-1:0]   beat_q;
  logic [LANES-1:0]             done_q;     // lanes of this beat that have gone
  logic [1:0]                   wait_q, pause;
  logic                         atomic, low_wins, last, issue;
  logic [LANES-1:0]             pend, leader, grant, lose;
  // Row l: lower lanes of the same group, of the same row, with the same bytes.
  logic [LANES-1:0][LANES-1:0]  group, same, twin;

  assign atomic   = mem_pkg::is_atom(head_mem_i);
  assign low_wins = fault_i == core_pkg::FAULT_SHM_COLLIDE;

  assign group[0] = '0;
  assign same[0]  = '0;
  assign twin[0]  = '0;
  for (genvar l = 1; l < LANES; l++) begin : gen_lane
    logic [LANES-1:0] hi, lo;
    always_comb begin
      hi = '0;
      lo = '0;
      if (head_valid_i) begin
        hi = LANES'(rd_hi_i[l*(l-1)/2 +: l]);
        lo = LANES'(rd_lo_i[l*(l-1)/2 +: l]);
      end
      group[l] = hi | lo;
      same[l]  = hi;
      twin[l]  = hi & lo;
    end
  end

  // Lanes with the same bytes go together, so that who loses them follows from who waits.
  always_comb begin
    pend   = '0;
    leader = '0;
    grant  = '0;
    lose   = '0;
    if (head_valid_i) begin
      pend = LANES'(head_exec_i >> (32'(beat_q) * LANES)) & ~done_q;
      for (int unsigned l = 0; l < LANES; l++) leader[l] = pend[l] && (pend & group[l]) == '0;
      for (int unsigned l = 0; l < LANES; l++) begin
        grant[l] = leader[l] || (pend[l] && !atomic && (leader & same[l]) != '0);
        if (low_wins) lose[l] = (pend & twin[l]) != '0;
        else          lose |= twin[l] & {LANES{pend[l]}};
      end
    end
  end

  always_comb begin
    pause = 2'd0;
    if (atomic) pause = 2'd1;
    else if (!mem_pkg::is_store(head_mem_i) && mem_pkg::SHM_GIVE == 1) begin
      pause = (head_size_i == isa_pkg::SIZE_128) ? 2'd3 : (head_size_i == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
    end
  end

  assign last      = (pend & ~grant) == '0;
  assign issue     = head_valid_i && !hold_i && wait_q == '0;
  assign rd_beat_o = beat_q;
  assign pop_o     = issue && last && 32'(beat_q) == mem_pkg::BEATS - 1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_q <= '0;
      done_q <= '0;
      wait_q <= '0;
    end else begin
      if (issue) begin
        done_q <= last ? '0 : done_q | grant;
        wait_q <= pause;
        if (last) beat_q <= pop_o ? '0 : beat_q + 1'b1;
      end else if (wait_q != '0) begin
        wait_q <= wait_q - 1'b1;
      end
    end
  end

  assign ps_valid_o = issue;
  assign ps_last_o  = last;
  assign ps_grant_o = grant;
  assign ps_send_o  = atomic ? grant : grant & ~lose;

endmodule

`default_nettype wire
