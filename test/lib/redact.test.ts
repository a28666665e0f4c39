import { describe, expect, test } from "bun:test";
import { createLog, createRedact, secretsOfUrl } from "../../src/lib/log.ts";
import { usedMs } from "../support/processor.ts";

describe("createRedact", () => {
  test("takes out every secret, as it is and percent-encoded, and leaves no tail of a longer one", () => {
    const redact = createRedact(["hunter2", "hunter2-and-more", "p@ss/wörd"]);
    expect(redact("hunter2 hunter2-and-more p@ss/wörd p%40ss%2Fw%C3%B6rd")).toBe("*** *** *** ***");
  });

  test("takes out user names and passwords of URLs, whoever they belong to", () => {
    const redact = createRedact([]);
    expect(redact("https://u:p@a.example/x?y=z@z smtp://jo%40b.example:s3cret@m.example:25")).toBe(
      "https://***@a.example/x?y=z@z smtp://***@m.example:25",
    );
    expect(redact("mail to jo@a.example, see https://a.example/@jo")).toBe(
      "mail to jo@a.example, see https://a.example/@jo",
    );
  });

  test("finds a secret in upper and lower case, and percent-encoded in part, in full or twice", () => {
    const redact = createRedact(["AbCd+e/Fg", "naïve key"]);
    for (const spelling of [
      "abcd+e/fg",
      "ABCD%2be%2fFG",
      "%41bCd%2Be/Fg",
      "AbCd%252Be%252fFg",
      "NA%c3%afVE+key",
    ])
      expect(redact(`<${spelling}>`)).toBe("<***>");
  });

  test("makes one of two secrets that overlap", () => {
    expect(createRedact(["abcdef", "cdefghij"])("x abcdefghij y")).toBe("x *** y");
  });

  test.each([
    ["one word", "a".repeat(600_000)],
    ["many words", "a.".repeat(300_000)],
    ["many schemes", "a://".repeat(150_000)],
    ["many names", "a://b:".repeat(100_000)],
    ["the beginning of a secret", "Secret-Key-Of-The-Nod".repeat(30_000)],
    ["percent signs", "%".repeat(600_000)],
    ["encoded percent signs", "%25".repeat(200_000)],
  ])("takes no time for 600 KB of %s, and shows the beginning", (_, text) => {
    const redact = createRedact(
      ["Secret-Key-Of-The-Node", "%%%%%%%%x", "100%-secret"],
      [/whsec_[A-Za-z0-9+/=_-]{16,}/g],
    );
    const before = usedMs();
    const shown = redact(`${text} Secret-Key-Of-The-Node`);
    expect(usedMs() - before).toBeLessThan(1_000);
    expect(shown.length).toBeLessThan(20_000);
    expect(text).toStartWith(shown.slice(0, 1_000));
  });

  test("leaves nothing of a secret that stands across the end of what is shown", () => {
    const secret = "Secret-Key-Of-The-Node";
    const redact = createRedact([secret]);
    const lengths = new Set<number>();
    for (let before = 16_384 - secret.length - 3; before <= 16_384 + 3; before++) {
      const shown = redact(`${secret} ${"x".repeat(before)}${secret} and more`);
      expect(shown.replaceAll("***", "")).toMatch(/^ x+…$/);
      lengths.add(shown.length);
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(16_384 + 4);
  });

  test("leaves words alone that are too short to be secrets", () => {
    expect(createRedact(["", "a", "v2"])("a word about v2")).toBe("a word about v2");
  });
});

describe("secretsOfUrl", () => {
  test("finds keys in path, query and user name, written and decoded", () => {
    const secrets = secretsOfUrl("https://user%21:pass%40@node.example/v2/AbCdEf123?apikey=QwErTy%2B1#x");
    for (const part of ["user%21", "user!", "pass%40", "pass@", "AbCdEf123", "QwErTy%2B1", "QwErTy+1"]) {
      expect(secrets).toContain(part);
    }
    expect(secrets).not.toContain("node.example");
    expect(secretsOfUrl("http://127.0.0.1:8545/")).toEqual([]);
    expect(secretsOfUrl("not a url %")).toEqual(["not a url %"]);
  });
});

describe("a log that redacts", () => {
  test.each(["text", "json"] as const)("as %s, in messages and in values", (format) => {
    const written: string[] = [];
    const redact = createRedact(["hunter2"]);
    const log = createLog({ format, level: "info", write: (line) => written.push(line), redact });
    log.warn("odd", "the password hunter2", { url: "https://jo:x@a.example", also: "hunter2", count: 2 });
    expect(written.join()).not.toMatch(/hunter2|jo:x/);
    expect(written.join()).toContain("the password ***");
    expect(written.join()).toContain("https://***@a.example");
  });
});
