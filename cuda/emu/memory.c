/* SPDX-License-Identifier: MIT
   The device's memory: a file without a name.  See emu.h, wire.h.

       pages	  0	1	2	3	4	5
		  nobody [ a piece of 6000 bytes ] nobody [ ...
       limits	  0	4096	1904	0	4096

   A piece begins at a page's start, and the page before it and the one behind it stay nobody's, so that the limits of
   pages tell each byte that may be accessed.  The search goes round, so that an address that was freed is not given
   again soon.  In the program the addresses are reserved and cannot be accessed.  */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_LEN ((size_t) 32 << 30)

enum
{
  FILL_LEN = 1 << 16
};

/* Where the device's addresses may be: far from where programs and libraries are loaded, and in what a sanitizer lets
   its program have: the first is the thread sanitizer's, which would die of the second, the second the address
   sanitizer's.  */
static const uint64_t places[] = { 0x4000000000, 0x200000000000 };

enum
{
  N_PLACES = sizeof places / sizeof *places,
  N_STEPS = 4
};

/* Reserve EMU's addresses.  */
static bool
reserve (struct pg_emu *emu)
{
  for (int i = 0; i < N_PLACES * N_STEPS; i++)
    {
      void *place = (void *) (uintptr_t) (places[i / N_STEPS] + (uint64_t) (i % N_STEPS) * 2 * MOST_LEN);
      void *found = mmap (place, emu->reserve_len, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
      if (found == place)
	{
	  emu->reserve = found;
	  emu->hello.base = (uint64_t) (uintptr_t) found;
	  return true;
	}
      if (found != MAP_FAILED)
	munmap (found, emu->reserve_len);
    }
  return false;
}

enum pg_emu_status
pg_emu_memory_begin (struct pg_emu *emu, size_t len)
{
  if (len == 0 || len > MOST_LEN)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "%zu bytes of device memory are not 1 to %zu", len, MOST_LEN);
  emu->hello.n_pages = (len + PG_EMU_PAGE_LEN - 1) / PG_EMU_PAGE_LEN + 2;
  emu->reserve_len = emu->hello.n_pages * PG_EMU_PAGE_LEN;
  emu->next_page = 1;
  emu->memory = memfd_create ("paragon-emu", MFD_CLOEXEC);
  if (emu->memory < 0
      || ftruncate (emu->memory, (off_t) (emu->reserve_len + emu->hello.n_pages * sizeof (uint16_t))) != 0)
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "no file for device memory: %s", strerror (errno));
  if (!reserve (emu))
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "no place for %zu bytes of addresses", emu->reserve_len);
  return PG_EMU_OK;
}

void
pg_emu_memory_end (struct pg_emu *emu)
{
  if (emu->reserve != NULL)
    munmap (emu->reserve, emu->reserve_len);
  if (emu->memory >= 0)
    close (emu->memory);
  free (emu->pieces);
}

/* Write LEN bytes at OFFSET of the file.  */
static bool
write_bytes (struct pg_emu *emu, const void *from, size_t len, uint64_t offset)
{
  while (len > 0)
    {
      ssize_t done = pwrite (emu->memory, from, len, (off_t) offset);
      if (done < 0 && errno == EINTR)
	continue;
      if (done <= 0)
	return false;
      from = (const char *) from + done;
      offset += (uint64_t) done;
      len -= (size_t) done;
    }
  return true;
}

/* Write LEN bytes at OFFSET of the file, over and over the UNIT_LEN bytes at UNIT.  */
static bool
fill (struct pg_emu *emu, const char *unit, size_t unit_len, uint64_t len, uint64_t offset)
{
  static const size_t room = FILL_LEN;
  char *block = malloc (room);
  bool is_done = block != NULL;
  for (size_t i = 0; is_done && i < room; i += unit_len)
    memcpy (block + i, unit, unit_len);
  while (is_done && len > 0)
    {
      size_t part = len < room ? len : room;
      is_done = write_bytes (emu, block, part, offset);
      len -= part;
      offset += part;
    }
  free (block);
  return is_done;
}

