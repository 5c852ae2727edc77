/* SPDX-License-Identifier: MIT */
//! scan: report 1 "class":"sequential","reason":"alloca".*"outlined":false
/* Each iteration takes stack that is given back much later.  */

void keep (char *);

void
take (int n, int len, char **out)
{
  int i;

  for (i = 0; i < n; i++)
    {
      out[i] = __builtin_alloca (len);
      out[i][0] = 0;
    }
  keep (out[0]);
}
