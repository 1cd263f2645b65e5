/* `graze check --memory`: a scene larger than memory, one slab after the other. */
#ifndef GRAZE_CHECK_SLABS_H
#define GRAZE_CHECK_SLABS_H

#include "check_options.h"

/* Finds the pairs of binary STL and PLY files of triangles, and reports their number and hash. */
exit_code check_by_slabs(const check_options *options);

#endif
