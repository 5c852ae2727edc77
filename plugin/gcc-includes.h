/* SPDX-License-Identifier: GPL-3.0-or-later
   GCC's headers, in the one order in which they compile outside GCC's tree, and shims between GCC versions.
   Nothing else in plugin/ includes a GCC header or tests GCCPLUGIN_VERSION.  */
#ifndef PARAGON_GCC_INCLUDES_H
#define PARAGON_GCC_INCLUDES_H

#include "gcc-plugin.h"
#include "plugin-version.h"

#include "config.h"
#include "system.h"
#include "coretypes.h"
#include "backend.h"
#include "target.h"
#include "rtl.h"
#include "insn-attr.h"
#include "rtl-iter.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "ssa.h"
#include "alias.h"
#include "cgraph.h"
#include "context.h"
#include "diagnostic.h"
#include "dumpfile.h"
#include "fold-const.h"
#include "attribs.h"
#include "stringpool.h"
#include "stor-layout.h"
#include "output.h"
#include "toplev.h"
#include "langhooks.h"
#include "cfganal.h"
#include "cfgloop.h"
#include "cfghooks.h"
#include "gimple-iterator.h"
#include "gimple-fold.h"
#include "gimple-walk.h"
#include "gimple-pretty-print.h"
#include "gimplify.h"
#include "gimplify-me.h"
#include "tree-cfg.h"
#include "tree-dfa.h"
#include "tree-eh.h"
#include "tree-into-ssa.h"
#include "tree-inline.h"
#include "tree-iterator.h"
#include "tree-phinodes.h"
#include "tree-nested.h"
#include "tree-ssa.h"
#include "tree-ssa-alias.h"
#include "tree-ssanames.h"
#include "tree-ssa-operands.h"
#include "tree-ssa-loop.h"
#include "tree-ssa-loop-ivopts.h"
#include "tree-ssa-loop-manip.h"
#include "tree-ssa-loop-niter.h"
#include "tree-data-ref.h"
#include "tree-hash-traits.h"
#include "tree-vectorizer.h"
#include "value-query.h"
#include "gimple-range.h"
#include "gimple-range-fold.h"
#include "tree-scalar-evolution.h"
#include "tree-affine.h"
#include "builtins.h"
#include "internal-fn.h"
#include "ipa-ref.h"
#include "ipa-utils.h"
#include "opts.h"
#include "options.h"
#include "print-tree.h"
#include "varasm.h"
#include "debug.h"
#include "plugin.h"
#include "file-prefix-map.h"

#if GCCPLUGIN_VERSION_MAJOR < 12
#include "gcc-11.h"
#endif

/* A copy of NODE's function, its name with SUFFIX.  */
inline cgraph_node *
pg_gcc_clone (cgraph_node *node, const char *suffix)
{
#if GCCPLUGIN_VERSION_MAJOR < 12
  return node->create_version_clone_with_body (vNULL, NULL, NULL, NULL, NULL, suffix);
#else
  return node->create_version_clone_with_body (vNULL, NULL, NULL, NULL, NULL, suffix, NULL_TREE, false);
#endif
}

/* demangle.h is not installed, its functions are in every front end.  OPTIONS 0: without parameters.  */
extern "C" char *cplus_demangle_v3 (const char *mangled, int options);

#endif
