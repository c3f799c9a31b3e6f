// SPDX-License-Identifier: Apache-2.0
// Lane 0 adds 2^24 to a float that was 0, each other lane 1: half of what the last place is worth, so that the even sum stays.
// launch: --block 32 --arg out:4
.kernel tie
.param u64 sum
        MOV R2, c[0x0][sum] ;                   // 0x00
        MOV R3, c[0x0][sum+4] ;                 // 0x10
        S2R R6, SR_LANEID ;                     // 0x20
        ISETP.EQ.AND P0, PT, R6, RZ, PT ;       // 0x30
        MOV R5, 0x3f800000 ;                    // 0x40
        @P0 MOV R5, 0x4b800000 ;                // 0x50
        ATOMG.E.ADD.F32.STRONG.GPU R4, [R2], R5 ; // 0x60
        EXIT ;                                  // 0x70
.end
