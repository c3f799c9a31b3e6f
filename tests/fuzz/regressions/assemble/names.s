// names that a listing could use itself
.const const3 u8 1
.kernel L_0010
.param u32 L_0020
.param u32 L_0000
        MOV R0, c[0x0][L_0020] ;
a:      BRA L_0010 ;
x:      BRA x ;
        BRA k ;
.end
.kernel const3
        EXIT ;
.end
.kernel k
b:      BRA a ;
        BRA b ;
        EXIT ;
.end
