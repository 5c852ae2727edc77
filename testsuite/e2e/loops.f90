! SPDX-License-Identifier: MIT
!!! opts: full
!!! stat: pool >= 1
! Fortran: do loops over explicit-shape, assumed-shape and allocatable arrays, a step, array expressions, where, a
! function with a result, character data.
module kernels
  implicit none
contains
  subroutine saxpy (n, a, x, y)
    integer, intent (in) :: n
    double precision, intent (in) :: a, x(n)
    double precision, intent (inout) :: y(n)
    integer :: i
    do i = 1, n
      y(i) = y(i) + a * x(i)
    end do
  end subroutine saxpy

  subroutine jacobi (m, n, u, v)
    integer, intent (in) :: m, n
    double precision, intent (in) :: u(m, n)
    double precision, intent (out) :: v(m, n)
    integer :: i, j
    v = u
    do j = 2, n - 1
      do i = 2, m - 1
        v(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
      end do
    end do
  end subroutine jacobi

  subroutine gather (index, x, y)
    integer, intent (in) :: index(:)
    double precision, intent (in) :: x(:)
    double precision, intent (inout) :: y(:)
    integer :: i
    do i = size (index), 1, -1
      y(index(i)) = y(index(i)) * 0.5d0 + x(i)
    end do
  end subroutine gather

  integer function total (a)
    integer, intent (in) :: a(:)
    integer :: i
    total = 0
    do i = 1, size (a), 3
      if (mod (a(i), 2) == 0) total = total + a(i)
    end do
  end function total
end module kernels

program loops
  use kernels
  implicit none
  integer, parameter :: n = 1200, m = 50
  double precision :: x(n), u(m, m), v(m, m)
  double precision, allocatable :: y(:)
  integer, allocatable :: index(:)
  integer :: i, j
  allocate (y(n), index(n))
  do i = 1, n
    x(i) = 1.0d0 / i
    y(i) = i
    index(i) = 1 + mod (i * 7, n)
  end do
  call saxpy (n, 1.5d0, x, y)
  call show ('saxpy', y)
  call gather (index, x, y)
  index(n / 2) = index(n / 2 - 5)
  call gather (index, x, y)
  call gather (index, x(::1), y(n:1:-1))
  call show ('gather', y)
  do j = 1, m
    do i = 1, m
      u(i, j) = mod (i * 13 + j * 29, 17)
    end do
  end do
  do i = 1, 3
    call jacobi (m, m, u, v)
    u = v * 1.01d0
  end do
  call show ('jacobi', reshape (u, [m * m]))
  where (y > 100)
    y = y - 100
  elsewhere
    y = -y
  end where
  call show ('where', y)
  print '(i0)', total (index)
contains
  subroutine show (name, a)
    character (*), intent (in) :: name
    double precision, intent (in) :: a(:)
    integer (8) :: bits, hash
    integer :: k
    hash = 0
    do k = 1, size (a)
      bits = transfer (a(k), bits)
      hash = ieor (ishftc (hash, 7), bits)
    end do
    print '(a, 1x, z16.16)', name, hash
  end subroutine show
end program loops
