/**
 * The path of a request's URL, just as the router cuts it out; null when the URL has no host or no path, or a `%` that
 * encodes no UTF-8: the router would hand it on as nothing at all. To the router a slash at the end makes no difference,
 * so it makes none to who decides about access and limits.
 */
export function pathOf(url: string): string | null {
  if (!url.startsWith("http://")) return null;
  const start = url.indexOf("/", "http://".length);
  if (start <= "http://".length) return null;
  const end = url.indexOf("?", start + 1);
  const raw = end === -1 ? url.slice(start) : url.slice(start, end);
  const path = raw.length > 1 && raw.endsWith("/") ? raw.slice(0, -1) : raw;
  return !path.includes("%") || isDecodable(path) ? path : null;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Finds the route (`/i/:slug`) that a path (`/i/abc`) belongs to; `other` when there is none. */
export function createRouteFinder(routes: Iterable<string>): (path: string) => string {
  const byLength = new Map<number, { route: string; parts: string[] }[]>();
  for (const route of new Set(routes)) {
    const parts = route.split("/");
    byLength.set(parts.length, [...(byLength.get(parts.length) ?? []), { route, parts }]);
  }
  return (path) => {
    const parts = path.split("/");
    const match = byLength
      .get(parts.length)
      ?.find((candidate) =>
        candidate.parts.every((part, i) => (part.startsWith(":") ? parts[i] !== "" : part === parts[i])),
      );
    return match?.route ?? "other";
  };
}
