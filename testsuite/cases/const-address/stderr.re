^script\.stp:5:37: error: this is an address, which is no constant: it is known where the code is loaded
^script\.stp:6:10: error: this is an address
^hint: %\{ \.\.\. %\} in an expression is evaluated there
!script\.stp:5:10
!script\.stp:5:56
!script\.stp:6:34
^Pass 4: compilation failed
