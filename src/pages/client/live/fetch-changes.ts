import { request } from "./poll.ts";

/** Like `fetchText`, for responses that the browser may not cache: returns an empty text if nothing changed. */
export function fetchChanges(): (url: string) => Promise<string> {
  let etag: string | null = null;
  return async (url) => {
    const headers: HeadersInit = etag === null ? {} : { "if-none-match": etag };
    const response = await request(url, { cache: "no-store", headers });
    etag = response.headers.get("etag");
    return response.text();
  };
}
