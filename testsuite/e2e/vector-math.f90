! SPDX-License-Identifier: MIT
!!! opts: -O2, -O3, -O3 -march=native, -O3 -march=native -fno-tree-loop-vectorize
!!! stat: entries >= 1
! Functions of the C library, of which Fortran has vector variants that round otherwise: each element has the bits that
! it has in the loop as a whole, wherever chunks begin and end.
      program waves
      implicit none
      integer, parameter :: n = 2003
      real (8) :: x(n), y(n), z(n)
      integer :: i
      do i = 1, n
        x(i) = i * 0.37d0
        y(i) = 0
      end do
      do i = 1, 5
        call wave (n - i, x(i), y(i))
        call wave (i + 3, x, z)
      end do
      do i = 1, n, 7
        print '(z16.16)', y(i)
      end do
      print '(8(z16.16, 1x))', z(1:8)
      end

      subroutine wave (n, x, y)
      implicit none
      integer :: n, i
      real (8) :: x(n), y(n)
      do i = 1, n
        y(i) = sqrt (-2 * log (x(i) / 1000)) * cos (x(i))
      end do
      end
