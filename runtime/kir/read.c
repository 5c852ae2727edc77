/* SPDX-License-Identifier: MIT
   KIR from text.  See write.c for the form; besides, a ";" and what follows it on a line is a comment, and values and
   blocks may have any numbers below the limits, in any order.

   Goes through the text twice: first for the names of values and blocks, which get numbers in the order in which they
   are defined, then for the rest.  The text may be anything: nothing in it is trusted.  */
#include "kir.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A piece of a line without blanks, or a string without its quotes.  */
struct token
{
  const char *start;
  size_t len;
};

/* From numbers in the text to those in the kernel, plus 1; 0: not defined.  */
struct names
{
  uint32_t *number;
  uint32_t room, n;
};

struct reader
{
  struct pg_kir_kernel *kernel;
  struct pg_kir_error *error;
  const char *at, *end;
  uint32_t line;
  struct names values, blocks;
  pg_kir_value operands[PG_KIR_MOST_OPERANDS];
  pg_kir_block_number targets[PG_KIR_MOST_OPERANDS];
};

static __attribute__ ((format (printf, 2, 3))) bool
fail (struct reader *reader, const char *format, ...)
{
  va_list rest;
  va_start (rest, format);
  vsnprintf (reader->error->text, sizeof reader->error->text, format, rest);
  va_end (rest);
  reader->error->at = reader->line;
  return false;
}

/* Take the next token of the line; false: there is none.  */
static bool
next (struct reader *reader, struct token *token)
{
  while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' || *reader->at == '\r'))
    reader->at++;
  if (reader->at == reader->end || *reader->at == '\n' || *reader->at == ';')
    return false;
  bool is_string = *reader->at == '"';
  token->start = reader->at += is_string;
  while (reader->at < reader->end && *reader->at != '\n'
	 && (is_string ? *reader->at != '"' : *reader->at != ' ' && *reader->at != '\t' && *reader->at != '\r'))
    reader->at++;
  token->len = (size_t) (reader->at - token->start);
  reader->at += is_string && reader->at < reader->end && *reader->at == '"';
  return true;
}

/* Go to the next line that has a token, and take that; false: the text is over.  */
static bool
next_line (struct reader *reader, struct token *token)
{
  for (;;)
    {
      while (reader->at < reader->end && *reader->at != '\n')
	reader->at++;
      if (reader->at == reader->end)
	return false;
      reader->at++;
      reader->line++;
      if (next (reader, token))
	return true;
    }
}

static bool
is (struct token token, const char *word)
{
  return strlen (word) == token.len && memcmp (token.start, word, token.len) == 0;
}

/* The number that TOKEN is, after the letter PREFIX unless that is 0, if it is below LIMIT.  */
static bool
read_count (struct token token, char prefix, uint32_t limit, uint32_t *count)
{
  uint32_t n = 0;
  size_t i = prefix != 0;
  if (token.len <= i || (prefix != 0 && token.start[0] != prefix))
    return false;
  for (; i < token.len; i++)
    {
      if (token.start[i] < '0' || token.start[i] > '9' || n > (limit - 1) / 10)
	return false;
      n = n * 10 + (uint32_t) (token.start[i] - '0');
    }
  *count = n;
  return n < limit;
}

/* The constant that TOKEN is: decimal with a sign perhaps, or "0x" and bits.  */
static bool
read_bits (struct token token, int64_t *number)
{
  uint64_t bits = 0, most = UINT64_MAX;
  size_t i = 0;
  bool is_negative = token.len > 1 && token.start[0] == '-',
       is_hex = token.len > 2 && memcmp (token.start, "0x", 2) == 0;
  unsigned base = is_hex ? 16 : 10;
  if (token.len == 0)
    return false;
  for (i = is_hex ? 2 : is_negative; i < token.len; i++)
    {
      char c = token.start[i];
      unsigned digit = c >= '0' && c <= '9'   ? (unsigned) (c - '0')
		       : c >= 'a' && c <= 'f' ? (unsigned) (c - 'a') + 10
					      : 16;
      if (digit >= base || bits > (most - digit) / base)
	return false;
      bits = bits * base + digit;
    }
  *number = (int64_t) (is_negative ? 0 - bits : bits);
  return true;
}

