# SPDX-License-Identifier: MIT
#
# What run.sh found, as JSON.  Lines of fields separated by tabs:
#
#     fact     NAME VALUE
#     step     NAME STATUS SECONDS WHAT
#     program  NAME ARGUMENTS
#     sample   NAME VARIANT ROUND STATUS WALL CPU TOTAL FIRST LATER HASH        (polybench/bench-run.c)
#     entries  NAME VARIANT RAN CONFLICT ALL IN OUT        of loops, on the device; and bytes of the program's memory
#     device   NAME VARIANT WHAT TIMES SECONDS BYTES                            in one run: kernel, check, copy in, ...
#
# Times are medians over the rounds, in seconds: of all laps of a program, of its first, and of one later.  Where kernels
# that note nothing ran, too, as device-unsafe, what the others took, with those that check, is told against these.

BEGIN { FS = "\t" }

$1 == "fact" { facts = facts sprintf ("\"%s\": \"%s\",\n", $2, $3) }

# TEXT and one more member or element; JOIN: what stands between them.
function more (text, join, one)
{
  return text (text == "" ? "" : join) one
}

$1 == "step" {
  steps = more(steps, ",", sprintf ("\n  {\"step\": \"%s\", \"status\": \"%s\", \"seconds\": %d, \"what\": \"%s\"}",
    $2, $3, $4, $5))
}

$1 == "program" { programs[++n_programs] = $2; arguments[$2] = $3 }

$1 == "entries" {
  entries[$2, $3] = sprintf (", \"entries\": {\"ran\": %d, \"conflict\": %d, \"all\": %d}", $4, $5, $6)
  if ($7 + $8 > 0)
    entries[$2, $3] = entries[$2, $3] \
      sprintf (", \"copied\": {\"in\": %.0f, \"out\": %.0f}", $7, $8)
}

$1 == "device" && ($4 == "kernel" || $4 == "check") { kernels[$2, $3] += $6 }

$1 == "device" {
  done[$2, $3] = more(done[$2, $3], ", ", sprintf ("\"%s\": {\"times\": %d, \"seconds\": %.9f, \"bytes\": %.0f}", $4,
    $5, $6, $7))
}

$1 == "sample" {
  if (!(($2, $3) in n_samples))
    variants[$2] = variants[$2] " " $3
  n = ++n_samples[$2, $3]
  failed[$2, $3] = failed[$2, $3] || $5 != "ok"
  for (field = 8; field <= 10; field++)
    times[$2, $3, field, n] = $field
  hash[$2, $3] = hash[$2, $3] == "" || hash[$2, $3] == $11 ? $11 : "differs"
}

# The median of FIELD of a program's VARIANT.
function median (program, variant, field,    n, i, j, value, sorted)
{
  n = n_samples[program, variant]
  for (i = 1; i <= n; i++)
    {
      value = times[program, variant, field, i] + 0
      for (j = i; j > 1 && sorted[j - 1] > value; j--)
        sorted[j] = sorted[j - 1]
      sorted[j] = value
    }
  return n % 2 == 1 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

function put_run (program, variant)
{
  printf "\n    \"%s\": {\"rounds\": %d, ", variant, n_samples[program, variant]
  if (failed[program, variant])
    printf "\"failed\": true"
  else
    printf "\"total\": %.6f, \"first\": %.6f, \"later\": %.6f, \"same\": %s", median(program, variant, 8),
      median(program, variant, 9), median(program, variant, 10),
      hash[program, variant] == hash[program, "sequential"] ? "true" : "false"
  printf "%s%s", entries[program, variant],
    done[program, variant] == "" ? "" : ", \"device\": {" done[program, variant] "}"
  if (kernels[program, variant] > 0 && kernels[program, "device-unsafe"] > 0)
    printf ", \"over_unsafe\": %.3f", kernels[program, variant] / kernels[program, "device-unsafe"]
  printf "}"
}

END {
  printf "{\n%s\"steps\": [%s\n],\n\"programs\": [", facts, steps
  for (p = 1; p <= n_programs; p++)
    {
      printf "%s\n  {\"program\": \"%s\", \"arguments\": \"%s\", \"runs\": {", (p > 1 ? "," : ""), programs[p],
        arguments[programs[p]]
      n = split (variants[programs[p]], variant, " ")
      for (v = 1; v <= n; v++)
        {
          printf "%s", (v > 1 ? "," : "")
          put_run(programs[p], variant[v])
        }
      printf "}}"
    }
  print "\n]}"
}
