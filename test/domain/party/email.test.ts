import { describe, expect, test } from "bun:test";
import * as Email from "../../../src/domain/party/email.ts";

const codeFor = (text: string) => {
  const parsed = Email.parse(text);
  return parsed.ok ? null : parsed.why.code;
};

describe("parse", () => {
  test.each([
    "jo@example.com",
    "Jo.Doe+invoices@Sub.Example.CO.UK",
    "o'brien_{x}=~!#$%&*/?^`|-@example.com",
    "a@b.co",
    "till@localhost",
    "jo@münchen.de",
    "jo@例え.テスト",
    "jo@xn--mnchen-3ya.de",
    `${"a".repeat(64)}@example.com`,
  ])("takes %s as it was written", (text) => {
    expect(Email.parse(text)).toEqual({ ok: true, email: text });
  });

  test.each([
    ["a second address", "a@b.com, c@d.com"],
    ["a second address after a semicolon", "a@b.com;c@d.com"],
    ["a second header", "a@b.com\r\nBcc: x@y.zz"],
    ["a line break at the end", "a@b.com\n"],
    ["a display name", '"x" <a@b.com>'],
    ["angle brackets", "<a@b.com>"],
    ["a group", "friends: a@b.com;"],
    ["a group without an end", "friends:a@b.com"],
    ["a comment", "a(comment)@b.com"],
    ["a quoted local part", '"a b"@b.com'],
    ["an address hidden in a quoted local part", '"a@evil.com x"@b.com'],
    ["a source route", "@relay.com:a@b.com"],
    ["a space before", " a@b.com"],
    ["a space within", "a b@c.com"],
    ["a tab", "a@b\t.com"],
    ["a NUL", "a@b.com\0"],
    ["a bidi control", "a@b\u202e.com"],
    ["a zero-width character", "a@exam\u200bple.com"],
    ["a soft hyphen", "a@exam\u00adple.com"],
    ["a full-width dot", "a@b。com"],
    ["no @", "example.com"],
    ["nothing before the @", "@b.com"],
    ["nothing after the @", "a@"],
    ["a domain without a dot", "a@b"],
    ["a trailing dot", "a@b.com."],
    ["two dots in a row", "a..b@c.com"],
    ["a leading dot", ".a@c.com"],
    ["a label that starts with a hyphen", "a@-b.com"],
    ["an IP address", "a@127.0.0.1"],
    ["an address literal", "a@[127.0.0.1]"],
    ["a port", "a@b.com:25"],
    ["a path", "a@b.com/x"],
    ["an encoded dot", "a@b%2ecom.de"],
    ["letters outside ASCII before the @", "jö@b.com"],
    ["a label that is no encoding of anything", "a@xn--a.com"],
    ["a label of 64 characters", `a@${"b".repeat(64)}.com`],
    ["65 characters before the @", `${"a".repeat(65)}@b.com`],
    ["nothing", ""],
  ])("refuses %s", (_what, text) => {
    expect(codeFor(text)).toMatch(/^(email_|too_long)/);
  });

  test("takes 254 characters and refuses 255", () => {
    const domain = (length: number) => `${"a.".repeat(100)}${"b".repeat(length - 203)}.cc`.slice(-length);
    const of = (length: number) => `${"x".repeat(length - 1 - 215)}@${domain(215)}`;
    expect(of(254)).toHaveLength(254);
    expect(codeFor(of(254))).toBeNull();
    expect(Email.parse(of(255))).toEqual({ ok: false, why: { code: "too_long", values: { max: 254 } } });
  });

  test("counts the characters that travel, not those that were written", () => {
    const domain = (labels: number) => `${"請求書支払銀行口座振込.".repeat(labels)}jp`;
    expect(codeFor(`jo@${domain(6)}`)).toBeNull();
    expect(domain(8).length).toBeLessThan(100);
    expect(codeFor(`jo@${domain(8)}`)).toBe("too_long_encoded");
  });
});

describe("toAscii", () => {
  test("gives a domain of another script in its ASCII form", () => {
    expect(Email.toAscii("jo@München.de")).toBe("jo@xn--mnchen-3ya.de");
  });

  test("leaves the local part alone, for its letters may matter", () => {
    expect(Email.toAscii("Jo.Doe@Example.COM")).toBe("Jo.Doe@example.com");
  });
});

describe("normalize", () => {
  test("gives all spellings of a mailbox the same name", () => {
    const names = ["Jo@MÜNCHEN.de", "jo@münchen.de", "JO@xn--mnchen-3ya.DE"].map(Email.normalize);
    expect(new Set(names)).toEqual(new Set(["jo@xn--mnchen-3ya.de"]));
  });

  test("keeps tags, which may be mailboxes of their own", () => {
    expect(Email.normalize("jo+shop@example.com")).not.toBe(Email.normalize("jo@example.com"));
  });
});
