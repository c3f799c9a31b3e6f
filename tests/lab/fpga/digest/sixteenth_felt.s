// SPDX-License-Identifier: Apache-2.0
// The sixteenth issue is the end of the only warp: shown after the next one, it is not shown before its block has ended.
// launch: --block 32
.kernel sixteenth_felt
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        NOP ;
        EXIT ;
.end
