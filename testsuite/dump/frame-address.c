/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"frame-address".*"outlined":false
/* The frame's address differs in another function.  */

void
frames (int n, void **x)
{
  int i;

  for (i = 0; i < n; i++)
    x[i] = (char *) __builtin_frame_address (0) + i;
}
