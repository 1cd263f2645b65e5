/* A driver of CUDA that is too old, in the place of libcuda.so.1: all that it can do is to say so. */
int cuDriverGetVersion(int *version_out);
int cuInit(unsigned flags);

int cuDriverGetVersion(int *version_out) {
  *version_out = 9000;
  return 0;
}

int cuInit(unsigned flags) {
  (void)flags;
  return 0;
}
