# SPDX-License-Identifier: MIT
#
# Builds, tests and installs Paragon.  Three things are built, all under $(BUILD):
#
#     include/*.def plugin/*.cc       -> paragon.so        loaded by cc1, cc1plus, f951 and lto1
#     include/*.def runtime/*.c       -> libparagon.so.1   opened by the programs that the plugin compiled
#     include/*.def runtime/cli/*     -> bin/paragon       the command, and from its lists its manual page
#							paragon.1, and paragon.bash, for the shell
#
# and libparagon.a, the same runtime objects with every symbol in reach, for the unit tests, and libkir.a, of which both
# take what they use: the descriptors' writer and reader, the kernel IR (runtime/kir), its printer and devices (cuda).
# The device without a GPU is a program of its own, which the library looks for in the folder paragon beside itself.
# `make demo` and `make check` do all set-up themselves; `make help` lists the rest.

# The GCC that will load the plugin: its headers, its major version, and what follows "gcc" in its name.
PLUGIN_GCC ?= gcc
GCC_MAJORS := 11 12
GCC_NEWEST := $(lastword $(GCC_MAJORS))
GCC_MAJOR  := $(firstword $(filter $(GCC_MAJORS),$(shell $(PLUGIN_GCC) -dumpversion 2> /dev/null | sed 's/\..*//')) \
	      $(GCC_NEWEST))
GCC_SUFFIX := $(patsubst gcc%,%,$(filter gcc%,$(notdir $(lastword $(PLUGIN_GCC)))))

ifeq ($(origin CC),default)
CC := $(PLUGIN_GCC)
endif
ifeq ($(origin CXX),default)
CXX := $(subst gcc,g++,$(PLUGIN_GCC))
endif
ifeq ($(origin FC),default)
FC := $(subst gcc,gfortran,$(PLUGIN_GCC))
endif

PREFIX    ?= /usr/local
PLUGINDIR ?= $(shell $(PLUGIN_GCC) -print-file-name=plugin)
N         ?= 1000
T         ?= 600
CLANG     ?= clang
TESTS     ?=
SAN       ?=
COVERAGE  ?=

ifneq ($(filter-out thread address,$(SAN)),)
$(error SAN is thread or address, not "$(SAN)")
endif

BUILD  := build$(addprefix -,$(filter-out $(GCC_NEWEST),$(GCC_MAJOR)) $(SAN))$(if $(COVERAGE),-coverage)
SONAME := libparagon.so.1

# Branches are counted as they stand in the source: before the optimisers join and split them.
CFLAGS   ?= $(if $(COVERAGE),-O0,-O2 -g)
CXXFLAGS ?= $(if $(COVERAGE),-O0,-O2 -g)
WARN     := -Wall -Wextra -Wundef -Wshadow -Werror
COMMON   := $(WARN) $(if $(COVERAGE),,-ffile-prefix-map='$(CURDIR)=.') -MMD -MP -Iinclude
comma    := ,
SANITIZE := $(if $(SAN),-fsanitize=$(SAN)$(if $(filter address,$(SAN)),$(comma)undefined) -fno-omit-frame-pointer)

# For `make coverage`.  What ends by _exit writes its counts before.
COUNT      := $(if $(COVERAGE),--coverage -fprofile-update=atomic)
COUNT_EXIT := $(if $(COVERAGE),testsuite/coverage/exit.c -Wl$(comma)--wrap=_exit -lgcov)

RUNTIME_FLAGS := -std=c11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -pthread $(COMMON) $(SANITIZE) $(COUNT)
PLUGIN_FLAGS   = -std=c++17 -fPIC -fno-rtti -fno-exceptions -Wno-literal-suffix $(COMMON) $(COUNT) \
		 -isystem $(shell $(PLUGIN_GCC) -print-file-name=plugin)/include
UNIT_FLAGS    := -std=c11 -D_GNU_SOURCE -pthread $(COMMON) -Iruntime -I. $(SANITIZE)

