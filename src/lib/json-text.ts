/** A string, or one other character that is no space, with the spaces before it. */
const tokens = /\s*("[^"\\]*(?:\\.[^"\\]*)*"|[^\s"])/gy;

/**
 * The text of a member of a JSON object, byte for byte as it stands there; null without one. Of several of one name it is
 * the last, as for `JSON.parse`. Throws a SyntaxError for what is no JSON.
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

/** Whether lists and objects are nested in a JSON value more than `most` levels deep. Without recursion, whatever the depth. */
export function isDeeperThan(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= most; depth += 1) {
    const nested = level.filter((each) => typeof each === "object" && each !== null);
    if (nested.length === 0) return false;
    level = nested.flatMap((each) => Object.values(each as object));
  }
  return true;
}
