// SPDX-License-Identifier: Apache-2.0
// The whole of a bench over VPI, in plain Verilog. NETS and JOIN are put in by the test: wires of the port.
module bench;
  reg clk, rst_n;
  wire [63:0] cycle;
  wire done;
@NETS@
  player core (.clk(clk), .rst_n(rst_n), .cycle(cycle), .done(done),
@JOIN@);
  retire_vpi port (.clk(clk), .rst_n(rst_n), .cycle(cycle),
@JOIN@);

  reg [8*1024-1:0] launches, declared;
  reg [31:0] left [0:@LAST@], sum;
  reg [63:0] at, bytes;
  integer i, k, ok;

  initial begin
    clk = 0;
    rst_n = 0;
    if (!$value$plusargs("heddle_launch=%s", launches) || !$value$plusargs("heddle_core=%s", declared)) $finish;
    $readmemh("@FINAL@", left);
    port.judge = $heddle_open(declared, launches);
    ok = $heddle_launch(port.judge);
    // The core's memory would be filled here.
    sum = 0;
    for (i = 0; ok != 0 && i < $heddle_ranges(port.judge); i = i + 1) begin
      at = $heddle_range_at(port.judge, i);
      bytes = $heddle_range_bytes(port.judge, i);
      for (k = 0; k < bytes; k = k + 4) sum = sum + $heddle_word(port.judge, at + k);
    end
    $display("image %08x", sum);
    repeat (2) @(negedge clk);
    rst_n = 1;
    while (!done && port.fine) @(negedge clk);
    at = $heddle_value(port.judge, "base");
    for (i = 0; i < @LAST@; i = i + 2) k = $heddle_put(port.judge, at + left[i], left[i+1]);
    if (port.fine) ok = $heddle_memory(port.judge, cycle);
    if (ok != 0) begin
      ok = $heddle_launch(port.judge);
      if ($heddle_ranges(port.judge) != 0 || $heddle_value(port.judge, "bytes") != 0) $display("stale");
    end
    $display("report");
    k = $heddle_verdict(port.judge);
    $display("verdict %0d", k);
    $finish;
  end
  always #5 clk = ~clk;
endmodule
