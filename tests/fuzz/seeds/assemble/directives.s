# every directive, every kind of name
.const t u32 1, 0x203, -5
.const u u8 7
.const w u16 0b101, t+1
.const q u64 0xffffffffffffffff
.equ N 0x40
.equ M N-1
.func helper
        RET R20 ;
.end
.kernel first
.param u8 a
.param u64 b
.param f32 c
.param blob24 d
.param blob2 e
.param s16 f
.shared x 4
.shared y 64 32
.shared 12
.regs 32
.barriers 3
.stalls 5 6 8 6
        MOV R0, c[0x3][t+4] ;
        MOV R1, y ; MOV R2, N+1 ;
here:   MOV R4, here ; // comment
other:  again: BRA again ;
        CALL.REL helper ;
        BRA -0x10 ;
        BAR.SYNC 0x3 ;
        EXIT ;
.end
.kernel second
        MOV R3, c[0x0][b] ;
.word 0x0
.word 0xffffffffffffffffffffffffffffffff
.word 0x000fc00000000000000000000000794d
        EXIT
.end
