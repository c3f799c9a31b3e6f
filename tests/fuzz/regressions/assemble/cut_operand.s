.kernel k
 FADD R0, R1, -c