import type { InvoiceDocument } from "./invoice-document.ts";
import type { Renderer } from "./renderer.ts";

export type PdfStore = {
  /**
   * The PDF of invoice `id`. `makeDocument` is asked only when it has to be written; whoever asks meanwhile gets
   * the same bytes, not to be changed. A failure is not kept. Throws a RenderError, or what `makeDocument` throws.
   */
  get(id: string, makeDocument: () => InvoiceDocument): Promise<Uint8Array>;
};

/** An invoice takes about 30 kB. */
const entriesMax = 1_000;
const bytesMax = 32 * 1024 * 1024;

/** Keeps the most recently asked-for PDFs in memory, up to `entries` and `bytes`. */
export function createPdfStore(
  renderer: Renderer,
  limits = { entries: entriesMax, bytes: bytesMax },
): PdfStore {
  /** Least recently used first. */
  const kept = new Map<string, Uint8Array>();
  const rendering = new Map<string, Promise<Uint8Array>>();
  let bytesKept = 0;

  function drop(id: string): void {
    bytesKept -= kept.get(id)?.byteLength ?? 0;
    kept.delete(id);
  }

  function keep(id: string, pdf: Uint8Array): void {
    kept.set(id, pdf);
    bytesKept += pdf.byteLength;
    for (const oldest of kept.keys()) {
      if (kept.size <= limits.entries && bytesKept <= limits.bytes) return;
      drop(oldest);
    }
  }

  async function render(id: string, makeDocument: () => InvoiceDocument): Promise<Uint8Array> {
    const pdf = await renderer.render(makeDocument());
    keep(id, pdf);
    return pdf;
  }

  return {
    async get(id, makeDocument) {
      const known = kept.get(id);
      if (known) {
        kept.delete(id);
        kept.set(id, known);
        return known;
      }
      let running = rendering.get(id);
      if (!running) {
        running = render(id, makeDocument).finally(() => rendering.delete(id));
        rendering.set(id, running);
      }
      return running;
    },
  };
}
