/* SPDX-License-Identifier: MIT */
//! scan: report 1 "depth":1,.*"class":"sequential"
//! scan: report 1 "depth":2,.*"outlined":true
/* The step loop carries through u and v; the sweep inside it does not, and is handed over from there.  */

void
steps (int n_steps, int n, double *u, double *v)
{
  int t, i;

  for (t = 0; t < n_steps; t++)
    {
      double *w = u;
      for (i = 1; i < n - 1; i++)
        v[i] = u[i - 1] + u[i + 1];
      u = v;
      v = w;
    }
}
