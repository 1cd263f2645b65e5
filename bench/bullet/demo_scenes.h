// The scenes of the Bullet demonstration. The soft ones are those of figure 6.3 of the thesis: bodies fall into a net.
#ifndef GRAZE_DEMO_SCENES_H
#define GRAZE_DEMO_SCENES_H

#include "bench/bullet/demo_world.h"

struct demo_scene {
  const char *name, *words;
  int steps; // of a whole run
  bool soft; // has soft bodies, for which Bullet's clusters are also tested
  void (*build)(demo_world &world);
};

const std::vector<demo_scene> &demo_scenes();

#endif
