/* Prints doubles as short decimal text that reads back to the same bits, independent of the locale. */
#ifndef GRAZE_NUMBER_PRINTER_H
#define GRAZE_NUMBER_PRINTER_H

#include <stddef.h>

/* Space for the output of print_number, including the terminating zero. */
#define PRINTED_NUMBER_BYTES 32

/* Writes `value`, which must be finite, with 15, 16 or 17 significant digits, the first that read back to the same
 * bits, without trailing zeros. Returns the number of characters, without the terminating zero. */
size_t print_number(double value, char text[PRINTED_NUMBER_BYTES]);

/* Writes a whole number. */
size_t print_count(unsigned long long count, char text[PRINTED_NUMBER_BYTES]);

/* Writes a whole number with separators, "1,234,567", and a terminating zero. Space for 20 digits with their commas. */
#define GROUPED_COUNT_BYTES 28
size_t print_grouped_count(unsigned long long count, char text[GROUPED_COUNT_BYTES]);

#endif
