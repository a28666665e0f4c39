import { describe, expect, test } from "bun:test";
import { createLog } from "../../src/lib/log.ts";
import { createRedact, secretsOfUrl } from "../../src/lib/redact.ts";

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
