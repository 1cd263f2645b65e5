/* The makers in the table of models; called only through model_make. */
#ifndef GRAZE_MODEL_TABLE_H
#define GRAZE_MODEL_TABLE_H

#include "models/model_builder.h"

bool make_sphere(const model_parameters *parameters, model_output *output);
bool make_torus(const model_parameters *parameters, model_output *output);
bool make_knot(const model_parameters *parameters, model_output *output);
bool make_blob(const model_parameters *parameters, model_output *output);
bool make_blobs(const model_parameters *parameters, model_output *output);
bool make_gear(const model_parameters *parameters, model_output *output);
bool make_cloth(const model_parameters *parameters, model_output *output);
bool make_folded_cloth(const model_parameters *parameters, model_output *output);
bool make_draped_cloth(const model_parameters *parameters, model_output *output);
bool make_soup(const model_parameters *parameters, model_output *output);
bool make_mix(const model_parameters *parameters, model_output *output);
bool make_needles(const model_parameters *parameters, model_output *output);
bool make_chazelle(const model_parameters *parameters, model_output *output);
bool make_boxes(const model_parameters *parameters, model_output *output);
bool make_jittered_boxes(const model_parameters *parameters, model_output *output);
bool make_rods(const model_parameters *parameters, model_output *output);
bool make_panels(const model_parameters *parameters, model_output *output);
bool make_bristles(const model_parameters *parameters, model_output *output);
bool make_rebar(const model_parameters *parameters, model_output *output);
bool make_plates(const model_parameters *parameters, model_output *output);
bool make_thread(const model_parameters *parameters, model_output *output);
bool make_tet_box(const model_parameters *parameters, model_output *output);
bool make_tet_ball(const model_parameters *parameters, model_output *output);
bool make_tet_torus(const model_parameters *parameters, model_output *output);
bool make_tet_rod(const model_parameters *parameters, model_output *output);
bool make_tet_pair(const model_parameters *parameters, model_output *output);
bool make_tet_soup(const model_parameters *parameters, model_output *output);
bool make_cells(const model_parameters *parameters, model_output *output);
bool make_cell_pair(const model_parameters *parameters, model_output *output);
bool make_spheres(const model_parameters *parameters, model_output *output);
bool make_sphere_lattice(const model_parameters *parameters, model_output *output);

#endif
