// SPDX-License-Identifier: Apache-2.0
// Stores to local memory of what the cache has, and of a byte of what it has not: a fence has emptied it.
// launch: --grid 1 --block 64 --arg out:256:u32:/dev/null --calm --latency 40
// cache: 512,ways=2,mshrs=4,epoch=2
// finds: local_stale local_part local_slot
.kernel stack
.param u64 out
.local 16
        S2R R0, SR_TID.X ;
        MOV R2, c[0x0][out] ;
        MOV R3, c[0x0][out+4] ;
        IMAD.WIDE.U32 R2, R0, 0x4, R2 ;
        IADD3 R1, R0, 0x1234, RZ ;
        STL [RZ], R0 ;
        STL [RZ], R1 ;
        LDL R4, [RZ] ;
        MEMBAR.GPU ;
        STL.U8 [RZ+0x1], R0 ;
        LDL R5, [RZ] ;
        IADD3 R4, R4, R5, RZ ;
        STG.E [R2], R4 ;
        EXIT ;
.end
