/* SPDX-License-Identifier: MIT */
//! scan: report 4 "function":"proven_[a-z]+","depth":1,.*"reason":"proven".*"outlined":true
//! scan: report 2 "function":"proven_[a-z]+",.*"form":"work-array".*"outlined":true
//! scan: report 3 "function":"checked_[a-z]+","depth":1,.*"class":"possibly parallel".*"outlined":true
//! scan: report 5 "function":"repeated_[a-z]+","depth":1,.*"reason":"(fixed-address|private-array)"
//! scan: report 1 "function":"of_neighbours",.*"reason":"carried-memory"
//! scan: report 1 "function":"use_recursive".*"detail":"recursive: call, .*dump/summaries.c:225"
//! scan: report 1 "detail":"endless: uncountable, .*dump/summaries.c:231"
//! scan: report 1 "detail":"up_to_told: nonlinear, .*dump/summaries.c:242"
//! scan: report 1 "detail":"where_told: indirect, .*dump/summaries.c:251"
//! scan: report 1 "detail":"stops: asm, .*dump/summaries.c:257"
//! scan: report 1 "detail":"asks: call, .*dump/summaries.c:265"
//! scan: report 1 "detail":"varies: volatile, .*dump/summaries.c:271"
//! scan: report 1 "detail":"replaced"
//! scan: report 1 "detail":"closed"
/* What functions of the unit touch is known, where constants or arguments tell; where it is not, the reason says what
   in the function is in the way.  */

#define OUT_OF_LINE __attribute__ ((noinline))

double table[5][5], result[4000][5], known[5];
static int n_calls;

static OUT_OF_LINE void
exact (double x, double out[5])
{
  int m;

  for (m = 0; m < 5; m++)
    out[m] = table[m][0] + x * (table[m][1] + x * table[m][2]);
}

static OUT_OF_LINE double
sum_of_exact (double x)
{
  double all[5];

  exact (x, all);
  return all[0] + all[1] + all[2] + all[3] + all[4];
}

/* Not all of TO in each call.  */
static OUT_OF_LINE void
some (const double *from, double to[3])
{
  to[0] = from[0];
  if (from[1] > 0)
    to[1] = from[2];
  to[2] = from[1];
}

static OUT_OF_LINE int
counted (int x)
{
  static int n_own;

  n_own++;
  return x + n_own;
}

static OUT_OF_LINE double *
second (double x, double out[2])
{
  out[0] = x;
  out[1] = -x;
  return out + 1;
}

static OUT_OF_LINE double
sum_of_known (double x)
{
  return known[0] * x + known[4];
}

void
proven_rows (int n)
{
  int i;

  for (i = 0; i < n; i++)
    exact (i * 0.5, result[i]);
}

void
proven_sums (int n)
{
  int i;

  for (i = 0; i < n; i++)
    result[i][1] = sum_of_exact (i);
}

void
proven_inside (int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double row[5];
      exact (i, row);
      result[i][0] = row[0] + row[4];
    }
}

void
proven_outside (int n)
{
  double row[5];
  int i, m;

  for (i = 0; i < n; i++)
    {
      exact (i, row);
      for (m = 0; m < 5; m++)
	result[i][m] = row[m] * 2;
    }
}

void
checked_work (int n, double *work, double *all)
{
  int i;

  for (i = 0; i < n; i++)
    {
      exact (i, work);
      all[i] = work[1] + work[4];
    }
}

void
checked_pointers (int n, const double *a, double *b)
{
  int i;

  for (i = 0; i < n; i++)
    some (a + 3 * i, b + 3 * i);
}

void
checked_table (int n)
{
  int i;

  for (i = 0; i < n; i++)
    exact (i, table[i]);
}

void
repeated_part (int n, const double *a, double *b)
{
  double row[3] = { 0, 0, 0 };
  int i;

  for (i = 0; i < n; i++)
    {
      some (a + 3 * i, row);
      b[i] = row[0] + row[1] + row[2];
    }
}

void
repeated_count (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = counted (i);
}

/* A thread's own array must not become known.  */
void
repeated_second (int n, double **a)
{
  double two[2];
  int i;

  for (i = 0; i < n; i++)
    {
      double *where = second (i, two);
      a[i] = two[0] > 3 ? where : 0;
    }
}

void
repeated_row (int n, const double *a, double *b)
{
  int i;

  for (i = 0; i < n; i++)
    some (a + 3 * i, b);
}

/* Nor must it be a variable that the function knows by its name.  */
void
repeated_known (int n)
{
  int i, m;

  for (i = 0; i < n; i++)
    {
      for (m = 0; m < 5; m++)
	known[m] = i + m;
      result[i][0] = sum_of_known (i);
    }
}

void
of_neighbours (int n)
{
  int i;

  for (i = 0; i < n; i++)
    exact (result[i][0], result[i + 1]);
}

extern double unknown (double);
volatile int asked;

static OUT_OF_LINE int
recursive (int x, int *p)
{
  p[0] = x;
  return x > 3 ? recursive (x - 3, p) * recursive (x / 2, p) : x;
}

static OUT_OF_LINE unsigned
endless (unsigned x)
{
  while (x > 1)
    x = x % 2 ? 3 * x + 1 : x / 2;
  return x;
}

static OUT_OF_LINE void
up_to_told (double *out)
{
  int i;

  for (i = 0; i < n_calls; i++)
    out[i] = i;
}

static OUT_OF_LINE void
where_told (const int *index, double *out)
{
  int i;

  for (i = 0; i < 2; i++)
    out[index[i]] = i;
}

static OUT_OF_LINE int
stops (int x)
{
  __asm__ ("" : "+r" (x));
  return x;
}

static OUT_OF_LINE double
asks (double x)
{
  n_calls = 0;
  return unknown (x);
}

static OUT_OF_LINE int
varies (int x)
{
  return asked + x;
}

__attribute__ ((weak)) double
replaced (double x)
{
  return x + 1;
}

__attribute__ ((noipa)) static double
closed (double x)
{
  return x + 1;
}

void
use_recursive (int n, int *a, int *b)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = recursive (i, b + i);
}

void
use_endless (int n, unsigned *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = endless (i);
}

void
use_up_to_told (int n, double *a)
{
  int i;

  for (i = 0; i < n; i++)
    up_to_told (a + i * n);
}

void
use_where_told (int n, const int *a, double *b)
{
  int i;

  for (i = 0; i < n; i++)
    where_told (a + i, b + i);
}

void
use_stops (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = stops (i);
}

void
use_asks (int n, double *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = asks (i);
}

void
use_varies (int n, int *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = varies (i);
}

void
use_replaced (int n, double *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = replaced (i);
}

void
use_closed (int n, double *a)
{
  int i;

  for (i = 0; i < n; i++)
    a[i] = closed (i);
}
