# module variables: with values, addresses, only memory
.globals 1000 48
.global number 0 4
.global where 0x8 16
.global bytes 24 24
.global room 48 952
.initial 0 5, 0, 0, 0
.initial 0x8 0x30
.initial 16 24
.initial 24 0xff, 0xfe, 1
.address 8
.address 0x10
.kernel k
.param u64 out
        MOV R2, c[0x0][0x30] ;
        MOV R3, c[0x0][0x34] ;
        LDG.E.64 R4, [R2+where] ;
        LDG.E R4, [R4] ;
        STG.E [R2+room+948], R4 ;
        EXIT ;
.end
