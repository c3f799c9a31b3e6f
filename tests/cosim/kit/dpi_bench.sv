// SPDX-License-Identifier: Apache-2.0
// The whole of a bench over DPI. The port is an interface; JOIN is put in by the test: its signals.
module bench;
  import heddle_dpi_pkg::*;
  logic clk = 0, rst_n = 0;
  wire done;
  retire_if ret (.clk(clk), .rst_n(rst_n));
  player core (.clk(clk), .rst_n(rst_n), .cycle(), .done(done),
@JOIN@);
  retire_dpi port (.clk(clk), .rst_n(rst_n), .cycle(ret.cycle),
@JOIN@);

  string launches, declared;
  logic [31:0] left [@LAST@+1];
  int unsigned sum = 0;
  longint unsigned at;
  int ok;

  initial begin
    if ($value$plusargs("heddle_launch=%s", launches) == 0 || $value$plusargs("heddle_core=%s", declared) == 0) $finish;
    $readmemh("@FINAL@", left);
    port.judge = heddle_dpi_open(declared, launches);
    ok = heddle_dpi_launch(port.judge);
    // The core's memory would be filled here.
    for (int i = 0; i < heddle_dpi_ranges(port.judge); i++)
      for (longint unsigned k = 0; k < heddle_dpi_range_bytes(port.judge, i); k += 4)
        sum += heddle_dpi_image_word(port.judge, heddle_dpi_range_at(port.judge, i) + k);
    $display("image %08x", sum);
    repeat (2) @(negedge clk);
    rst_n = 1;
    while (!done && port.fine) @(negedge clk);
    at = heddle_dpi_value(port.judge, "base");
    for (int i = 0; i < @LAST@; i += 2) heddle_dpi_put(port.judge, at + 64'(left[i]), left[i+1]);
    if (port.fine) ok = heddle_dpi_memory(port.judge, ret.cycle);
    if (ok != 0) begin
      ok = heddle_dpi_launch(port.judge);
      if (heddle_dpi_ranges(port.judge) != 0 || heddle_dpi_value(port.judge, "bytes") != 0) $display("stale");
    end
    $display("report");
    $write("%s", heddle_dpi_report(port.judge));
    $display("verdict %0d", heddle_dpi_verdict(port.judge));
    heddle_dpi_close(port.judge);
    $finish;
  end
  always #5 clk = ~clk;
endmodule
