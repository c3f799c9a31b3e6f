// SPDX-License-Identifier: Apache-2.0
// A fill of local memory that a store to it overtakes: a fence empties the cache, a load asks, the store follows.
// launch: --grid 1 --block 32 --arg out:128:u32:/dev/null --calm --latency 200
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: fill_over_local
.kernel local
.param u64 out
.local 16
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        STL [RZ], R0 ;
        MEMBAR.GPU ;
        IADD3 R1, R0, 0x100, RZ ;
        LDL R4, [RZ] ;
        STL [RZ], R1 ;
        IADD3 R4, R4, R0, RZ ;                  // waits for the fill
        LDL R5, [RZ] ;
        IADD3 R4, R4, R5, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
.end
