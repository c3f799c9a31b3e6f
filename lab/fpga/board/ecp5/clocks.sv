// SPDX-License-Identifier: Apache-2.0
// Clocks of a board with an ECP5 and 25 MHz: that of the system, and that of the SDRAM, the same PHASE degrees later.
// Latency: locked_o rises when both are steady. Handshake: none.
// An EHXPLLL of an ECP5; its oscillator runs at 600 MHz, so that PHASE is a multiple of 15 degrees.
module clocks #(
  parameter int unsigned PHASE = 180
) (
  input  logic clk_25_i,
  output logic clk_o,
  output logic sdram_clk_o,
  output logic locked_o
);

  localparam int DIV    = 24;
  localparam int CPHASE = DIV / 2 - 1;      // of an output that follows its input without a shift

  (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "25", FREQUENCY_PIN_CLKOS = "25" *)
  (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .FEEDBK_PATH("CLKOP"), .CLKI_DIV(1), .CLKFB_DIV(1),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV(DIV), .CLKOP_CPHASE(CPHASE), .CLKOP_FPHASE(0),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV(DIV), .CLKOS_CPHASE(CPHASE + PHASE * DIV / 360), .CLKOS_FPHASE(0)
  ) u_pll (
    .CLKI(clk_25_i), .CLKFB(clk_o), .CLKOP(clk_o), .CLKOS(sdram_clk_o), .LOCK(locked_o),
    .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
    .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
  );

endmodule
