/* The pairs of a divided scene: each device finds its own, and their sorted lists are merged. */
#ifndef GRAZE_BACKEND_DEVICES_SHARE_FIND_H
#define GRAZE_BACKEND_DEVICES_SHARE_FIND_H

#include "backend/backend.h"
#include "backend_devices/device_shares.h"

/* Like backend.find. The shares must be filled, for the clearance of the query. */
graze_result share_find(device_shares *all, const graze_scene *scene, const pair_request *request, pair_answer *answer);

#endif
