/* SPDX-License-Identifier: GPL-3.0-or-later
   What is known of a floating-point product by its factors.  */
#ifndef PARAGON_FACTORS_H
#define PARAGON_FACTORS_H

#include "gcc-includes.h"

/* True if PRODUCT is one of whole numbers that are so small that it is never rounded: fused or not is all the same.  */
extern bool pg_exact_p (gimple *product);

#endif
