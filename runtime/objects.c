/* SPDX-License-Identifier: MIT
   Objects.  See objects.h.  */
#include "objects.h"
#include "mappings.h"
#include "trace.h"

#include <string.h>

enum
{
  WORD_LEN = 8,
  BLOCK_LEN = 4096, /* compared at once: most of memory is not written */
  ALL_CHANGED = 0xff
};

#define NO_OBJECT PG_KIR_MOST_BASES

/* Bytes [LOW, END); none if LOW is not below END.  */
struct span
{
  uint64_t low, end;
};

static void
widen (struct span *span, uint64_t low, uint64_t end)
{
  if (low < span->low)
    span->low = low;
  if (end > span->end)
    span->end = end;
}

/* Widen SPAN by all that accesses by reference REF, through pointer BASE, may touch.  False: that is not known.  */
static bool
add_reference (const struct pg_view *view, uint32_t ref, uint64_t base, struct span *span)
{
  if (ref < view->region->n_refs && view->places[ref].is_affine)
    {
      int64_t low, end;
      if (view->places[ref].is_never)
	return true;
      pg_place_extent (view, ref, 0, view->n_iters, &low, &end);
      if (low < end)
	widen (span, (uint64_t) low, (uint64_t) end);
      return true;
    }
  if (ref < view->region->n_refs && view->bounds != NULL)
    {
      if (view->bounds[ref].end != 0)
	widen (span, view->bounds[ref].low, view->bounds[ref].end);
      return true;
    }
  uint64_t low, end;
  if (!pg_mapping_find (base, &low, &end) && !pg_mapping_find (base - 1, &low, &end))
    return false;
  widen (span, low, end);
  return true;
}

/* The grain of what has grains A and B; 0: it is not written.  */
static uint8_t
common_grain (uint8_t a, uint8_t b)
{
  return a == 0 || a == b ? b : b == 0 ? a : 1;
}

/* Let OBJECT, which BASE goes by, be one of OBJECTS, or a part of one.  */
static void
add_object (struct pg_objects *objects, uint32_t base, const struct pg_object *added)
{
  struct pg_object merged = *added;
  uint32_t n = 0;
  uint8_t moved[PG_KIR_MOST_BASES + 1];
  for (uint32_t o = 0; o < objects->n; o++)
    {
      const struct pg_object *object = &objects->objects[o];
      bool is_apart = object->end <= added->low || added->end <= object->low;
      moved[o] = is_apart ? (uint8_t) n : NO_OBJECT;
      if (is_apart)
	objects->objects[n++] = *object;
      else
	{
	  merged.low = object->low < merged.low ? object->low : merged.low;
	  merged.end = object->end > merged.end ? object->end : merged.end;
	  merged.is_read |= object->is_read;
	  merged.is_written |= object->is_written;
	  merged.grain = common_grain (merged.grain, object->grain);
	}
    }
  for (uint32_t b = 0; b < base; b++)
    if (objects->of_base[b] != NO_OBJECT)
      objects->of_base[b] = moved[objects->of_base[b]] == NO_OBJECT ? (uint8_t) n : moved[objects->of_base[b]];
  objects->of_base[base] = (uint8_t) n;
  objects->objects[n] = merged;
  objects->n = n + 1;
}

enum pg_objects_status
pg_objects_find (struct pg_objects *objects, const struct pg_view *view, const struct pg_kir_bases *bases,
		 const struct pg_kir_use *uses, uint32_t n_refs)
{
  objects->n = 0;
  for (uint32_t b = 0; b < bases->n; b++)
    {
      struct span span = { UINT64_MAX, 0 };
      uint64_t base;
      struct pg_object object = { .low = 0 };
      memcpy (&base, (const char *) view->args + bases->offsets[b], sizeof base);
      objects->of_base[b] = NO_OBJECT;
      for (uint32_t r = 0; r < n_refs; r++)
	if (uses[r].bases >> b & 1)
	  {
	    object.is_read |= uses[r].is_read;
	    object.is_written |= uses[r].is_written;
	    object.grain = common_grain (object.grain, uses[r].grain);
	    if (!add_reference (view, r, base, &span))
	      return PG_OBJECTS_UNKNOWN;
	  }
      object.low = span.low;
      object.end = span.end;
      if (span.low < span.end)
	add_object (objects, b, &object);
    }
  return PG_OBJECTS_OK;
}

bool
pg_objects_meet (const struct pg_objects *objects, const struct pg_kir_bases *bases, const struct pg_kir_use *a,
		 const struct pg_kir_use *b)
{
  uint64_t of_a = 0, of_b = 0;
  _Static_assert(PG_KIR_MOST_BASES <= 64, "objects are bits");
  for (uint32_t base = 0; base < bases->n; base++)
    if (objects->of_base[base] != NO_OBJECT)
      {
	of_a |= (a->bases >> base & 1) << objects->of_base[base];
	of_b |= (b->bases >> base & 1) << objects->of_base[base];
      }
  return (of_a & of_b) != 0;
}

