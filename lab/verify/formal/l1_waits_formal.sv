// SPDX-License-Identifier: Apache-2.0
// rtl/cache/l1_waits.sv, as `cached` has it: four loads, eight places in sets of two.
// config: cached
`include "properties.svh"

module l1_waits_formal (
  input logic                        clk_i,
  input logic                        pass,
  input logic [l1_pkg::LOAD_W-1:0]   pass_tag,
  input logic [l1_pkg::PLACE_W-1:0]  pass_place,
  input logic [l1_pkg::SECTORS-1:0]  pass_sectors,
  input logic [l1_pkg::SECTORS-1:0]  pass_waits,
  input logic [l1_pkg::SECTORS-1:0]  pass_asked,
  input logic                        fill,
  input logic [l1_pkg::LOAD_W-1:0]   fill_tag,
  input logic                        fill_err,
  input logic [l1_pkg::SET_W-1:0]    set,
  input logic                        take,
  input logic                        done,
  input logic [l1_pkg::LOAD_W-1:0]   done_tag
);
  `RESET
  `include "l1_loads.svh"

  l1_pkg::filled_t                   filled;
  logic [l1_pkg::PLACE_W-1:0]        of_place, read_place;
  logic [SECTORS-1:0]                of_sectors, read_sectors;
  logic [l1_pkg::WAYS-1:0]           pins, held;
  logic [l1_pkg::LOAD_W-1:0]         tag;
  logic                              valid, err;

  assign filled = '{valid: fill, err: fill_err, place: of_place, sectors: of_sectors};

  l1_waits u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .pass_valid_i   (pass),
    .pass_tag_i     (pass_tag),
    .pass_place_i   (pass_place),
    .pass_sectors_i (pass_sectors),
    .pass_waits_i   (pass_waits),
    .pass_asked_i   (pass_asked),
    .of_i           (fill_tag),
    .of_place_o     (of_place),
    .of_sectors_o   (of_sectors),
    .fill_i         (filled),
    .set_i          (set),
    .pins_o         (pins),
    .read_valid_o   (valid),
    .take_i         (take),
    .read_tag_o     (tag),
    .read_place_o   (read_place),
    .read_sectors_o (read_sectors),
    .read_err_o     (err),
    .done_i         (done),
    .done_tag_i     (done_tag)
  );

  // Loads that have been taken to be read; loads that may be.
  logic [LOADS-1:0] taken_q, may;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) taken_q <= '0;
    else begin
      if (done) taken_q[done_tag] <= 1'b0;
      if (take) taken_q[tag]      <= 1'b1;
    end
  end
  always_comb begin
    held = '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      may[t] = there_q[t] && !taken_q[t] && await_q[t] == '0;
      if (there_q[t] && l1_pkg::set_of(place_q[t]) == set) held[l1_pkg::way_of(place_q[t])] = 1'b1;
    end
  end

  // A tag stands for one load at a time.
  `GIVEN(g_tag, !pass || !there_q[pass_tag])
  // Rules that l1_lines keeps (by its proof).
  `GIVEN(g_pass, !pass || pass_right)
  // A refill ends that is under way, while nothing passes.
  `GIVEN(g_fill, !fill || (refill_q[fill_tag] && !pass))
  // An offered load is taken, within three cycles; a taken one has been read some time.
  logic [1:0] stall_q;
  always_ff @(posedge clk_i) stall_q <= (rst_ni && valid && !take) ? stall_q + 2'd1 : 2'd0;
  `GIVEN(g_take, (!take || valid) && (!valid || take || stall_q < 2'd2))
  `GIVEN(g_done, !done || taken_q[done_tag])

  // Any one of them, since it may be read: how many others were taken, and for how long.
  logic [l1_pkg::LOAD_W-1:0] who_q;
  logic [2:0]                others_q;
  logic [3:0]                cycles_q;
  always_ff @(posedge clk_i) begin
    who_q <= who_q;
    if (!rst_ni || !may[who_q] || (take && tag == who_q)) {others_q, cycles_q} <= '0;
    else begin
      if (take && others_q != '1) others_q <= others_q + 3'd1;
      if (cycles_q != '1)         cycles_q <= cycles_q + 4'd1;
    end
  end

  // ---- inside: it is as it is seen from here -----------------------------------------------------------
  logic right;
  always_comb begin
    right = u_dut.valid_q == there_q && (u_dut.valid_q & u_dut.taken_q) == taken_q && (taken_q & ~there_q) == '0
      && (refill_q & ~there_q) == '0;
    for (int t = 0; t < int'(LOADS); t++) begin
      automatic logic [SECTORS-1:0] waits = u_dut.waits_q[t];
      automatic logic [SECTORS-1:0] sum   = '0;
      automatic l1_pkg::filled_t    f     = '0;   // of the memories, what they hold of it
      for (int u = 0; u < int'(LOADS); u++) begin
        if (await_q[t][u]) sum = sum | asked_q[u];
        if (there_q[t] && await_q[t][u] && !(refill_q[u] && place_q[u] == place_q[t] && (waits & asked_q[u]) != '0)) right = 1'b0;
        if (there_q[t] && refill_q[u] && place_q[u] == place_q[t] && (waits & asked_q[u]) != '0 && !await_q[t][u]) right = 1'b0;
        if (u != t && refill_q[t] && refill_q[u] && place_q[u] == place_q[t] && (asked_q[t] & asked_q[u]) != '0) right = 1'b0;
      end
      if (there_q[t] && ((waits & ~sum) != '0 || u_dut.place_q[t] != place_q[t] || u_dut.err_q[t] != fail_q[t]
        || (waits & ~sectors_q[t]) != '0 || (taken_q[t] && waits != '0) || (refill_q[t] && !await_q[t][t])
        || u_dut.u_of.mem_q[t] != {place_q[t], sectors_q[t], asked_q[t]}
        || u_dut.u_read.mem_q[t] != {place_q[t], sectors_q[t], asked_q[t]})) right = 1'b0;
    end
  end

  // No load is read before each refill that it waits for has ended.
  `PROVE(p_early, right && (!valid || (there_q[tag] && await_q[tag] == '0)))
  // A load is read once.
  `PROVE(p_once, right && (!valid || !taken_q[tag]))
  // A load that is there, and has not been taken, waits for a refill under way or may be read: it cannot hang.
  `PROVE(p_hang, right && (!there_q[who_q] || taken_q[who_q] || (u_dut.waits_q[who_q] == '0 && valid)
    || (await_q[who_q] & refill_q) != '0))
  // A load that may be read is taken after three others at the most.
  `PROVE(p_turn, right && (!(may[who_q] && take && tag != who_q) || others_q < 3'(LOADS - 1)))
  // With a reader that takes a load within three cycles it is taken within three for each load that there can be.
  `PROVE(p_soon, right && (!may[who_q] || cycles_q < 4'(3 * LOADS)))
  // It is read at its place, as it passed, in error if one of the refills that it waited for was.
  `PROVE(p_what, right && (!valid || (read_place == place_q[tag] && read_sectors == sectors_q[tag] && err == fail_q[tag])))
  // Its output for a refill is the request, and the place of its data.
  `PROVE(p_of, right && (!refill_q[fill_tag] || (of_place == place_q[fill_tag] && of_sectors == asked_q[fill_tag])))
  // Pinned are exactly the places of loads that have not been read.
  `PROVE(p_pins, right && pins == held)
  // A refill under way has its load there, which waits for it.
  `PROVE(p_refill, right && (refill_q & ~there_q) == '0 && (!refill_q[who_q] || await_q[who_q][who_q]))
  // One waits for three refills of others at its place.
  `REACH(r_three, there_q == '1 && $countones(await_q[who_q]) == 3 && !await_q[who_q][who_q])
  // Three others were taken before one that could be.
  `REACH(r_last, others_q == 3'd3 && may[who_q])
endmodule
