// SPDX-License-Identifier: Apache-2.0
// A run that keeps every rule of retire_protocol.sv, and one violation of each, announced before it is planted.
module bench;
  import retire_pkg::*;
  logic clk = 0, rst_n = 0, launch, ret_ready, any_valid, other;
  logic ret_block_start_valid, ret_barrier_valid, ret_trap_valid, ret_block_end_valid;
  block_start_t ret_block_start;
  barrier_t     ret_barrier;
  logic   [PARTITIONS-1:0] ret_issue_valid;
  issue_t [PARTITIONS-1:0] ret_issue;
  trap_t        ret_trap;
  block_end_t   ret_block_end;
  assign any_valid = other | ret_block_start_valid | ret_barrier_valid | (|ret_issue_valid) | ret_trap_valid
                     | ret_block_end_valid;
  retire_protocol #(.CONCURRENT(1)) sva (.*);
  retire_protocol #(.CONCURRENT(0)) plain (.*);

  task automatic clear();
    {launch, other, ret_block_start_valid, ret_barrier_valid, ret_issue_valid, ret_trap_valid, ret_block_end_valid} = '0;
    {ret_block_start, ret_barrier, ret_issue, ret_trap, ret_block_end} = '0;
    ret_ready = 1;
  endtask
  task automatic tick();
    #1 clk = 1;
    #1 clk = 0;
    clear();
  endtask
  task automatic start(int bslot, logic [63:0] warps);
    ret_block_start_valid = 1;
    ret_block_start.bslot = 8'(bslot);
    ret_block_start.warps = warps;
  endtask
  task automatic issue(int slot, int gen, int seq);
    ret_issue_valid[slot % 2] = 1;
    ret_issue[slot % 2].id.slot = 8'(slot);
    ret_issue[slot % 2].id.gen = 8'(gen);
    ret_issue[slot % 2].id.seq = seq;
  endtask
  task automatic stop(int bslot);
    ret_block_end_valid = 1;
    ret_block_end.bslot = 8'(bslot);
  endtask
  task automatic fresh(); // a launch of one block with warp slots 0 and 1
    clear();
    launch = 1;
    tick();
    start(0, 64'd3);
    tick();
  endtask

  initial begin
    clear();
    tick();
    rst_n = 1;
    // All rules kept. Two blocks after each other in a slot, two issue records of a cycle. Three of each partition after
    // ready has fallen, and as many again once it has been high.
    start(0, 64'd3);
    issue(0, 1, 0);
    issue(1, 1, 0);
    tick();
    for (int i = 1; i < 7; i++) begin
      ret_ready = 0;
      issue(0, 1, i);
      issue(1, 1, i);
      tick();
      if (i == 3) tick();
    end
    ret_barrier_valid = 1;
    tick();
    start(1, 64'd4);
    tick();
    stop(0);
    issue(2, 1, 0);
    tick();
    start(0, 64'd1);
    tick();
    issue(0, 2, 0);
    tick();
    ret_trap_valid = 1;
    other = 1;
    tick();
    fresh();
    issue(0, 1, 0);
    tick();

    fresh();
    $display("plant: retire: block_start: no warp, or its block slot or a warp slot is taken");
    start(1, 64'd2);
    tick();
    fresh();
    $display("plant: retire: barrier: no block has started in that slot");
    ret_barrier_valid = 1;
    ret_barrier.bslot = 1;
    tick();
    fresh();
    $display("plant: retire: issue: no block has started with that warp slot");
    issue(2, 1, 0);
    tick();
    fresh();
    $display("plant: retire: issue: generation is not one more for each warp of the slot");
    issue(0, 2, 0);
    tick();
    fresh();
    $display("plant: retire: issue: seq has a gap");
    issue(0, 1, 1);
    tick();
    fresh();
    $display("plant: retire: block_end: no block has started in that slot");
    stop(2);
    tick();
    fresh();
    for (int i = 0; i < 3; i++) begin // partition 0 alone: the other one still has three
      ret_ready = 0;
      issue(0, 1, i);
      tick();
    end
    ret_ready = 0;
    issue(1, 1, 0);
    tick();
    $display("plant: retire: issue: more records after ready fell than may come");
    ret_ready = 0;
    issue(0, 1, 3);
    tick();
    fresh();
    ret_trap_valid = 1;
    tick();
    $display("plant: retire: a record after the trap");
    other = 1;
    tick();
    fresh();
    $finish;
  end
endmodule
