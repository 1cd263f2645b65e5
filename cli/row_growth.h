/* Arrays of rows that grow by doubling. */
#ifndef GRAZE_ROW_GROWTH_H
#define GRAZE_ROW_GROWTH_H

#include <stdbool.h>
#include <stddef.h>

/* Makes space for `more` rows behind the first `count`. `rows` is the address of the array, which moves. False when out
 * of memory: nothing has changed. */
bool rows_reserve(void *rows, size_t *capacity, size_t count, size_t more, size_t row_bytes);

#endif
