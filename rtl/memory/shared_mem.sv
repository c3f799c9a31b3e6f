// SPDX-License-Identifier: Apache-2.0
// The shared memory itself: banks of 32-bit words in block RAM, one row of each bank a pass.
// Latency: read data one cycle after rt_valid_i, until the next reading pass; an atomic is written back in that cycle, or in the next
// one where the configuration has a rank there (SHARED_RANKS), a compare-and-swap with rt_second_i, which brings the new value two
// cycles after rt_valid_i, floats bank by bank as atom_add has their sums, while busy_o (where the configuration has it).
// Handshake: events; after an atomic pass a cycle must stay empty, with that rank two.
// It does not check ranges or conflicts and does not clear its contents.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module shared_mem #(
  localparam int unsigned BANKS = mem_pkg::SHM_BANKS
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  core_pkg::wipe_t              wipe_i,
  // from shm_route: unchanged until the next pass
  input  logic                         rt_valid_i,
  input  logic                         rt_second_i,  // rt_wdata_i is the new value of the compare-and-swap that was read
  input  logic                         rt_wide_i,    // 64 bits: a bank of even number and the next one
  output logic                         busy_o,       // floats are being added
  input  isa_pkg::mem_e                rt_mem_i,
  input  logic [atom_pkg::OP_W-1:0]    rt_atom_i,
  input  logic [BANKS-1:0]             rt_bank_en_i,
  input  logic [BANKS-1:0][15:0]       rt_row_i,
  input  logic [BANKS-1:0][3:0]        rt_wstrb_i,
  input  logic [BANKS-1:0][31:0]       rt_wdata_i,
  // to the return path
  output logic                         sm_valid_o,   // event: what the pass returns is there in the next cycle, and performed
  output logic [BANKS-1:0][31:0]       sm_rdata_o,
  // what the banks' memories are given to write, in the rows of the pass
  output logic                         sm_write_o,
  output logic                         sm_last_o,    // of the pass: no float is left
  output logic [BANKS-1:0]             sm_turn_o,    // banks that have their turn
  output logic [BANKS-1:0][31:0]       sm_wdata_o
);

  logic store, atomic, swap, float, read, write_back_q, compare_q;
  logic read_back;                 // an atomic has been read, and is not written back yet

  // Floats: banks with sums still to come, the one in work.
  logic [BANKS-1:0]          todo_q, todo_left, turn, written;
  logic                      add_take;   // a sum is there
  logic [63:0]               add_sum;
  logic [1:0][BANKS/2-1:0]   equal_q;      // of a compare-and-swap, by odd and even banks

  assign store  = rt_mem_i == isa_pkg::MEM_SHARED_STORE;
  assign atomic = rt_mem_i == isa_pkg::MEM_SHARED_ATOM;
  assign swap   = atomic && rt_atom_i == atom_pkg::COMPARE_SWAP;
  assign float  = atomic && atom_pkg::is_float(rt_atom_i);
  // A bank is read or written in a cycle, never both, and synthesis must see it: it would add registers for a collision.
  assign read       = rt_valid_i && !store && !write_back_q && !rt_second_i;
  assign sm_write_o = (rt_valid_i && store) || write_back_q || rt_second_i || add_take;

  atom_pkg::act_t         act_q;    // of the pass that came in the cycle before

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) act_q <= atom_pkg::decode(rt_atom_i);
  end

  // For all banks at once: what is written, in an atomic's second cycle its result. Words without a write mean nothing. A store
  // gives way to nothing: it is `result`'s b, as is the new value of a compare-and-swap that found what it looked for.
  logic [BANKS-1:0][31:0] found;
  logic [1:0][31:0]       float_sum;    // of even and odd banks

  always_comb begin
    `HEDDLE_IDLE(sm_wdata_o, 'x);
    float_sum = 'x;
    if (`HEDDLE_LIVE(sm_write_o)) begin
      sm_wdata_o = rt_wdata_i;
      if (`HEDDLE_LIVE(!store)) begin
        float_sum = {rt_wide_i ? add_sum[63:32] : add_sum[31:0], add_sum[31:0]} & {64{add_take}};
        for (int unsigned b = 0; b < BANKS; b += 2) begin
          sm_wdata_o[b +: 2] = float_sum | atom_pkg::result(act_q, rt_wide_i, found[b +: 2], rt_wdata_i[b +: 2],
                                                            {2{store}} | ({2{rt_second_i}} & {equal_q[1][b/2], equal_q[0][b/2]}),
                                                            {2{add_take}});
        end
      end
    end
  end

  // All that has been read, as an atomic works on it.
  if (cfg_pkg::SHARED_RANKS == 0) begin : gen_at_once
    assign found     = sm_rdata_o;
    assign read_back = 1'b0;
    always_ff @(posedge clk_i) write_back_q <= rst_ni && rt_valid_i && atomic && !swap && !float;
  end else begin : gen_rank
    logic [BANKS-1:0][31:0] found_q;
    logic                   read_back_q;
    assign found     = found_q;
    assign read_back = read_back_q;
    always_ff @(posedge clk_i) begin
      if (read_back_q || compare_q) found_q <= sm_rdata_o;
    end
    always_ff @(posedge clk_i) begin
      read_back_q  <= rst_ni && rt_valid_i && atomic && !swap && !float;
      write_back_q <= rst_ni && read_back_q;
    end
  end

  // Compared while both stand here; the new value comes in the next cycle.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) compare_q <= 1'b0;
    else         compare_q <= rt_valid_i && swap;
  end
  always_ff @(posedge clk_i) begin
    if (compare_q) begin
      for (int unsigned b = 0; b < BANKS; b += 2) begin
        equal_q[0][b/2] <= sm_rdata_o[b] == rt_wdata_i[b] && (!rt_wide_i || sm_rdata_o[b+1] == rt_wdata_i[b+1]);
        equal_q[1][b/2] <= sm_rdata_o[b+1] == rt_wdata_i[b+1] && (!rt_wide_i || sm_rdata_o[b] == rt_wdata_i[b]);
      end
    end
  end

  // ---- floats, the lowest bank first ------------------------------------------------------------------------------------
  assign turn      = todo_q & (~todo_q + BANKS'(1));
  assign written   = rt_wide_i ? turn | (turn << 1) : turn;
  assign todo_left = todo_q & ~written;
  assign busy_o    = todo_q != '0;
  assign sm_last_o = todo_left == '0;
  assign sm_turn_o = written | {BANKS{!add_take}};

  // Empty beats are passes without a bank: there is no float to wait for.
  assign sm_valid_o = (rt_valid_i && !swap && (!float || rt_bank_en_i == '0)) || rt_second_i || (add_take && sm_last_o);

  if (cfg_pkg::HAS_FATOM) begin : gen_add
    logic [$clog2(BANKS)-1:0] bank;
    logic [63:0]              add_low, add_high;

    onehot_index #(.N(BANKS)) u_bank (
      .onehot_i (turn),
      .index_o  (bank)
    );

    // An upper word counts where there are 64 bits, beside a bank of even number; without a number to add it means nothing.
    always_comb begin
      add_low  = 'x;
      add_high = 'x;
      if (`HEDDLE_LIVE(busy_o)) begin
        add_low  = {sm_rdata_o[bank], rt_wdata_i[bank]};
        add_high = {sm_rdata_o[{bank[$clog2(BANKS)-1:1], 1'b1}], rt_wdata_i[{bank[$clog2(BANKS)-1:1], 1'b1}]};
      end
    end

    atom_add u_float (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .add_req_i  ('{valid: busy_o, op: rt_atom_i, v: {add_high[63:32], add_low[63:32]}, b: {add_high[31:0], add_low[31:0]},
                     take: add_take}),
      .add_done_o (add_take),
      .add_sum_o  (add_sum)
    );

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                  todo_q <= '0;
      else if (rt_valid_i && float) todo_q <= rt_bank_en_i;
      else if (add_take)            todo_q <= todo_left;
    end
  end else begin : gen_no_add
    assign todo_q   = '0;
    assign add_take = 1'b0;
    assign add_sum  = '0;
  end

  localparam bit WIPES = cfg_pkg::MMU != 0;
  logic          wipes;
  assign wipes = WIPES && wipe_i.valid;

  // ---- banks ------------------------------------------------------------------------------------
  ram_banks #(.BANKS(BANKS), .ROWS(mem_pkg::SHM_ROWS)) u_banks (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .rd_any_i  (read),
    .rd_en_i   (rt_bank_en_i),
    .rd_row_i  (rt_row_i),
    .rd_data_o (sm_rdata_o),
    .wr_any_i  (sm_write_o || wipes),
    .wr_en_i   ((rt_bank_en_i & sm_turn_o) | {BANKS{wipes}}),
    .wr_row_i  (wipes ? {BANKS{16'(wipe_i.at)}} : rt_row_i),
    .wr_strb_i (rt_wstrb_i | {BANKS{{4{wipes}}}}),
    .wr_data_i (wipes ? '0 : sm_wdata_o)
  );

  // No access arrives while an atomic is written back.
  `ASSERT(a_atomic, !rt_valid_i || !(read_back || write_back_q || compare_q || rt_second_i || busy_o))

endmodule
