// SPDX-License-Identifier: Apache-2.0
// Room in what comes after S1: queues of units and of rows, whose places are counted here, places in
// the order of traps, the uniform write port.
// Latency: places of queues are taken with the issue; what S1 may take counts already.
// Handshake: operand gives them back: those of the queues of units (op_i.leave), of rows (op_i.gone).
// An instruction that takes several places of a queue is not passed without end by those that take fewer, which could have
// each place as it comes free: when WARPS of them have issued since the last such one, they wait for it.
// It does not wait for the operand stage itself: S1 does.
module issue_room (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the instruction buffer
  input  issue_pkg::heads_t   ib_heads_i,
  // from issue_ready: warps that wait for nothing but room
  input  logic [cfg_pkg::WARPS-1:0] wants_i,
  // from S1
  input  stage_pkg::s1_t      s1_i,
  input  logic                commit_i,   // it issues,
  input  logic                go_i,       // ... and leaves its buffer
  // from operand, trap control, the uniform datapath
  input  front_pkg::operand_t op_i,
  input  logic                tc_full_i,      // no place in the order of traps
  input  logic                un_starved_i,   // late results wait for the write port
  // to S0
  output stage_pkg::full_t    full_o
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned QUEUES = kind_pkg::QUEUES;

  // ---- queues of units: what is ordered is memory's, everything else of the partition's units --------------------
  localparam int unsigned PLACES  = cfg_pkg::COLLECTORS;
  localparam int unsigned PLACE_W = $clog2(PLACES + 1);
  localparam int unsigned PASS_W  = $clog2(WARPS + 1);

  logic [QUEUES-1:0][WARPS-1:0] no_place;
  logic [WARPS-1:0]             mem, uni;

  for (genvar k = 0; k < int'(QUEUES); k++) begin : gen_unit_queue
    localparam bit ORDERED = k == int'(kind_pkg::QUEUE_MEM);
    logic [PLACE_W-1:0] taken_q, owed;   // places given away; that S1 may take, too
    logic               mine, one, two, three;
    logic [WARPS-1:0]   these;

    assign mine  = s1_i.head.coll && (QUEUES == 1 || s1_i.head.ordered == ORDERED);
    assign these = (QUEUES == 1) ? '1 : ORDERED ? ib_heads_i.flag.ordered : ~ib_heads_i.flag.ordered;

    always_comb begin
      owed = taken_q;
      if (s1_i.valid && mine) begin
        owed = taken_q + (s1_i.head.three ? PLACE_W'(3) : s1_i.head.two ? PLACE_W'(2) : PLACE_W'(1));
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) taken_q <= '0;
      else if (commit_i && mine) taken_q <= owed - PLACE_W'(op_i.leave[k]);
      else         taken_q <= taken_q - PLACE_W'(op_i.leave[k]);
    end

    assign one   = owed < PLACE_W'(PLACES);
    assign two   = owed < PLACE_W'(PLACES - 1);
    assign three = !core_pkg::HAS_QUADS || 32'(owed) + 32'd3 <= PLACES;

    // ---- instructions that take several places, and those that take fewer
    logic [PASS_W-1:0] passed_q;          // that took fewer, since one took as many as the most that is wanted
    logic              several_q, most_q; // a warp wants two places at least; three
    logic              enough;
    logic [WARPS-1:0]  passes;

    assign enough = (core_pkg::HAS_QUADS && most_q) ? s1_i.head.three : s1_i.head.two;
    assign passes = (core_pkg::HAS_QUADS && most_q) ? ~ib_heads_i.flag.three : ~ib_heads_i.flag.two;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        passed_q  <= '0;
        several_q <= 1'b0;
        most_q    <= 1'b0;
      end else begin
        several_q <= (wants_i & these & ib_heads_i.flag.two) != '0;
        most_q    <= (wants_i & these & ib_heads_i.flag.three) != '0;
        if (commit_i && mine && enough) passed_q <= '0;
        else if (commit_i && mine && 32'(passed_q) != WARPS) passed_q <= passed_q + PASS_W'(1);
      end
    end

    assign no_place[k] = these & ib_heads_i.flag.coll & ((one ? '0 : '1)
      | (two ? '0 : ib_heads_i.flag.two)
      | (three ? '0 : ib_heads_i.flag.three)
      | ((several_q && 32'(passed_q) == WARPS) ? passes : '0));
  end

  assign mem = no_place[kind_pkg::QUEUE_MEM] | no_place[kind_pkg::QUEUE_UNITS]
    | (tc_full_i ? ib_heads_i.flag.ordered : '0);
  // A late uniform result that is there is written even when everything stops.
  assign uni = (cfg_pkg::HAS_UNI && un_starved_i) ? ib_heads_i.flag.uni : '0;

  // ---- with row queues: instructions that one of them holds, and that S1 may send to it --------------------------
  logic [WARPS-1:0] rows;

  if (core_pkg::QUEUED) begin : gen_queues
    localparam int unsigned MOST = cfg_pkg::ROW_QUEUES;
    localparam int unsigned IN_W = $clog2(MOST + 1);
    logic [core_pkg::LINES-1:0]           full;
    logic [core_pkg::LINES-1:0][IN_W-1:0] in_q, in_owed;

    for (genvar k = 0; k < core_pkg::LINES; k++) begin : gen_queue
      logic mine;
      assign mine       = s1_i.head.gen && s1_i.head.line == 1'(k);
      assign in_owed[k] = in_q[k] + IN_W'(s1_i.valid && mine);
      assign full[k]    = 32'(in_owed[k]) >= MOST;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) in_q[k] <= '0;
        else         in_q[k] <= in_q[k] + IN_W'(go_i && mine) - IN_W'(op_i.gone[k]);
      end
    end
    assign rows = ib_heads_i.flag.gen
      & ((full[0] ? ~ib_heads_i.flag.line : '0)
      | (full[core_pkg::LINES-1] ? ib_heads_i.flag.line : '0));
  end else if (core_pkg::READERS > 1) begin : gen_readers
    // ---- with two readers: the micro-op in front of each, and what S1 may put there. What reads nothing passes there, too. ------
    logic [core_pkg::READERS-1:0] full, there_q;
    for (genvar k = 0; k < core_pkg::READERS; k++) begin : gen_reader
      logic mine;
      assign mine    = (s1_i.head.gen || s1_i.head.coll) && s1_i.head.line == 1'(k);
      assign full[k] = there_q[k] || (s1_i.valid && mine);
      always_ff @(posedge clk_i) begin
        if (!rst_ni) there_q[k] <= 1'b0;
        else         there_q[k] <= (there_q[k] && !op_i.ready[k]) || (go_i && mine);
      end
    end
    assign rows = (full[0] ? ~ib_heads_i.flag.line : '0) | (full[1] ? ib_heads_i.flag.line : '0);
  end else begin : gen_bus
    assign rows = '0;
  end

  assign full_o = '{mem: mem, rows: rows, uni: uni};

  // Fields that concern others, and what a machine with one bus does not count.
  logic unused;
  assign unused = ^{ib_heads_i, s1_i, op_i, go_i};

endmodule
