/* Checks whether a text is JSON, from the grammar only, independently of the tool's writer. */
#ifndef GRAZE_JSON_VALIDATOR_H
#define GRAZE_JSON_VALIDATOR_H

#include <stdbool.h>
#include <stddef.h>

/* RFC 8259: one value, white space around it, nothing else. On failure *where_out is the byte that does not fit. */
bool json_is_valid(const char *text, size_t bytes, size_t *where_out);

/* The text of a member of the outermost object, up to the comma or brace that ends it; NULL when there is none. Only
 * for texts that are valid. Release it by free. */
char *json_member_text(const char *text, const char *key);

#endif
