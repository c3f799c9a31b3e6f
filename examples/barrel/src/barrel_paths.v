// SPDX-License-Identifier: Apache-2.0
// The divergence unit `stack`: active path, waiting paths, convergence barriers of every warp.
// A command is taken with go_i; done_o comes once when its effects, the release check and the
// pop have been carried out. Barrier 16 is WARPSYNC's.
module barrel_paths #(
    parameter WARPS = 4
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [7:0]  bug,
    input  wire [5:0]  warp_i,
    // what is asked of the state, answered at once
    input  wire [4:0]  x_i,          // barrier
    output wire [31:0] active_o,
    output wire [31:0] pc_o,
    output wire [31:0] live_o,
    output wire [31:0] members_o,    // of x
    output wire [31:0] parked_o,     // at x
    output wire [31:0] park_pc_o,    // of x
    // commands
    input  wire        go_i,
    input  wire [3:0]  cmd_i,
    input  wire [31:0] exec_i,
    input  wire [31:0] mask_i,       // START: live lanes; JUMP: lanes that take it; SET, PARK of W
    input  wire [31:0] target_i,
    output reg         done_o,
    output reg         ended_o,      // with done: the warp has no live lane
    output reg         dead_o        // with done: nothing to pop, lanes live
);
  localparam [3:0] START = 0, NEXT = 1, JUMP = 2, MEMBER = 3, PARK = 4, BREAK = 5, EXIT = 6,
      SET = 7, CLEAR = 8;
  localparam [1:0] IDLE = 0, WIPE = 1, RELEASE = 2, POP = 3;

  reg [31:0] active [0:WARPS-1];
  reg [31:0] pc [0:WARPS-1];
  reg [31:0] live [0:WARPS-1];
  reg [5:0]  depth [0:WARPS-1];
  reg [63:0] stack [0:WARPS*64-1];   // mask, PC
  reg [31:0] members [0:WARPS*32-1];
  reg [31:0] parked [0:WARPS*32-1];
  reg [31:0] park_pc [0:WARPS*32-1];

  reg [1:0] state;
  reg [4:0] x, last;                 // release checks still to do
  reg [31:0] rest;                   // BRX: lanes with another target, pushed second
  reg rest_push;

  assign active_o = active[warp_i];
  assign pc_o = pc[warp_i];
  assign live_o = live[warp_i];
  assign members_o = members[{warp_i, x_i}];
  assign parked_o = parked[{warp_i, x_i}];
  assign park_pc_o = park_pc[{warp_i, x_i}];

  wire [31:0] act = active[warp_i];
  wire [31:0] here = pc[warp_i];
  wire [31:0] next = here + 32'd16;
  wire [5:0]  sp = depth[warp_i];
  wire [31:0] fall = act & ~exec_i;
  wire [31:0] other = exec_i & ~mask_i;
  wire [31:0] bx = members[{warp_i, x}];
  wire [31:0] px = parked[{warp_i, x}];
  wire [31:0] go = px & bx;
  wire [31:0] want = bug == 8'd13 ? bx : bx & live[warp_i];
  wire complete = go != 0 && (want & ~px) == 0;
  wire [63:0] above = stack[{warp_i, sp - 6'd1}];

  always @(posedge clk_i) begin
    done_o <= 1'b0;
    if (!rst_ni) begin
      state <= IDLE;
      rest_push <= 1'b0;
    end else
      case (state)
        IDLE: if (go_i) begin
          ended_o <= 1'b0;
          dead_o <= 1'b0;
          x <= x_i;
          last <= x_i;
          state <= POP;
          pc[warp_i] <= next;
          case (cmd_i)
            START: begin
              active[warp_i] <= mask_i;
              live[warp_i] <= mask_i;
              pc[warp_i] <= target_i;
              depth[warp_i] <= 6'd0;
              x <= 5'd0;
              state <= WIPE;
            end
            JUMP: if (exec_i != 0) begin
              active[warp_i] <= mask_i;
              pc[warp_i] <= target_i;
              if (fall != 0) begin
                stack[{warp_i, sp}] <= {fall, next + (bug == 8'd12 ? 32'd16 : 32'd0)};
                depth[warp_i] <= sp + 6'd1;
              end
              rest <= bug == 8'd18 ? next : here;
              rest_push <= other != 0;
              state <= other != 0 ? RELEASE : POP;
              x <= 5'd31;             // no barrier: see RELEASE
            end
            MEMBER: members[{warp_i, x_i}]
                <= (bug == 8'd16 && exec_i != 0 ? 32'd0 : members_o) | exec_i;
            PARK: if (exec_i != 0) begin
              parked[{warp_i, x_i}] <= parked_o | exec_i;
              park_pc[{warp_i, x_i}] <= here;
              if (x_i == 16) members[{warp_i, x_i}] <= mask_i;
              active[warp_i] <= fall;
              state <= RELEASE;
            end
            BREAK: begin
              members[{warp_i, x_i}] <= members_o & ~exec_i;
              state <= exec_i == 0 || bug == 8'd14 ? POP : RELEASE;
            end
            EXIT: if (exec_i != 0) begin
              live[warp_i] <= live[warp_i] & ~exec_i;
              active[warp_i] <= fall;
              x <= 5'd0;
              last <= bug == 8'd15 ? 5'd14 : 5'd16;
              state <= RELEASE;
            end
            SET: if (exec_i != 0) begin
              members[{warp_i, x_i}] <= mask_i;
              state <= RELEASE;
            end
            CLEAR: if (exec_i != 0 && bug != 8'd20) members[{warp_i, x_i}] <= 32'd0;
            default: ;
          endcase
        end
        WIPE: begin
          members[{warp_i, x}] <= 32'd0;
          parked[{warp_i, x}] <= 32'd0;
          x <= x + 5'd1;
          if (x == 5'd31) begin
            done_o <= 1'b1;
            state <= IDLE;
          end
        end
        RELEASE: if (rest_push) begin
          stack[{warp_i, sp}] <= {other, rest};
          depth[warp_i] <= sp + 6'd1;
          rest_push <= 1'b0;
          state <= POP;
        end else begin
          if (complete) begin
            stack[{warp_i, sp}]
                <= {go, park_pc[{warp_i, x}] + (bug == 8'd17 && x == 3 ? 32'd0 : 32'd16)};
            depth[warp_i] <= sp + 6'd1;
            parked[{warp_i, x}] <= px & ~bx;
            members[{warp_i, x}] <= x == 16 && (px & ~bx) == 0 ? 32'd0 : bx & ~go;
          end
          x <= x + 5'd1;
          if (x == last) state <= POP;
        end
        POP: begin
          state <= IDLE;
          done_o <= 1'b1;
          if (act == 0) begin
            if (sp != 0) begin
              active[warp_i] <= above[63:32];
              pc[warp_i] <= above[31:0];
              depth[warp_i] <= sp - 6'd1;
            end else begin
              ended_o <= live[warp_i] == 0;
              dead_o <= live[warp_i] != 0;
            end
          end
        end
      endcase
  end
endmodule
