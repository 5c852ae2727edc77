# SPDX-License-Identifier: MIT
#
# What the demo prints, from the statistics of a run, the plugin's report and the times of runs:
#
#     awk -f polybench/bench-json.awk -f testsuite/demo.awk -v show=ran STATISTICS     loops that were entered
#     awk -f polybench/bench-json.awk -f testsuite/demo.awk -v show=refused REPORT     loops that stay as they are
#     awk -f polybench/bench-json.awk -f testsuite/demo.awk -v show=times RUNS         one line
#
# RUNS are the lines of bench-run.c with the number of the matrix before them.  Times are medians over rounds of what
# the iterations took, added up over matrices.  In tables, the loops that took least are one line together.

BEGIN {
  max_rows = 7
}

# The statistics: one row a region.  A loop that was inlined into several places has several.
show == "ran" && index($0, "\"entries\":") {
  place = member($0, "file") ":" member($0, "line") " " member($0, "function")
  if (!(place in entries))
    places[++n] = place
  entries[place] += member($0, "entries")
  pool[place] += member($0, "pool")
  sequential[place] += member($0, "sequential")
  original[place] += member($0, "original")
  conflicts[place] += member($0, "conflicts")
  after[place] += member($0, "ns")
  before[place] += member($0, "ns") + member($0, "saved_ns")
  class[place] = member($0, "class")
  if (member($0, "rung") != "-")
    rung[place] = member($0, "rung")
}

show == "refused" && member($0, "outlined") == "false" && member($0, "depth") == 1 {
  place = member($0, "file") ":" member($0, "line")
  if (place in seen)
    next
  seen[place] = 1
  if (index(place, "sparse/solve/") != 1)
    {
      elsewhere++
      next
    }
  detail = member($0, "detail")
  remedy = member($0, "remedy")
  printf "  %-32s %s: %s: %s%s%s\n", place, member($0, "function"), member($0, "class"), member($0, "reason"),
    detail == "" ? "" : " (" detail ")", remedy == "" ? "" : ", " remedy
}

show == "times" && $4 == "ok" {
  key = $1 " " $2
  rounds[key]++
  taken[key, rounds[key]] = $7 + 0
  matrices[$1] = 1
}

# The median of what VARIANT took on MATRIX, or -1.
function median (matrix, variant,    key, i, j, n, t, v)
{
  key = matrix " " variant
  n = rounds[key]
  for (i = 1; i <= n; i++)
    {
      t = taken[key, i]
      for (j = i; j > 1 && v[j - 1] > t; j--)
        v[j] = v[j - 1]
      v[j] = t
    }
  return n ? v[int((n + 1) / 2)] : -1
}

function print_times (    m, plain, paragon, openmp, t)
{
  for (m in matrices)
    {
      plain += median(m, "plain")
      paragon += median(m, "paragon")
      t = median(m, "openmp")
      openmp = t < 0 || openmp < 0 ? -1 : openmp + t
    }
  printf "plain %.3f s -> Paragon %.3f s, %.2f times as fast", plain, paragon, plain / paragon
  if (openmp > 0)
    printf "; unsafe OpenMP %.3f s, %.2f times: %.2f of its speedup", openmp, plain / openmp, openmp / paragon
  else
    printf "; unsafe OpenMP failed or took too long"
  print ""
}

function what_ran (place)
{
  if (pool[place] >= sequential[place] && pool[place] >= original[place])
    return "pool"
  return sequential[place] >= original[place] ? "sequential" : "original"
}

function print_row (place)
{
  printf "  %-44s %-8s %-4s %-10s %7d %9d %9.2f -> %8.2f\n", place, class[place], \
    (place in rung) ? rung[place] : "-", what_ran(place), entries[place], conflicts[place], \
    before[place] / 1e6, after[place] / 1e6
}

END {
  if (show == "times")
    print_times()
  if (show == "refused" && elsewhere)
    printf "  and %d in files that read, generate or print\n", elsewhere
  if (show != "ran")
    exit
  printf "  %-44s %-8s %-4s %-10s %7s %9s %21s\n", "loop", "class", "rung", "mostly ran", "entries", "conflicts", \
    "plain -> Paragon, ms"
  for (row = 1; row <= n; row++)
    {
      best = 0
      for (i = 1; i <= n; i++)
        if (!(places[i] in done) && (best == 0 || after[places[i]] > after[places[best]]))
          best = i
      done[places[best]] = 1
      if (row < max_rows || n == max_rows)
        print_row(places[best])
      else
        rest += after[places[best]]
    }
  if (n > max_rows)
    printf "  %-44s %44s %8.2f\n", sprintf("and %d loops that took less", n - max_rows + 1), "", rest / 1e6
}
