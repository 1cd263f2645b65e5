/* The source of the engine's worker, bundled as text by build.mjs. */
declare module 'virtual:engine-worker' {
  const program: string;
  export default program;
}
