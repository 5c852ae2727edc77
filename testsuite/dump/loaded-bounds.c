/* SPDX-License-Identifier: MIT */
//! scan: report 5 "depth":1,.*"class":"possibly parallel".*"outlined":true
//! scan: report 4 "depth":1,.*"class":"sequential","reason":"uncountable".*"outlined":false
//! scan: report 1 "depth":1,.*"class":"sequential","reason":"fixed-address".*"outlined":false
/* Loops that load what they count to each time: handed over where numbers can tell that no store changes it.  */

struct matrix
{
  int rows, cols, stride;
  int *data;
};

struct range
{
  struct matrix *of;
  char *begin, *end;
};

void
line (int *a, const int *n)
{
  for (int i = 0; i < *n; i++)
    a[i] = i;
}

void
nest (struct matrix *m)
{
  for (int i = 0; i < m->rows; i++)
    for (int j = 0; j < m->cols; j++)
      m->data[i * m->stride + j] = i + j;
}

/* Where the matrix is, the first iteration may have stored.  */
void
chained (struct range *r)
{
  for (int i = 0; i < r->of->rows - 1; i++)
    r->begin[i] = i;
}

void
size (struct range *r)
{
  for (long i = 0; i < r->end - r->begin; i++)
    r->begin[i] = i;
}

void
pointers (struct range *r)
{
  for (char *p = r->begin; p != r->end; p++)
    *p = 1;
}

void
large_steps (unsigned *a, const unsigned *n)
{
  for (unsigned i = 0; i < *n; i += 7)
    a[i] = i;
}

/* Nobody can tell what is written but the loop.  */
void
indirect (int *a, const int *n, const int *at)
{
  for (int i = 0; i < *n; i++)
    a[at[i]] = i;
}

/* What is loaded is another place's each time.  */
void
moving (int *a, const int *n)
{
  for (int i = 0; i < n[i]; i++)
    a[i] = i;
}

/* Where it is changed in each iteration, there is nothing to be asked.  */
void
changed (int *a, int *n)
{
  for (int i = 0; i < *n; i++)
    {
      *n = a[i];
      a[i] = i;
    }
}

/* Where things are put is known at the end.  */
int
packed (int *a, const int *b, const int *n)
{
  int found = 0;
  for (int i = 0; i < *n; i++)
    if (b[i] > 0)
      a[found++] = b[i];
  return found;
}
