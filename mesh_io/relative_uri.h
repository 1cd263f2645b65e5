/* The names of files that a file refers to: relative URIs (RFC 3986), which must stay in the folder of that file. */
#ifndef GRAZE_RELATIVE_URI_H
#define GRAZE_RELATIVE_URI_H

/* Writes the path that a URI means, with its percent escapes decoded; `path_out` must have room for as many bytes as
 * the URI has, with its final zero. Returns NULL, or why it is refused, to follow the URI in a message: "is empty",
 * "has a scheme", ... */
const char *relative_uri_decode(const char *uri, char *path_out);

#endif
