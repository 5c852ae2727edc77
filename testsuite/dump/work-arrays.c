/* SPDX-License-Identifier: MIT */
//! scan: report 8 "depth":1,.*"form":"work-array".*"outlined":true
//! scan: report 8 "depth":1,.*"reason":"(fixed-address|private-array)"
/* Which arrays are work arrays: every iteration writes them before it reads them, at the same places.  */

void use (double *);
static double global[100], other[100][100];

void
pointer (int n, int m, const double *a, double *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	tmp[j] = a[i * m + j];
      for (int j = 0; j < m; j++)
	b[i * m + j] = tmp[j] * 2;
    }
}

void
both_sides (int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 100; j++)
	if (a[i * 100 + j] > 0)
	  global[j] = 1;
	else
	  global[j] = a[i * 100 + j];
      for (int j = 1; j < 99; j++)
	b[i * 100 + j] = global[j + 1] - global[j - 1];
    }
}

void
two_deep (int n, int m, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	for (int k = 0; k < m; k++)
	  other[j][k] = a[i * m + k] * j;
      for (int k = 0; k < m; k++)
	for (int j = 0; j < m; j++)
	  b[i * m + j] += other[j][k];
    }
}

double
of_the_function (int n, const double *a, double *b)
{
  double row[50];
  for (int j = 0; j < 50; j++)
    row[j] = 0;
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 50; j++)
	row[j] = a[i * 50 + j];
      for (int j = 0; j < 50; j++)
	b[i * 50 + j] = row[49 - j];
    }
  use (b);
  return row[3] + row[4];
}

/* Everything is written before the loops inside it.  */
void
in_a_nest (int n, int m, const double *a, double *b, double *sum)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      {
	for (int j = 0; j < m; j++)
	  {
	    sum[j] = 0;
	    for (int l = 0; l < m; l++)
	      sum[j] += a[(i * m + l) * m + j];
	  }
	for (int j = 0; j < m; j++)
	  b[(i * m + k) * m + j] = sum[j];
      }
}

void
longer_than_read (int n, int m, const double *a, double *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j <= m; j++)
	tmp[j] = a[i * m + j];
      for (int j = 0; j < m; j++)
	b[i * m + j] = tmp[j + 1];
    }
}

struct pair
{
  int a, b;
};

void
members (int n, const int *a, int *b, struct pair *p)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 80; j++)
	{
	  p[j].a = a[i * 80 + j];
	  p[j].b = -p[j].a;
	}
      for (int j = 0; j < 80; j++)
	b[i * 80 + j] = p[j].a * p[79 - j].b;
    }
}

/* One more is read than was written.  */
void
one_more (int n, int m, const double *a, double *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < m; j++)
	tmp[j] = a[i * m + j];
      for (int j = 0; j <= m; j++)
	b[i * m + j] = tmp[j];
    }
}

/* Read before it is written.  */
void
too_early (int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 100; j++)
	b[i * 100 + j] = global[j];
      for (int j = 0; j < 100; j++)
	global[j] = a[i * 100 + j];
    }
}

/* Not always written.  */
void
not_always (int n, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (a[i] > 0)
	for (int j = 0; j < 100; j++)
	  global[j] = a[i * 100 + j];
      for (int j = 0; j < 100; j++)
	b[i * 100 + j] = global[j];
    }
}

/* Only some iterations leave something behind.  */
void
now_and_then (int n, const double *a, double *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      {
	for (int j = 0; j < 100; j++)
	  tmp[j] = a[i * 100 + j];
	for (int j = 0; j < 100; j++)
	  b[i * 100 + j] = tmp[j];
      }
}

/* Not written at all, perhaps.  */
void
as_wanted (int n, int wanted, const double *a, double *b)
{
  for (int i = 0; i < n; i++)
    {
      if (wanted)
	for (int j = 0; j < 100; j++)
	  global[j] = a[i * 100 + j];
      for (int j = 0; j < 100; j++)
	b[i * 100 + j] = global[j];
      if (!wanted)
	for (int j = 0; j < 100; j++)
	  global[j] = a[i * 100 + j] * 2;
    }
}

/* Read as floats.  */
void
other_eyes (int n, const double *a, float *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 100; j++)
	tmp[j] = a[i * 100 + j];
      for (int j = 0; j < 100; j++)
	b[i * 100 + j] = ((float *) tmp)[j];
    }
}

/* The last iteration does not write all that is left behind.  */
void
fewer_and_fewer (int n, const double *a, double *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < n - i; j++)
	tmp[j] = a[i * n + j];
      for (int j = 0; j < n - i; j++)
	b[i * n + j] = tmp[j];
    }
}

/* What else it writes, only a monitor can tell.  */
void
indirect (int n, const double *a, double *b, const int *at, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 100; j++)
	tmp[j] = a[i * 100 + j];
      for (int j = 0; j < 100; j++)
	b[at[i * 100 + j]] = tmp[j];
    }
}

/* The array is also known by where it ends.  */
void
by_its_end (int n, const double *a, double *b, double *tmp)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < 100; j++)
	tmp[j] = a[i * 100 + j];
      for (double *q = tmp; q < tmp + 100; q++)
	b[i * 100] += *q;
    }
}
