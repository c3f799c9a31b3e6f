MOV R0, R1 ;
.kernel k
FROB R0, R1 ;
FADD.RX R0, R1, R2 ;
MOV R255, R1 ;
MOV R0, -R1 ;
LDG.E.64 R1, [R2] ;
FFMA R1, 1.0, R2, R3 ;
BRA nowhere ;
MOV R0, c[0x0][0x2] ;
MOV R0, 0x100000000 ;
[B------:R-:W6:-:S01] NOP ;
NOP x ;
.word 1
.shared a 4
.shared a 4
.shared b 4 3
.param u24 p
.param blob0 p
.regs 256
.frob
.kernel nested
@R0 EXIT ;
ISETP.LT.AND R0, P1, R0, R1, PT ;
BSSY R0, 0x10 ;
LDG.E R1, [R2 ;
FADD R0, |R1, R2 ;
BRA 0x8 ;
