// R128 and above are registers of their own.
.kernel bug48
        MOV R2, 0x11 ;
        MOV R130, 0x22 ;
        IADD3 R3, R130, R2, RZ ;
        EXIT ;
.end
