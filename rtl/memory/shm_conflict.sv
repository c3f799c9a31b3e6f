// SPDX-License-Identifier: Apache-2.0
// Cuts a beat of shared-memory accesses into passes without bank conflicts. In a pass the lowest waiting lane of each bank
// leads, and all lanes that want the same row of that bank go with it (broadcast, merged stores); of an atomic only leaders go.
// Accesses of 2 or 4 words take 2 or 4 neighbouring banks at once. Latency: beat to first pass two cycles, then a pass a cycle.
// Handshake: the head of the queue is popped with its last beat; hold_i stops passes. Atomics are followed by two empty cycles.
// It does not touch data.
`default_nettype none

module shm_conflict #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned ROW_W = mem_pkg::SHM_ROW_W
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // from the queue of shared-memory instructions
  input  logic                               head_valid_i,
  input  core_pkg::memop_t                   head_op_i,
  output logic [mem_pkg::BEAT_W-1:0]         rd_beat_o,
  input  logic [LANES-1:0][mem_pkg::SHM_W-1:0] rd_addr_i,   // byte address, block's base included
  input  logic [3:0][LANES-1:0][31:0]        rd_data_i,
  output logic                               pop_o,
  // from the return path
  input  logic                               hold_i,
  // to the router
  output logic                               ps_valid_o,   // event
  output core_pkg::memop_t                   ps_op_o,
  output logic [4:0]                         ps_beat_o,
  output logic                               ps_last_o,    // last pass of the beat
  output logic [LANES-1:0]                   ps_grant_o,
  output logic [LANES-1:0]                   ps_leader_o,
  output logic [LANES-1:0][4:0]              ps_bank_o,
  output logic [LANES-1:0][ROW_W-1:0]        ps_row_o,
  output logic [LANES-1:0][1:0]              ps_sub_o,
  output logic [3:0][LANES-1:0][31:0]        ps_data_o,
  // to mem_top
  output logic                               idle_o
);

  logic                              load, issue, last, valid_q, atomic;
  logic [mem_pkg::BEAT_W-1:0]        beat_q;
  logic [1:0]                        bubble_q;
  core_pkg::memop_t                  op_q;
  logic [4:0]                        op_beat_q;
  logic [LANES-1:0][mem_pkg::SHM_W-1:0] addr_q;
  logic [3:0][LANES-1:0][31:0]       data_q;
  logic [LANES-1:0]                  pend_q, leader, grant;
  logic [4:0]                        keep;         // bank bits that tell groups apart
  // Lower lanes that want the same bank group, or the same row of it.
  logic [LANES-1:0][LANES-1:0]       group_q, same_q;

  assign keep = (head_op_i.size == isa_pkg::SIZE_128) ? 5'b11100 : (head_op_i.size == isa_pkg::SIZE_64) ? 5'b11110 : 5'b11111;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    logic [LANES-1:0] group_d, same_d;
    always_comb begin
      group_d = '0;
      same_d  = '0;
      if (load) begin
        for (int k = 0; k < l; k++) begin
          group_d[k] = ((rd_addr_i[l][6:2] ^ rd_addr_i[k][6:2]) & keep) == '0;
          same_d[k]  = group_d[k] && rd_addr_i[l][mem_pkg::SHM_W-1:7] == rd_addr_i[k][mem_pkg::SHM_W-1:7];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (load) begin
        group_q[l] <= group_d;
        same_q[l]  <= same_d;
      end
    end
    assign leader[l]     = pend_q[l] && (pend_q & group_q[l]) == '0;
    assign grant[l]      = leader[l] || (pend_q[l] && !atomic && (leader & same_q[l]) != '0);
    assign ps_bank_o[l]  = addr_q[l][6:2];
    assign ps_row_o[l]   = addr_q[l][mem_pkg::SHM_W-1:7];
    assign ps_sub_o[l]   = addr_q[l][1:0];
  end

  assign atomic    = mem_pkg::is_atom(op_q.mem);
  assign last      = (pend_q & ~grant) == '0;
  assign issue     = valid_q && !hold_i && bubble_q == '0;
  assign load      = head_valid_i && (!valid_q || (issue && last));
  assign rd_beat_o = beat_q;
  assign pop_o     = load && 32'(beat_q) == mem_pkg::BEATS - 1;

  always_ff @(posedge clk_i) begin
    if (load) begin
      op_q      <= head_op_i;
      op_beat_q <= 5'(beat_q);
      addr_q    <= rd_addr_i;
      data_q    <= rd_data_i;
      pend_q    <= LANES'(head_op_i.exec >> (32'(beat_q) * LANES));
    end else if (issue) begin
      pend_q    <= pend_q & ~grant;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      beat_q   <= '0;
      bubble_q <= '0;
    end else begin
      if (load) beat_q <= pop_o ? '0 : beat_q + 1'b1;
      valid_q <= load || (valid_q && !(issue && last));
      if (issue && atomic)      bubble_q <= 2'd2;
      else if (bubble_q != '0)  bubble_q <= bubble_q - 1'b1;
    end
  end

  assign ps_valid_o  = issue;
  assign ps_op_o     = op_q;
  assign ps_beat_o   = op_beat_q;
  assign ps_last_o   = last;
  assign ps_grant_o  = grant;
  assign ps_leader_o = leader;
  assign ps_data_o   = data_q;
  assign idle_o      = !valid_q;

endmodule

`default_nettype wire
