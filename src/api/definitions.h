/* The extensible structs of the public headers: how each is read, and the length of its first version. */
#ifndef GRAZE_API_DEFINITIONS_H
#define GRAZE_API_DEFINITIONS_H

#include "base/definition.h"
#include "graze/batch.h"
#include "graze/containment.h"
#include "graze/cuda.h"
#include "graze/distances.h"
#include "graze/inspect.h"
#include "graze/nearest.h"
#include "graze/packing.h"
#include "graze/regions.h"
#include "graze/shape.h"

extern const definition_kind backend_definition, scene_definition, mesh_definition, shape_definition, object_definition,
    method_definition, query_definition, contact_options_definition, batch_definition, timings_definition,
    counters_definition, object_info_definition, pairs_definition, object_pairs_definition, contacts_definition,
    wrenches_definition, crowding_definition, device_pairs_definition, device_contacts_definition,
    packing_options_definition, packing_definition, carrier_definition, carried_definition, region_options_definition,
    regions_definition, containment_options_definition, containments_definition, open_edges_definition,
    distances_definition, nearest_options_definition, nearests_definition, inspect_options_definition,
    structure_definition;

#endif
