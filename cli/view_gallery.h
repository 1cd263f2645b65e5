/* The gallery of `graze view`: small scenes that move, a page each, and one that leads to them. */
#ifndef GRAZE_VIEW_GALLERY_H
#define GRAZE_VIEW_GALLERY_H

#include "complaint.h"

/* Writes index.html and what it leads to into a folder, which is made where it is missing. EXIT_CODE_TROUBLE after a
 * complaint. */
exit_code view_gallery_write(const char *folder);

#endif
