/** Takes secrets out of text for people and logs, and what is beyond `textCharsMax` with them. */
export type Redact = (text: string) => string;

/** Shorter ones would take ordinary words out of sentences, and nobody protects anything with them. */
const secretCharsMin = 6;

/** Nobody reads more of one message; what a node or a server says can be of any length. */
const textCharsMax = 16_384;

/** So much more is looked through, so that of a secret which stands across the end nothing is left. */
const acrossCharsMin = 1_024;

/** An octet that is percent-encoded, also once more by whoever passed it on, is this much longer at most. */
const encodedFactorMax = 9;

/** `http://user:password@host`: whatever stands before the @ is nobody's business. */
const userInfo = /(?<=\b[a-z][a-z0-9+.-]{0,31}:\/\/)[^\s/?#@"']+(?=@)/gi;

/**
 * Replaces every one of these secrets, what looks like one by these patterns, and user names in URLs. A secret is
 * found in upper and lower case, and with any of its characters percent-encoded (RFC 3986 section 2.1). Takes time in
 * proportion to the text.
 */
export function createRedact(
  secrets: readonly string[],
  patterns: readonly RegExp[] = [],
  charsMin: number = secretCharsMin,
): Redact {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= charsMin);
  const expressions = [...long.map(anySpelling), ...patterns, userInfo];
  const longest = Math.max(0, ...long.map((secret) => Buffer.byteLength(secret)));
  const acrossChars = Math.max(acrossCharsMin, longest * encodedFactorMax);
  return (text) => {
    const end = Math.min(text.length, textCharsMax);
    const seen = text.slice(0, end + acrossChars);
    const spans = expressions
      .flatMap((expression) => [...seen.matchAll(expression)])
      .map(({ index, 0: { length } }) => ({ from: index, to: index + length }))
      .sort((a, b) => a.from - b.from);
    let shown = "";
    let at = 0;
    for (const { from, to } of spans) {
      if (from >= end) break;
      // Two secrets that overlap are one.
      if (from >= at) shown += `${seen.slice(at, from)}***`;
      at = Math.max(at, to);
    }
    return shown + seen.slice(at, Math.max(at, end)) + (text.length > end ? "…" : "");
  };
}

function anySpelling(secret: string): RegExp {
  const characters = Array.from(secret, (character) => {
    const octets = Array.from(Buffer.from(character), (octet) => octet.toString(16).padStart(2, "0"));
    const encoded = octets.map((octet) => `%(?:25){0,2}${octet}`).join("");
    const written = character === " " ? "[ +]" : character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
    return `(?:${written}|${encoded})`;
  });
  return new RegExp(characters.join(""), "giu");
}

/**
 * What may be secret in the URL of a service: providers put their keys into the path, the query or the user name.
 * Path segments count, unless they are as short as a version. All of a text that is no URL.
 */
export function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return [text];
  const { username, password, pathname, searchParams, search } = new URL(text);
  const written = [username, password, ...pathname.split("/"), ...search.slice(1).split(/[&=]/)];
  return [...written, ...written.map(decoded), ...searchParams.values()].filter((part) => part !== "");
}

/** What percent-encoding stands for; the text itself where it is malformed. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