/* Note that of N_PAGES pages from PAGE on, LEN bytes may be accessed; or none, LEN being 0.  */
static bool
set_limits (struct pg_emu *emu, uint64_t page, uint64_t n_pages, size_t len)
{
  uint16_t whole = len == 0 ? 0 : PG_EMU_PAGE_LEN;
  uint16_t last = len == 0 ? 0 : (uint16_t) (len - (n_pages - 1) * PG_EMU_PAGE_LEN);
  uint64_t offset = emu->reserve_len + page * sizeof whole;
  uint64_t last_offset = offset + (n_pages - 1) * sizeof whole;
  return fill (emu, (const char *) &whole, sizeof whole, last_offset - offset, offset)
	 && write_bytes (emu, &last, sizeof last, last_offset);
}

/* Where a piece of N_PAGES fits, with a page that stays free behind it, from the page FROM on: *PAGE, and the number
   that the piece will have; -1: nowhere.  */
static ptrdiff_t
find_gap (const struct pg_emu *emu, uint64_t n_pages, uint64_t from, uint64_t *page)
{
  for (size_t i = 0; i <= emu->n_pieces; i++)
    {
      uint64_t start = i == 0 ? 1 : emu->pieces[i - 1].page + emu->pieces[i - 1].n_pages + 1;
      uint64_t end = i == emu->n_pieces ? emu->hello.n_pages : emu->pieces[i].page;
      start = start < from ? from : start;
      if (start + n_pages < end)
	{
	  *page = start;
	  return (ptrdiff_t) i;
	}
    }
  return -1;
}

static enum pg_emu_status
check_owner (struct pg_emu *emu)
{
  return emu->owner == getpid () ? PG_EMU_OK : pg_emu_failed (emu, PG_EMU_NO_DEVICE, "the device is another process's");
}

static bool
make_room (struct pg_emu *emu)
{
  if (emu->n_pieces < emu->pieces_room)
    return true;
  size_t room = emu->pieces_room * 2 + 16;
  struct pg_emu_piece *pieces = realloc (emu->pieces, room * sizeof *pieces);
  if (pieces == NULL)
    return false;
  emu->pieces = pieces;
  emu->pieces_room = room;
  return true;
}

enum pg_emu_status
pg_emu_alloc (struct pg_emu *emu, size_t len, uint64_t *address)
{
  enum pg_emu_status status = check_owner (emu);
  uint64_t page = 0, random[8];
  if (status != PG_EMU_OK)
    return status;
  if (len == 0 || len > MOST_LEN)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "an allocation of %zu bytes", len);
  uint64_t n_pages = (len + PG_EMU_PAGE_LEN - 1) / PG_EMU_PAGE_LEN;
  ptrdiff_t at = find_gap (emu, n_pages, emu->next_page, &page);
  if (at < 0)
    at = find_gap (emu, n_pages, 0, &page);
  if (at < 0 || !make_room (emu))
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "no %zu bytes of device memory left", len);
  for (int i = 0; i < 8; i++)
    random[i] = (emu->hello.options.seed + page + (uint64_t) i + 1) * 0x9e3779b97f4a7c15;
  if (!fill (emu, (const char *) random, sizeof random, len, page * PG_EMU_PAGE_LEN)
      || !set_limits (emu, page, n_pages, len))
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "no %zu bytes of memory left: %s", len, strerror (errno));
  memmove (emu->pieces + at + 1, emu->pieces + at, (emu->n_pieces - (size_t) at) * sizeof *emu->pieces);
  emu->pieces[at] = (struct pg_emu_piece) { page, n_pages, len };
  emu->n_pieces++;
  emu->next_page = page + n_pages + 1;
  *address = emu->hello.base + page * PG_EMU_PAGE_LEN;
  return PG_EMU_OK;
}

