# SPDX-License-Identifier: MIT
#
# From the core's list, and gcovr's table of branches and its figures: the figures of each file and folder, and where the
# core has branches that are not taken.  Exit status 1: less than is aimed at.

function percent (part, all)
{
  return all == 0 ? "     " : sprintf ("%5.1f", 100 * part / all)
}

function row (name, of)
{
  printf "%-32s %6d %6d %s   %6d %6d %s\n", name, lines[of], lines_run[of], percent(lines_run[of], lines[of]),
    branches[of], taken[of], percent(taken[of], branches[of])
}

function add (to)
{
  lines[to] += field[2]
  lines_run[to] += field[3]
  branches[to] += field[5]
  taken[to] += field[6]
}

function text_of (file, number,  line, i)
{
  for (i = 0; i < number && (getline line < file) > 0; i++)
    ;
  close (file)
  sub (/^[ \t]+/, "", line)
  return line
}

FILENAME != last { last = FILENAME; n_files++ }

n_files == 1 && /^[a-z]/ { is_core[$1] = 1; file = $1 }
n_files == 1 && /^\t/ { excuses[file, ++n_excuses[file]] = substr ($0, 2) }

n_files == 2 && ($1 in is_core) && $4 ~ /%$/ { missing[$1] = $5 }

n_files == 3 && FNR == 1 {
  n_folders = split ("plugin/ runtime/ runtime/kir/ runtime/cli/ cuda/", folders)
  print "                                  lines    run     %   branches  taken     %"
}
n_files == 3 && FNR > 1 {
  split ($0, field, ",")
  file = field[1]
  for (i = 1; i <= n_folders; i++)
    if (index (file, folders[i]) == 1)
      folder = folders[i]
  add(file)
  add(folder)
  add("all")
  if (file in is_core)
    add("core")
  row(file, file)
}

END {
  for (i = 1; i <= n_folders; i++)
    row(folders[i], folders[i])
  row("all", "all")
  row("core", "core")
  for (file in missing)
    {
      n = split (missing[file], numbers, ",")
      for (i = 1; i <= n; i++)
	{
	  text = text_of(file, numbers[i])
	  is_excused = 0
	  for (k = 1; k <= n_excuses[file]; k++)
	    is_excused = is_excused || index (excuses[file, k], text) == 1
	  if (!is_excused)
	    {
	      print file ":" numbers[i] ": not all taken: " text | "sort -t: -k1,1 -k2,2n"
	      n_missing++
	    }
	}
    }
  close ("sort -t: -k1,1 -k2,2n")
  exit n_missing > 0 || lines_run["all"] < 0.85 * lines["all"] || taken["all"] < 0.7 * branches["all"]
}
