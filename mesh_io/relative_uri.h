/* File names that a file refers to: relative URIs (RFC 3986), which must stay in the folder of that file. */
#ifndef GRAZE_RELATIVE_URI_H
#define GRAZE_RELATIVE_URI_H

/* Writes the path of a URI, with its percent escapes decoded; `path_out` must have space for the bytes of the URI with
 * its terminating zero. Returns NULL, or the reason for refusal, which follows the URI in a message: "is empty", "has a
 * scheme", ... */
const char *relative_uri_decode(const char *uri, char *path_out);

#endif
