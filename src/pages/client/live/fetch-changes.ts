import { unasked } from "../../../lib/net/unasked.ts";
import { request } from "./poll.ts";

/**
 * Like `fetchText`, for pages of the desk, which the browser may not cache: returns an empty text if nothing changed.
 * Loads the page anew once nobody is signed in, which leads to where one signs in.
 */
export function fetchChanges(): (url: string) => Promise<string> {
  let etag: string | null = null;
  return async (url) => {
    const headers = etag === null ? unasked : { ...unasked, "if-none-match": etag };
    const response = await request(url, { cache: "no-store", redirect: "manual", headers });
    if (response.type === "opaqueredirect") location.reload();
    etag = response.headers.get("etag");
    return response.text();
  };
}
