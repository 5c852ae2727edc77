# SPDX-License-Identifier: MIT
#
# From the instructions of each kernel and what ptxas says of it (-v), one line each:
#
#     TARGET NAME REGISTERS SPILLED-BYTES SHARED-BYTES INSTRUCTIONS ACCESSES

FNR == NR { instructions[$1] = $2 " " $3; next }

/Compiling entry function/ { split ($0, quoted, "'"); name = quoted[2] }

/bytes spill stores/ { spilled = $5 + $9 }

/Used [0-9]+ registers/ {
  shared = match ($0, /[0-9]+ bytes smem/) ? substr ($0, RSTART) + 0 : 0
  match ($0, /Used [0-9]+/)
  print target, name, substr ($0, RSTART + 5, RLENGTH - 5), spilled, shared, instructions[name]
}
