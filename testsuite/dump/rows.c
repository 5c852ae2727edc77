/* SPDX-License-Identifier: MIT */
//! opts: -O3
//! flags: -fplugin-arg-paragon-threshold=0
//! scan: pgcolumns 5 "^loop [0-9]*: 4 rows at a time"
//! scan: pgcolumns 1 "^loop [0-9]*: 2 rows at a time"
/* Rows that are taken several at a time: all of these but triangle.  */
#include "../e2e/rows.c"
