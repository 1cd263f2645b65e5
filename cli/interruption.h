/* Ctrl-C and the request to end (SIGINT, SIGTERM), for commands that have something to write down when they come. */
#ifndef GRAZE_INTERRUPTION_H
#define GRAZE_INTERRUPTION_H

#include <stdbool.h>

/* From now on the first of them is taken note of; one that comes some seconds later ends the process as it always
 * does. */
void interruption_watch(void);

/* Whether one came. Has the form of graze_query's should_stop; the argument is not looked at. */
bool interruption_came(void *context);

#endif
