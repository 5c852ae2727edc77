/* SPDX-License-Identifier: MIT */
//! opts: -O2, -O3
//! scan: report 8 "outlined":true
//! scan: report 3 "class":"parallel","reason":"proven".*"outlined":true
//! scan: report 4 "class":"possibly parallel","reason":"pointers".*"outlined":true
//! scan: report 16 "class":"sequential","reason":"carried-scalar".*"outlined":false
/* Scalars that the loop carries and uses: what ranges add to them can be tallied first, if that depends on nothing that
   the loop makes, and what is addressed by them stays apart.  */

double a[5000], b[5000];
int where[5000];

/* Known arrays.  */
int
pack (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0)
      a[j++] = b[i];
  return j;
}

int
scan (int n, int s)
{
  int i;

  for (i = 0; i < n; i++)
    {
      where[i] = s;
      s += b[i] > 1 ? 3 : -4;
    }
  return s;
}

/* What is read goes on by what is loaded; it is apart from what is written.  */
int
by_lengths (int n, const int *len)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      a[i] = b[j & 4095];
      j += where[i];
    }
  return j;
}

/* Pointers, which only numbers tell apart; */
double *
pack_pointer (int n, double *out, const double *in)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      *out++ = in[i];
  return out;
}

/* a counter that may wrap; */
unsigned
pack_unsigned (int n, int *out, const double *in, unsigned j)
{
  int i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      out[j++] = i;
  return j;
}

/* a test behind a store; */
int
late_test (int n, int *out, double *other, const double *in)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      other[i] = i;
      if (in[i] > 0)
	out[j++] = i;
    }
  return j;
}

/* two that one iteration may do at once; */
int
twos (int n, double *out, const double *in)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0)
      {
	out[j] = in[i];
	out[j + 1] = i;
	j += 2;
      }
  return j;
}

/* what is tested may have been stored, by this iteration or one before.  */
int
stored_before (int n, int at)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      b[i] = i;
      if (b[at] > 0)
	where[i] = j++;
    }
  return j;
}

/* Refused: the steps are shorter than what is stored; */
int
too_close (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0)
      {
	a[j] = b[i];
	a[j + 1] = i;
	j++;
      }
  return j;
}

/* not each store has a step; */
int
last_of_each (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      a[j] = i;
      if (b[i] > 0)
	j++;
    }
  return j;
}

/* there is a way around the step; */
int
way_around (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0)
      {
	a[j] = i;
	if (where[i])
	  j++;
      }
  return j;
}

/* two of a counter's values are not as far apart in each iteration; */
int
differences (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      int before = j;
      if (b[i] > 0)
	j++;
      if (b[i] > 1)
	j++;
      a[3 * j - before] = i;
      j++;
    }
  return j;
}

/* steps of an unknown length, or back; */
int
unknown_steps (int n, int step)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0)
      {
	a[j] = i;
	j += step;
      }
  return j;
}

int
back_and_forth (int n)
{
  int j = 2000, i;

  for (i = 0; i < n; i++)
    {
      a[j] = i;
      j += b[i] > 0 ? 1 : -1;
    }
  return j;
}

/* what is added depends on what there is, in a value; */
int
by_itself (int n)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    {
      where[i] = j;
      j += b[j & 1023] > 0;
    }
  return j;
}

/* in a test; */
int
at_most (int n, int most)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0 && j < most)
      a[j++] = i;
  return j;
}

/* by way of another one; */
int
by_another (int n)
{
  int j = 0, k = 0, i;

  for (i = 0; i < n; i++)
    {
      where[i] = k;
      k += j;
      j += b[i] > 0;
    }
  return j + k;
}

/* an address is loaded, and only numbers could tell what the store meets; */
/* the test, of what may be stored, says whether there is anything to load, or how often; */
int
loads_by_tests (int n, double *out, const double *in, const double *there)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (in[i] > 0 && there[i] > 0)
      out[j++] = i;
  return j;
}

int
divides (int n, int *out, const int *in, int from)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (from / in[i] > 0)
      out[j++] = i;
  return j;
}

int
by_index (int n, double *out, const double *in, const int *index)
{
  int j = 0, i;

  for (i = 0; i < n; i++)
    if (in[index[i]] > 0)
      out[j++] = i;
  return j;
}

/* the places of two fill one array; */
int
both_ends (int n)
{
  int j = 0, k = 0, i;

  for (i = 0; i < n; i++)
    if (b[i] > 0)
      a[j++] = i;
    else
      a[3000 + k++] = -i;
  return j;
}

/* a sum in order; */
double
sums (int n)
{
  double s = 0;
  int i;

  for (i = 0; i < n; i++)
    {
      a[i] = s;
      s += b[i];
    }
  return s;
}

/* the last value set, where nobody knows what it was.  */
double
last_one (int n)
{
  double s = 0;
  int i;

  for (i = 0; i < n; i++)
    {
      if (b[i] > 0)
	s = b[i] * b[i];
      a[i] = s;
    }
  return s;
}

/* two operations.  */
unsigned
hashes (int n)
{
  unsigned h = 1;
  int i;

  for (i = 0; i < n; i++)
    {
      h = (h ^ (unsigned) where[i]) * 16777619u;
      where[i] = (int) h;
    }
  return h;
}