/* Define the name TEXT_NUMBER.  */
static bool
define (struct reader *reader, struct names *names, uint32_t text_number, char letter)
{
  if (text_number >= names->room)
    {
      uint32_t room = text_number + text_number / 2 + 16;
      uint32_t *grown = reader->kernel->resize (names->number, names->room * sizeof *grown, room * sizeof *grown);
      if (grown == NULL)
	return fail (reader, "no memory");
      memset (grown + names->room, 0, (room - names->room) * sizeof *grown);
      names->number = grown;
      names->room = room;
    }
  if (names->number[text_number] != 0)
    return fail (reader, "%c%u is defined twice", letter, (unsigned) text_number);
  names->number[text_number] = ++names->n;
  return true;
}

static bool
is_label (struct token token)
{
  return token.len > 0 && token.start[token.len - 1] == ':';
}

/* Read all definitions.  Instructions without a result have a number, too.  */
static bool
read_names (struct reader *reader)
{
  struct token token;
  uint32_t n;
  while (next_line (reader, &token) && !is (token, "end"))
    if (is_label (token))
      {
	token.len--;
	if (!read_count (token, 'b', PG_KIR_MOST_BLOCKS, &n))
	  return fail (reader, "\"%.*s\" is not the name of a block", (int) (token.len < 40 ? token.len : 40),
		       token.start);
	if (!define (reader, &reader->blocks, n, 'b'))
	  return false;
      }
    else if (!read_count (token, 'v', PG_KIR_MOST_VALUES, &n))
      reader->values.n += reader->blocks.n > 0; /* carries stand before the first block */
    else if (!define (reader, &reader->values, n, 'v'))
      return false;
  return true;
}

/* The number in the kernel of TOKEN, one of NAMES.  */
static bool
look_up (struct reader *reader, struct token token, const struct names *names, char letter, uint32_t *number)
{
  uint32_t n;
  if (!read_count (token, letter, letter == 'v' ? PG_KIR_MOST_VALUES : PG_KIR_MOST_BLOCKS, &n) || n >= names->room
      || names->number[n] == 0)
    return fail (reader, "there is no \"%.*s\"", (int) (token.len < 40 ? token.len : 40), token.start);
  *number = names->number[n] - (letter == 'b');
  return true;
}

/* Read "WORD COUNT" with COUNT below LIMIT.  */
static bool
read_fact (struct reader *reader, const char *word, uint32_t limit, uint32_t *count)
{
  struct token token;
  if (!next (reader, &token) || !is (token, word) || !next (reader, &token) || !read_count (token, 0, limit, count))
    return fail (reader, "expected \"%s\" and a number below %u", word, (unsigned) limit);
  return true;
}

static bool
read_header (struct reader *reader)
{
  struct pg_kir_kernel *kernel = reader->kernel;
  struct token token;
  while (!next (reader, &token))
    {
      while (reader->at < reader->end && *reader->at != '\n')
	reader->at++;
      if (reader->at == reader->end)
	return fail (reader, "there is no kernel");
      reader->at++;
      reader->line++;
    }
  if (!is (token, "kernel") || !next (reader, &token) || token.len >= sizeof kernel->name)
    return fail (reader, "expected \"kernel\" and a name");
  memcpy (kernel->name, token.start, token.len);
  bool is_good = read_fact (reader, "args", PG_KIR_MOST_ARGS_LEN + 1, &kernel->args_len)
		 && read_fact (reader, "dims", PG_KIR_MOST_DIMS + 1, &kernel->n_dims)
		 && read_fact (reader, "refs", PG_KIR_MOST_REFS + 1, &kernel->n_refs);
  const char *more = reader->at;
  if (!is_good || !next (reader, &token))
    return is_good;
  reader->at = more;
  return read_fact (reader, "threads", PG_KIR_MOST_THREADS + 1, &kernel->n_threads)
	 && read_fact (reader, "shared", PG_KIR_MOST_SHARED_LEN + 1, &kernel->shared_len);
}

