// SPDX-License-Identifier: Apache-2.0
// Which lanes of a row share the line that is being gathered: that of the leader, the lowest waiting lane of the row with which
// the line begins; for other rows it is given.
// Where lanes are few, each pair is compared as the row comes from the check, and a bit a pair is kept beside the addresses: what
// block RAM answers is late, and so the leader's row need not be compared with one of its own addresses.
// Latency: combinational. No handshake; live_i says when anybody looks.
// It keeps nothing, and does not know which row is next.
`include "heddle_idle.svh"

module line_match #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES,
  localparam int unsigned ADDR_W = mem_pkg::ADDR_W,
  localparam int unsigned KEY_W = mem_pkg::VKEY_W,
  localparam bit          MATCH = LANES <= 8,
  parameter  int unsigned PAIRS = MATCH ? LANES * (LANES - 1) / 2 : 1   // of lanes k < l: bit l(l-1)/2 + k
) (
  // from the check: addresses of a row
  input  logic                   ck_row_valid_i,
  input  logic [LANES-1:0][ADDR_W-1:0] ck_addr_i,      // key and byte
  output logic [PAIRS-1:0]       ck_pairs_o,     // to be kept: lanes of the same line
  // the row that is compared
  input  logic                   live_i,
  input  logic [LANES-1:0]       lanes_i,        // that wait
  input  logic [LANES-1:0][ADDR_W-1:0] addr_i,
  input  logic [PAIRS-1:0]       same_i,         // as kept
  input  logic                   lead_i,         // the leader is in this row
  input  logic [KEY_W-1:0]       line_i,       // else: its line
  output logic [KEY_W-1:0]       line_o,       // with lead_i
  output logic [LANES-1:0][6:0]  offset_o,       // of all lanes
  output logic [LANES-1:0]       group_o,        // lanes of the line
  output logic [LANES-1:0]       left_o          // the others
);

  logic [LANES-1:0]            lead, like;       // like: in the leader's line, by pairs
  logic [$clog2(LANES)-1:0]    lead_index;
  logic [LANES-1:0][KEY_W-1:0] keys;
  logic [KEY_W-1:0]            line;

  always_comb begin
    ck_pairs_o = 'x;
    `HEDDLE_ONLY(ck_row_valid_i) begin
      ck_pairs_o = '0;
      for (int unsigned l = 1; l < LANES; l++) begin
        for (int unsigned k = 0; k < l; k++) begin
          if (MATCH) ck_pairs_o[l*(l-1)/2+k] = ck_addr_i[l][ADDR_W-1:7] == ck_addr_i[k][ADDR_W-1:7];
        end
      end
    end
  end

  assign lead = lanes_i & (~lanes_i + LANES'(1));

  for (genvar l = 0; l < LANES; l++) begin : gen_key
    assign keys[l] = addr_i[l][ADDR_W-1:7];
  end
  onehot_index #(.N(LANES)) u_lead (
    .onehot_i (lead),
    .index_o  (lead_index)
  );
  choice #(.WIDTH(KEY_W), .N(LANES)) u_line (
    .live_i (live_i && lead_i),
    .sel_i  (lead_index),
    .data_i (keys),
    .also_i ('0),
    .data_o (line_o)
  );
  assign line = lead_i ? line_o : line_i;

  always_comb begin
    like = lead;
    if (MATCH) begin
      for (int unsigned l = 1; l < LANES; l++) begin
        for (int unsigned k = 0; k < l; k++) begin
          if (lead[k] && same_i[l*(l-1)/2+k]) like[l] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    group_o = '0;
    left_o  = '0;
    `HEDDLE_IDLE(offset_o, 'x);
    `HEDDLE_ONLY(live_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        automatic logic in_line = (MATCH && lead_i) ? like[l] : addr_i[l][ADDR_W-1:7] == (MATCH ? line_i : line);
        offset_o[l] = addr_i[l][6:0];
        group_o[l]  = live_i && lanes_i[l] && in_line;
        left_o[l]   = live_i && lanes_i[l] && !in_line;
      end
    end
  end

endmodule
