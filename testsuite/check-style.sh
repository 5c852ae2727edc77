#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The style rules that a machine can check, over all files that are tracked or new.  --format: lay out C and C++ anew.

set -u
cd "$(dirname "$0")/.." || exit 1
status=0

files ()
{
  git ls-files --cached --others --exclude-standard | grep -E "$1" | while IFS= read -r file
  do
    [ ! -f "$file" ] || printf '%s\n' "$file"
  done
}

complain ()
{
  [ -z "$1" ] && return
  printf '%s\n' "$1" "    rule: $2"
  status=1
}

source='(\.(c|cc|h|def|cuh|f90|sh|mk|pml)|^Makefile|^\.ci/[a-z]+)$'
laid_out='^(plugin|runtime|cuda|testsuite/(unit|fault|fuzz|fuzz-kir))/.*\.(c|cc|h)$'

if [ "${1-}" = --format ]
then
  files "$laid_out" | xargs -r -d '\n' clang-format -i --style=file
  exit
fi

complain "$(files "$source" | while IFS= read -r file
  do
    grep -q 'SPDX-License-Identifier: ' <(head -n 3 "$file") || echo "$file"
  done)" 'an SPDX identifier in the first lines'
complain "$(files '^plugin/.*\.(cc|h)$' | xargs -r -d '\n' grep -L 'SPDX-License-Identifier: GPL-3.0-or-later')" \
  'plugin/ is GPL-3.0-or-later'
complain "$(files "$source" | grep -v '^plugin/' | xargs -r -d '\n' grep -l 'SPDX-License-Identifier: GPL' |
  grep -v '^testsuite/check-style.sh$')" 'all but plugin/ is MIT'
complain "$(files "$source|\.md$" | xargs -r -d '\n' grep -HnE '[[:space:]]+$')" 'no blanks at the end of a line'
complain "$(files "$source" | grep -vE '\.(def|mk)$' | xargs -r -d '\n' awk -f testsuite/lib/columns.awk)" \
  'lines of 120 columns at most'
complain "$(files "$source" | xargs -r -d '\n' grep -HnE '\b(TO''DO|FIX''ME)\b')" \
  'nothing left to do but in issues'

complain "$(files '^plugin/.*\.(cc|h)$' | xargs -r -d '\n' awk '
    is_type && $0 == "{" { n[name]++; files[name] = files[name] " " FILENAME }
    { is_type = /^(struct|class|union) [a-z_]+$/; name = $2 }
    END { for (name in n) if (n[name] > 1) print name ":" files[name] }')" \
  'one name, one type: the linker takes any of the constructors that share a name'
complain "$(files '\.sh$' | xargs -r -d '\n' grep -HnE '[^|][|] *grep +-[a-zA-Z]*q')" \
  'grep -q ... <(command): it may end before what feeds it, whose failure then counts with pipefail'

while IFS= read -r script
do
  bash -n "$script" || status=1
done < <(files '(\.sh|^\.ci/[a-z]+)$')

if command -v shellcheck > /dev/null
then
  files '(\.sh|^\.ci/[a-z]+)$' | xargs -r -d '\n' \
    shellcheck -x -P SCRIPTDIR -e SC1090,SC1091,SC2015,SC2016,SC2034,SC2154 || status=1
fi

if command -v clang-format > /dev/null
then
  files "$laid_out" | xargs -r -d '\n' clang-format --style=file --dry-run -Werror 2> /dev/null ||
    complain "$(files "$laid_out" | while IFS= read -r file
      do
        clang-format --style=file "$file" | cmp -s - "$file" || echo "$file"
      done)" 'laid out as .clang-format says: make format'
fi
exit $status
