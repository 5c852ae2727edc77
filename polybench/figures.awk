# SPDX-License-Identifier: MIT
#
# The data of the figures, from what was measured (see figures.sh):
#
#     awk -v work=FOLDER -f bench-json.awk -f figures.awk LOOPS bench.json kernels.json gpu.json
#
# LOOPS has a line FILE:LINE for each main loop.  Writes FOLDER/speedup-pointer, speedup-indirect, overhead and scenarios
# for gnuplot, a table to standard output, and FOLDER/titles with what stands above each figure, as gnuplot variables.
# Where something was not measured, a field is "-".
#
# Bytes are those that a kernel of the method full reads and writes more than a plain one, in an iteration of the loop and
# one of the loop inside.  Notes of writes are what the method none adds, notes of reads the rest.

# The part of LINE that follows "NAME": {, or "".
function part (line, name,    at)
{
  at = index(line, "\"" name "\": {")
  return at == 0 ? "" : substr(line, at)
}

# VALUE, or "-" if it is empty.
function known (value)
{
  return value == "" ? "-" : value
}

# What stands above a figure and its part of the table: TEXT, the machine and the date.
function title (name, text, machine, date)
{
  gsub(/\\/, "", machine)
  printf "%s = \"%s\\n%s; measured %s\"\n", name, text, machine, date > (work "/titles")
  printf "%s%s\n%s; measured %s\n", (n_titles++ ? "\n" : ""), text, machine, date
}

FILENAME == ARGV[1] {
  match($0, /[^\/]*$/)
  split(substr($0, RSTART), place, /\.c:/)
  is_main[place[1], place[2]] = 1
  next
}

FNR == 1 { input = ++n_inputs }

!/"(program|kernel)":/ && !(input in seen) {
  if (member($0, "machine") != "")
    machine[input] = member($0, "machine")
  if (member($0, "date") != "")
    date[input] = member($0, "date")
  if (member($0, "compilers") != "")
    machine[input] = "compiled by " member($0, "compilers")
  if (member($0, "device") != "")
    device = member($0, "device")
  if (member($0, "gpu") != "")
    gpu = member($0, "gpu")
}

# bench.json: a program, then a line for each build.
input == 1 && /"program":/ {
  seen[input] = 1
  program = member($0, "program")
  names[++n_names] = program
  file[program] = work "/speedup-" (member($0, "group") == "pointer" ? "pointer" : "indirect")
}

input == 1 && /"speedup":/ {
  match($0, /"[a-z]+"/)
  build = substr($0, RSTART + 1, RLENGTH - 2)
  ratio = part($0, "speedup")
  speedup[program, build] = member(ratio, "median")
  spread[program, build] = known(member(ratio, "low")) " " known(member(ratio, "high"))
}

# kernels.json: NAME_FUNCTION_LINE by a method.
input == 2 && /"kernel":/ {
  seen[input] = 1
  kernel = member($0, "kernel")
  line = kernel
  sub(/.*_/, "", line)
  stem = kernel
  while (!((stem, line) in is_main) && sub(/_[^_]*$/, "", stem))
    ;
  if (!((stem, line) in is_main))
    next
  method = member($0, "method")
  if (!(kernel in listed))
    {
      listed[kernel] = 1
      kernels[++n_kernels] = kernel
    }
  extra = part($0, "extra_bytes")
  bytes[kernel, method] = member(extra, "iteration") + member(extra, "inner")
  granule[kernel, method] = member(extra, "granule")
}

# gpu.json: a program, then a line for each run.
input == 3 && /"program":/ {
  seen[input] = 1
  program = member($0, "program")
}

input == 3 && /"rounds":/ {
  match($0, /"[a-z-]+"/)
  run = substr($0, RSTART + 1, RLENGTH - 2)
  total[program, run] = member($0, "total")
  ran[program, run] = member(part($0, "entries"), "ran")
  there[program, run] = member(part($0, "kernel"), "seconds") + member(part($0, "check"), "seconds")
  copy_in[program, run] = member(part($0, "copy in"), "seconds") + 0
  copy_out[program, run] = member(part($0, "copy out"), "seconds") + 0
}

# How many times as fast as sequentially NAME is on a GPU.
function on_gpu (name)
{
  return device == "cuda" && total[name, "device"] > 0 ? sprintf("%.4f", total[name, "sequential"] / total[name, "device"]) : "-"
}

# Scenarios a to d of NAME: the loops before and after the loop in question run on host or device, so that data is copied
# or is there already, both where the host runs that loop and where the device does.
function scenarios (name,    host, loop, to, back)
{
  if (!(ran[name, "device"] > 0) || there[name, "device"] <= 0)
    return "- - - -"
  host = total[name, "sequential"]
  loop = there[name, "device"]
  to = copy_in[name, "device"]
  back = copy_out[name, "device"]
  return sprintf("%.5f %.5f %.5f %.5f", host / (to + loop + back), (back + host + to) / loop,
    (back + host) / (loop + back), (host + to) / (to + loop))
}

END {
  if (!n_names || !n_kernels || program == "")
    {
      print "figures: no programs or kernels in what was measured" > "/dev/stderr"
      exit 1
    }
  print "has_gpu = " (device == "cuda" ? 1 : 0) > (work "/titles")
  title("speedup_title", "Whole programs: times as fast as sequential (median and interval of paired runs)", machine[1],
    date[1])
  printf "%-10s %9s %9s %9s %9s %9s %9s %9s\n", "program", "paragon", "low", "high", "unsafe", "autopar", "polly", "gpu"
  for (i = 1; i <= n_names; i++)
    {
      name = names[i]
      row = name " " known(speedup[name, "paragon"]) " " known(spread[name, "paragon"]) " " \
        known(speedup[name, "openmp"]) " " known(speedup[name, "autopar"]) " " known(speedup[name, "polly"]) " " \
        on_gpu(name)
      print row > file[name]
      split(row, field, " ")
      printf "%-10s %9s %9s %9s %9s %9s %9s %9s\n", name, field[2], field[3], field[4], field[5], field[6], field[7],
        field[8]
    }

  title("overhead_title", "What finding conflicts adds to a kernel's memory traffic: counted, not timed", machine[2],
    date[2])
  printf "%-30s %9s %9s %9s\n", "kernel", "write log", "read log", "check, a granule of the log"
  least = most = granule[kernels[1], "full"]
  for (i = 1; i <= n_kernels; i++)
    {
      kernel = kernels[i]
      writes = bytes[kernel, "none"]
      reads = bytes[kernel, "full"] - writes
      check = granule[kernel, "full"]
      least = check < least ? check : least
      most = check > most ? check : most
      print kernel, writes, reads > (work "/overhead")
      printf "%-30s %9d %9d %9d\n", kernel, writes, reads, check
    }
  print "check = \"" (least < most ? least " to " most : most) "\"" > (work "/titles")

  title("scenarios_title", (device == "cuda" ? "Device: " gpu : "Device: emu, no GPU: its times say nothing about one") \
    "; computed from measured loops, kernels, checks and copies", machine[3], date[3])
  printf "%-10s %9s %9s %9s %9s\n", "program", "a", "b", "c", "d"
  for (i = 1; i <= n_names; i++)
    {
      row = names[i] " " scenarios(names[i])
      print row > (work "/scenarios")
      split(row, field, " ")
      printf "%-10s %9s %9s %9s %9s\n", field[1], field[2], field[3], field[4], field[5]
    }
}
