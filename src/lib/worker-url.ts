/**
 * Where a worker's file is. `path` is its path below `src/`, without the ending. In a compiled executable this module
 * is part of the bundle at the root, and a worker, an entry point of its own, keeps its path.
 */
export function workerUrl(path: string): string {
  return import.meta.path.endsWith("lib/worker-url.ts")
    ? new URL(`../${path}.ts`, import.meta.url).href
    : new URL(`./${path}.js`, import.meta.url).href;
}