static enum pg_objects_status
status_of (enum pg_device_status status)
{
  return status == PG_DEVICE_OK          ? PG_OBJECTS_OK
	 : status == PG_DEVICE_NO_MEMORY ? PG_OBJECTS_NO_MEMORY
					 : PG_OBJECTS_LOST;
}

/* OBJECT's words of 8 bytes, the last one perhaps a part.  */
static size_t
n_words (const struct pg_object *object)
{
  return (object->end - object->low + WORD_LEN - 1) / WORD_LEN;
}

static enum pg_objects_status
look_at (struct pg_object *object, struct pg_device *device)
{
  enum pg_device_status status = pg_mirror_use (device, object->low, object->end, &object->mirror);
  if (status != PG_DEVICE_OK)
    return status_of (status);
  if (object->is_written && !pg_mirror_get_room (object->mirror, device, object->low, object->end, &object->room))
    return PG_OBJECTS_NO_MEMORY;
  pg_mirror_look (object->mirror, object->low, object->end);
  return PG_OBJECTS_OK;
}

enum pg_objects_status
pg_objects_look (struct pg_objects *objects, struct pg_device *device)
{
  enum pg_objects_status status = PG_OBJECTS_OK;
  for (uint32_t o = 0; o < objects->n && status == PG_OBJECTS_OK; o++)
    status = look_at (&objects->objects[o], device);
  return status;
}

enum pg_objects_status
pg_objects_put (struct pg_objects *objects, struct pg_device *device, int64_t *n_copied)
{
  enum pg_device_status status = PG_DEVICE_OK;
  for (uint32_t o = 0; o < objects->n; o++)
    if (!pg_mirror_refresh (objects->objects[o].mirror, objects->objects[o].low, objects->objects[o].end, device,
			    &status, n_copied))
      return status == PG_DEVICE_OK ? PG_OBJECTS_UNKNOWN : status_of (status);
  return PG_OBJECTS_OK;
}

void
pg_objects_let_run (struct pg_objects *objects)
{
  for (uint32_t o = 0; o < objects->n; o++)
    objects->objects[o].is_spoilt = objects->objects[o].is_written;
}

/* The bytes of word W of OBJECT.  */
static size_t
word_len (const struct pg_object *object, size_t w)
{
  size_t left = object->end - object->low - w * WORD_LEN;
  return left < WORD_LEN ? left : WORD_LEN;
}

/* What the device has of OBJECT, as far as it is known.  */
static char *
staged (const struct pg_object *object)
{
  return object->mirror->staged + (object->low - object->mirror->low);
}

/* A bit for each byte of X that is not 0, the lowest for that with the lowest address.  */
static uint8_t
set_bytes (uint64_t x)
{
  uint64_t ones = 0x0101010101010101, rest = 0x7f * ones;
  if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
    x = __builtin_bswap64 (x);
  x = (((x & rest) + rest) | x) >> 7 & ones;
  return (uint8_t) (x * 0x0102040810204080 >> 56);
}

/* CHANGED, a bit for each byte of a word, with those of its halves that have one.  */
static uint8_t
whole_halves (uint8_t changed)
{
  return (uint8_t) ((changed & 0xf ? 0xf : 0) | (changed & 0xf0 ? 0xf0 : 0));
}

/* What of a word that WAS, and now IS, was written by GRAIN.  */
static inline uint8_t
written (uint64_t was, uint64_t is, unsigned grain)
{
  if (grain == WORD_LEN)
    return was == is ? 0 : ALL_CHANGED;
  return grain == WORD_LEN / 2 ? whole_halves (set_bytes (was ^ is)) : set_bytes (was ^ is);
}

/* Note which bytes of OBJECT's words [FROM, TO) are fresh.  */
static void
note_words (struct pg_object *object, size_t from, size_t to)
{
  const char *old = staged (object), *fresh = object->room.fresh;
  unsigned grain = object->grain > 1 && object->low % object->grain == 0 ? object->grain : 1;
  uint64_t was, is;
  for (size_t w = from; w < to; w++)
    {
      size_t len = word_len (object, w);
      if (len < WORD_LEN)
	{
	  for (size_t i = 0; i < len; i++)
	    object->room.changed[w] |= (uint8_t) ((old[w * WORD_LEN + i] != fresh[w * WORD_LEN + i]) << i);
	  return;
	}
      memcpy (&was, old + w * WORD_LEN, sizeof was);
      memcpy (&is, fresh + w * WORD_LEN, sizeof is);
      object->room.changed[w] |= written (was, is, grain);
    }
}

