! SPDX-License-Identifier: MIT
!!! opts: -O3 -march=native -fno-inline, -O3 -mfma -mtune=generic -fno-inline, -O2 -march=native -fno-inline, -O2
!!! stat: entries >= 1
! Parentheses around a product keep it out of a sum, but not in vectors: the vectoriser drops them.
subroutine combine (n, a, b, c)
  implicit none
  integer, intent (in) :: n
  double precision, intent (in) :: a(n), b(n)
  double precision, intent (out) :: c(n)
  integer :: j
  do j = 1, n
    c(j) = (0.3d0 * a(j)) + 0.7d0 * b(j)
  end do
end subroutine combine

subroutine copies (n, a, c)
  implicit none
  integer, intent (in) :: n
  double precision, intent (in) :: a(n)
  double precision, intent (out) :: c(n)
  integer :: j
  do j = 1, n
    c(j) = a(j) - c(j)
  end do
end subroutine copies

program parentheses
  implicit none
  integer, parameter :: most = 500
  double precision :: a(most), b(most), c(most)
  integer :: i, n
  do i = 1, most
    a(i) = mod (i * 7919, 1009) / 1013d0
    b(i) = mod (i * 6007, 997) / 991d0
  end do
  do n = 1, 70
    c = 0
    call combine (n, a, b, c)
    write (*, '(i3, 3z17)') n, c(1), c(n), c((n + 1) / 2)
  end do
  call copies (most, a, c)
  call copies (most, b, c)
  write (*, '(z17)') sum (c)
end program parentheses
