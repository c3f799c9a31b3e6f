// SPDX-License-Identifier: Apache-2.0
// Region check of one beat of global addresses. Holds one region of the host's table; lanes inside it pass at once.
// Otherwise the lowest lane that is left is looked up in all 16 entries, which either changes the region held or
// condemns that lane. Latency: 0 when all lanes lie in the region held, else 3 cycles for each further region or bad lane.
// Handshake: pass_o says that every lane of need_i is decided; beat_done_i forgets the condemned lanes.
// It does not look at alignment or at address bits above 39.
`default_nettype none

module lsu_region (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the host
  input  logic                            invalidate_i,   // the table may have changed
  input  logic [15:0][39:0]               region_base_i,
  input  logic [15:0][40:0]               region_limit_i,
  input  logic [15:0]                     region_write_i,
  // from the check: first and last byte of each lane's access
  input  logic [cfg_pkg::LANES-1:0]       need_i,         // stable until beat_done_i
  input  logic                            write_i,
  input  logic [cfg_pkg::LANES-1:0][39:0] first_i,
  input  logic [3:0]                      size_mask_i,
  input  logic                            beat_done_i,
  // to the check
  output logic                            pass_o,
  output logic [cfg_pkg::LANES-1:0]       range_o,        // in no region
  output logic [cfg_pkg::LANES-1:0]       protect_o       // in regions without write permission only
);

  localparam int unsigned LANES = cfg_pkg::LANES;

  typedef enum logic [1:0] {RUN, LOOK, PICK} state_e;

  state_e             state_q;
  logic [39:0]        base_q;
  logic [40:0]        limit_q;
  logic               write_q, valid_q;
  logic [LANES-1:0]   range_q, protect_q, passed_q, hit, left, lead, lead_q;
  logic               any_left;
  logic [39:0]        look, look_q, look_last;
  logic [15:0]        match, match_q, good, pick;
  logic [39:0]        pick_base;
  logic [40:0]        pick_limit;

  // Lanes inside the region held. An aligned access ends at first | size_mask.
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      hit[l] = valid_q && (write_q || !write_i) && first_i[l] >= base_q
        && {1'b0, first_i[l][39:4], first_i[l][3:0] | size_mask_i} < limit_q;
    end
  end

  assign left      = need_i & ~hit & ~passed_q & ~range_q & ~protect_q;
  assign pass_o    = state_q == RUN && !any_left;
  assign range_o   = range_q;
  assign protect_o = protect_q;

  assign lead     = left & (~left + LANES'(1));
  assign any_left = left != '0;

  onehot_mux #(.WIDTH(40), .N(LANES)) u_look (
    .sel_i  (lead),
    .data_i (first_i),
    .data_o (look)
  );

  // The table, for one address.
  assign look_last = {look_q[39:4], look_q[3:0] | size_mask_i};
  always_comb begin
    for (int unsigned r = 0; r < 16; r++) begin
      match[r] = look_q >= region_base_i[r] && {1'b0, look_last} < region_limit_i[r];
    end
  end

  assign good = write_i ? (match_q & region_write_i) : match_q;
  assign pick = good & (~good + 16'd1);

  onehot_mux #(.WIDTH(40), .N(16)) u_base (
    .sel_i  (pick),
    .data_i (region_base_i),
    .data_o (pick_base)
  );

  onehot_mux #(.WIDTH(41), .N(16)) u_limit (
    .sel_i  (pick),
    .data_i (region_limit_i),
    .data_o (pick_limit)
  );

  always_ff @(posedge clk_i) begin
    lead_q  <= (state_q == RUN) ? lead : lead_q;
    look_q  <= (state_q == RUN) ? look : look_q;
    match_q <= match;
    if (state_q == PICK && good != '0) begin
      base_q  <= pick_base;
      limit_q <= pick_limit;
      write_q <= |(pick & region_write_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= RUN;
      valid_q   <= 1'b0;
      range_q   <= '0;
      protect_q <= '0;
      passed_q  <= '0;
    end else begin
      case (state_q)
        RUN:     if (any_left) state_q <= LOOK;
        LOOK:    state_q <= PICK;
        default: state_q <= RUN;
      endcase
      if (invalidate_i) valid_q <= 1'b0;
      else if (state_q == PICK && good != '0) valid_q <= 1'b1;
      if (beat_done_i) passed_q <= '0;
      else if (state_q == RUN) passed_q <= passed_q | (need_i & hit);
      if (beat_done_i) begin
        range_q   <= '0;
        protect_q <= '0;
      end else if (state_q == PICK && good == '0) begin
        if (match_q != '0) protect_q <= protect_q | lead_q;
        else               range_q   <= range_q | lead_q;
      end
    end
  end

endmodule

`default_nettype wire