DESCRIPTOR_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/descriptor-*.c))
RUNTIME_OBJECTS := $(filter-out $(DESCRIPTOR_OBJECTS),$(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/*.c)))
PLUGIN_OBJECTS  := $(if $(SAN),,$(patsubst %.cc,$(BUILD)/%.o,$(wildcard plugin/*.cc)))
KIR_OBJECTS     := $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/kir/*.c cuda/*.c cuda/emu/*.c))
EMU_FILES       := $(addprefix $(BUILD)/paragon/,emu-device prelude.cuh emu/shim.h emu/kinds.h emu/options)
EMU_HEADER      := $(BUILD)/paragon/emu/shim.h.gch
CLI_OBJECTS     := $(patsubst %.c,$(BUILD)/%.o,$(wildcard runtime/cli/*.c))
UNIT_TESTS      := $(patsubst testsuite/unit/%.c,$(BUILD)/unit/%,$(wildcard testsuite/unit/test-*.c))
FUZZ_OBJECTS    := $(patsubst testsuite/%.c,$(BUILD)/%.o,$(wildcard testsuite/fuzz/*.c))
FUZZ_DRIVE      := $(filter $(BUILD)/fuzz/drive%,$(FUZZ_OBJECTS))
FUZZ_GENERATE   := $(filter-out $(FUZZ_DRIVE),$(FUZZ_OBJECTS))
FUZZ_KIR_OBJECTS := $(patsubst testsuite/%.c,$(BUILD)/%.o,$(wildcard testsuite/fuzz-kir/*.c))
FUZZ_KIR         := $(BUILD)/fuzz-kir/fuzz-kir
KERNELS_REPORT  := $(BUILD)/kernels-report/kernels-report
KERNELS_REPORT_OBJECTS := $(patsubst testsuite/%.c,$(BUILD)/%.o,$(wildcard testsuite/kernels-report/*.c))
FUZZ_PROGRAMS   := $(if $(FUZZ_DRIVE),$(BUILD)/fuzz/drive) $(if $(FUZZ_GENERATE),$(BUILD)/fuzz/generate)

READERS         := $(addprefix $(BUILD)/fuzz/read-,text packed)

# What the scripts of the test suite and of polybench know about this build.
ENVIRONMENT = PG_ROOT="$(CURDIR)" PG_BUILD="$(CURDIR)/$(BUILD)" PG_CC="$(CC)" PG_CXX="$(CXX)" PG_FC="$(FC)"
RUN_TESTS   = $(ENVIRONMENT) testsuite/lib/run.sh

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all setup demo check check-host fault model bench bench-overhead bench-size figures fuzz fuzz-kernels fuzz-kir \
	fuzz-kir-reader fault-built install uninstall lint format clean help check-built demo-built fuzz-built \
	fuzz-kernels-built fuzz-kir-built bench-built unit-tests plugin-gcc clang-fuzzer kernels-report gpu-bundle \
	check-page check-deb coverage coverage-built deb

all: $(if $(PLUGIN_OBJECTS),$(BUILD)/paragon.so) $(BUILD)/$(SONAME) $(BUILD)/libparagon.a $(EMU_FILES) \
     $(if $(SAN),,$(BUILD)/paragon.1 $(BUILD)/paragon.bash $(BUILD)/paragon/path/done)

# ---- the runtime

$(BUILD)/runtime/%.o: runtime/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) $(CFLAGS) -c $< -o $@

# Loading the library delays the program's first loop: few segments, and no library that it can do without.
RUNTIME_LINK := -Wl,-z,noseparate-code -Wl,-O1

# Only what the ABI list names is visible from outside.
$(BUILD)/export.map: include/paragon_abi.def Makefile
	@mkdir -p $(@D)
	{ echo 'PARAGON_1 { global:'; \
	  sed -n 's/^PG_ABI_FUNCTION ([^,]*, *\([A-Za-z0-9_]*\),.*/    \1;/p' $<; \
	  echo '  local: *; };'; } > $@

$(BUILD)/$(SONAME): $(RUNTIME_OBJECTS) $(BUILD)/libkir.a $(BUILD)/export.map
	$(CC) -shared -pthread $(SANITIZE) $(COUNT) -Wl,-soname,$(SONAME) -Wl,--version-script=$(BUILD)/export.map \
	  $(if $(SAN),,-Wl,-z,defs) $(RUNTIME_LINK) $(LDFLAGS) $(RUNTIME_OBJECTS) $(BUILD)/libkir.a \
	  -o $@ -Wl,--as-needed -lm

$(BUILD)/libparagon.a: $(RUNTIME_OBJECTS)
	rm -f $@
	$(AR) rcsD $@ $^

# ---- the kernel IR, its printer, and the device without a GPU

$(BUILD)/cuda/%.o: cuda/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(RUNTIME_FLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/cuda/prelude-text.o: cuda/prelude.cuh

$(BUILD)/libkir.a: $(DESCRIPTOR_OBJECTS) $(KIR_OBJECTS)
	rm -f $@
	$(AR) rcsD $@ $^

# What the device without a GPU needs to be there when a program runs.
$(BUILD)/paragon/emu-device: $(BUILD)/emu-device
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/paragon/%: cuda/%
	@mkdir -p $(@D)
	rm -f $(EMU_HEADER)
	cp $< $@

# For tests, which compile thousands of kernels: the compiler takes it instead of the header, where it is.  It must not
# be there with other options than it was made with.
$(EMU_HEADER): $(EMU_FILES)
	g++ @$(@D)/options -x c++-header $(@:.gch=) -o $@

# A sanitizer does not understand fibers.  The second one has those of the C library.
EMU_DEVICES := $(BUILD)/emu-device $(BUILD)/emu-device-ucontext
$(BUILD)/emu-device-ucontext: EMU_FLAGS := -DPG_EMU_UCONTEXT
$(BUILD)/emu-device: EMU_FLAGS := $(COUNT)
$(BUILD)/emu-device: EMU_LINK := $(COUNT_EXIT)
$(EMU_DEVICES): $(wildcard cuda/emu/*.h cuda/emu/device/*) Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -pthread -fPIE -pie -rdynamic $(filter-out -M%,$(COMMON)) $(EMU_FLAGS) $(CFLAGS) \
	  $(filter %.c,$^) -o $@ $(EMU_LINK) -ldl -Wl,--no-as-needed -lm

# ---- the command, which is called like the folder beside the library: it has one of its own

$(BUILD)/libcli.a: $(filter-out %/main.o %/wrap.o,$(CLI_OBJECTS))
	rm -f $@
	$(AR) rcsD $@ $^

$(BUILD)/runtime/cli/sample-text.o: runtime/cli/sample/sample.c
$(BUILD)/runtime/cli/page-text.o: $(wildcard runtime/cli/page/*)
$(CLI_OBJECTS): RUNTIME_FLAGS += -DPG_GCC_MAJOR=$(GCC_MAJOR) -DPG_GCC_NUMBER='"$(GCC_MAJOR)"' \
	-DPG_GCC_SUFFIX='"$(GCC_SUFFIX)"'

# What it asks of the machine, it asks as the library does.
$(BUILD)/bin/paragon: $(BUILD)/runtime/cli/main.o $(BUILD)/libcli.a $(BUILD)/libparagon.a $(BUILD)/libkir.a
	@mkdir -p $(@D)
	$(CC) -pthread $(SANITIZE) $(COUNT) $(LDFLAGS) $< -Wl,--start-group $(filter %.a,$^) -Wl,--end-group -o $@ \
	  -ljson-c -lelf -Wl,--as-needed -lm

# The compilers with the plugin: one program, and its name says which.  For PATH, each name has a folder, so that only
# those can be caught that are there.
WRAPPERS      := $(shell sed -n 's/^PG_COMPILER .[A-Z]*, "\([^"]*\)".*/\1/p' runtime/cli/compilers.def)
WRAPPED_NAMES := $(shell sed -n -e 's/" PG_GCC_NUMBER/$(GCC_MAJOR)"/' \
		   -e 's/^PG_COMPILER_NAME .[A-Z]*, "\([^"]*\)".*/\1/p' runtime/cli/compilers.def)
$(BUILD)/bin/$(firstword $(WRAPPERS)): $(BUILD)/runtime/cli/wrap.o $(BUILD)/libcli.a
	@mkdir -p $(@D)
	$(CC) -pthread $(SANITIZE) $(COUNT) $(LDFLAGS) $^ -o $@

$(BUILD)/paragon/path/done: $(BUILD)/bin/$(firstword $(WRAPPERS)) runtime/cli/compilers.def Makefile
	for name in $(wordlist 2,9,$(WRAPPERS)); do ln -sfn $(firstword $(WRAPPERS)) $(BUILD)/bin/$$name || exit 1; done
	for name in $(WRAPPED_NAMES); do \
	  mkdir -p $(@D)/$$name && ln -sfn ../../../bin/$(firstword $(WRAPPERS)) $(@D)/$$name/$$name || exit 1; \
	done
	touch $@

$(BUILD)/paragon.1: $(BUILD)/bin/paragon
	$< --manual > $@

$(BUILD)/paragon.bash: $(BUILD)/bin/paragon
	$< --completion > $@

# ---- the plugin

plugin-gcc:
	@v=$$($(PLUGIN_GCC) -dumpversion 2> /dev/null) || \
	  { echo "paragon: no $(PLUGIN_GCC): run make setup" >&2; exit 1; }; \
	if [ "$${v%%.*}" != $(GCC_MAJOR) ]; then \
	  echo "paragon: $(PLUGIN_GCC) is GCC $$v and the plugin is for one of these: $(GCC_MAJORS):" \
	       "make PLUGIN_GCC=gcc-$(GCC_NEWEST)" >&2; exit 1; \
	fi; \
	if [ ! -f "$$($(PLUGIN_GCC) -print-file-name=plugin)/include/gcc-plugin.h" ]; then \
	  echo "paragon: $(PLUGIN_GCC) has no plugin headers: run make setup" >&2; exit 1; \
	fi

# The lazy stub, as the plugin puts it into objects: position-independent, with labels of its own.
STUB       := $(BUILD)/plugin/lazy.s
STUB_FLAGS  = -std=c++17 $(filter-out -M%,$(COMMON)) $(if $(filter 11,$(GCC_MAJOR)),-Os,-Oz) -fPIC \
	      -fno-exceptions -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-stack-protector -fno-gnu-unique \
	      -fno-thread-jumps -fno-tree-dominator-opts -fno-tree-vrp --param logical-op-non-short-circuit=0 \
	      $(if $(filter x86_64-%,$(shell $(PLUGIN_GCC) -dumpmachine)),-fcf-protection=branch)
$(STUB): runtime/lazy/lazy.cc include/paragon_abi.def Makefile | plugin-gcc
	@mkdir -p $(@D)
	$(CXX) $(STUB_FLAGS) -S $< -o - | sed -e '1,/^\t\.text$$/d' -e '/\.note\.GNU-stack/,$$d' -e '/^\t\.ident/d' \
	  -e '/\.init_array/s/progbits/init_array/' \
	  -e 's/\.L/.Lparagon_/g' > $@
$(BUILD)/plugin/stub-text.o: $(STUB)
$(BUILD)/plugin/stub-text.o: PLUGIN_FLAGS += -DPG_STUB_FILE='"$(STUB)"'

$(BUILD)/plugin/%.o: plugin/%.cc Makefile | plugin-gcc
	@mkdir -p $(@D)
	$(CXX) $(PLUGIN_FLAGS) $(CXXFLAGS) -c $< -o $@

$(BUILD)/paragon.so: $(PLUGIN_OBJECTS) $(BUILD)/libkir.a
	$(CC) -shared $(COUNT) $(LDFLAGS) $(PLUGIN_OBJECTS) $(BUILD)/libkir.a -o $@

# ---- tests

# A unit test names what else it links with in a line `//! link: FLAGS` (-Wl,--wrap=malloc).
$(BUILD)/unit/%: testsuite/unit/%.c $(BUILD)/libparagon.a $(BUILD)/libkir.a $(BUILD)/libcli.a Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_FLAGS) $(CFLAGS) $< -o $@ $$(sed -n 's,^//! link:,,p' $<) \
	  -Wl,--start-group $(BUILD)/libparagon.a $(BUILD)/libkir.a $(BUILD)/libcli.a -Wl,--end-group -lcmocka -lm \
	  $(COUNT_EXIT)

$(BUILD)/fuzz/%.o: testsuite/fuzz/%.c Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(COMMON) $(CFLAGS) -c $< -o $@

$(BUILD)/fuzz/generate: $(FUZZ_GENERATE)
	$(CC) $(FUZZ_GENERATE) -o $@ -lm

$(BUILD)/fuzz/drive: $(FUZZ_DRIVE)
	$(CC) $(FUZZ_DRIVE) -o $@ -lm

$(BUILD)/fuzz-kir/%.o: testsuite/fuzz-kir/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_FLAGS) $(CFLAGS) -c $< -o $@

$(FUZZ_KIR): $(FUZZ_KIR_OBJECTS) $(BUILD)/libkir.a
	$(CC) $(SANITIZE) $(COUNT) $^ -o $@ -lm

$(BUILD)/kernels-report/%.o: testsuite/kernels-report/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(UNIT_FLAGS) $(CFLAGS) -c $< -o $@

$(KERNELS_REPORT): $(KERNELS_REPORT_OBJECTS) $(BUILD)/libkir.a
	$(CC) $(SANITIZE) $(COUNT) $^ -o $@ -lm

# A runtime that interprets kernels, for the tests of kind kir.
$(BUILD)/libparagon-interpret.so.1: testsuite/kir/interpret-library.c $(BUILD)/libkir.a Makefile
	$(CC) $(RUNTIME_FLAGS) -Iruntime $(CFLAGS) -shared $< -o $@ $(BUILD)/libkir.a -lm

# The readers of the kernel IR with libFuzzer, which is clang's.
clang-fuzzer:
	@echo 'int LLVMFuzzerTestOneInput (void) { return 0; }' | \
	  $(CLANG) -fsanitize=fuzzer,address,undefined -x c - -o /dev/null 2> /dev/null || \
	  { echo "paragon: no $(CLANG) with libFuzzer; please install what Debian calls: clang libclang-rt-14-dev" \
	      >&2; exit 1; }

$(BUILD)/fuzz/read-%: $(wildcard testsuite/fuzz/reader/*.[ch] runtime/kir/* cuda/print*) Makefile | clang-fuzzer
	@mkdir -p $(@D)
	$(CLANG) -std=c11 -D_GNU_SOURCE -O1 -g -I. -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -DCHECK=check_$* $(filter %.c,$^) -o $@ -lm

# What runs programs for the runner, and what keeps kernels for tests: small and static, for they start thousands of
# times.
HELPERS := $(BUILD)/attempt $(BUILD)/keeping/g++
$(BUILD)/attempt: testsuite/lib/attempt.c
$(BUILD)/keeping/g++: testsuite/lib/kept.c
$(HELPERS): Makefile
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(COMMON) -O2 -static $(filter %.c,$^) -o $@

unit-tests: $(UNIT_TESTS) $(EMU_DEVICES) $(HELPERS)

# One program builds with what the step before it may just have installed: hence a second make.
check: setup
	@$(MAKE) --no-print-directory check-built

check-built: all unit-tests $(EMU_HEADER) $(if $(SAN),,$(FUZZ_PROGRAMS) $(FUZZ_KIR) $(KERNELS_REPORT) \
	     $(BUILD)/libparagon-interpret.so.1)
	@$(RUN_TESTS) $(if $(SAN),unit)

# Plugin and runtime that count what is run; all else is as in any build.
coverage: TOOLS := gcovr
coverage: setup
	@$(MAKE) --no-print-directory COVERAGE=yes coverage-built

coverage-built: all unit-tests $(FUZZ_PROGRAMS) $(FUZZ_KIR) $(KERNELS_REPORT) $(BUILD)/libparagon-interpret.so.1
	@$(ENVIRONMENT) chrt -i 0 nice -n 19 testsuite/coverage/coverage.sh $(TESTS)

check-host: setup
	@$(MAKE) --no-print-directory all $(HELPERS)
	@$(RUN_TESTS) host

check-page: setup
	@$(MAKE) --no-print-directory all
	@$(ENVIRONMENT) testsuite/check-page.sh

check-deb: setup
	@$(ENVIRONMENT) testsuite/check-deb.sh || [ $$? = 77 ]

fault: setup
	@$(MAKE) --no-print-directory fault-built

fault-built: all $(HELPERS)
	@$(ENVIRONMENT) testsuite/fault/faults.sh every

model: setup
	@$(RUN_TESTS) model

fuzz: setup
	@$(MAKE) --no-print-directory fuzz-built

fuzz-kernels: setup
	@$(MAKE) --no-print-directory fuzz-kernels-built

fuzz-kernels-built: all $(FUZZ_PROGRAMS) $(BUILD)/libparagon-interpret.so.1
	@$(ENVIRONMENT) $(BUILD)/fuzz/drive --plugin $(BUILD)/paragon.so --library $(BUILD)/libparagon-interpret.so.1 \
	  --kernels --runs 2 -n $(N)

fuzz-built: all $(FUZZ_PROGRAMS)
	@$(ENVIRONMENT) $(BUILD)/fuzz/drive --plugin $(BUILD)/paragon.so --library $(BUILD)/$(SONAME) -n $(N)

fuzz-kir: setup
	@$(MAKE) --no-print-directory fuzz-kir-built

fuzz-kir-built: $(FUZZ_KIR) $(EMU_DEVICES)
	@$(ENVIRONMENT) $(FUZZ_KIR) -n $(N) --keep $(BUILD)/fuzz-kir/failures

fuzz-kir-reader: $(READERS)
	@$(ENVIRONMENT) testsuite/fuzz/reader/run.sh "$(T)"

demo: setup
	@$(MAKE) --no-print-directory demo-built

demo-built: all
	@$(ENVIRONMENT) testsuite/demo.sh

bench: all
	@$(ENVIRONMENT) polybench/bench.sh

bench-overhead: all
	@$(ENVIRONMENT) polybench/bench-overhead.sh

bench-size: all
	@$(ENVIRONMENT) polybench/bench-size.sh

# A picture needs a program that draws; what it shows has been measured before.
figures: TOOLS := gnuplot-nox
figures: setup
	@$(ENVIRONMENT) polybench/figures.sh

kernels-report: all $(KERNELS_REPORT)
	@$(ENVIRONMENT) testsuite/kernels-report/report.sh

gpu-bundle: all unit-tests
	@$(ENVIRONMENT) testsuite/gpu/bundle.sh

lint:
	@testsuite/check-include-rules.sh
	@testsuite/check-style.sh

format:
	@testsuite/check-style.sh --format

# ---- set-up and installation

setup:
	@PLUGIN_GCC="$(PLUGIN_GCC)" CC="$(CC)" CXX="$(CXX)" FC="$(FC)" GCC_MAJORS="$(GCC_MAJORS)" TOOLS="$(TOOLS)" \
	  .ci/setup

VERSION := $(shell sed -n 's/.*"Paragon \([0-9.]*\)".*/\1/p' plugin/paragon-plugin.cc)

# What is told to other programs: how to give the plugin to the compiler.
FILL_IN = sed -e 's,@PREFIX@,$(PREFIX),g' -e 's,@PLUGIN@,$(PLUGINDIR)/paragon.so,g' -e 's,@MAJOR@,$(GCC_MAJOR),g' \
	  -e 's,@VERSION@,$(VERSION),g'
DESCRIPTIONS := pkgconfig/paragon.pc cmake/Paragon/ParagonConfig.cmake cmake/Paragon/paragon-toolchain.cmake \
		paragon/paragon.specs

# The plugin finds the library beside itself: there a link stands to where the library is.  The command and the wrappers
# find the plugin by a link in the library's folder.
install: all
	install -d "$(DESTDIR)$(PREFIX)/lib/paragon/emu" "$(DESTDIR)$(PLUGINDIR)" "$(DESTDIR)$(PREFIX)/bin" \
	  "$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	  $(addprefix "$(DESTDIR)$(PREFIX)/lib/,$(addsuffix ",$(sort $(dir $(DESCRIPTIONS))))) \
	  $(addprefix "$(DESTDIR)$(PREFIX)/lib/paragon/path/,$(addsuffix ",$(WRAPPED_NAMES)))
	install -m 755 $(BUILD)/bin/paragon $(BUILD)/bin/$(firstword $(WRAPPERS)) "$(DESTDIR)$(PREFIX)/bin/"
	install -m 644 $(BUILD)/paragon.1 "$(DESTDIR)$(PREFIX)/share/man/man1/paragon.1"
	install -m 644 $(BUILD)/paragon.bash "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/paragon"
	install -m 755 $(BUILD)/$(SONAME) "$(DESTDIR)$(PREFIX)/lib/$(SONAME)"
	install -m 644 $(BUILD)/paragon.so "$(DESTDIR)$(PLUGINDIR)/paragon.so"
	ln -sfn "$(PREFIX)/lib/$(SONAME)" "$(DESTDIR)$(PLUGINDIR)/$(SONAME)"
	ln -sfn "$(PLUGINDIR)/paragon.so" "$(DESTDIR)$(PREFIX)/lib/paragon/paragon.so"
	install -m 755 $(BUILD)/paragon/emu-device "$(DESTDIR)$(PREFIX)/lib/paragon/"
	install -m 644 $(BUILD)/paragon/prelude.cuh "$(DESTDIR)$(PREFIX)/lib/paragon/"
	install -m 644 $(filter $(BUILD)/paragon/emu/%,$(EMU_FILES)) "$(DESTDIR)$(PREFIX)/lib/paragon/emu/"
	for name in $(wordlist 2,9,$(WRAPPERS)); do \
	  ln -sfn $(firstword $(WRAPPERS)) "$(DESTDIR)$(PREFIX)/bin/$$name" || exit 1; \
	done
	for name in $(WRAPPERS); do \
	  ln -sfn paragon.1 "$(DESTDIR)$(PREFIX)/share/man/man1/$$name.1" || exit 1; \
	done
	for name in $(WRAPPED_NAMES); do \
	  ln -sfn ../../../../bin/$(firstword $(WRAPPERS)) \
	    "$(DESTDIR)$(PREFIX)/lib/paragon/path/$$name/$$name" || exit 1; \
	done
	for file in $(DESCRIPTIONS); do \
	  $(FILL_IN) packaging/$${file##*/}.in > "$(DESTDIR)$(PREFIX)/lib/$$file" || exit 1; \
	done

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/lib/$(SONAME)" "$(DESTDIR)$(PLUGINDIR)/paragon.so" \
	  "$(DESTDIR)$(PLUGINDIR)/$(SONAME)" "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/paragon" \
	  $(addprefix "$(DESTDIR)$(PREFIX)/lib/,$(addsuffix ",$(DESCRIPTIONS)))
	for name in paragon $(WRAPPERS); do \
	  rm -f "$(DESTDIR)$(PREFIX)/bin/$$name" "$(DESTDIR)$(PREFIX)/share/man/man1/$$name.1"; \
	done
	rm -rf "$(DESTDIR)$(PREFIX)/lib/paragon" "$(DESTDIR)$(PREFIX)/lib/cmake/Paragon"

# In a root of its own: as Debian wants it, the plugin where its compiler looks, all else below /usr.
deb: all
	rm -rf "$(BUILD)/deb"
	@$(MAKE) --no-print-directory -s install PREFIX=/usr "DESTDIR=$(CURDIR)/$(BUILD)/deb/root" \
	  "PLUGINDIR=$(PLUGINDIR)"
	@PG_VERSION=$(VERSION) PG_MAJOR=$(GCC_MAJOR) PG_BUILT_FOR=$(PLUGIN_GCC) packaging/deb.sh "$(BUILD)/deb"

clean:
	rm -rf build build-thread build-address build-coverage $(addprefix build-,$(GCC_MAJORS))

help:
	@echo 'make                                the plugin, the runtime library and the command, in build/'
	@echo 'make setup                          install what is missing'
	@echo 'make demo                           build, rebuild a program with the plugin, show what it gains'
	@echo 'make check [SAN=thread|address]     all tests; the unit tests under a sanitizer'
	@echo 'make coverage [TESTS=tests]         the lines and branches of plugin and runtime that tests run'
	@echo 'make check-host                     tests of what a program may do to its process'
	@echo 'make check-page                     the page of `paragon report` in Chromium'
	@echo 'make check-deb                      the Debian package in a new Debian, which is fetched'
	@echo 'make fault                          each call of the runtime made to fail in turn, as three programs run'
	@echo 'make model                          protocols of the runtime, as models that spin checks'
	@echo 'make fuzz [N=programs]              random programs, compared with their plain build'
	@echo 'make fuzz-kernels [N=programs]       the same, their kernels interpreted'
	@echo 'make fuzz-kir [N=kernels]            random kernels: each way to run them, compared with the interpreter'
	@echo 'make fuzz-kir-reader [T=seconds]    any bytes, given to the readers of the kernel IR'
	@echo 'make bench, bench-overhead, bench-size  measure'
	@echo 'make figures                        draw what was measured, as the paper does'
	@echo 'make kernels-report                 what nvcc makes of the kernels of the benchmark programs'
	@echo 'make gpu-bundle                     all that a machine with a GPU needs to test and to measure'
	@echo 'make install, uninstall [PREFIX=$(PREFIX)] [DESTDIR=] [PLUGINDIR=$(PLUGINDIR)]'
	@echo 'make deb                            a Debian package of it, in build/deb'
	@echo 'make lint, format, clean'

-include $(CLI_OBJECTS:.o=.d) $(RUNTIME_OBJECTS:.o=.d) $(DESCRIPTOR_OBJECTS:.o=.d) $(KIR_OBJECTS:.o=.d)
-include $(BUILD)/libparagon-interpret.so.d
-include $(KERNELS_REPORT_OBJECTS:.o=.d)
-include $(PLUGIN_OBJECTS:.o=.d) $(FUZZ_OBJECTS:.o=.d) $(FUZZ_KIR_OBJECTS:.o=.d) $(addsuffix .d,$(UNIT_TESTS))
