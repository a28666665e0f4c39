import { bodyBytesMax, tooLarge } from "../access/guard.ts";

/**
 * The hook of a route with a body: parses it as JSON whatever its media type, as the guard lets only JSON pass.
 * Undefined without a body. As a hook of all routes it would make even those without a body wait for a promise.
 */
export const jsonBody = { parse: ({ request }: { request: Request }) => readJson(request, bodyBytesMax) };

/** The same for bodies without long texts. A contract's signature takes 8 KiB at most. */
export const smallJsonBody = { parse: ({ request }: { request: Request }) => readJson(request, 16 * 1024) };

async function readJson(request: Request, bytesMax: number): Promise<unknown> {
  const bytes = await bytesOf(request);
  if (bytes.byteLength > bytesMax) throw new BodyRefused("body_too_large", tooLarge(bytesMax));
  if (bytes.byteLength === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's message repeats what was sent.
    throw new BodyRefused("malformed_json", "The body is not valid JSON in UTF-8.");
  }
}

/** More than a form of a few short fields needs, in bytes. */
const formBytesMax = 4 * 1024;

/** As `jsonBody`, for the form of a page. */
export const formBody = { parse: ({ request }: { request: Request }) => readForm(request, formBytesMax) };

/** The fields of a form. Throws a BodyRefused when it is longer than `bytesMax`. */
export async function readForm(request: Request, bytesMax: number): Promise<URLSearchParams> {
  const bytes = await bytesOf(request);
  if (bytes.byteLength > bytesMax) throw new BodyRefused("body_too_large", "The form is too long.");
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** Whoever hangs up before all of it has arrived reads no answer, but is no failure of Till's. */
function bytesOf(request: Request): Promise<Uint8Array> {
  return request.bytes().catch(() => {
    throw new BodyRefused("malformed_request", "The body did not arrive completely.");
  });
}

/** Why a body was rejected unread. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  constructor(
    readonly code: "malformed_request" | "malformed_json" | "body_too_large",
    message: string,
  ) {
    super(message);
  }
}
