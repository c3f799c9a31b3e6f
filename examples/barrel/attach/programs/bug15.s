// The last lanes that B15 waits for exit: it lets the parked ones go.
.kernel bug15
        S2R R0, SR_LANEID ;
        ISETP.LT.U32.AND P0, PT, R0, 0x10, PT ;
        BSSY B15, join ;
@P0     BRA join ;
        EXIT ;
join:   BSYNC B15 ;
        EXIT ;
.end
