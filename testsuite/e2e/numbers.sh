#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The original loop, which is a copy once F has been moved out, has the names that it has without the plugin: GCC orders
# operands by their numbers.

. "$PG_ROOT/testsuite/lib/script.sh"

cat > loop.c << 'EOC'
void
choose (int n, const int *index, const float *x, const float *y, float *z)
{
  for (int i = 0; i < n; i++)
    {
      float a = x[2 * i], b = y[2 * i];
      z[i] = (i < index[i] ? b : a) * a + b * x[2 * i + 1];
    }
}
EOC

# What is computed by the function of loop.c before its loop is changed, compiled with $1...
names ()
{
  "$PG_CC" -O2 -fdump-tree-cddce2=dump "$@" -c loop.c -o loop.o || exit 1
  sed -nE '/^;; Function choose /,/^}/ s/^ *([a-z]*_[0-9]+ = [^;]*);.*/\1/p' dump
}

names > plain
names -fplugin="$plugin" > with
[ "$(wc -l < plain)" -gt 8 ] || fail "no statements: $(cat dump)"
grep -q 'choose.paragon' dump || fail "the loop is not handed over"
while read -r statement
do
  grep -qxF "$statement" with || fail "'$statement' has other names: $(cat with)"
done < plain
exit 0
