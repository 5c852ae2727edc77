# SPDX-License-Identifier: MIT
# The benchmark programs, one line each, for make, shell and Python alike:
#
#   program-NAME = SOURCES | ARGUMENTS OF A TEST | ARGUMENTS OF A BENCHMARK
#
# Sources are relative to this folder, in which programs are run.  All need -lm.  In the first sources, every loop
# that matters follows a line "/* main loop */".  Sequentially, a test takes some 0.05 s, a benchmark about 1 s.
program-vadd = pointer/vadd.c pointer/vadd-main.c common.c | 1000000 400 | 4000000 1200
program-jacobi1d = pointer/jacobi1d.c pointer/jacobi1d-main.c common.c | 500000 300 | 2000000 1200
program-jacobi2d = pointer/jacobi2d.c pointer/jacobi2d-main.c common.c | 600 300 | 1500 700
program-fdtd2d = pointer/fdtd2d.c pointer/fdtd2d-main.c common.c | 500 600 120 | 1000 1200 600
program-rbgs = pointer/rbgs.c pointer/rbgs-main.c common.c | 600 300 | 1500 400
program-seidel = pointer/seidel.c pointer/seidel-main.c common.c | 400 50 | 1500 80
program-gemm = pointer/gemm.c pointer/gemm-main.c common.c | 300 310 320 20 | 700 720 740 30
program-tmv = pointer/tmv.c pointer/tmv-main.c common.c | 1000 1100 80 | 2000 2100 180
program-saxpy = sparse/saxpy.c sparse/saxpy-main.c common.c | 400000 200000 300 | 2000000 1000000 450
program-house = sparse/house.c sparse/house-main.c common.c | 400000 200000 100 | 2000000 1000000 180
program-ipvec = sparse/ipvec.c sparse/ipvec-main.c common.c | 200000 200 | 1000000 450
program-spmv = sparse/spmv.c sparse/spmv-main.c sparse/generate.c common.c | 50000 10 120 | 200000 20 180
program-ger = sparse/ger.c sparse/ger-main.c sparse/generate.c common.c | 50000 10 120 | 200000 20 150
program-gemver = sparse/gemver.c sparse/gemver-main.c sparse/generate.c common.c | 30000 10 50 | 200000 20 25
program-csc = sparse/csc.c sparse/csc-main.c sparse/generate.c common.c | 50000 10 120 | 200000 20 180
program-fwdelim = sparse/fwdelim.c sparse/fwdelim-main.c sparse/generate.c sparse/levels.c common.c | 100000 4 60 | 400000 4 200
program-sor = sparse/sor.c sparse/sor-main.c common.c | 200 150 | 600 180
program-solve = sparse/solve/kernels.c sparse/solve/solve.c sparse/solve/krylov.c sparse/solve/ilu.c sparse/solve/laplacian.c sparse/mmio.c sparse/levels.c common.c | --laplacian 40 | --laplacian 80
program-rayleigh = sparse/solve/rayleigh.c sparse/solve/rayleigh-main.c sparse/solve/kernels.c sparse/solve/laplacian.c common.c | 24 40 3 20 | 64 40 4 20
program-lattice = nonlinear/lattice.c nonlinear/lattice-main.c common.c | 16 16 16 32 200 | 32 32 32 64 250

# Arguments that suit a device that is not one: a test on it takes some 0.5 s.
small-vadd = 5000 3
small-jacobi1d = 5000 3
small-jacobi2d = 60 3
small-fdtd2d = 50 60 3
small-rbgs = 60 3
small-seidel = 40 3
small-gemm = 30 31 32 2
small-tmv = 100 110 3
small-saxpy = 4000 2000 3
small-house = 4000 2000 3
small-ipvec = 2000 3
small-spmv = 500 10 3
small-ger = 500 10 3
small-gemver = 300 10 2
small-csc = 500 10 3
small-fwdelim = 500 4 2
small-sor = 20 3
small-solve = --laplacian 4
small-rayleigh = 6 4 1 2
small-lattice = 4 4 4 4 3

# The first entries of a benchmark, and little more.
first-vadd = 4000000 2
first-jacobi1d = 2000000 2
first-jacobi2d = 1500 2
first-fdtd2d = 1000 1200 2
first-rbgs = 1500 2
first-seidel = 1500 2
first-gemm = 700 720 740 2
first-tmv = 2000 2100 2
first-saxpy = 2000000 1000000 2
first-house = 2000000 1000000 2
first-ipvec = 1000000 2
first-spmv = 200000 20 2
first-ger = 200000 20 2
first-gemver = 200000 20 2
first-csc = 200000 20 2
first-fwdelim = 400000 4 2
first-sor = 600 2
first-lattice = 32 32 32 64 2

# Whose loops a device can run in other ways than one iteration a thread.
mapped-jacobi2d = team collapse
mapped-fdtd2d = team collapse
mapped-gemm = team

# The sizes of the paper's Table I (Paragon, s6), as far as it has the program; how often is not said there.  The arrays
# of ipvec have fixed lengths, and are not as long as there.
paper-vadd = 16777216 20
paper-jacobi1d = 16777216 20
paper-jacobi2d = 4096 20
paper-fdtd2d = 4096 4096 20
paper-rbgs = 4096 20
paper-seidel = 4096 20
paper-gemm = 4096 4096 4096 1
paper-tmv = 4096 4096 20
paper-saxpy = 33554432 16777216 20
paper-house = 33554432 16777216 20
paper-ipvec = 1000000 200
paper-spmv = 65536 64 20
paper-ger = 65536 64 20
paper-gemver = 65536 64 20
paper-csc = 65536 64 20
paper-fwdelim = 65536 64 20
paper-sor = 256 20
paper-solve = --laplacian 40
paper-rayleigh = 40 20 3 20
paper-lattice = 32 32 32 64 20

# Sizes for a large GPU: some GiB.
gpu-vadd = 268435456 100
gpu-jacobi1d = 268435456 100
gpu-jacobi2d = 16384 100
gpu-fdtd2d = 16384 16384 50
gpu-rbgs = 16384 50
gpu-seidel = 16384 20
gpu-gemm = 8192 8192 8192 1
gpu-tmv = 32768 32768 20
gpu-saxpy = 268435456 134217728 50
gpu-house = 268435456 134217728 50
gpu-ipvec = 1000000 2000
gpu-spmv = 4194304 32 100
gpu-ger = 4194304 32 100
gpu-gemver = 4194304 32 50
gpu-csc = 4194304 32 100
gpu-fwdelim = 4194304 16 50
gpu-sor = 2000 50
gpu-solve = --laplacian 256
gpu-rayleigh = 128 100 4 20
gpu-lattice = 64 64 64 128 50
