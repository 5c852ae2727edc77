/* SPDX-License-Identifier: GPL-3.0-or-later
   A unit's kernels, assembled ahead of time.  */
#ifndef PARAGON_ASSEMBLE_H
#define PARAGON_ASSEMBLE_H

/* Whether TARGETS is a list of what nvcc may be asked for: sm_90, for a cubin, compute_75, for PTX.  */
extern bool pg_targets_valid (const char *targets);

/* Have nvcc make of the CUDA C in FOLDER/NAME.cu, for each of TARGETS, FOLDER/NAME.TARGET.cubin or .ptx.  What cannot
   be had is told by a note, and changes nothing else.  */
extern void pg_assemble (const char *folder, const char *name, const char *targets);

#endif
