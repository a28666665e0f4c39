import { request } from "./poll.ts";

/** As `fetchText` for what the browser may not keep: empty while it is what it was. */
export function fetchChanges(): (url: string) => Promise<string> {
  let etag: string | null = null;
  return async (url) => {
    const headers: HeadersInit = etag === null ? {} : { "if-none-match": etag };
    const response = await request(url, { cache: "no-store", headers });
    etag = response.headers.get("etag");
    return response.text();
  };
}
