#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Memory, threads, files and processes that cannot be had are done without: some of what `make fault` does.

. "$PG_ROOT/testsuite/lib/script.sh"
exec "$PG_ROOT/testsuite/fault/faults.sh" few
