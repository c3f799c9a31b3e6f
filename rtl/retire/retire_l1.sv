// SPDX-License-Identifier: Apache-2.0
// Records of the cache on the retire port (docs/visibility.md), from copies of its own of all that the cache itself does
// not need: lanes, identities, numbers of refills.
// Latency: one cycle. Handshake: events.
// It decides nothing.
`include "heddle_idle.svh"

module retire_l1 #(
  localparam int unsigned LOAD_W  = l1_pkg::LOAD_W,
  localparam int unsigned SECTORS = l1_pkg::SECTORS,
  localparam int unsigned PLACE_W = l1_pkg::PLACE_W,
  localparam int unsigned PARTS   = cfg_pkg::PARTITIONS
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // a request passes, and what becomes of it
  /* verilator lint_off UNUSEDSIGNAL */   // of these, what is shown
  input  line_pkg::request_t              ask_i,
  input  l1_pkg::passed_t                 passed_i,
  input  l1_pkg::filled_t                 fill_i,
  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_off UNUSEDSIGNAL */   // its tag
  input  line_pkg::note_t                 note_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [31:0]                     number_i,      // of the next refill
  // a load is read
  input  logic                            read_valid_i,
  input  logic [LOAD_W-1:0]               read_tag_i,
  // memory has performed a store or atomic
  input  logic                            ack_valid_i,
  input  logic [LOAD_W-1:0]               ack_tag_i,
  // fences, and emptyings
  input  logic [PARTS-1:0][$bits(front_pkg::fence_t)-1:0] fence_i,   // front_pkg::fence_t each
  // retire port
  output retire_pkg::cache_valid_t        ret_valid_o,
  output retire_pkg::cache_ret_t          ret_o
);

  localparam int unsigned PLACES = l1_pkg::PLACES;
  localparam int unsigned TAGS   = 1 << LOAD_W;

  typedef logic [SECTORS-1:0][31:0] numbers_t;

  // Requests, by tag: a load that waits (for which sectors), a store.
  typedef struct packed {
    core_pkg::id_t      id;
    logic [31:0]        lanes;
    logic [31:0][1:0]   at;
    logic [63:0]        line;
    logic               is_local;
    logic [SECTORS-1:0] waits;
    logic [PLACE_W-1:0] place;
  } asked_t;

  numbers_t     number_of_q [PLACES];
  logic [63:0]  line_of_q [PLACES];      // as records have it
  logic         local_of_q [PLACES];
  asked_t       asked_q [TAGS];
  asked_t       asked, read, acked;
  logic [63:0]  line;
  numbers_t     numbers;
  core_pkg::id_t id;

  assign id      = '{slot: ask_i.slot, gen: note_i.gen, seq: note_i.seq};
  assign line    = ask_i.is_local ? 64'({ask_i.slot, note_i.word}) : 64'(ask_i.line);
  assign asked   = '{id: id, lanes: ask_i.lanes, at: note_i.at, line: line, is_local: ask_i.is_local,
                     waits: passed_i.coming | passed_i.asked, place: passed_i.place};
  assign read    = asked_q[read_tag_i];
  assign acked   = asked_q[ack_tag_i];

  always_comb begin
    numbers = number_of_q[passed_i.place];
    for (int unsigned s = 0; s < SECTORS; s++) begin
      if (passed_i.takes) begin
        if (!passed_i.here[s] && passed_i.taken[s]) numbers[s] = '0;   // there by a store
      end else if (passed_i.asked[s]) begin
        numbers[s] = number_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (passed_i.valid) begin
      asked_q[LOAD_W'(ask_i.tag)] <= asked;
      if (passed_i.keeps || passed_i.takes) begin
        number_of_q[passed_i.place] <= numbers;
        line_of_q[passed_i.place]   <= line;
        local_of_q[passed_i.place]  <= ask_i.is_local;
      end
    end
  end

  function automatic logic [31:0] lanes_in(logic [31:0] lanes, logic [31:0][1:0] at, logic [SECTORS-1:0] sectors);
    for (int unsigned l = 0; l < 32; l++) lanes_in[l] = lanes[l] && sectors[at[l]];
  endfunction

  function automatic retire_pkg::merge_t shown(asked_t a, logic [SECTORS-1:0] sectors, numbers_t n);
    shown        = '0;
    shown.id     = core_pkg::who(a.id, core_pkg::part_of(a.id.slot));
    shown.line   = a.line;
    shown.lanes  = lanes_in(a.lanes, a.at, sectors);
    shown.used   = 8'(sectors);
    shown.access = a.is_local ? 8'd3 : 8'd0;
    for (int unsigned s = 0; s < SECTORS; s++) shown.number[s] = sectors[s] ? n[s] : '0;
  endfunction

  logic [PARTS-1:0]                 fence_valid;
  retire_pkg::fence_t [PARTS-1:0]   fence;
  for (genvar p = 0; p < PARTS; p++) begin : gen_fence
    front_pkg::fence_t f;
    assign f              = front_pkg::fence_t'(fence_i[p]);
    assign fence_valid[p] = f.valid;
    assign fence[p]       = '{id: core_pkg::who(f.id, cfg_pkg::PART_W'(p)), scope: 8'(f.kind), pad0: '0};
  end

  // ---- a cycle later --------------------------------------------------------------------------------------
  logic drops;
  assign drops = passed_i.valid && passed_i.drops;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ret_valid_o <= '0;
    end else begin
      ret_valid_o.ack     <= ack_valid_i && !acked.is_local;
      ret_valid_o.drop[0] <= drops || (passed_i.valid && passed_i.evicts && passed_i.evicted != '0);
      ret_valid_o.drop[1] <= fill_i.valid && fill_i.err;
      ret_valid_o.merge   <= passed_i.valid && passed_i.keeps && asked.waits != '0;
      ret_valid_o.hit[0]  <= passed_i.valid && passed_i.keeps && passed_i.here != '0;
      ret_valid_o.hit[1]  <= read_valid_i && read.waits != '0;
      ret_valid_o.fence   <= fence_valid;
    end
  end

  always_ff @(posedge clk_i) begin
    if (ack_valid_i) begin
      ret_o.ack <= '{id: core_pkg::who(acked.id, core_pkg::part_of(acked.id.slot)), line: acked.line,
                     lanes: acked.lanes, pad0: '0};
    end
    if (passed_i.valid) begin
      ret_o.drop[0]          <= '0;
      ret_o.drop[0].id       <= drops ? core_pkg::who(id, core_pkg::part_of(id.slot)) : '0;
      ret_o.drop[0].line     <= drops ? line : line_of_q[passed_i.place];
      ret_o.drop[0].lanes    <= drops ? lanes_in(ask_i.lanes, note_i.at, ask_i.sectors & ~passed_i.taken) : '0;
      ret_o.drop[0].is_local <= 8'(drops ? ask_i.is_local : local_of_q[passed_i.place]);
      ret_o.drop[0].sectors  <= 8'(drops ? ask_i.sectors & ~passed_i.taken : passed_i.evicted);
      ret_o.drop[0].cause    <= !drops ? 8'd6 : (ask_i.kind == line_pkg::STORE) ? 8'd0 : (ask_i.kind == line_pkg::ATOM) ? 8'd1 : 8'd2;
      ret_o.merge            <= shown(asked, asked.waits, numbers);
      ret_o.hit[0]           <= shown(asked, passed_i.here, numbers);
    end
    if (fill_i.valid) begin
      ret_o.drop[1]          <= '0;
      ret_o.drop[1].line     <= line_of_q[fill_i.place];
      ret_o.drop[1].is_local <= 8'(local_of_q[fill_i.place]);
      ret_o.drop[1].sectors  <= 8'(fill_i.sectors);
      ret_o.drop[1].cause    <= 8'd7;
    end
    if (read_valid_i) ret_o.hit[1] <= shown(read, read.waits, number_of_q[read.place]);
    for (int unsigned p = 0; p < PARTS; p++) begin
      if (fence_valid[p]) ret_o.fence[p] <= fence[p];
    end
  end

endmodule
