# SPDX-License-Identifier: MIT
# Draw the figures from the files of figures.awk in the folder WORK, into the folder OUT (see figures.sh).
load work."/titles"
set datafile missing "-"
set style data histograms
set style fill solid 0.85 border -1
set boxwidth 0.9
set grid ytics lc rgb "#cccccc"
set xtics rotate by -40 nomirror noenhanced
set key outside top center horizontal samplen 1
set bmargin 6

set terminal svg size 1000,760 font "sans-serif,12" background rgb "white"
set output out."/speedup.svg"
set style histogram errorbars gap 1 lw 1.5
set yrange [0:*]
set ylabel "speedup"
gpu = has_gpu ? ', "" using 8:8:8 title "Paragon on a GPU"' : ""
set multiplot layout 2,1 title speedup_title.left_out noenhanced
do for [group in "pointer indirect"] {
  set title (group eq "pointer" ? "loops with pointers" : "loops with indirect accesses")
  plot work."/speedup-".group using 2:3:4:xtic(1) with histograms title "Paragon", \
    "" using 5:5:5 title "unsafe CPU (OpenMP)", "" using 6:6:6 title "GCC autopar", "" using 7:7:7 title "Polly", \
    1 with lines lc rgb "#444444" notitle @gpu
}
unset multiplot

set terminal svg size 1000,500 font "sans-serif,12" background rgb "white"
set output out."/overhead.svg"
set style histogram rowstacked
set title overhead_title noenhanced
set ylabel "bytes more, an iteration"
set bmargin 11
set rmargin 8
set xlabel "check, afterwards: ".check." bytes a granule of the log; find-array: the host, at entry; range check: with arguments, no bytes"
plot work."/overhead" using 2:xtic(1) title "write log", "" using 3 title "read log"
unset xlabel

set output out."/scenarios.svg"
set style histogram clustered gap 1
set title scenarios_title noenhanced
set ylabel "speedup of the loop over the host's"
set bmargin 6
set logscale y
set yrange [*:*]
plot work."/scenarios" using 2:xtic(1) title "a: host before, host after", \
  "" using 3 title "b: device, device", "" using 4 title "c: device, host", "" using 5 title "d: host, device", \
  1 with lines lc rgb "#444444" notitle
