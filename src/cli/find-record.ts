import { messageOf } from "../lib/error.ts";
import { UsageError } from "./command.ts";

const requestTimeoutMs = 10_000;
const baseUrlDefault = "http://127.0.0.1:3000";
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Asks a running Till for the record of an invoice or a link by its id, number, slug or page's URL. Till is the
 * one of the URL or else of TILL_BASE_URL. Throws when it does not answer, does not let us or does not know it.
 */
export async function findRecord(target: string): Promise<object> {
  const url = URL.canParse(target) ? new URL(target) : null;
  if (url && !/^https?:$/.test(url.protocol)) throw new UsageError(`${target} is not an http(s) URL.`);
  const baseUrl = url?.origin ?? ownBaseUrl();
  const name = url ? url.pathname.replace(/\/$/, "").split("/").at(-1) : target;
  if (!name) throw new UsageError("the URL names no invoice or link: it ends with its slug or id.");
  const value = encodeURIComponent(name);
  const first = async (list: string) => ((await ask(baseUrl, list)) as { data?: object[] } | null)?.data?.[0];
  const found = uuidForm.test(name)
    ? await ask(baseUrl, `/api/invoices/${value}`)
    : /^INV-\d+$/.test(name)
      ? await first(`/api/invoices?invoice_number=${value}`)
      : ((await first(`/api/invoices?slug=${value}`)) ?? (await first(`/api/links?slug=${value}`)));
  if (!found) throw new Error(`Till at ${baseUrl} knows no invoice or link ${JSON.stringify(name)}.`);
  return found;
}

function ownBaseUrl(): string {
  const given = process.env["TILL_BASE_URL"] || baseUrlDefault;
  if (!URL.canParse(given)) throw new UsageError("TILL_BASE_URL is not a URL.");
  return new URL(given).origin;
}

/** Null for what is not there. The key goes to one's own Till only, not to whatever a pasted URL points at. */
async function ask(baseUrl: string, path: string): Promise<object | null> {
  const apiKey = baseUrl === ownBaseUrl() ? process.env["TILL_API_KEY"] : undefined;
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${baseUrl}${path}`, {
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      signal: AbortSignal.timeout(requestTimeoutMs),
      redirect: "error",
    });
    body = await response.json();
  } catch (thrown) {
    throw new Error(
      `no Till answers at ${baseUrl} (${messageOf(thrown)}). TILL_BASE_URL says where it runs.`,
    );
  }
  if (response.status === 404) return null;
  if (response.status === 401) {
    throw new Error(
      `Till at ${baseUrl} asks for an API key: set TILL_API_KEY, and TILL_BASE_URL to ${baseUrl}, as the key is ` +
        "only sent there. Or take the proof from a file: --proof FILE.",
    );
  }
  if (!response.ok || typeof body !== "object" || body === null)
    throw new Error(`Till at ${baseUrl} answered with HTTP ${response.status}.`);
  return body;
}
