/** A string, or any other single non-space character, with leading spaces. */
const tokens = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[^\s"])/gy;

/**
 * The text of a JSON object's member, byte for byte; null if it is missing. If there are several of one name the last
 * counts, as in `JSON.parse`. Throws a SyntaxError for invalid JSON.
 */
export function memberText(json: string, name: string): string | null {
  JSON.parse(json);
  let found: string | null = null;
  let depth = 0;
  let key: string | null = null;
  let start: number | null = null;
  tokens.lastIndex = 0;
  for (let match = tokens.exec(json); match !== null; match = tokens.exec(json)) {
    const token = match[1] ?? "";
    const at = tokens.lastIndex - token.length;
    if (depth === 1 && (token === "," || token === "}")) {
      if (start !== null && key === name) found = json.slice(start, at).trimEnd();
      [key, start] = [null, null];
    } else if (depth === 1 && key === null && token.startsWith('"')) key = JSON.parse(token);
    else if (depth === 1 && start === null && token !== ":") start = at;
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
  }
  return found;
}

/**
 * Returns whether a JSON value nests lists and objects more than `most` levels deep. Not recursive, whatever the depth.
 */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= most; depth += 1) {
    const nested = level.filter((each) => typeof each === "object" && each !== null);
    if (nested.length === 0) return false;
    level = nested.flatMap((each) => Object.values(each as object));
  }
  return true;
}
