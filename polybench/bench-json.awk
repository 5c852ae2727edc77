# SPDX-License-Identifier: MIT
#
# Members of JSON as the plugin's report, PARAGON_STATS and what measures write it: one object a line, plain strings and
# numbers.

# The value of the first member KEY in the object LINE, without quotes; "" if there is none.
function member (line, key,    at, rest)
{
  at = index(line, "\"" key "\":")
  if (at == 0)
    return ""
  rest = substr(line, at + length(key) + 3)
  sub(/^ +/, "", rest)
  if (substr(rest, 1, 1) == "\"")
    {
      rest = substr(rest, 2)
      return substr(rest, 1, match(rest, /"/) - 1)
    }
  match(rest, /^[^],}]*/)
  return substr(rest, 1, RLENGTH)
}
