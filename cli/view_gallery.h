/* The gallery of `graze view`: a page for each of several small moving scenes and models, and an index page. */
#ifndef GRAZE_VIEW_GALLERY_H
#define GRAZE_VIEW_GALLERY_H

#include "complaint.h"

/* Writes index.html and the pages into a folder, which is created if missing. EXIT_CODE_TROUBLE after a complaint. */
exit_code view_gallery_write(const char *folder);

#endif
