/* Contacts of pairs, for the public calls that need them. */
#ifndef GRAZE_API_SCENE_CONTACTS_H
#define GRAZE_API_SCENE_CONTACTS_H

#include "backend/backend.h"

/* Reads the options over the defaults and checks them. */
graze_result scene_read_contact_options(const graze_scene *scene, const graze_contact_options *given_or_null,
                                        graze_contact_options *options_out);

/* Computes the contacts of a caller's pairs with the scene's backend. */
graze_result scene_query_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer);

/* Refuses a query whose pairs may not intersect, and one that tests pairs in another way than they are measured, unless
 * `measured` is the default. `what` names the results. */
graze_result scene_check_measured(const graze_scene *scene, const char *what, const graze_query *query,
                                  graze_test measured);

#endif
