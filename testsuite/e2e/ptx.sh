#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Kernels assembled ahead of time: nvcc is asked as it must be, with nothing of the driver's in its environment; whether
# it can, fails or is not there, the object is the same, and what is missing is told once.

. "$PG_ROOT/testsuite/lib/script.sh"
sample
mkdir -p cuda/bin kernels
cat > cuda/bin/nvcc << 'NVCC'
#!/bin/sh
echo "$*" >> asked
env | grep -E '^(COLLECT_|COMPILER_PATH|GCC_EXEC_PREFIX|LIBRARY_PATH)' >> leaked
for last; do :; done
echo code > "$last"
[ ! -f fails ]
NVCC
chmod +x cuda/bin/nvcc
export CUDA_HOME=$PWD/cuda

compile ()
{
  "$PG_CC" -O2 "-fplugin=$plugin" -fplugin-arg-paragon-kir "$@" -c sample.c 2> messages
}

compile -o without.o || fail "$(cat messages)"
cuda=-fplugin-arg-paragon-cuda=kernels ptx=-fplugin-arg-paragon-ptx

LIBRARY_PATH=/nowhere compile $cuda $ptx=sm_90,compute_75 -o with.o || fail "$(cat messages)"
[ ! -s messages ] || fail "the compiler says something: $(cat messages)"
[ ! -s leaked ] || fail "nvcc gets what the driver says: $(cat leaked)"
cat > expected << 'END'
-arch=sm_90 -cubin -fmad=false -w kernels/sample.cu -o kernels/sample.sm_90.cubin
-arch=compute_75 -ptx -fmad=false -w kernels/sample.cu -o kernels/sample.compute_75.ptx
END
diff expected asked || fail "nvcc is asked for something else"
[ -s kernels/sample.sm_90.cubin ] && [ -s kernels/sample.compute_75.ptx ] || fail "not there: $(ls kernels)"
cmp without.o with.o || fail "the object is another one"

# A unit without kernels asks nobody.
rm asked
echo 'int none;' > none.c
"$PG_CC" -O2 "-fplugin=$plugin" $cuda $ptx=sm_90 -c none.c || exit 1
[ ! -f asked ] || fail "nvcc is asked for nothing"

touch fails
compile $cuda $ptx=sm_90,compute_75 -o with.o || fail "an nvcc that fails is an error: $(cat messages)"
[ "$(grep -c 'note: paragon: no sm_90 code: .nvcc -arch=sm_90 -cubin' messages)" -eq 1 ] &&
  [ "$(grep -c paragon: messages)" -eq 1 ] || fail "not told once: $(cat messages)"
[ ! -e kernels/sample.sm_90.cubin ] || fail "what failed is left behind"
cmp without.o with.o || fail "the object is another one"

for bad in sm_ "sm_90," sm_90ab compute_75,x "sm_90 -o" native
do
  compile $cuda "$ptx=$bad" -o with.o && fail "$bad is accepted"
  grep -q "takes targets" messages || fail "$bad: $(cat messages)"
done
compile $ptx=sm_90 -o with.o && fail "there is nowhere to write to, and that is accepted"
grep -q 'needs .cuda.' messages || fail "$(cat messages)"

export CUDA_HOME=/nowhere
if nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)
then
  compile $cuda $ptx=sm_90 -o with.o || fail "$(cat messages)"
  [ "$(head -c 4 kernels/sample.sm_90.cubin | tail -c 3)" = ELF ] || fail "no cubin of $nvcc: $(cat messages)"
else
  compile $cuda $ptx=sm_90 -o with.o || fail "no nvcc is an error: $(cat messages)"
  grep -q 'note: paragon: no sm_90 code of .kernels/sample.cu.: nvcc is not found' messages || fail "$(cat messages)"
fi
cmp without.o with.o || fail "the object is another one"
exit 0
