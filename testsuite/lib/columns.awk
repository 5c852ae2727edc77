# SPDX-License-Identifier: MIT
# Print lines wider than 120 columns, a tab reaching to the next multiple of 8.

{
  line = $0
  while ((i = index (line, "\t")) > 0)
    line = substr (line, 1, i - 1) sprintf ("%" (8 - (i - 1) % 8) "s", "") substr (line, i + 1)
  if (length (line) > 120)
    print FILENAME ":" FNR ": " length (line) " columns"
}
