/* Cuts a prism into three tetrahedra by the numbers of its vertices, so that prisms on both sides of a face agree.
 *
 * Every side is cut by the diagonal at the lowest number of its four. Rotated so that the lowest of all six is the
 * first corner, two sides are thereby cut, and the diagonal of the third one chooses between two cases (Dompierre,
 * Labbe, Vallet, Camarero, "How to subdivide pyramids, prisms, and hexahedra into tetrahedra", 1999). */
#ifndef GRAZE_PRISM_SPLIT_H
#define GRAZE_PRISM_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void tetrahedron_write(uint64_t tetrahedron_out[4], uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  tetrahedron_out[0] = a;
  tetrahedron_out[1] = b;
  tetrahedron_out[2] = c;
  tetrahedron_out[3] = d;
}

/* The triangle `lower` is counterclockwise seen from `upper`; lower[i] is joined to upper[i]. The tetrahedra have
 * positive volumes if the prism has. */
static inline void prism_split(const uint64_t lower[3], const uint64_t upper[3], uint64_t tetrahedra_out[3][4]) {
  size_t least = 0;
  bool is_upper = false;
  for (size_t i = 0; i < 6; ++i) {
    const uint64_t lowest = is_upper ? upper[least] : lower[least];
    if ((i < 3 ? lower[i] : upper[i - 3]) >= lowest) continue;
    least = i % 3;
    is_upper = i >= 3;
  }
  /* Seen from its other end, a prism has the opposite orientation, so its corners are taken in reverse order. */
  const size_t step = is_upper ? 2 : 1, second = (least + step) % 3, third = (least + 2 * step) % 3;
  const uint64_t *near = is_upper ? upper : lower, *far = is_upper ? lower : upper;
  const uint64_t a = near[least], b = near[second], c = near[third];
  const uint64_t d = far[least], e = far[second], f = far[third];
  tetrahedron_write(tetrahedra_out[0], a, d, e, f);
  if ((b < f ? b : f) < (c < e ? c : e)) {
    tetrahedron_write(tetrahedra_out[1], a, b, c, f);
    tetrahedron_write(tetrahedra_out[2], a, b, f, e);
  } else {
    tetrahedron_write(tetrahedra_out[1], a, b, c, e);
    tetrahedron_write(tetrahedra_out[2], a, e, c, f);
  }
}

#endif
