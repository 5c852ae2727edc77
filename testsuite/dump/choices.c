/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! scan: report 5 "class":"parallel","reason":"proven".*"outlined":true
//! scan: report 11 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* Scalars that an iteration keeps or replaces.  A range of iterations may replace them where the loop would not, so
   nothing else may come of that.  */

double
largest (int n, const double *a, double m, int *at)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > m)
      {
	m = a[i];
	*at = 3;
      }
  return m;
}

int
where (int n, const double *a, double m)
{
  int i, at = -1;

  for (i = 0; i < n; i++)
    if (a[i] > m)
      {
	m = a[i];
	at = i;
      }
  return at;
}

int
last (int n, const double *a)
{
  int i, at = -1;

  for (i = 0; i < n; i++)
    if (a[i] > 0)
      at = i;
  return at;
}

int
first_of_equals (int n, const int *a, int m)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] >= m)
      m = a[i];
  return m;
}

double
of_a_row (int n, const double *a, double m)
{
  int i, j;

  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++)
      if (a[i * n + j] < m)
	m = a[i * n + j];
  return m;
}

/* How often it was replaced.  */
int
count (int n, const double *a, double m)
{
  int i, times = 0;

  for (i = 0; i < n; i++)
    if (a[i] > m)
      {
	m = a[i];
	times++;
      }
  return times;
}

/* The last of equal ones, of which nobody knows whether a range has one.  */
int
where_last (int n, const int *a, int m)
{
  int i, at = -1;

  for (i = 0; i < n; i++)
    if (a[i] >= m)
      {
	m = a[i];
	at = i;
      }
  return at;
}

/* A NaN replaces whatever is there, and is replaced.  */
double
largest_or_nan (int n, const double *a, double m)
{
  int i;

  for (i = 0; i < n; i++)
    if (!(a[i] <= m))
      m = a[i];
  return m;
}

double
second (int n, const double *a, double m)
{
  double next = m;
  int i;

  for (i = 0; i < n; i++)
    if (a[i] > m)
      {
	next = m;
	m = a[i];
      }
  return next;
}

/* What is loaded there may not be there to be loaded.  */
int
loaded (int n, const double *a, const int *b, double m)
{
  int i, at = -1;

  for (i = 0; i < n; i++)
    if (a[i] > m)
      {
	m = a[i];
	at = b[i];
      }
  return at;
}

/* An older value comes back.  */
int
restored (int n, const double *a)
{
  int i, at = -1;

  for (i = 0; i < n; i++)
    {
      int before = at;
      if (a[i] > 0)
	at = i;
      if (a[i] > 5)
	at = before;
    }
  return at;
}

double
used (int n, const double *a, double m, double *b)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (a[i] > 0)
	m = a[i] + 1;
      b[i] = m;
    }
  return m;
}

/* Something else depends on it.  */
double
tested (int n, const double *a, double m, int *b)
{
  int i;

  for (i = 0; i < n; i++)
    {
      if (a[i] > m)
	m = a[i];
      if (m > 5)
	b[i] = 0;
    }
  return m;
}

/* Of zeros, the last one stays: -0 or +0.  */
double
last_of_equals (int n, const double *a, double m)
{
  int i;

  for (i = 0; i < n; i++)
    if (a[i] >= m)
      m = a[i];
  return m;
}

/* Not only replaced with the largest.  */
int
elsewhere (int n, const double *a, const double *b, double m)
{
  int i, at = -1;

  for (i = 0; i < n; i++)
    {
      if (b[i] > 0)
	at = -2;
      if (a[i] > m)
	{
	  m = a[i];
	  at = i;
	}
    }
  return at;
}
