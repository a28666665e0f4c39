import { messageOf } from "../../lib/error.ts";
import { loadFonts } from "../type/fonts.ts";
import { writePdf } from "./pdf.ts";
import type { RenderAnswer, RenderRequest } from "./renderer.ts";

declare const self: Worker;

/** Collects garbage after this many documents: left alone, it grows to 100 MB first. */
const documentsPerCollection = 4;

const fonts = loadFonts();
let written = 0;

async function answer({ id, document }: RenderRequest): Promise<RenderAnswer> {
  try {
    return { id, bytes: await writePdf(document, fonts) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

self.onmessage = async ({ data }: MessageEvent<RenderRequest>) => {
  const message = await answer(data);
  self.postMessage(message, "bytes" in message ? [message.bytes.buffer] : []);
  written += 1;
  if (written % documentsPerCollection === 0) Bun.gc(true);
};

self.postMessage({ id: null } satisfies RenderAnswer);
