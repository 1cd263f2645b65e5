// A peer in a process of its own, so that one that crashes, aborts or never ends costs a row and not the table.
//
// The process lives through all rounds of one scene and answers one call at a time when it is told to: calls of
// different peers can be interleaved, and each finds its process warm. The scene is inherited by fork, never copied; no
// thread may run in the parent at that time.
#ifndef GRAZE_PEER_CHILD_H
#define GRAZE_PEER_CHILD_H

#include "peer_table.h"

#include "bench/bench_scene.h"

#include <string>
#include <sys/types.h>

// The scene as peers see it.
struct peer_scene {
  bench_kind kind;
  std::vector<float> floats[2];
  peer_mesh meshes[2];
  std::vector<peer_pose> poses;
  size_t triangle_count;

  explicit peer_scene(const bench_scene &scene); // borrows the scene's arrays
  peer_scene(const peer_scene &) = delete;
};

enum class peer_state : uint32_t { answered, failed, crashed, over_time };

// Plain bytes: sent through a pipe.
struct peer_answer {
  peer_state state;
  double build_ms, query_ms;
  double cpu_ms;  // of all threads over the whole call, the release of memory included: steadier on a busy machine
  uint64_t count; // pairs, or poses that meet
  uint64_t hash;  // graze_pairs_hash of the sorted pairs, or of the poses that meet
  char message[160];
};

class peer_child {
public:
  peer_child(const peer_row &row, uint32_t threads, const peer_scene &scene);
  peer_child(const peer_child &) = delete;
  ~peer_child();

  // One call. After any state but `answered` the process is gone.
  peer_answer ask(double limit_seconds);
  void stop();

private:
  peer_answer lost(peer_state state);

  pid_t process_ = -1;
  int command_ = -1;
  int result_ = -1;
};

#endif
