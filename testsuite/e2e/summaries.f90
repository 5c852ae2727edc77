! SPDX-License-Identifier: MIT
!!! opts: -O2, -O2 -fno-inline, -O3
!!! stat: pool >= 1
! A subroutine of the same file writes to a work array and reads a variable of the module; scalars go by reference.
module kernels
  implicit none
  double precision :: ce(5, 13)
contains
  subroutine exact (x, d)
    double precision, intent (in) :: x
    double precision, intent (out) :: d(5)
    integer :: k
    do k = 1, 5
      d(k) = ce(k, 1) + x * (ce(k, 2) + x * ce(k, 7))
    end do
  end subroutine exact

  subroutine fill (n, u)
    integer, intent (in) :: n
    double precision, intent (inout) :: u(5, n)
    double precision :: t(5)
    integer :: i
    do i = 1, n
      call exact (i * 0.5d0, t)
      u(2, i) = t(1) + t(5)
      u(3, i) = t(2) * t(4)
    end do
  end subroutine fill
end module kernels

program main
  use kernels
  implicit none
  double precision :: u(5, 400)
  integer :: i, k
  do k = 1, 13
    do i = 1, 5
      ce(i, k) = i * 0.25d0 - k
    end do
  end do
  u = 0
  call fill (400, u)
  do i = 1, 400
    print '(5z17)', u(:, i)
  end do
end program main
