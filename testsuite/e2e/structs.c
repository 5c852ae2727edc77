/* SPDX-License-Identifier: MIT */
//! stat: pool >= 1
/* Arrays of structs and a struct of arrays, nested members, whole-struct copies, bit-fields that share a unit, a list
   of pointers to structs of which two may be the same.  */
#include "print.h"

#define N 900

struct vector
{
  double x, y, z;
};

struct particle
{
  struct vector position, speed;
  int kind;
  unsigned low : 5, high : 11;
};

struct columns
{
  double mass[N];
  int charge[N];
};

KERNEL void
move (int n, double dt, struct particle *p)
{
  int i;

  for (i = 0; i < n; i++)
    {
      p[i].position.x += dt * p[i].speed.x;
      p[i].position.y += dt * p[i].speed.y;
      p[i].position.z += dt * p[i].speed.z;
    }
}

KERNEL void
mark (int n, struct particle *p)
{
  int i;

  for (i = 0; i < n; i++)
    {
      p[i].low = (unsigned) i & 31;
      p[i].high += (unsigned) p[i].kind;
    }
}

KERNEL void
shift (int n, const struct particle *from, struct particle *to)
{
  int i;

  for (i = 0; i < n; i++)
    to[i] = from[i];
}

KERNEL void
columnwise (int n, struct columns *c)
{
  int i;

  for (i = 0; i < n; i++)
    {
      c->mass[i] = c->mass[i] * 2 + c->charge[i];
      c->charge[i]++;
    }
}

KERNEL void
through_list (int n, struct particle **list)
{
  int i;

  for (i = 0; i < n; i++)
    list[i]->kind = list[i]->kind * 3 + i;
}

int
main (void)
{
  static struct particle p[2 * N];
  static struct particle *list[N];
  static struct columns c;
  int i;

  for (i = 0; i < 2 * N; i++)
    {
      p[i].position.x = i;
      p[i].speed.x = i % 7;
      p[i].speed.y = 0.1 * i;
      p[i].speed.z = -i;
      p[i].kind = i % 3;
    }
  for (i = 0; i < N; i++)
    {
      list[i] = &p[(i * 7) % N];
      c.charge[i] = i;
    }
  move (N, 0.01, p);
  mark (N, p);
  shift (N, p, p + N);
  print_bits ("particles", p, sizeof p);
  shift (N, p, p + 1);
  shift (N, p + 1, p);
  print_bits ("shifted", p, sizeof p);
  columnwise (N, &c);
  print_bits ("columns", &c, sizeof c);
  through_list (N, list);
  list[800] = list[13];
  through_list (N, list);
  print_bits ("list", p, sizeof p);
  return 0;
}
