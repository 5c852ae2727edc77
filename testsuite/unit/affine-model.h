/* SPDX-License-Identifier: MIT
   Random loop nests whose references are all affine.  */
#ifndef PARAGON_AFFINE_MODEL_H
#define PARAGON_AFFINE_MODEL_H

#include "loop-model.h"

/* A nest of N_DIMS loops with references of random shape.  Rectangular nests without guards can be told exactly.  */
static inline void
random_affine_model (struct model *m, bool is_plain)
{
  uint64_t random = m->random;
  memset (m, 0, offsetof (struct model, memory));
  m->random = random;
  uint32_t n_dims = (uint32_t) model_pick (m, 1, 4), n_refs = (uint32_t) model_pick (m, 1, 4);
  int64_t slope[PG_MAX_DIMS];
  m->n_iters = model_pick (m, 1, 12);
  m->dims[0].parent = -1;
  for (int d = 1; d < (int) n_dims; d++)
    {
      m->dims[d].parent = (int16_t) model_pick (m, 0, d - 1);
      m->last_base[d] = model_pick (m, is_plain ? 0 : -2, 4);
      m->dims[d].flags = model_pick (m, 0, 2) == 0 ? PG_DIM_ONCE : 0;
      for (int outer = m->dims[d].parent; outer >= 0 && !is_plain; outer = m->dims[outer].parent)
	m->last_coef[d][outer] = model_pick (m, 0, 2) ? 0 : model_pick (m, -1, 1);
    }
  for (uint32_t d = 0; d < n_dims; d++)
    slope[d] = (int64_t) 1 << model_pick (m, 0, 5);
  for (uint32_t r = 0; r < n_refs; r++)
    {
      struct model_ref *ref = &m->refs[r];
      ref->feed = -1;
      ref->dim = (int) model_pick (m, 0, n_dims - 1);
      ref->len = (int64_t) 1 << model_pick (m, 0, 3);
      ref->base = model_pick (m, 0, 3) ? model_pick (m, 0, 16) * ref->len : model_pick (m, 0, 400);
      for (int d = ref->dim; d >= 0; d = m->dims[d].parent)
	ref->coef[d] = model_pick (m, 0, 2) ? slope[d] : is_plain && d == 0 ? slope[0] : model_pick (m, -30, 40);
      ref->flags = (uint8_t) model_pick (m, 1, 3);
      ref->is_guarded = !is_plain && model_pick (m, 0, 3) == 0;
    }
  m->region.flags = model_pick (m, 0, 1) ? PG_REGION_SLICE_STABLE : 0;
  model_describe (m, n_dims, n_refs);
}

#endif
