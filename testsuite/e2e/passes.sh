#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is compiled beside the user's functions: F goes through no pass again that takes time and found all there was
# before the loop was outlined, but through those that come behind, among them those that reason about branches where
# it has some; M stays as small as it is.  Neither begins at a round address: they are called seldom.

. "$PG_ROOT/testsuite/lib/script.sh"

cat > loops.c << 'EOF'
void
add (int n, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] += 3 * x[i];
}

void
rows (int n, const int *row, const int *index, const float *x, float *y)
{
  for (int i = 0; i < n; i++)
    for (int k = row[i]; k < row[i + 1]; k++)
      y[index[i]] += x[index[k]];
}

int
pack (int n, int y, int z, int *col, double *val)
{
  int n_kept = 0;
#define KEEP(d)         \
  {                     \
    col[n_kept] = x + d; \
    val[n_kept++] = d;  \
  }
  for (int x = 0; x < n; x++)
    {
      if (z > 0)
	KEEP (-n)
      if (y > 0)
	KEEP (-9)
      if (x > 0)
	KEEP (-1)
      KEEP (0)
      if (x < n - 1)
	KEEP (1)
      if (y < n - 1)
	KEEP (9)
      if (z < n - 1)
	KEEP (n)
    }
  return n_kept;
}

void
local (int n, const int *x, int *y)
{
  for (int i = 0; i < n; i++)
    {
      int seen[8] = { 0 };
      for (int k = 0; k < 9; k++)
	seen[x[i] >> k & 7]++;
      y[i] = seen[x[i] & 7];
    }
}

void
fill (int n, float *y)
{
  for (int i = 0; i < n; i++)
    y[i] = 0;
}
EOF

# Pass $1, over trees, or over what its name begins with, saw $2 functions whose names match $3, of all that are
# compiled at -O3, or with $4.
saw ()
{
  local pass=$1
  [[ $pass == rtl-* ]] || pass=tree-$1
  "$PG_CC" "${4:--O3}" -fplugin="$plugin" "-fdump-$pass=seen" -c loops.c -o loops.o || exit 1
  [ "$(grep -cE "^;; Function $3 " seen)" = "$2" ] || fail "$1: $(grep '^;; Function' seen)"
}

f='(add|rows)\.paragon\.[0-9]+'
saw optimized 2 "$f"
saw optimized 1 'rows.paragon.[0-9]+.monitor'
saw cunrolli 2 '(add|rows)'
saw cunrolli 0 '.*paragon.*'
for pass in ccp2 ccp3 ccp4 copyprop1 copyprop2 fre3 forwprop2 forwprop3 pre vrp1 dom2 thread1 threadfull1 \
  isolate-paths strlen1 modref2 uncprop1 wrestrict rtl-cprop1 rtl-cprop2
do
  saw $pass 0 '.*paragon.*'
done
saw rtl-cprop1 2 '(add|rows)'
for pass in vrp2 dom3 thread2 threadfull2 # where there are branches
do
  saw $pass 0 '(add|rows).paragon.*'
  saw $pass 0 '.*monitor'
  saw $pass 2 'pack.paragon.*'
done
# Blocks are looked at where one of a loop has neighbours to store, or values whose sum may be computed in any order.
saw slp1 0 'add.paragon.*'
saw slp1 1 'add.paragon.*' -Ofast
saw slp1 1 'pack.paragon.*'
saw vect 2 "$f"
saw fre5 2 "$f"
saw vect 1 "$f" -O2
saw vect 1 'pack.paragon.[0-9]+.tally'
# Counts of inner loops may be known, and variables in memory be pointed to.
saw ivcanon 0 'add.paragon.*'
saw ivcanon 1 'rows.paragon.[0-9]+'
saw alias 0 '(add|rows|pack).paragon.*'
saw alias 1 'local.paragon.[0-9]+'
saw rtl-cse2 0 'add.paragon.[0-9]+'
saw rtl-cse2 1 'pack.paragon.[0-9]+'
saw unswitch 0 'pack.paragon.[0-9]+.tally'

# Where there is an F for references that are apart, and a fallback, F itself is not vectorised with tests at run time;
# nor is it where bits would depend on it.
cat > nest.c << 'EOF'
void
shift (int n, const TYPE *x, TYPE *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] * 3 + i;
}

void
sums (int n, const TYPE *x, TYPE *y, TYPE *z)
{
  for (int i = 0; i < n; i++)
    {
      TYPE sum = 0;
      for (int j = 0; j < n; j++)
	z[i * n + j] = i;
      for (int j = 0; j < n; j++)
	sum += x[i * n + j] * 3;
      y[i] = sum;
    }
}

void
cells (int n, const TYPE *x, TYPE *y, TYPE *z)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < n; j++)
	z[i * n + j] = i;
      for (int j = 0; j < n; j++)
	y[i] += x[i * n + j] * 3;
    }
}

void
deep (int n, int m, const TYPE *x, TYPE *y)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < m; k++)
	for (int l = 0; l < m; l++)
	  y[((i * n + j) * m + k) * m + l] = x[((i * n + j) * m + k) * m + l] + k;
}
EOF