/* The type that TOKEN names; PG_KIR_N_TYPES: none.  */
static enum pg_kir_type
type_of (struct token token)
{
  unsigned t = 0;
  while (t < PG_KIR_N_TYPES && !is (token, pg_kir_types[t].name))
    t++;
  return (enum pg_kir_type) t;
}

/* The same for operations.  */
static enum pg_kir_op
op_of (struct token token)
{
  unsigned o = 0;
  while (o < PG_KIR_N_OPS && !is (token, pg_kir_ops[o].name))
    o++;
  return (enum pg_kir_op) o;
}

/* Read a carried value, behind its first token.  */
static bool
read_carry (struct reader *reader)
{
  struct token token;
  uint32_t offset;
  enum pg_kir_type type = next (reader, &token) ? type_of (token) : PG_KIR_N_TYPES;
  if (type == PG_KIR_N_TYPES)
    return fail (reader, "expected the type of a carried value");
  unsigned combine = next (reader, &token) ? 0 : PG_KIR_N_COMBINES;
  while (combine < PG_KIR_N_COMBINES && !is (token, pg_kir_combines[combine].name))
    combine++;
  if (combine == PG_KIR_N_COMBINES)
    return fail (reader, "expected how a carried value is combined");
  if (!next (reader, &token) || !read_count (token, 0, PG_KIR_MOST_ARGS_LEN, &offset))
    return fail (reader, "expected a number below %d", PG_KIR_MOST_ARGS_LEN);
  pg_kir_add_carry (reader->kernel, type, (enum pg_kir_combine) combine, offset);
  return true;
}

/* Read the operands and targets of an instruction, and what follows them.  */
static bool
read_rest (struct reader *reader, enum pg_kir_op op, struct pg_kir_instr *instr)
{
  struct token token;
  bool is_phi = pg_kir_ops[op].shape == PG_KIR_PHI;
  while (next (reader, &token))
    {
      if (instr->n_operands == PG_KIR_MOST_OPERANDS || instr->n_targets == PG_KIR_MOST_OPERANDS)
	return fail (reader, "too many operands");
      if (is_phi && token.len > 1 && token.start[0] == '[')
	token.start++, token.len--;
      if (is_phi && token.len > 1 && token.start[token.len - 1] == ']')
	token.len--;
      uint32_t n;
      if (is (token, "ref") && pg_kir_ops[op].number == PG_KIR_NUMBER_REF)
	{
	  if (!next (reader, &token) || !read_count (token, 0, PG_KIR_MOST_REFS, &n))
	    return fail (reader, "expected the number of a reference");
	  instr->number = n;
	}
      else if (is (token, "carry") && pg_kir_ops[op].shape == PG_KIR_NEXT)
	{
	  if (!next (reader, &token) || !read_count (token, 0, PG_KIR_MOST_CARRIES, &n))
	    return fail (reader, "expected the number of a carried value");
	  instr->number = n;
	}
      else if (is (token, "line"))
	{
	  if (!next (reader, &token) || !read_count (token, 0, PG_KIR_MOST_LINES, &instr->line))
	    return fail (reader, "expected the number of a line");
	}
      else if (token.len > 0 && token.start[0] == 'b')
	{
	  if (!look_up (reader, token, &reader->blocks, 'b', &reader->targets[instr->n_targets++]))
	    return false;
	}
      else if (!look_up (reader, token, &reader->values, 'v', &reader->operands[instr->n_operands++]))
	return false;
    }
  return true;
}

