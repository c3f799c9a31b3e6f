// SPDX-License-Identifier: Apache-2.0
// Sixteen named barriers for each block slot. A command is taken with go_i, done_o ends it.
// ARRIVE must have been found legal (misuse_o, at once) before.
module barrel_bars #(
    parameter WARPS  = 4,
    parameter BLOCKS = 2
) (
    input  wire             clk_i,
    input  wire             rst_ni,
    input  wire [7:0]       bug,
    input  wire             go_i,
    input  wire [1:0]       cmd_i,      // 0 clear all of the block, 1 arrive, 2 a warp has ended
    input  wire [3:0]       bslot_i,
    input  wire [3:0]       id_i,
    input  wire [1:0]       kind_i,     // 0 SYNC, 1 ARV, 2 RED
    input  wire [11:0]      count_i,    // threads; 0: all warps that have not ended
    input  wire [5:0]       warp_i,     // slot
    input  wire [WARPS-1:0] alive_i,    // slots of the block's warps that have not ended
    input  wire [5:0]       size_i,     // warps that the block had at its start
    input  wire [5:0]       true_i,     // RED: lanes with the predicate, of how many
    input  wire [5:0]       lanes_i,
    output wire             misuse_o,
    output reg              done_o,
    output reg              release_o,  // a barrier is complete: these warps go on
    output reg  [3:0]       id_o,
    output reg  [WARPS-1:0] warps_o,
    output reg  [15:0]      true_o,
    output reg  [15:0]      lanes_o
);
  reg [WARPS-1:0] waiting [0:BLOCKS*16-1];
  reg [WARPS-1:0] arrived [0:BLOCKS*16-1];
  reg [11:0] expected [0:BLOCKS*16-1];
  reg [15:0] trues [0:BLOCKS*16-1];
  reg [15:0] lanes [0:BLOCKS*16-1];

  function [6:0] ones(input [63:0] v);
    integer i;
    begin
      ones = 0;
      for (i = 0; i < 64; i = i + 1) ones = ones + {6'd0, v[i]};
    end
  endfunction

  reg [1:0] cmd;
  reg busy;
  reg [3:0] id;
  wire [7:0] at = {bslot_i, id_i};
  wire [7:0] here = {bslot_i, id};
  wire [WARPS-1:0] all_at = waiting[at] | arrived[at];
  wire [WARPS-1:0] all_here = waiting[here] | arrived[here];
  wire [6:0] stated = {1'b0, expected[here][11:5]} - {6'd0, bug == 8'd47 && expected[here] > 64};
  wire [6:0] need = expected[here] == 0 ? ones({{(64-WARPS){1'b0}}, alive_i}) : stated;
  wire complete = all_here != 0 && ones({{(64-WARPS){1'b0}}, all_here}) == need;

  assign misuse_o = count_i[4:0] != 0 || count_i[11:5] > {1'b0, size_i}
      || (kind_i == 1 && count_i == 0) || (all_at != 0 && expected[at] != count_i)
      || arrived[at][warp_i];

  always @(posedge clk_i) begin
    done_o <= 1'b0;
    release_o <= 1'b0;
    if (!rst_ni) busy <= 1'b0;
    else if (!busy) begin
      if (go_i) begin
        busy <= 1'b1;
        cmd <= cmd_i;
        id <= cmd_i == 1 ? id_i : 4'd0;
        if (cmd_i == 1) begin
          expected[at] <= count_i;
          if (kind_i == 1) arrived[at] <= arrived[at] | ({{(WARPS-1){1'b0}}, 1'b1} << warp_i);
          else waiting[at] <= waiting[at] | ({{(WARPS-1){1'b0}}, 1'b1} << warp_i);
          if (kind_i == 2) begin
            trues[at] <= trues[at] + {10'd0, true_i};
            lanes[at] <= lanes[at] + {10'd0, lanes_i};
          end
        end
      end
    end else begin
      if (cmd == 0 || complete) begin
        waiting[here] <= 0;
        arrived[here] <= 0;
        trues[here] <= 0;
        lanes[here] <= 0;
        release_o <= cmd != 0;
        id_o <= id;
        warps_o <= waiting[here];
        true_o <= trues[here];
        lanes_o <= lanes[here];
      end
      id <= id + 4'd1;
      if (cmd == 1 || id == 4'd15) begin
        busy <= 1'b0;
        done_o <= 1'b1;
      end
    end
  end
endmodule
