import { messageOf } from "../lib/error.ts";
import { loadFonts } from "./fonts.ts";
import { writePdf } from "./pdf.ts";
import type { RenderAnswer, RenderRequest } from "./renderer.ts";

declare const self: Worker;

const fonts = loadFonts();

async function answer({ id, document }: RenderRequest): Promise<RenderAnswer> {
  try {
    return { id, bytes: await writePdf(document, fonts) };
  } catch (error) {
    return { id, error: messageOf(error) };
  }
}

self.onmessage = async ({ data }: MessageEvent<RenderRequest>) => {
  const given = await answer(data);
  self.postMessage(given, "bytes" in given ? [given.bytes.buffer] : []);
};

self.postMessage({ id: null } satisfies RenderAnswer);
