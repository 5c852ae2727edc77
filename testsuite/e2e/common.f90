! SPDX-License-Identifier: MIT
!!! stat: entries >= 1
! Fortran of the old kind: common blocks, equivalence, labelled loops, implicit types.
      program old
      common /block/ a(2000), b(2000)
      common /sizes/ n
      dimension c(4000)
      equivalence (a(1), c(1))
      n = 2000
      do 10 i = 1, n
        a(i) = real (mod (i * 37, 101)) / 8
        b(i) = 0
10    continue
      call step (2)
      call step (-1)
      do 20 i = 1, 1990
        c(i + 10) = c(i) * 0.5 + c(i + 10)
20    continue
      s = 0
      do 30 i = 1, n
        s = s + a(i) * real (mod (i, 7)) - b(i)
30    continue
      print '(z8.8)', s
      do 40 i = 1, n, 199
        print '(z8.8, 1x, z8.8)', a(i), b(i)
40    continue
      end

      subroutine step (k)
      common /block/ a(2000), b(2000)
      common /sizes/ n
      do 10 i = 3, n - 2
        b(i) = a(i + k) - 0.25 * a(i) + b(i)
10    continue
      end
