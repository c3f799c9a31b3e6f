// SPDX-License-Identifier: Apache-2.0
// A register of a multiplier of an ECP5 (MULT18X18D.v): with SELECT 4 there is none, else the clock that it takes. Zero after
// configuration. Whether a synchronous reset waits for the clock enable is not documented: then it leaves a wrong value.
module ecp5_dsp_reg #(
  parameter int WIDTH = 18,
  parameter int SELECT = 4,
  parameter bit ASYNC = 1'b0
) (
  input  wire [3:0]       clk,
  input  wire             ce,
  input  wire             rst,
  input  wire [WIDTH-1:0] d,
  output wire [WIDTH-1:0] q
);
  generate
    if (SELECT == 4) begin : gen_wire
      assign q = d;
    end else if (ASYNC) begin : gen_async
      reg [WIDTH-1:0] value = '0;
      always @(posedge clk[SELECT] or posedge rst) begin
        if (rst) value <= '0;
        else if (ce) value <= d;
      end
      assign q = value;
    end else begin : gen_sync
      reg [WIDTH-1:0] value = '0;
      always @(posedge clk[SELECT]) begin
        if (rst) value <= ce ? '0 : ~value;
        else if (ce) value <= d;
      end
      assign q = value;
    end
  endgenerate
endmodule
