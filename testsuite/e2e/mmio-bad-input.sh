#!/bin/bash
# SPDX-License-Identifier: MIT
# Bad Matrix Market files: solve says in one line which file, which line and what, and exits with 2.
# Built with sanitizers, so that a reader that goes astray is caught even where it seems to get away with it.
set -u
shopt -s lastpipe		# what ends a pipe runs here and can set FAILED
cd "$(dirname "$0")/../../polybench" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

sources=$(sed -n 's/^program-solve = \([^|]*\)|.*/\1/p' programs.mk)
# shellcheck disable=SC2086
"${PG_CC:-gcc}" -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all $sources -lm -o "$work/solve" || exit 1

failed=0

# expect STATUS PATTERN ARGUMENTS...: solve prints nothing but one line on stderr that PATTERN matches as a whole.
expect ()
{
  local status=$1 pattern=$2 got
  shift 2
  timeout 60 "$work/solve" "$@" > "$work/out" 2> "$work/err"
  got=$?
  if [ $got -ne "$status" ] || [ -s "$work/out" ] || [ "$(wc -l < "$work/err")" -ne 1 ] \
    || ! grep -qxE -- "$pattern" "$work/err"
  then
    echo "solve $*: status $got, wanted $status and: $pattern"
    cat "$work/out" "$work/err"
    failed=1
  fi
}

# refuse LINE MESSAGE: the file on standard input is refused at LINE with MESSAGE.
refuse ()
{
  cat > "$work/bad.mtx"
  expect 2 "solve: $work/bad.mtx:$1: $2" "$work/bad.mtx"
}

# with_banner LINE MESSAGE WORDS...: the same for a good file with another banner.
with_banner ()
{
  local line=$1 message=$2
  shift 2
  printf '%s\n' "$*" '1 1 1' '1 1 2.5' | refuse "$line" "$message"
}

# with_body LINE MESSAGE LINES...: the same for what follows a good banner, which is line 1.
with_body ()
{
  local line=$1 message=$2
  shift 2
  printf '%s\n' '%%MatrixMarket matrix coordinate real general' "$@" | refuse "$line" "$message"
}

# Headers.
refuse 1 'the file is empty' < /dev/null
header='not a Matrix Market header'
with_banner 1 "$header" ''
with_banner 1 "$header" '1 1 1'
with_banner 1 "$header" '%%MatrixMarket matrix coordinate real'
with_banner 1 "$header" '%%MatrixMarket matrix coordinate real general more'
with_banner 1 "$header" '%MatrixMarket matrix coordinate real general'
with_banner 1 "$header" '%%MatrixMarket matrix coordinate realrealrealrealrealrealrealreal general'
only='is not supported, only'
with_banner 1 "object 'vector' $only matrix" '%%MatrixMarket vector coordinate real general'
with_banner 1 "format 'array' $only coordinate" '%%MatrixMarket matrix array real general'
with_banner 1 "field 'complex' $only real, integer and pattern" '%%MatrixMarket matrix coordinate complex general'
with_banner 1 "field 'quaternion' $only .*" '%%MatrixMarket matrix coordinate quaternion general'
with_banner 1 "symmetry 'hermitian' $only general and symmetric" '%%MatrixMarket matrix coordinate real hermitian'
with_banner 1 "symmetry 'skew-symmetric' $only .*" '%%MatrixMarket matrix coordinate real skew-symmetric'

# Size lines.
with_body 2 'the file ends before the size line'
with_body 3 'the file ends before the size line' '% only a comment'
with_body 2 'number of rows is not a whole number' 'three 3 3' '1 1 1'
with_body 2 'number of rows is not a whole number' '1.5 3 3' '1 1 1'
with_body 2 'number of columns is not a whole number' '3'
with_body 2 'number of entries is not a whole number' '3 3'
with_body 2 'more on the line than belongs there' '1 1 1 1' '1 1 1'
with_body 2 'number of rows is not from 1 to .*' '0 0 0'
with_body 2 'number of rows is not from 1 to .*' '-1 -1 1' '1 1 1'
with_body 2 'number of columns is not from 1 to .*' '1 2147483647 1' '1 1 1'
with_body 2 'number of rows is not from 1 to .*' '99999999999999999999 99999999999999999999 1' '1 1 1'
with_body 2 'number of entries is not from 0 to .*' '1 1 4294967297' '1 1 1'
with_body 2 'number of entries is not from 0 to .*' '1 1 -1' '1 1 1'
with_body 4 'the matrix is not square: 2 rows, 3 columns' '%' '' '2 3 2' '1 1 1' '2 2 1'

# Sizes that the entries do not live up to: found without as much memory as they ask for.
with_body 2 '2147483646 rows but 1 entries: not every row .*' '2147483646 2147483646 1' '1 1 1'
with_body 4 'the file ends after 1 of 1000000000 entries' '1000000000 1000000000 1000000000' '1 1 1'