/* The piece in which ADDRESS lies, or NULL.  */
static struct pg_emu_piece *
find_piece (const struct pg_emu *emu, uint64_t address)
{
  uint64_t page = (address - emu->hello.base) / PG_EMU_PAGE_LEN;
  size_t lo = 0, hi = emu->n_pieces;
  while (lo < hi)
    {
      size_t middle = lo + (hi - lo) / 2;
      struct pg_emu_piece *piece = &emu->pieces[middle];
      if (address >= emu->hello.base && page >= piece->page && page < piece->page + piece->n_pages)
	return piece;
      if (page < piece->page)
	hi = middle;
      else
	lo = middle + 1;
    }
  return NULL;
}

enum pg_emu_status
pg_emu_free (struct pg_emu *emu, uint64_t address)
{
  enum pg_emu_status status = check_owner (emu);
  if (status != PG_EMU_OK)
    return status;
  struct pg_emu_piece *piece = find_piece (emu, address);
  if (piece == NULL || address != emu->hello.base + piece->page * PG_EMU_PAGE_LEN)
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "0x%llx is no allocation's start", (unsigned long long) address);
  if (!set_limits (emu, piece->page, piece->n_pages, 0))
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "an allocation cannot be freed: %s", strerror (errno));
  fallocate (emu->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) (piece->page * PG_EMU_PAGE_LEN),
	     (off_t) (piece->n_pages * PG_EMU_PAGE_LEN));
  emu->n_pieces--;
  memmove (piece, piece + 1, (size_t) (emu->pieces + emu->n_pieces - piece) * sizeof *piece);
  return PG_EMU_OK;
}

/* Whether LEN bytes at ADDRESS lie in one allocation.  */
static enum pg_emu_status
check_range (struct pg_emu *emu, uint64_t address, size_t len)
{
  enum pg_emu_status status = check_owner (emu);
  if (status != PG_EMU_OK)
    return status;
  const struct pg_emu_piece *piece = find_piece (emu, address);
  if (piece != NULL)
    {
      uint64_t offset = address - emu->hello.base - piece->page * PG_EMU_PAGE_LEN;
      if (offset <= piece->len && len <= piece->len - offset)
	return PG_EMU_OK;
    }
  return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "%zu bytes at 0x%llx are not in one allocation", len,
			(unsigned long long) address);
}

enum pg_emu_status
pg_emu_copy_in (struct pg_emu *emu, uint64_t to, const void *from, size_t len)
{
  enum pg_emu_status status = check_range (emu, to, len);
  if (status == PG_EMU_OK && !write_bytes (emu, from, len, to - emu->hello.base))
    return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "%zu bytes cannot be copied in: %s", len, strerror (errno));
  return status;
}

enum pg_emu_status
pg_emu_copy_out (struct pg_emu *emu, void *to, uint64_t from, size_t len)
{
  enum pg_emu_status status = check_range (emu, from, len);
  uint64_t offset = from - emu->hello.base;
  while (status == PG_EMU_OK && len > 0)
    {
      ssize_t done = pread (emu->memory, to, len, (off_t) offset);
      if (done < 0 && errno == EINTR)
	continue;
      if (done <= 0)
	return pg_emu_failed (emu, PG_EMU_BAD_ARGUMENT, "%zu bytes cannot be copied out: %s", len, strerror (errno));
      to = (char *) to + done;
      offset += (uint64_t) done;
      len -= (size_t) done;
    }
  return status;
}

enum pg_emu_status
pg_emu_set (struct pg_emu *emu, uint64_t to, int byte, size_t len)
{
  char unit = (char) byte;
  enum pg_emu_status status = check_range (emu, to, len);
  if (status == PG_EMU_OK && !fill (emu, &unit, 1, len, to - emu->hello.base))
    return pg_emu_failed (emu, PG_EMU_NO_MEMORY, "%zu bytes cannot be set: %s", len, strerror (errno));
  return status;
}
