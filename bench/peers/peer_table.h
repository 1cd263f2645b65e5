// The list of libraries in the comparison: one row per driver.
#ifndef GRAZE_PEER_TABLE_H
#define GRAZE_PEER_TABLE_H

#include "peer.h"

struct peer_row {
  const char *name;
  bool threaded; // supports more than one thread
  bool exact;    // its answer can be the reference of the table
  bool is_graze; // not a competitor of itself
  std::unique_ptr<peer> (*make)(uint32_t threads);
};

// The reference is the first exact row that answered, so that another library checks graze if one ran.
inline const std::vector<peer_row> &peer_rows() {
  static const std::vector<peer_row> rows = {
      {"cgal", true, true, false, make_peer_cgal},
      {"graze", true, true, true, make_peer_graze},
      {"graze-workers", true, false, true, make_peer_graze_workers},
      {"graze-kept", true, false, true, make_peer_graze_kept},
      {"embree", true, false, false, make_peer_embree},
      {"embree+graze", true, false, false, make_peer_embree_graze},
      {"lbvh+graze", true, false, false, make_peer_lbvh},
      {"fcl", false, false, false, make_peer_fcl},
      {"bullet", false, false, false, make_peer_bullet},
      {"ode", false, false, false, make_peer_ode},
  };
  return rows;
}

// Ratios are relative to this row.
constexpr const char *base_peer = "graze";

// The strictest competitor: Embree's search with graze's own triangle test, which is cheaper than CGAL's.
constexpr const char *rival_peer = "embree+graze";

#endif