# Entries.
with_body 4 'the file ends after 1 of 2 entries' '2 2 2' '1 1 1'
with_body 5 'more than the 2 entries of the size line' '2 2 2' '1 1 1' '2 2 1' '1 2 1'
with_body 4 'row is not from 1 to 2' '2 2 2' '1 1 1' '3 2 1'
with_body 4 'row is not from 1 to 2' '2 2 2' '1 1 1' '0 2 1'
with_body 4 'column is not from 1 to 2' '2 2 2' '1 1 1' '2 3 1'
with_body 4 'column is not from 1 to 2' '2 2 2' '1 1 1' '2 -1 1'
with_body 4 'column is not from 1 to 2' '2 2 2' '1 1 1' '2 4294967298 1'
with_body 4 'row is not a whole number' '2 2 2' '1 1 1' 'two 2 1'
with_body 4 'column is not a whole number' '2 2 2' '1 1 1' '2'
with_body 4 'column is not a whole number' '2 2 2' '1 1 1' '2 2.0 1'
with_body 4 'value is not a number' '2 2 2' '1 1 1' '2 2'
with_body 4 'value is not a number' '2 2 2' '1 1 1' '2 2 one'
with_body 4 'value is not a number' '2 2 2' '1 1 1' '2 2 1,5'
with_body 4 'value is not finite' '2 2 2' '1 1 1' '2 2 nan'
with_body 4 'value is not finite' '2 2 2' '1 1 1' '2 2 1e999'
with_body 4 'more on the line than belongs there' '2 2 2' '1 1 1' '2 2 1 0'
with_body 6 'entry 2 1 is repeated' '2 2 5' '1 1 1' '2 1 1' '2 2 1' '2 1 1' '1 1 1'
with_body 4 'row 2 has no diagonal entry' '2 2 3' '1 1 1' '2 1 1' '1 2 1'
with_body 2 'row 2 has no diagonal entry' '2 2 2' '1 1 1' '1 2 1'
with_body 4 'zero pivot in row 2 of the factorisation' '2 2 2' '1 1 1' '2 2 0'
with_body 6 'zero pivot in row 2 of the factorisation' '2 2 4' '1 1 1' '1 2 1' '2 1 1' '2 2 1'
with_body 6 'infinite pivot in row 2 of the factorisation' '2 2 4' '1 1 1e-300' '1 2 1e300' '2 1 1' '2 2 1'
printf '%s\n' '%%MatrixMarket matrix coordinate pattern general' '1 1 1' '1 1 1' \
  | refuse 3 'more on the line than belongs there'
symmetric='%%MatrixMarket matrix coordinate real symmetric'
printf '%s\n' "$symmetric" '2 2 3' '1 1 1' '1 2 1' '2 2 1' | refuse 4 'entry above the diagonal of a symmetric matrix'
printf '%s\n' "$symmetric" '2 2 4' '1 1 1' '2 1 1' '2 2 1' '2 1 1' | refuse 6 'entry 2 1 is repeated'

# What is not text.
printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\0\n' | refuse 3 'not a text file'
head -c 1000000 /dev/zero | refuse 1 'not a text file'
head -c 1000000 /dev/zero | tr '\0' 'x' | refuse 1 'line longer than 1024 characters'
{ printf '%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 '; head -c 2000 /dev/zero | tr '\0' '1'; } \
  | refuse 3 'line longer than 1024 characters'

# A real file cut short: between lines, and within one.
head -n 20 data/west0067.mtx > "$work/cut.mtx"
expect 2 "solve: $work/cut.mtx:21: the file ends after [0-9]+ of 294 entries" "$work/cut.mtx"
head -c 3000 data/west0067.mtx > "$work/cut.mtx"
expect 2 "solve: $work/cut.mtx:[0-9]+: .*" "$work/cut.mtx"

# Files that cannot be read, and usage.
expect 2 "solve: $work/none.mtx: No such file or directory" "$work/none.mtx"
expect 2 "solve: $work: Is a directory" "$work"
usage='usage: solve \[-t\] .*'
expect 2 "solve: $usage"
expect 2 "solve: $usage" data/west0067.mtx data/olm1000.mtx
expect 2 "solve: $usage" data/west0067.mtx --laplacian 3
expect 2 "solve: $usage" --laplacian
expect 2 "solve: $usage" --unknown
expect 2 "solve: --laplacian must be a number from 1 to [0-9]+, not '0'" --laplacian 0
expect 2 "solve: --laplacian must be a number from 1 to [0-9]+, not '100000'" --laplacian 100000
expect 2 "solve: --iterations must be a number from 1 to [0-9]+, not '5x'" --iterations 5x --laplacian 3
expect 2 "solve: --tolerance must be a number between 0 and 1, not 'nan'" --tolerance nan --laplacian 3

exit $failed
