// SPDX-License-Identifier: Apache-2.0
// Rules of the retire port over several records (docs/retire-port.md): permitted sources, order.
// Records of a cycle are taken in the order of their kinds. Bounds of each number: retire_assert.sv, from
// `heddle kit`, as is retire_pkg.sv. Each rule is there twice: as a concurrent assertion, and as a clocked `if`.
// It does not judge what instructions do: that is the checker's.
`define RETIRE_RULE(NAME, BAD, TEXT) \
  if (CONCURRENT) begin : NAME``_sva \
    holds: assert property (@(posedge clk) disable iff (!rst_n) !(BAD)) else $error(TEXT); \
  end else begin : NAME``_if \
    always @(posedge clk) if (rst_n && (BAD)) $error(TEXT); \
  end

module retire_protocol
  import retire_pkg::WARPS, retire_pkg::BLOCKS, retire_pkg::PARTITIONS;
#(
  parameter bit          CONCURRENT = 1,
  parameter int unsigned LATE       = 3 // issue records of a partition that may come after ready has fallen
) (
  input wire clk,
  input wire rst_n,
  input wire launch, // a launch begins in this cycle; so it does after reset
  input wire ret_ready,
  input wire any_valid, // a record of any kind
  input wire                                  ret_block_start_valid,
  input wire retire_pkg::block_start_t        ret_block_start,
  input wire                                  ret_barrier_valid,
  input wire retire_pkg::barrier_t            ret_barrier,
  input wire [PARTITIONS-1:0]                 ret_issue_valid,
  input wire retire_pkg::issue_t [PARTITIONS-1:0] ret_issue,
  input wire                                  ret_trap_valid,
  input wire retire_pkg::trap_t               ret_trap,
  input wire                                  ret_block_end_valid,
  input wire retire_pkg::block_end_t          ret_block_end
);

  logic [BLOCKS-1:0]            live_d, live_q; // blocks that have started
  logic [BLOCKS-1:0][WARPS-1:0] own_d, own_q;   // and their warp slots
  logic [WARPS-1:0][7:0]        gen_d, gen_q;
  logic [WARPS-1:0][31:0]       seq_d, seq_q;
  logic                         trapped_q;
  logic [PARTITIONS-1:0][7:0]   late_d, late_q; // of each its issue records since ready fell
  logic [WARPS-1:0]             taken;          // slots of all blocks
  logic bad_start, bad_barrier, bad_slot, bad_gen, bad_seq, bad_ready, bad_end;

  // An index of 8 bits is looked at before it is used.
  /* verilator lint_off WIDTH */
  always_comb begin
    live_d = launch ? '0 : live_q;
    own_d  = launch ? '0 : own_q;
    gen_d  = launch ? '0 : gen_q;
    seq_d  = launch ? '0 : seq_q;
    late_d = ret_ready || launch ? '0 : late_q;
    taken  = '0;
    {bad_start, bad_barrier, bad_slot, bad_gen, bad_seq, bad_ready, bad_end} = '0;
    for (int b = 0; b < int'(BLOCKS); b++) if (live_d[b]) taken |= own_d[b];

    if (ret_block_start_valid) begin
      if (ret_block_start.bslot >= 8'(BLOCKS)) bad_start = 1;
      else begin
        if (live_d[ret_block_start.bslot] || (taken & ret_block_start.warps[WARPS-1:0]) != '0
            || ret_block_start.warps == '0)
          bad_start = 1;
        live_d[ret_block_start.bslot] = 1;
        own_d[ret_block_start.bslot]  = ret_block_start.warps[WARPS-1:0];
      end
      taken |= ret_block_start.warps[WARPS-1:0];
      for (int w = 0; w < int'(WARPS); w++) if (ret_block_start.warps[w]) begin
        gen_d[w] = gen_d[w] + 1;
        seq_d[w] = 0;
      end
    end

    if (ret_barrier_valid)
      bad_barrier = ret_barrier.bslot >= 8'(BLOCKS) || !live_d[ret_barrier.bslot];

    for (int p = 0; p < int'(PARTITIONS); p++) if (ret_issue_valid[p]) begin
      if (!ret_ready && late_d[p] == 8'(LATE)) bad_ready = 1;
      else if (!ret_ready) late_d[p] = late_d[p] + 1;
      if (ret_issue[p].id.slot >= 8'(WARPS) || !taken[ret_issue[p].id.slot]) bad_slot = 1;
      else begin
        if (ret_issue[p].id.gen != gen_d[ret_issue[p].id.slot]) bad_gen = 1;
        if (ret_issue[p].id.seq != seq_d[ret_issue[p].id.slot]) bad_seq = 1;
        seq_d[ret_issue[p].id.slot] = ret_issue[p].id.seq + 1;
      end
    end

    if (ret_block_end_valid) begin
      if (ret_block_end.bslot >= 8'(BLOCKS) || !live_d[ret_block_end.bslot]) bad_end = 1;
      else live_d[ret_block_end.bslot] = 0;
    end
  end
  /* verilator lint_on WIDTH */

  always_ff @(posedge clk) begin
    live_q    <= rst_n ? live_d : '0;
    own_q     <= rst_n ? own_d : '0;
    gen_q     <= rst_n ? gen_d : '0;
    seq_q     <= rst_n ? seq_d : '0;
    late_q    <= rst_n ? late_d : '0;
    trapped_q <= rst_n && ((trapped_q && !launch) || ret_trap_valid);
  end

  `RETIRE_RULE(block_start, bad_start, "retire: block_start: no warp, or its block slot or a warp slot is taken")
  `RETIRE_RULE(barrier, bad_barrier, "retire: barrier: no block has started in that slot")
  `RETIRE_RULE(issue_slot, bad_slot, "retire: issue: no block has started with that warp slot")
  `RETIRE_RULE(issue_gen, bad_gen, "retire: issue: generation is not one more for each warp of the slot")
  `RETIRE_RULE(issue_seq, bad_seq, "retire: issue: seq has a gap")
  `RETIRE_RULE(block_end, bad_end, "retire: block_end: no block has started in that slot")
  `RETIRE_RULE(ready, bad_ready, "retire: issue: more records after ready fell than may come")
  `RETIRE_RULE(trap_last, trapped_q && !launch && any_valid, "retire: a record after the trap")

endmodule

`undef RETIRE_RULE
