import { isDeeperThan } from "../../lib/json-text.ts";
import { bodyBytesMax, tooLarge } from "../access/guard.ts";

/**
 * The hook of a route with a body: parses it as JSON whatever its media type, because the guard lets only JSON pass.
 * Undefined without a body. As a hook of all routes it would make even those without a body wait for a promise.
 */
export const jsonBody = { parse: ({ request }: { request: Request }) => readJson(request, bodyBytesMax) };

/** The same for bodies without long texts. A contract's signature takes 8 KiB at most. */
export const smallJsonBody = { parse: ({ request }: { request: Request }) => readJson(request, 16 * 1024) };

export const textBody = {
  parse: ({ request }: { request: Request }) => readText(request, bodyBytesMax, String),
};

/** Several times the depth of any call's body, and of an agent's message around one. */
const depthMax = 32;

/** Parses JSON of limited depth: recursion needs stack for each level, and running out of it takes a second. */
function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeperThan(value, depthMax)) throw new BodyRefused("malformed_json", tooDeep);
  return value;
}

const tooDeep = `The body has more than ${depthMax} lists and objects inside each other.`;

const readJson = (request: Request, bytesMax: number) => readText(request, bytesMax, parseJson);

async function readText(
  request: Request,
  bytesMax: number,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const bytes = await bytesOf(request);
  if (bytes.byteLength > bytesMax) throw new BodyRefused("body_too_large", tooLarge(bytesMax));
  if (bytes.byteLength === 0) return undefined;
  try {
    return parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (thrown) {
    if (thrown instanceof BodyRefused) throw thrown;
    // The parser's message repeats the input.
    throw new BodyRefused("malformed_json", "The body is not valid JSON in UTF-8.");
  }
}

/** More than a form of a few short fields needs, in bytes. */
const formBytesMax = 4 * 1024;

/** Like `jsonBody`, for a page's form. */
export const formBody = { parse: ({ request }: { request: Request }) => readForm(request, formBytesMax) };

/**
 * Returns the fields of a form; with `mayHaveFiles`, files are data: URLs. Throws a BodyRefused if it is longer than
 * `bytesMax`.
 */
export async function readForm(
  request: Request,
  bytesMax: number,
  mayHaveFiles = false,
): Promise<URLSearchParams> {
  const bytes = await bytesOf(request);
  const type = request.headers.get("content-type") ?? "";
  if (bytes.byteLength > bytesMax) throw new BodyRefused("body_too_large", "The form is too long.");
  if (!mayHaveFiles || !type.toLowerCase().startsWith("multipart/form-data"))
    return new URLSearchParams(new TextDecoder().decode(bytes));
  const parts = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    throw new BodyRefused("malformed_request", "The form cannot be read.");
  });
  const form = new URLSearchParams();
  for (const [name, value] of parts)
    form.append(name, typeof value === "string" ? value : await urlOf(value));
  return form;
}

/** Returns a file as a data: URL without a type; empty if none was chosen. */
async function urlOf(file: Blob): Promise<string> {
  return file.size === 0 ? "" : `data:;base64,${Buffer.from(await file.arrayBuffer()).toString("base64")}`;
}

/** Clients that hang up before the whole body has arrived read no response, but it is not an error of Till's. */
function bytesOf(request: Request): Promise<Uint8Array> {
  return request.bytes().catch(() => {
    throw new BodyRefused("malformed_request", "The body did not arrive completely.");
  });
}

/** The reason why a body was rejected unread. */
export class BodyRefused extends Error {
  override readonly name = "BodyRefused";
  constructor(
    readonly code: "malformed_request" | "malformed_json" | "body_too_large",
    message: string,
  ) {
    super(message);
  }
}
