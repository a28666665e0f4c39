import { parse } from "../../pages/dom.ts";

/** What one visitor sees of a reusable link, as a browser without JavaScript asks and posts. */
export type FormPage = { status: number; html: string; token: string; headers: Headers };

export type Posted = { status: number; location: string | null; html: string; headers: Headers };

const asks = { accept: "text/html,application/xhtml+xml", "sec-fetch-site": "same-origin" };

/** Opens the page of a reusable link. */
export async function openForm(url: string, headers: Record<string, string> = {}): Promise<FormPage> {
  const response = await fetch(url, { headers: { ...asks, ...headers } });
  const html = await response.text();
  const token = parse(html).querySelector("input[name=token]")?.getAttribute("value") ?? "";
  return { status: response.status, html, token, headers: response.headers };
}

/** Sends its form. */
export async function sendForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Posted> {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { ...asks, origin: "null", ...headers },
    body: new URLSearchParams(fields),
  });
  const location = response.headers.get("location");
  return { status: response.status, location, html: await response.text(), headers: response.headers };
}

/** Opens the page and sends its form with what is typed: the path of the payment that was begun. */
export async function begin(url: string, typed: Record<string, string> = {}): Promise<string> {
  const { token } = await openForm(url);
  const { status, location, html } = await sendForm(url, { token, ...typed });
  if (status !== 303 || location === null) throw new Error(`no payment was begun: ${status} ${html}`);
  return location;
}

/** The slug at the end of the path of a payment. */
export function slugIn(path: string | null): string {
  return /^\/pay\/([a-z0-9]+)/.exec(path ?? "")?.[1] ?? "";
}
