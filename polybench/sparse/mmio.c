/* SPDX-License-Identifier: MIT
   Reading sparse matrices in Matrix Market coordinate format.

     %%MatrixMarket matrix coordinate real symmetric        banner: field and symmetry
     % any number of comments
     3 3 4                                                  rows, columns, entries
     1 1 2.5                                                row, column (from 1), value unless "pattern"
     ...

   Entries may come in any order; each stands on a line of its own.  Nothing in a file is believed: memory grows with
   the entries that are really there, and sizes are checked before they are used.  */
#include "mmio.h"

#include "../common.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE 1024			/* longest line that the format allows */

struct entry
{
  int row, col;				/* from 0 */
  double val;
  long line;
};

struct reader
{
  const char *file;
  FILE *stream;
  long line;				/* of TEXT, from 1 */
  char text[MAX_LINE + 1];
  int is_pattern, is_symmetric;
  int n;				/* rows and columns */
  int n_declared;			/* entries, as the size line has it */
  long size_line;
  struct entry *entries;		/* symmetric ones mirrored */
  int n_entries, max_entries;
};

/* Read the next line into R->text, without its end.  Return 0 at the end of the file.  */
static int
read_line (struct reader *r)
{
  int len = 0, c;

  r->line++;
  while ((c = getc (r->stream)) != EOF && c != '\n')
    {
      if (c == '\0')
	fail_at (r->file, r->line, "not a text file");
      if (len == MAX_LINE)
	fail_at (r->file, r->line, "line longer than %d characters", MAX_LINE);
      r->text[len++] = (char) c;
    }
  r->text[len] = '\0';
  if (ferror (r->stream))
    fail ("%s: %s", r->file, strerror (errno));
  return c != EOF || len > 0;
}

/* Read lines until one has something to say.  */
static int
read_data_line (struct reader *r)
{
  while (read_line (r))
    if (r->text[0] != '%' && r->text[strspn (r->text, " \t\r\v\f")] != '\0')
      return 1;
  return 0;
}

static void
read_banner (struct reader *r)
{
  char word[5][32], rest[2];
  int i;

  if (!read_line (r))
    fail_at (r->file, r->line, "the file is empty");
  for (i = 0; r->text[i]; i++)
    r->text[i] = (char) tolower ((unsigned char) r->text[i]);
  if (sscanf (r->text, "%31s %31s %31s %31s %31s %1s", word[0], word[1], word[2], word[3], word[4], rest) != 5
      || strcmp (word[0], "%%matrixmarket") != 0)
    fail_at (r->file, r->line, "not a Matrix Market header");
  if (strcmp (word[1], "matrix") != 0)
    fail_at (r->file, r->line, "object '%s' is not supported, only matrix", word[1]);
  if (strcmp (word[2], "coordinate") != 0)
    fail_at (r->file, r->line, "format '%s' is not supported, only coordinate", word[2]);
  r->is_pattern = strcmp (word[3], "pattern") == 0;
  if (!r->is_pattern && strcmp (word[3], "real") != 0 && strcmp (word[3], "integer") != 0)
    fail_at (r->file, r->line, "field '%s' is not supported, only real, integer and pattern", word[3]);
  r->is_symmetric = strcmp (word[4], "symmetric") == 0;
  if (!r->is_symmetric && strcmp (word[4], "general") != 0)
    fail_at (r->file, r->line, "symmetry '%s' is not supported, only general and symmetric", word[4]);
}

/* Read a number from LOW to HIGH at *TEXT and step over it.  WHAT is its name in messages.  */
static int
read_int (struct reader *r, char **text, const char *what, int low, int high)
{
  char *end;
  long number;

  errno = 0;
  number = strtol (*text, &end, 10);
  if (end == *text || (*end != '\0' && !isspace ((unsigned char) *end)))
    fail_at (r->file, r->line, "%s is not a whole number", what);
  if (errno != 0 || number < low || number > high)
    fail_at (r->file, r->line, "%s is not from %d to %d", what, low, high);
  *text = end;
  return (int) number;
}

static double
read_value (struct reader *r, char **text)
{
  char *end;
  double value = strtod (*text, &end);

  if (end == *text || (*end != '\0' && !isspace ((unsigned char) *end)))
    fail_at (r->file, r->line, "value is not a number");
  if (!isfinite (value))
    fail_at (r->file, r->line, "value is not finite");
  *text = end;
  return value;
}

static void
expect_end_of_line (struct reader *r, const char *text)
{
  if (text[strspn (text, " \t\r\v\f")] != '\0')
    fail_at (r->file, r->line, "more on the line than belongs there");
}

static void
read_size (struct reader *r)
{
  char *text = r->text;
  int n_cols;

  if (!read_data_line (r))
    fail_at (r->file, r->line, "the file ends before the size line");
  r->size_line = r->line;
  r->n = read_int (r, &text, "number of rows", 1, INT_MAX - 1);
  n_cols = read_int (r, &text, "number of columns", 1, INT_MAX - 1);
  /* Mirrored, entries must still be counted in int.  */
  r->n_declared = read_int (r, &text, "number of entries", 0, INT_MAX / 2);
  expect_end_of_line (r, text);
  if (r->n != n_cols)
    fail_at (r->file, r->line, "the matrix is not square: %d rows, %d columns", r->n, n_cols);
}

