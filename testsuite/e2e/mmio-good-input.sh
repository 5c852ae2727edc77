#!/bin/bash
# SPDX-License-Identifier: MIT
# Matrix Market files that differ only in how they are written give the same answer, and it is the right one.
set -u
cd "$(dirname "$0")/../../polybench" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sources=$(sed -n 's/^program-solve = \([^|]*\)|.*/\1/p' programs.mk)
# shellcheck disable=SC2086
"${PG_CC:-gcc}" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all $sources -lm -o "$work/solve" || exit 1

failed=0

# same NAME: the file on standard input is solved like the one before it; the first of a group follows "fresh".
same ()
{
  cat > "$work/$1.mtx"
  if ! timeout 60 "$work/solve" "$work/$1.mtx" > "$work/out" 2> "$work/err" || [ -s "$work/err" ]
  then
    echo "$1: not solved"
    cat "$work/out" "$work/err"
    failed=1
  elif [ -e "$work/first" ] && ! cmp -s "$work/first" "$work/out"
  then
    echo "$1: another answer"
    diff "$work/first" "$work/out"
    failed=1
  fi
  [ -e "$work/first" ] || mv "$work/out" "$work/first"
}

fresh ()
{
  rm -f "$work/first"
}

# [4 1 0; 1 4 1; 0 2 4] times ones is [5 6 6]; the answer is ones, with the sum 3.
same sorted << 'END'
%%MatrixMarket matrix coordinate real general
3 3 7
1 1 4
1 2 1
2 1 1
2 2 4
2 3 1
3 2 2
3 3 4
END
grep -q '^bicgstab: 3 rows, 7 entries' "$work/first" && grep -qE '^converged, ' "$work/first" || failed=1
awk '$1 == "x" && $3 > 2.9999999 && $3 < 3.0000001 { found = 1 } END { exit !found }' "$work/first" || failed=1
same any-order << 'END'
%%matrixmarket MATRIX Coordinate INTEGER General
% entries in any order, comments and empty lines anywhere

  3	3 7
3 3 4
% so
3 2 2
2 3 1
1 1 4

2 2 4
2 1 1
1 2 1

END
same all-kinds-of-numbers << 'END'
%%MatrixMarket matrix coordinate real general
3 3 7
1 1 4.0
1 2 1e0
2 1 +1
2 2 .4E+1
2 3 1.00
3 2 2.
3 3 400e-2
END
sed 's/$/\r/' "$work/sorted.mtx" > "$work/dos"
same carriage-returns < "$work/dos"
head -c -1 "$work/sorted.mtx" > "$work/open-end"
same no-newline-at-end < "$work/open-end"

# Ones where a pattern says so.
fresh
same ones << 'END'
%%MatrixMarket matrix coordinate integer general
3 3 5
1 1 1
1 3 1
2 2 1
2 3 1
3 3 1
END
same pattern << 'END'
%%MatrixMarket matrix coordinate pattern general
3 3 5
1 1
1 3
2 2
2 3
3 3
END

# A lower triangle, mirrored: 3 + 2 * 2 entries; ones again.
fresh
same symmetric << 'END'
%%MatrixMarket matrix coordinate real symmetric
3 3 5
1 1 4
2 1 1
2 2 4
3 2 2
3 3 4
END
grep -q '^cg: 3 rows, 7 entries' "$work/first" || failed=1
awk '$1 == "x" && $3 > 2.9999999 && $3 < 3.0000001 { found = 1 } END { exit !found }' "$work/first" || failed=1
same symmetric-any-order << 'END'
%%MatrixMarket matrix coordinate real symmetric
3 3 5
3 3 4
3 2 2
2 2 4
2 1 1
1 1 4
END

# The smallest.
fresh
same one << 'END'
%%MatrixMarket matrix coordinate pattern symmetric
1 1 1
1 1
END

exit $failed
