/* Replaces the peer of graze_robot in builds without another library. */
#include "bench/robot_peer.h"

robot_peer *robot_peer_open(const robot_mesh *room, const robot_mesh *link, size_t link_count) {
  (void)room;
  (void)link;
  (void)link_count;
  return NULL;
}

const char *robot_peer_name(void) {
  return "";
}

bool robot_peer_test(robot_peer *peer, const graze_pose *poses) {
  (void)peer;
  (void)poses;
  return false;
}

void robot_peer_close(robot_peer *peer) {
  (void)peer;
}
