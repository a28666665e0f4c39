import { announce } from "../texts.ts";

/** Screen readers hear of a region that changes, and not of one that was there from the beginning. */
const afterMs = 200;

/** Says what was just done, once: the page that is loaded again, or kept as a bookmark, does not say it again. */
export function tellOnce(): void {
  const url = new URL(location.href);
  if (url.searchParams.has("did")) {
    url.searchParams.delete("did");
    history.replaceState(history.state, "", url);
  }
  const notice = document.querySelector("[data-told]")?.textContent;
  if (notice) setTimeout(() => announce(notice), afterMs);
}
