/* Orders points along a space-filling curve: neighbors in the order are near each other in space. */
#ifndef GRAZE_CURVE_ORDER_H
#define GRAZE_CURVE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points are three numbers each; `order` receives their numbers. The same bits everywhere. False when out of memory. */
bool curve_order_make(const double *points, size_t count, uint32_t *order_out);

#endif