# So many functions of nest.c whose names match $2 are vectorised, of TYPE $1: $3.  Without -fno-tree-pre, what is kept
# in memory would be carried in registers before F is made.
vectorised ()
{
  "$PG_CC" -O3 -fno-tree-pre -mfma -fplugin="$plugin" "-DTYPE=$1" -fdump-tree-vect=seen -c nest.c -o nest.o || exit 1
  [ "$(grep -cE "^;; Function $2 " seen)" = "$3" ] || fail "$1: $(grep '^;; Function' seen)"
}

if [[ $("$PG_CC" -dumpmachine) == x86_64-* ]]
then
  vectorised int 'shift\.paragon\.4' 0
  vectorised int 'shift\.paragon\.4\.noalias' 1
  vectorised int 'shift\.paragon\.5' 1
  vectorised double 'shift\.paragon\.4' 0
  vectorised int 'sums\.paragon\.12' 0
  vectorised double 'sums\.paragon\.12' 1
  vectorised int 'cells\.paragon\.26' 0
  vectorised double 'cells\.paragon\.26' 1
  vectorised int 'deep\.paragon\.38' 0
  vectorised int 'deep\.paragon\.39' 1
fi

# Rows of c that two inner loops go through in step need no monitor, and nobody to wait for.
cat > product.c << 'EOF'
void
product (int n, int len, const double *a, const double *b, double *c)
{
  for (int i = 0; i < n; i++)
    {
      for (int j = 0; j < n; j++)
	c[i * n + j] *= 2;
      for (int k = 0; k < len; k++)
	for (int j = 0; j < n; j++)
	  c[i * n + j] += a[i * len + k] * b[k * n + j];
    }
}
EOF
"$PG_CC" -O2 -fplugin="$plugin" -c product.c -o product.o || exit 1
grep -q 'product\.paragon\.4$' <(nm product.o) || fail "$(nm product.o)"
nm product.o | grep -E 'doacross|monitor' && fail "in step, and yet looked at"

# One that follows the one before costs less; where products may be fused, it has to be as F is.
cat > wave.c << 'EOF'
void
wave (int n, double *a)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i * n + j]
	= (a[(i - 1) * n + j - 1] + a[(i - 1) * n + j + 1] * .5 + a[i * n + j] + a[(i + 1) * n + j] * .25) / 9;
}
EOF
for contract in off fast
do
  "$PG_CC" -O2 -mfma "-ffp-contract=$contract" -fplugin="$plugin" -fdump-tree-ivopts=seen -fdump-rtl-fwprop1=seen-late \
    -c wave.c -o wave.o || exit 1
  grep -qE '^;; Function wave\.paragon\.4\.doacross ' seen || fail "$(grep '^;; Function' seen)"
  late=$(grep -cE '^;; Function wave\.paragon\.4\.doacross ' seen-late)
  [[ $contract:$late == @(off:0|fast:1) ]] || fail "$contract: $(grep '^;; Function' seen-late)"
done

saw unswitch 0 '.*monitor.*'
saw ivopts 0 '.*monitor.*'
saw ivopts 2 "$f"

# A loop that moves no memory need not be looked at for calls that would.
saw ldist 3 '(add|rows|fill)' -O2
saw ldist 0 "$f" -O2
saw ldist 1 'fill\.paragon\.[0-9]+' -O2
saw ldist 2 "$f"

# Registers are given out to a short F as a whole, to a long one loop by loop.
"$PG_CC" -O3 -fplugin="$plugin" -fdump-rtl-ira=seen -c loops.c -o loops.o || exit 1
regions=$(awk '/^;; Function/ { name = $3 } /^ *regions=/ && name ~ /^(add|pack)\.paragon\.[0-9]+$/ { print $1 }' seen)
[[ $regions == regions=1,*regions=[2-9]* ]] || fail "$regions"

# Of what M is given, it keeps where the next entries of its logs go; the rest is loaded where it is used, if at all.
saw optimized 1 '.*monitor.*'
sed -n '/^;; Function rows.*monitor/,$p' seen > monitor
[ "$(sed -n '/<bb 2>/,/<bb 3>/p' monitor | grep -c 'ctx_')" = 1 ] || fail "$(cat monitor)"
grep -q ' = MEM\[(long int .*)ctx_' monitor && fail "$(cat monitor)"
args=$(sed -nE 's/^ *(_[0-9]+) = args_.*/\1/p' monitor)
[ -n "$args" ] || fail "$(cat monitor)"
grep -qE " = MEM\[.*\)$args( |\])" <(sed -n '/<bb 2>/,/<bb 3>/p' monitor) && fail "$(cat monitor)"
grep -qE " = MEM\[.*\)$args( |\])" <(sed -n '/<bb 3>/,$p' monitor) || fail "$(cat monitor)"

# It has a frame pointer, which unwind tables then take fewer bytes for; others have what GCC gives them.  The stub, of
# which the compiler sees nothing, may use the register.
"$PG_CC" -O2 -fplugin="$plugin" -S loops.c -o loops.s || exit 1
framed=$(awk '/\.type.*@function/ { name = $2 } /movq.*%rsp, %rbp/ { print name }' loops.s)
[ -n "$framed" ] || fail "no frame pointer"
grep -v 'monitor\|^__paragon' <<< "$framed" && fail "frame pointers"
awk '/\.type.*\.paragon\./ { n++; if (before ~ /align/) wrong = 1 } { before = $0 } END { exit n < 3 || wrong }' \
  loops.s || fail "$(grep -B2 '\.type' loops.s)"
exit 0