/* Read an instruction of BLOCK, whose first token is TOKEN.  */
static bool
read_instr (struct reader *reader, pg_kir_block_number block, struct token token)
{
  struct pg_kir_kernel *kernel = reader->kernel;
  struct pg_kir_instr instr = { .number = 0 };
  uint32_t n, offset;
  bool has_name = read_count (token, 'v', PG_KIR_MOST_VALUES, &n);
  if (has_name && (!next (reader, &token) || !is (token, "=") || !next (reader, &token)))
    return fail (reader, "expected \"=\" and an operation");
  enum pg_kir_op op = op_of (token);
  if (op == PG_KIR_N_OPS)
    return fail (reader, "there is no operation \"%.*s\"", (int) (token.len < 40 ? token.len : 40), token.start);
  enum pg_kir_type type = next (reader, &token) ? type_of (token) : PG_KIR_N_TYPES;
  if (type == PG_KIR_N_TYPES || has_name != (type != PG_KIR_VOID))
    return fail (reader, "expected a type, \"void\" where no value is defined");
  enum pg_kir_number number = pg_kir_ops[op].number;
  if (number == PG_KIR_NUMBER_BITS && (!next (reader, &token) || !read_bits (token, &instr.number)))
    return fail (reader, "expected a constant");
  if (number == PG_KIR_NUMBER_OFFSET || number == PG_KIR_NUMBER_DIM || number == PG_KIR_NUMBER_GRID
      || number == PG_KIR_NUMBER_PLACE || op == PG_KIR_OP_CARRY)
    {
      if (!next (reader, &token) || !read_count (token, 0, PG_KIR_MOST_ARGS_LEN, &offset))
	return fail (reader, "expected a number below %d", PG_KIR_MOST_ARGS_LEN);
      instr.number = offset;
    }
  if (!read_rest (reader, op, &instr))
    return false;
  pg_kir_value value = pg_kir_add (kernel, block, op, type, instr.number, reader->operands, instr.n_operands,
				   reader->targets, instr.n_targets);
  if (value != 0)
    kernel->instrs[value].line = instr.line;
  return true;
}

static bool
read_body (struct reader *reader)
{
  struct token token;
  pg_kir_block_number block = 0;
  while (next_line (reader, &token))
    {
      if (is (token, "end"))
	return true;
      if (is_label (token))
	block = pg_kir_add_block (reader->kernel);
      else if (reader->kernel->n_blocks == 0 && !is (token, "carry"))
	return fail (reader, "expected the name of a block");
      else if (reader->kernel->n_blocks == 0)
	{
	  if (!read_carry (reader))
	    return false;
	}
      else if (!read_instr (reader, block, token))
	return false;
      if (reader->kernel->is_broken)
	return fail (reader, "too much, or no memory");
    }
  return fail (reader, "expected \"end\"");
}

static bool
read_all (struct reader *reader)
{
  if (!read_header (reader))
    return false;
  const char *body = reader->at;
  uint32_t line = reader->line;
  if (!read_names (reader))
    return false;
  reader->at = body;
  reader->line = line;
  return read_body (reader);
}

bool
pg_kir_read (struct pg_kir_kernel *kernel, const char *text, size_t len, struct pg_kir_error *error)
{
  struct reader *reader = kernel->resize (NULL, 0, sizeof *reader);
  if (reader == NULL)
    {
      *error = (struct pg_kir_error) { .text = "no memory" };
      return false;
    }
  *reader = (struct reader) { .kernel = kernel, .error = error, .at = text, .end = text + len, .line = 1 };
  bool is_good = read_all (reader);
  kernel->resize (reader->values.number, reader->values.room * sizeof *reader->values.number, 0);
  kernel->resize (reader->blocks.number, reader->blocks.room * sizeof *reader->blocks.number, 0);
  kernel->resize (reader, sizeof *reader, 0);
  if (!is_good)
    pg_kir_end (kernel);
  return is_good;
}
