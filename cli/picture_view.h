/* The view of a picture: orthographic, chosen so that marked triangles are visible. */
#ifndef GRAZE_PICTURE_VIEW_H
#define GRAZE_PICTURE_VIEW_H

#include "mesh_io/mesh.h"

typedef struct picture_view {
  double factor;     /* a power of two that brings all coordinates into [-1, 1], so that nothing overflows */
  double center[3];  /* center of the visible part in normalized coordinates, after the factor */
  double axis[3][3]; /* unit vectors: right, up, toward the viewer */
  double pixels_per_unit;
  double middle_x, middle_y; /* pixel of the center */
  double radius;  /* radius of the visible part in normalized coordinates, after the factor: the unit of depth */
  bool is_zoomed; /* shows a part of the scene: edges are drawn regardless of the number of triangles */
  double cut;     /* what is nearer, in units of depth, is cut away, because it hides the focus; else infinite */
} picture_view;

/* The up direction: an axis or its opposite. */
typedef enum picture_up {
  PICTURE_UP_X,
  PICTURE_UP_Y,
  PICTURE_UP_Z,
  PICTURE_DOWN_X,
  PICTURE_DOWN_Y,
  PICTURE_DOWN_Z,
  PICTURE_UP_COUNT
} picture_up;

typedef struct picture_box {
  double low[3], high[3];
} picture_box;

/* Azimuth 0 is the front view: x points to the right, or y if x is up. 90 is the view from the right. */
typedef struct picture_camera {
  picture_up up;
  bool is_set;               /* false: the direction is chosen */
  double azimuth, elevation; /* degrees */
  const picture_box *focus;  /* the part that fills the frame; NULL: the scene */
} picture_camera;

/* Chooses the parameters that the camera leaves open, for a frame of width x height pixels. False when out of
 * memory. */
bool picture_view_choose(const mesh *meshes, size_t mesh_count, const uint8_t *const *marked,
                         const picture_camera *camera, double width, double height, picture_view *view_out);

/* Returns the unit vectors right, up and toward the viewer of a camera; the default direction if it has none. */
void picture_camera_axes(const picture_camera *camera, double axes_out[3][3]);

/* Returns the number of drawn parts of a mesh: its spheres or its triangles. */
static inline size_t picture_element_count(const mesh *m) {
  return m->kind == MESH_SPHERES ? m->vertex_count : m->triangle_count;
}

/* Projects a point: x to the right and y down in pixels, z toward the viewer in units of the radius. Not finite if p is
 * not. */
static inline void picture_view_project(const picture_view *view, const double *p, double projected_out[3]) {
  const double x = p[0] * view->factor - view->center[0], y = p[1] * view->factor - view->center[1];
  const double z = p[2] * view->factor - view->center[2];
  const double(*axis)[3] = view->axis;
  projected_out[0] = view->middle_x + view->pixels_per_unit * (axis[0][0] * x + axis[0][1] * y + axis[0][2] * z);
  projected_out[1] = view->middle_y - view->pixels_per_unit * (axis[1][0] * x + axis[1][1] * y + axis[1][2] * z);
  projected_out[2] = (axis[2][0] * x + axis[2][1] * y + axis[2][2] * z) / view->radius;
}

#endif
