/**
 * Returns a URL's path exactly as the router cuts it out; null if the URL has no host or path, or has a `%` that does
 * not decode as UTF-8, which the router would pass on as undefined. Like the router, ignores a trailing slash.
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

/** Finds the route (`/i/:slug`) of a path (`/i/abc`); `other` if there is none. */
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