static void
add_entry (struct reader *r, int row, int col, double val)
{
  if (r->n_entries == r->max_entries)
    {
      r->max_entries = r->max_entries < 1024 ? 1024 : r->max_entries > INT_MAX / 2 ? INT_MAX : 2 * r->max_entries;
      r->entries = realloc (r->entries, r->max_entries * sizeof *r->entries);
      if (!r->entries)
	fail ("out of memory");
    }
  r->entries[r->n_entries++] = (struct entry) { row, col, val, r->line };
}

static void
read_entries (struct reader *r)
{
  int k;

  for (k = 0; k < r->n_declared; k++)
    {
      char *text = r->text;
      double val = 1.0;
      int row, col;

      if (!read_data_line (r))
	fail_at (r->file, r->line, "the file ends after %d of %d entries", k, r->n_declared);
      row = read_int (r, &text, "row", 1, r->n) - 1;
      col = read_int (r, &text, "column", 1, r->n) - 1;
      if (!r->is_pattern)
	val = read_value (r, &text);
      expect_end_of_line (r, text);
      if (r->is_symmetric && col > row)
	fail_at (r->file, r->line, "entry above the diagonal of a symmetric matrix");
      add_entry (r, row, col, val);
      if (r->is_symmetric && col != row)
	add_entry (r, col, row, val);
    }
  if (read_data_line (r))
    fail_at (r->file, r->line, "more than the %d entries of the size line", r->n_declared);
}

/* Fill in START such that the entries whose key is K, that is row or, if BY_COL, column, belong at START[K] and on.  */
static void
count_keys (const struct reader *r, int by_col, int *start)
{
  int i, k;

  for (i = 0; i <= r->n; i++)
    start[i] = 0;
  for (k = 0; k < r->n_entries; k++)
    start[(by_col ? r->entries[k].col : r->entries[k].row) + 1]++;
  for (i = 0; i < r->n; i++)
    start[i + 1] += start[i];
}

/* Sort the entries by row and column, by counting first the one, then the other: no order of a file takes long.  */
static void
build_rows (const struct reader *r, struct csr *a)
{
  int *by_col = allocate (r->n_entries, sizeof *by_col);
  int *next = allocate ((size_t) r->n + 1, sizeof *next);
  int i, k;

  a->file = r->file;
  a->n = r->n;
  a->is_symmetric = r->is_symmetric;
  a->ptr = allocate ((size_t) r->n + 1, sizeof *a->ptr);
  a->col = allocate (r->n_entries, sizeof *a->col);
  a->val = allocate (r->n_entries, sizeof *a->val);
  a->line = allocate (r->n_entries, sizeof *a->line);

  count_keys (r, 1, next);
  for (k = 0; k < r->n_entries; k++)
    by_col[next[r->entries[k].col]++] = k;
  count_keys (r, 0, a->ptr);
  for (i = 0; i <= r->n; i++)
    next[i] = a->ptr[i];
  for (k = 0; k < r->n_entries; k++)
    {
      const struct entry *entry = &r->entries[by_col[k]];
      int place = next[entry->row]++;

      a->col[place] = entry->col;
      a->val[place] = entry->val;
      a->line[place] = entry->line;
    }
}

/* Complain about the first line of the file that repeats an entry.  */
static void
check_repeated (const struct reader *r, const struct csr *a)
{
  long line = 0;
  int i, k, row = 0, col = 0;

  for (i = 0; i < a->n; i++)
    for (k = a->ptr[i] + 1; k < a->ptr[i + 1]; k++)
      if (a->col[k] == a->col[k - 1] && (line == 0 || a->line[k] < line))
	{
	  line = a->line[k];
	  row = i;
	  col = a->col[k];
	}
  if (line != 0)
    fail_at (r->file, line, "entry %d %d is repeated", (a->is_symmetric && row < col ? col : row) + 1,
	     (a->is_symmetric && row < col ? row : col) + 1);
}

/* Complain about the first row without a diagonal entry, at its first entry if it has any.  */
static void
check_diagonal (const struct reader *r, const struct csr *a)
{
  int i, k;

  for (i = 0; i < a->n; i++)
    {
      for (k = a->ptr[i]; k < a->ptr[i + 1] && a->col[k] != i; k++)
	;
      if (k == a->ptr[i + 1])
	fail_at (r->file, k > a->ptr[i] ? a->line[a->ptr[i]] : r->size_line, "row %d has no diagonal entry", i + 1);
    }
}

void
read_matrix (const char *file, struct csr *a)
{
  struct reader r = { .file = file };

  r.stream = fopen (file, "r");
  if (!r.stream)
    fail ("%s: %s", file, strerror (errno));
  read_banner (&r);
  read_size (&r);
  read_entries (&r);
  fclose (r.stream);

  /* Before anything as large as the number of rows claims is allocated.  */
  if (r.n_declared < r.n)
    fail_at (file, r.size_line, "%d rows but %d entries: not every row has a diagonal entry", r.n, r.n_declared);
  build_rows (&r, a);
  free (r.entries);
  check_repeated (&r, a);
  check_diagonal (&r, a);
}
