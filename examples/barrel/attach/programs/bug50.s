// A write counter of 6 is none: MOV R2, 0x11 with it is illegal.
.kernel bug50
.regs 8
        .word 0x000f8200000000000000001100027802
        EXIT ;
.end
