/* The kernel of the search, run on the host thread by thread, for a device with so many processors. */
#ifndef GRAZE_TESTS_EMULATED_SEARCH_H
#define GRAZE_TESTS_EMULATED_SEARCH_H

#ifdef __cplusplus
extern "C" {
#endif

struct device_view;
void emulated_search(const struct device_view *view, unsigned processors);

#ifdef __cplusplus
}
#endif

#endif
