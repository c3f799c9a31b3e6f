/* SPDX-License-Identifier: Apache-2.0
 * What each class of warp cycles means for who writes a kernel (docs/profile.md has the same in full). */
#include "run/profile/internal.h"

const struct class_words profile_words[HEDDLE_COUNTERS] = {
    [HEDDLE_COUNTER_ISSUED] = {"Issued", "the warp issues", "work: fewer instructions is what makes it less"},
    [HEDDLE_COUNTER_NOT_SELECTED] = {"Not selected", "it could issue, another warp was chosen",
                                     "enough warps are there; more of them would not help"},
    [HEDDLE_COUNTER_WAIT] = {"Wait", "for a result with a latency of its own: memory, special functions",
                             "load earlier, have more warps or more independent loads under way"},
    [HEDDLE_COUNTER_STALL] = {"Stall", "the stall count of the instruction before has not run out: a result of a pipe",
                              "more independent instructions in between, or more warps"},
    [HEDDLE_COUNTER_PIPE] = {"Pipe", "the operand stage is busy with other instructions",
                             "the machine is full here: fewer or wider instructions"},
    [HEDDLE_COUNTER_FETCH] = {"Fetch", "its next instruction has not been fetched",
                              "shorter code and loops, fewer jumps; at the start of a kernel it is the cold cache"},
    [HEDDLE_COUNTER_SYNC] = {"Sync", "a barrier, a branch that is being taken, a fence",
                             "fewer barriers, branches that do not diverge, work that is even among warps"},
    [HEDDLE_COUNTER_MEMORY] = {"Memory", "no place in the queue of memory instructions",
                               "fewer and wider accesses, coalesced; fewer bank conflicts"},
    [HEDDLE_COUNTER_CONST] = {"Constant", "a constant operand is not in its cache yet",
                              "use a parameter early and keep it; indices that do not wander"},
    [HEDDLE_COUNTER_OTHER] = {"Other", "issue is stopped: a trap, or the retire port is held (--hold)",
                              "nothing of the program's"},
};