/* Note which of OBJECT's bytes are fresh, and stage them.  */
static void
note_changes (struct pg_object *object)
{
  size_t len = object->end - object->low;
  for (size_t at = 0; at < len; at += BLOCK_LEN)
    {
      size_t block_len = len - at < BLOCK_LEN ? len - at : BLOCK_LEN;
      if (memcmp (staged (object) + at, object->room.fresh + at, block_len) == 0)
	continue;
      note_words (object, at / WORD_LEN, (at + block_len + WORD_LEN - 1) / WORD_LEN);
      memcpy (staged (object) + at, object->room.fresh + at, block_len);
    }
  object->is_spoilt = false;
}

enum pg_objects_status
pg_objects_take (struct pg_objects *objects, struct pg_device *device, int64_t *n_copied)
{
  enum pg_objects_status status = PG_OBJECTS_OK;
  for (uint32_t o = 0; o < objects->n && status == PG_OBJECTS_OK; o++)
    {
      const struct pg_object *object = &objects->objects[o];
      size_t len = object->end - object->low;
      if (!object->is_written)
	continue;
      status = status_of (device->ops->copy_out (device, object->room.fresh, pg_object_there (object), len));
      *n_copied += (int64_t) len;
    }
  for (uint32_t o = 0; o < objects->n && status == PG_OBJECTS_OK; o++)
    if (objects->objects[o].is_written)
      note_changes (&objects->objects[o]);
  return status;
}

/* The first of OBJECT's words from W on that has not CHANGED so; their number if all have.  */
static size_t
run_end (const struct pg_object *object, size_t w, uint8_t changed)
{
  uint64_t eight = changed * 0x0101010101010101u, next;
  size_t n = n_words (object);
  for (; n - w >= sizeof next; w += sizeof next)
    {
      memcpy (&next, object->room.changed + w, sizeof next);
      if (next != eight)
	break;
    }
  while (w < n && object->room.changed[w] == changed)
    w++;
  return w;
}

/* Copy those bytes that CHANGED has a bit for, of two, four, eight.  Mostly the upper ones of a number stay.  */
static inline void
copy_2 (char *to, const char *from, unsigned changed)
{
  if ((changed & 3) == 3)
    memcpy (to, from, 2);
  else if (changed & 1)
    to[0] = from[0];
  else if (changed & 2)
    to[1] = from[1];
}

static inline void
copy_4 (char *to, const char *from, unsigned changed)
{
  if ((changed & 15) == 15)
    memcpy (to, from, 4);
  else
    {
      copy_2 (to, from, changed);
      copy_2 (to + 2, from + 2, changed >> 2);
    }
}

static inline void
copy_8 (char *to, const char *from, unsigned changed)
{
  copy_4 (to, from, changed);
  copy_4 (to + 4, from + 4, changed >> 4);
}

static void
commit_object (const struct pg_object *object)
{
  char *memory = (char *) (uintptr_t) object->low;
  const char *from = staged (object);
  size_t n = n_words (object), end;
  for (size_t w = 0; w < n; w = end)
    {
      end = w + 1;
      if (object->room.changed[w] == 0)
	end = run_end (object, w, 0);
      else if (object->room.changed[w] != ALL_CHANGED)
	copy_8 (memory + w * WORD_LEN, from + w * WORD_LEN, object->room.changed[w]);
      else
	{
	  end = run_end (object, w, ALL_CHANGED);
	  memcpy (memory + w * WORD_LEN, from + w * WORD_LEN, (end - w) * WORD_LEN);
	}
    }
}

void
pg_objects_commit (const struct pg_objects *objects)
{
  int64_t traced = pg_trace_begin (PG_TRACE_COMMIT, NULL);
  for (uint32_t o = 0; o < objects->n; o++)
    {
      const struct pg_object *object = &objects->objects[o];
      if (!object->is_written)
	continue;
      pg_mirror_release (object->mirror, object->low, object->end, object->room.changed);
      commit_object (object);
    }
  PG_TRACE (COMMIT, traced, NULL, .numbers = { objects->n });
}

void
pg_objects_drop (struct pg_objects *objects, struct pg_device *device, bool is_committed)
{
  for (uint32_t o = 0; o < objects->n; o++)
    {
      struct pg_object *object = &objects->objects[o];
      if (object->mirror != NULL && object->is_written)
	{
	  if (is_committed && !object->is_spoilt)
	    pg_mirror_settle (object->mirror, object->low, object->end, object->room.changed);
	  else
	    pg_mirror_spoil (object->mirror, object->low, object->end);
	}
      if (object->mirror != NULL)
	{
	  pg_mirror_put_room (object->mirror, object->low, object->end, &object->room);
	  pg_mirror_leave (object->mirror, device);
	}
      object->mirror = NULL;
      object->is_spoilt = false;
    }
}
