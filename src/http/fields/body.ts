import { bodyBytesMax, tooLarge } from "../access/guard.ts";

/**
 * What a route with a body is given as its hook: the body as JSON, whatever its media type, for the guard has let only
 * JSON pass. No body is undefined. A hook of all routes would make each of them wait for a promise, those without a body
 * too.
 */
export const jsonBody = { parse: ({ request }: { request: Request }) => readJson(request, bodyBytesMax) };

/** The same, of what has no long texts. A signature of a contract takes 8 KiB at most. */
export const smallJsonBody = { parse: ({ request }: { request: Request }) => readJson(request, 16 * 1024) };

async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  const bytes = await request.bytes();
  if (bytes.byteLength > bytesMax) throw new BodyRefused("body_too_large", tooLarge(bytesMax));
  if (bytes.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // What the parser says repeats what was sent.
    throw new BodyRefused("malformed_json", "The body is not valid JSON in UTF-8.");
  }
}

/** A form of a few short fields has no more, in bytes. */
const formBytesMax = 4 * 1024;

/** As `jsonBody`, for what a form of a page sends. */
export const formBody = { parse: ({ request }: { request: Request }) => readForm(request, formBytesMax) };

/** The fields of a form of at most `bytesMax`. Throws a BodyRefused when it is longer. */
export async function readForm(request: Request, bytesMax: number): Promise<URLSearchParams> {
  const bytes = await request.bytes();
  if (bytes.byteLength > bytesMax) throw new BodyRefused("body_too_large", "The form is too long.");
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Why a body was not read. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  constructor(
    readonly code: "malformed_json" | "body_too_large",
    message: string,
  ) {
    super(message);
  }
}
