/* The system interface (WASI) that the C library of the module requires: a clock. There are no files and no output. */

const SUCCESS = 0;
const NO_SUCH_DESCRIPTOR = 8;
const NO_SUCH_FILE = 44;

/* `memory` is a function, because the memory does not exist before the module starts. */
export function systemCalls(memory: () => WebAssembly.Memory): WebAssembly.ModuleImports {
  const noDescriptor = (): number => NO_SUCH_DESCRIPTOR;
  const noFile = (): number => NO_SUCH_FILE;
  return {
    clock_time_get(_clock: number, _precision: bigint, address: number): number {
      const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(address, nanoseconds, true);
      return SUCCESS;
    },
    proc_exit(code: number): never {
      throw new Error(`the module exited with code ${code}`);
    },
    fd_close: noDescriptor,
    fd_fdstat_get: noDescriptor,
    fd_fdstat_set_flags: noDescriptor,
    fd_filestat_get: noDescriptor,
    fd_prestat_get: noDescriptor,
    fd_prestat_dir_name: noDescriptor,
    fd_read: noDescriptor,
    fd_seek: noDescriptor,
    fd_write: noDescriptor,
    path_filestat_get: noFile,
    path_open: noFile,
  };
}
