// SPDX-License-Identifier: Apache-2.0
// Loads for which the cache answers, from their pass until they have been read, as their observers see them.
// Included in tops that have pass, pass_tag, pass_place, pass_sectors, pass_waits, pass_asked; fill, fill_tag, fill_err;
// done, done_tag. Each of these tops assumes the properties that the other proves.
  localparam int unsigned LOADS   = l1_pkg::LOADS;
  localparam int unsigned SECTORS = l1_pkg::SECTORS;

  logic [LOADS-1:0]                       there_q, refill_q, fail_q;   // fail_q: a refill that it waited for was in error
  logic [LOADS-1:0][l1_pkg::PLACE_W-1:0]  place_q;
  logic [LOADS-1:0][SECTORS-1:0]          sectors_q, asked_q;
  logic [LOADS-1:0][LOADS-1:0]            await_q;                     // loads with refills that it waits for
  logic [LOADS-1:0]                       brings;                      // refills that bring what now passes
  logic [SECTORS-1:0]                     comes;                       // sectors under way at the place of what now passes

  always_comb begin
    comes  = '0;
    brings = '0;
    for (int u = 0; u < int'(LOADS); u++) begin
      if (refill_q[u] && place_q[u] == pass_place) begin
        comes     = comes | asked_q[u];
        brings[u] = (asked_q[u] & pass_waits) != '0;
      end
    end
    if (pass_asked != '0) brings[pass_tag] = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      there_q  <= '0;
      refill_q <= '0;
      await_q  <= '0;
    end else begin
      if (done) there_q[done_tag] <= 1'b0;
      if (fill) begin
        refill_q[fill_tag] <= 1'b0;
        for (int t = 0; t < int'(LOADS); t++) begin
          await_q[t][fill_tag] <= 1'b0;
          if (await_q[t][fill_tag] && fill_err) fail_q[t] <= 1'b1;
        end
      end
      if (pass) begin
        there_q[pass_tag]   <= 1'b1;
        refill_q[pass_tag]  <= pass_asked != '0;
        fail_q[pass_tag]    <= 1'b0;
        place_q[pass_tag]   <= pass_place;
        sectors_q[pass_tag] <= pass_sectors;
        asked_q[pass_tag]   <= pass_asked;
        await_q[pass_tag]   <= brings;
      end
    end
  end

  // Loads that pass and stay: sectors, some not there yet, some of these requested. Those that it does
  // not request are under way at its place, those that it does are not.
  logic pass_right;
  assign pass_right = pass_sectors != '0 && (pass_waits & ~pass_sectors) == '0 && (pass_asked & ~pass_waits) == '0
    && (pass_waits & ~pass_asked & ~comes) == '0 && (pass_asked & comes) == '0;
