/* Contacts of pairs, for the public calls that need them. */
#ifndef GRAZE_API_SCENE_CONTACTS_H
#define GRAZE_API_SCENE_CONTACTS_H

#include "backend/backend.h"

/* The options over the defaults, checked. */
graze_result scene_read_contact_options(const graze_scene *scene, const graze_contact_options *given_or_null,
                                        graze_contact_options *options_out);

/* Contacts of a caller's pairs, made by the scene's backend. */
graze_result scene_ask_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer);

#endif
