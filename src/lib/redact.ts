/** Takes secrets out of text for people and logs. */
export type Redact = (text: string) => string;

/** Shorter ones would take ordinary words out of sentences, and nobody protects anything with them. */
const secretCharsMin = 6;

/** `http://user:password@host`: whatever stands before the @ is nobody's business. */
const userInfo = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']+@/gi;

/** Replaces every one of these secrets, what looks like one by these patterns, and user names in URLs. */
export function createRedact(secrets: readonly string[], patterns: readonly RegExp[] = []): Redact {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // The longest first: of a secret that begins with another one no tail must be left.
  const sorted = [...new Set(forms)]
    .filter((secret) => secret.length >= secretCharsMin)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const secret of sorted) redacted = redacted.replaceAll(secret, "***");
    for (const pattern of patterns) redacted = redacted.replaceAll(pattern, "***");
    return redacted.replaceAll(userInfo, "$1***@");
  };
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
