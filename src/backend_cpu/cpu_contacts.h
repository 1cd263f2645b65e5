/* Contacts on the processor. */
#ifndef GRAZE_BACKEND_CPU_CPU_CONTACTS_H
#define GRAZE_BACKEND_CPU_CPU_CONTACTS_H

#include "backend/backend.h"

graze_result cpu_contacts(const graze_scene *scene, const contact_request *request, contact_answer *answer);

#endif
