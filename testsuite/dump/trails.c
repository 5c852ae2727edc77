/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! scan: report 1 "function":"of_memory".*"reason":"proven".*"outlined":true
//! scan: report 1 "function":"of_an_expression".*"reason":"proven".*"outlined":true
//! scan: report 1 "function":"of_a_trail".*"reason":"proven".*"outlined":true
//! scan: report 1 "function":"in_the_latch".*"reason":"pointers".*"outlined":true
//! scan: report 1 "function":"in_place".*"reason":"carried-memory".*"outlined":false
//! scan: report 1 "function":"far_behind".*"reason":"carried-scalar".*"outlined":false
//! scan: report 1 "function":"now_and_then".*"reason":"carried-scalar".*"outlined":false
//! scan: report 1 "function":"looked_up".*"reason":"carried-scalar".*"outlined":false
//! scan: report 1 "function":"own_room".*"reason":"carried-scalar".*"outlined":false
/* A value of the iteration before is no obstacle if that iteration makes it of memory which the loop leaves alone, each
   time, from nothing that is carried.  */

extern int a[20000], b[20000], c[20000];

void
of_memory (int n)
{
  int i, x = b[19999];

  for (i = 0; i < n; i++)
    {
      a[i] = b[i] + x;
      x = b[i];
    }
}

int
of_an_expression (int n)
{
  int i, x = 0;

  for (i = 0; i < n; i++)
    {
      a[i] = b[i] + x;
      x = b[i] * c[i] + i;
    }
  return x;
}

void
of_a_trail (int n)
{
  int i, x = 5, y = 7;

  for (i = 0; i < n; i++)
    {
      a[i] = b[i] + x * y;
      y = x;
      x = c[i];
    }
}

/* The store before the loop says what is loaded first; then the loop might have stored there.  */
void
in_the_latch (int n, int *x, const int *y, int *scale)
{
  int i;

  *scale = n;
  for (i = 0; i < n; i++)
    x[i] = y[i] * *scale;
}

/* What is behind is what was there before the store.  */
void
in_place (int n)
{
  int i, x = 3;

  for (i = 0; i < n; i++)
    {
      int old = a[i];
      a[i] = old + x;
      x = old;
    }
}

void
far_behind (int n)
{
  int i, x = 1, y = 2, z = 3, w = 4, v = 5;

  for (i = 0; i < n; i++)
    {
      a[i] = b[i] + v;
      v = w;
      w = z;
      z = y;
      y = x;
      x = b[i];
    }
}

void
now_and_then (int n)
{
  int i, x = 3;

  for (i = 0; i < n; i++)
    {
      a[i] = x;
      if (b[i] > 0)
	x = c[i];
    }
}

/* Which elements are behind, only a run shows.  */
void
looked_up (int n, int *x, const int *y, const int *index)
{
  int i, before = 3;

  for (i = 0; i < n; i++)
    {
      x[i] = before;
      before = y[index[i]];
    }
}

/* The array is each iteration's own.  */
void
own_room (int n)
{
  int i, j, x = 3;

  for (i = 0; i < n; i++)
    {
      int room[8];
      for (j = 0; j < 8; j++)
	room[(b[i] + j) & 7] = c[i] + j;
      a[i] = room[b[i] & 7] + x;
      x = room[c[i] & 7];
    }
}
