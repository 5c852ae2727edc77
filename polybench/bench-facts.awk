# SPDX-License-Identifier: MIT
#
# What became of a program's main loops, as fields of bench-stat.c's input:
#
#     awk -f bench-json.awk -f bench-facts.awk LOOPS REPORT STATISTICS  ->  LOOPS HANDED CLASS RUNG RAN CONFLICTS
#
# LOOPS has a line FILE:LINE for each main loop.  Where loops differ, CLASS is the weakest and RUNG the dearest, and RAN
# says pool if the pool ran any of them.

BEGIN {
  n_classes = split("parallel possibly sequential", classes, " ")
  n_rungs = split("L0 L1 L2 L3 L5", rungs, " ")
}

FILENAME == ARGV[1] {
  loops[$0] = 1
  n_loops++
  next
}

{
  place = member($0, "file") ":" member($0, "line")
  if (!(place in loops))
    next
}

# The report.  A loop that was inlined has several lines: handed over if one of them is.
FILENAME == ARGV[2] {
  reported[place] = 1
  if (member($0, "outlined") == "true" && !(place in handed))
    {
      handed[place] = 1
      n_handed++
    }
  note_worst(classes, n_classes, member($0, "class"), "class")
}

FILENAME == ARGV[3] {
  n_pool += member($0, "pool")
  n_sequential += member($0, "sequential")
  n_original += member($0, "original")
  n_conflicts += member($0, "conflicts")
  note_worst(rungs, n_rungs, member($0, "rung"), "rung")
}

# Remember in worst[WHAT] the place of VALUE in LIST, if it is later than what is there.
function note_worst (list, n, value, what,    i)
{
  for (i = 1; i <= n; i++)
    if (index(value, list[i]) == 1 && i > worst[what])
      worst[what] = i
}

END {
  ran = n_pool > 0 ? "pool" : n_sequential > 0 ? "F" : n_original > 0 ? "orig" : "-"
  printf "%d\t%d\t%s\t%s\t%s\t%d\n", n_loops, n_handed, worst["class"] ? classes[worst["class"]] : "-", \
    worst["rung"] ? rungs[worst["rung"]] : "-", ran, n_conflicts
}
