/* SPDX-License-Identifier: MIT */
//! flags: -O3
//! scan: report 1 "function":"peaks","depth":1,.*"form":"work-array".*"outlined":true
/* At -O3 GCC loads Y[k + 1] of `peaks' at the end of a turn, but for the last one: the array is not read behind its
   end.  */
#include "../e2e/confined.c"
