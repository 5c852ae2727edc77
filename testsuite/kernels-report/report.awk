# SPDX-License-Identifier: MIT
#
# The table of kernels and the JSON file: from the figures of the kernels, those of the kernels written by hand, and the
# lines of kernels-report print.  Of a method's kernels, registers are those of the one that has most.  On a line of the
# table, figures are the worst of all targets.
#
# nvcc unrolls loops as it sees fit.  Both kernels of a loop do the same loads and stores in each iteration: the ratio is
# that of instructions for each of them.

BEGIN {
  n_targets = split (targets, target)
  printf "%-34s %-10s %5s %6s %6s %6s %6s %6s %7s %5s\n", "kernel", "method", "instr", "/hand", "regs", "spill",
    "iter.", "inner", "granule", "bits"
  printf "{\n\"date\": \"%s\", \"command\": \"make kernels-report\",\n", date > json
  printf "\"compilers\": \"nvcc %s, gcc %s -O3\",\n\"kernels\": [", version, gcc > json
}

FILENAME ~ /figures$/ { registers[$1, $2] = $3; spilled[$1, $2] = $4; shared[$1, $2] = $5; count[$1, $2] = $6; accesses[$1, $2] = $7; next }

FILENAME ~ /hand$/ { hand[$1, $2] = $6; hand_accesses[$1, $2] = $7; next }

{
  separator = (FNR == 1 ? "" : ",")
  printf "%s\n  {\"kernel\": \"%s\", \"method\": \"%s\", \"mapping\": \"%s\",", separator, $1, $2, $3 > json
  printf " \"extra_bytes\": {\"iteration\": %d, \"inner\": %d, \"granule\": %s}, \"log_bits\": %s,", $4, $5, $6, $7 > json
  printf " \"targets\": {" > json
  worst = most = spills = instructions = 0
  for (t = 1; t <= n_targets; t++)
    {
      used = bytes = smem = n = 0
      for (part = 1; (target[t], $1 "_" $2 "_" part) in count; part++)
        {
          key = target[t] SUBSEP $1 "_" $2 "_" part
          used = registers[key] > used ? registers[key] : used
          bytes += spilled[key]
          smem = shared[key] > smem ? shared[key] : smem
          n += count[key]
        }
      printf "%s\"%s\": {\"instructions\": %d, \"registers\": %d, \"spilled\": %d, \"shared\": %d", (t > 1 ? ", " : ""),
        target[t], n, used, bytes, smem > json
      if ($2 == "plain" && (target[t], $1) in hand)
        {
          by_hand = hand[target[t], $1]
          own_copies = accesses[target[t], $1 "_plain_1"]
          copies = hand_accesses[target[t], $1]
          ratio = copies > 0 && own_copies > 0 ? (n / own_copies) / (by_hand / copies) : n / by_hand
          printf ", \"accesses\": %d, \"by_hand\": {\"instructions\": %d, \"accesses\": %d}, \"ratio\": %.3f",
            own_copies, by_hand, copies, ratio > json
          worst = ratio > worst ? ratio : worst
          if (ratio > 1.1)
            wrong = wrong "\n" target[t] " " $1 ": " n " instructions, " own_copies " of them loads and stores; " \
              by_hand " and " copies " by hand"
        }
      printf "}" > json
      most = used > most ? used : most
      spills = bytes > spills ? bytes : spills
      instructions = n > instructions ? n : instructions
      if ($2 == "plain" && bytes > 0)
        wrong = wrong "\n" target[t] " " $1 ": " bytes " bytes spilled"
    }
  printf "}}" > json
  printf "%-34s %-10s %5d %6s %6d %6d %6d %6d %7s %5s\n", $1, $2, instructions,
    (worst > 0 ? sprintf ("%.2f", worst) : ""), most, spills, $4, $5, $6, $7
}

END {
  print "\n]}" > json
  if (wrong != "")
    print "\nMore than is allowed:" wrong
  exit wrong != ""
}
