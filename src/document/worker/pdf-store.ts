import type { PdfDocument } from "./pdf.ts";
import type { Renderer } from "./renderer.ts";

/** A document takes about 30 kB. */
const entriesMax = 1_000;
const bytesMax = 8 * 1024 * 1024;

/** Keeps the most recently asked-for PDFs in memory, up to `entries` and `bytes`. */
export function createPdfStore(renderer: Renderer, limits = { entries: entriesMax, bytes: bytesMax }) {
  /** Least recently used first. */
  const cache = new Map<string, Uint8Array>();
  const rendering = new Map<string, Promise<Uint8Array>>();
  let bytesKept = 0;

  function drop(key: string): void {
    bytesKept -= cache.get(key)?.byteLength ?? 0;
    cache.delete(key);
  }

  function keep(key: string, pdf: Uint8Array): void {
    cache.set(key, pdf);
    bytesKept += pdf.byteLength;
    for (const oldest of cache.keys()) {
      if (cache.size <= limits.entries && bytesKept <= limits.bytes) return;
      drop(oldest);
    }
  }

  async function render(key: string, makeDocument: () => PdfDocument): Promise<Uint8Array> {
    const pdf = await renderer.render(makeDocument());
    keep(key, pdf);
    return pdf;
  }

  return {
    /**
     * The PDF with this key. `makeDocument` is asked only when it has to be written; whoever asks meanwhile gets
     * the same bytes, not to be changed. A failure is not kept. Throws a RenderError, or what `makeDocument` throws.
     */
    async get(key: string, makeDocument: () => PdfDocument): Promise<Uint8Array> {
      const cached = cache.get(key);
      if (cached) {
        cache.delete(key);
        cache.set(key, cached);
        return cached;
      }
      let running = rendering.get(key);
      if (!running) {
        running = render(key, makeDocument).finally(() => rendering.delete(key));
        rendering.set(key, running);
      }
      return running;
    },
  };
}
