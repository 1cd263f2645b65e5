/* Soft balls of tetrahedra that fall into a net: bars of tetrahedra that cross each other at a tiny distance and sag
 * towards the middle. The net is rigid. */
#include "simulation/scene_table.h"

#include "models/model_builder.h"
#include "models/seeded_random.h"

#include <stdio.h>
#include <stdlib.h>

enum { BARS = 9, SEGMENTS = 24, LEAST_BALLS = 4, MOST_BALLS = 40, BALL_TETRAHEDRA = 500 };

static const double net_side = 2.0, bar_width = 0.02;

/* The six tetrahedra of a cube along its diagonal; bits of a corner are its positions along the three axes. */
static const uint8_t cube_split[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                         {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

static double sag(double x, double z) {
  return 0.35 * (x * x + z * z);
}

/* Corner k of the cross section of a bar; bars of the second direction run along z, below the others. */
static point3 bar_corner(size_t bar, size_t section, size_t k) {
  const bool second = bar >= BARS;
  const double along = net_side * ((double)section / SEGMENTS - 0.5);
  const double across = net_side * ((double)(bar % BARS) / (BARS - 1) - 0.5);
  const double aside = across + (k & 1 ? bar_width : -bar_width);
  const double up = sag(along, across) + (k & 2 ? bar_width : -bar_width) - (second ? 4.0 * bar_width : 0.0);
  return second ? point3_make(-aside, up, along) : point3_make(along, up, aside);
}

static mesh *add_net(scene_stage *stage) {
  mesh *m = stage_add_mesh(stage, "net", MESH_TETRAHEDRA);
  if (m == NULL) return NULL;
  const size_t bars = 2 * (size_t)BARS, sections = SEGMENTS + 1;
  m->vertex_count = bars * sections * 4;
  m->tetrahedron_count = bars * SEGMENTS * 6;
  m->positions = malloc(3 * m->vertex_count * sizeof(double));
  m->tetrahedra = malloc(4 * m->tetrahedron_count * sizeof(uint32_t));
  if (m->positions == NULL || m->tetrahedra == NULL) {
    stage_out_of_memory(stage);
    return NULL;
  }
  for (size_t i = 0; i < m->vertex_count; ++i) {
    mesh_set_vertex(m, i, bar_corner(i / (4 * sections), i / 4 % sections, i % 4));
  }
  /* Corner bits: 4 along the bar, 1 across it, 2 up. */
  for (size_t i = 0; i < m->tetrahedron_count; ++i) {
    const uint8_t *corners = cube_split[i % 6];
    const uint64_t first = 4 * (i / 6 / SEGMENTS * sections + i / 6 % SEGMENTS);
    mesh_set_tetrahedron(m, i, first + corners[0], first + corners[2], first + corners[1], first + corners[3]);
  }
  return m;
}

static bool drop_ball(scene_stage *stage, uint64_t number, uint64_t tetrahedra, random_stream *draw) {
  char name[32];
  snprintf(name, sizeof name, "ball_%llu", (unsigned long long)number);
  mesh *ball = stage_add_model(stage, "tet-ball", tetrahedra, 0, name);
  if (ball == NULL) return false;
  /* Layers of four. */
  const double x = (number & 1 ? 0.3 : -0.3) + random_between(draw, -0.05, 0.05);
  const double z = (number & 2 ? 0.3 : -0.3) + random_between(draw, -0.05, 0.05);
  mesh_place(ball, 0.22, point3_make(x, 0.45 + 0.5 * (double)(number / 4), z));
  return stage_check(stage, simulation_add_soft(stage->world, ball, 0.01, point3_make(0.0, -0.5, 0.0)));
}

bool start_soft_net(scene_stage *stage) {
  const uint64_t net = UINT64_C(12) * BARS * SEGMENTS, total = stage->parameters.primitives;
  const uint64_t left = total > net ? total - net : 0;
  const uint64_t wanted = rounded_count((double)left / BALL_TETRAHEDRA, LEAST_BALLS);
  const uint64_t count = wanted < MOST_BALLS ? wanted : MOST_BALLS;
  const uint64_t each = left / count < 60 ? 60 : left / count;
  random_stream draw = random_stream_make(stage->parameters.seed, 41);
  simulation_settings settings = simulation_settings_default();
  settings.gravity = point3_make(0.0, -2.0, 0.0);
  settings.thickness = 0.1 / cube_root((double)each);
  if (settings.thickness > 0.5 * bar_width) settings.thickness = 0.5 * bar_width;
  if (!stage_reserve(stage, (size_t)count + 1) || !stage_make_world(stage, &settings)) return false;
  mesh *below = add_net(stage);
  if (below == NULL || !stage_check(stage, simulation_add_kinematic(stage->world, below))) return false;
  for (uint64_t i = 0; i < count; ++i) {
    if (!drop_ball(stage, i, each, &draw)) return false;
  }
  return true;
}
