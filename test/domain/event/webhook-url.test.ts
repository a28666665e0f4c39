import { describe, expect, test } from "bun:test";
import { checkWebhookUrl, hostOf, webhookUrlLengthMax } from "../../../src/domain/event/webhook-url.ts";

const open = { publicOnly: false };
const publicOnly = { publicOnly: true };
const codeOf = (text: string, rules = open) => {
  const check = checkWebhookUrl(text, rules);
  return check.ok ? null : check.why.code;
};

describe("checkWebhookUrl", () => {
  test("takes http and https URLs with port, path and query", () => {
    for (const url of [
      "https://shop.example/hooks?a=b&c=%20",
      "http://shop.example:8080/",
      "https://münchen.example/",
    ]) {
      expect(checkWebhookUrl(url, publicOnly)).toEqual({ ok: true, url: new URL(url).href });
    }
  });

  test("drops the fragment, which is never sent", () => {
    expect(checkWebhookUrl("https://shop.example/a#b", open)).toEqual({
      ok: true,
      url: "https://shop.example/a",
    });
  });

  test("refuses other schemes and texts without a host", () => {
    const texts = [
      "ftp://a.example",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "shop.example/hook",
      "",
      "https:",
      "https://",
      "http:///x",
      "http:a.example",
      "https:\\\\a.example",
    ];
    for (const text of texts) expect(codeOf(text)).toBe("url_start");
  });

  test("refuses a user name or a password", () => {
    for (const text of ["https://u@a.example/", "https://u:p@a.example/", "https://:p@a.example/"]) {
      expect(codeOf(text)).toBe("url_user");
    }
  });

  test("refuses what URL would silently drop", () => {
    for (const text of [
      " https://a.example/",
      "https://a.example/a\nb",
      "https://a.example/\t",
      "https://a.example/\0",
    ]) {
      expect(codeOf(text)).toBe("url_blank");
    }
  });

  test("refuses hosts and ports that cannot be", () => {
    for (const text of [
      "https://1.2.3.4.5/",
      "https://[::1/",
      "https://a.example:99999/",
      "https://a%00b.example/",
    ]) {
      expect(codeOf(text)).toBe("url_form");
    }
    expect(codeOf("https://a.example:0/")).toBe("url_port");
  });

  test("limits the length as written and as stored", () => {
    const base = "https://a.example/";
    expect(codeOf(base + "a".repeat(webhookUrlLengthMax - base.length))).toBeNull();
    expect(codeOf(base + "a".repeat(webhookUrlLengthMax - base.length + 1))).toBe("url_long");
    expect(codeOf(base + "é".repeat(1_000))).toBe("url_long_encoded");
  });

  const local = [
    ...[
      "localhost",
      "localhost.",
      "LOCALHOST",
      "api.localhost",
      "127.0.0.1",
      "127.1",
      "0",
      "0x7f000001",
      "2130706433",
    ],
    ...["0177.0.0.1", "0x7f.1", "１２７.0.0.1", "127.0.0.1.", "10.0.0.8", "169.254.169.254", "[::1]", "[::]"],
    ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[fd00::1]", "[fe80::1]"],
    ...[
      "[64:ff9b:1::a9fe:a9fe]",
      "[2002:a9fe:a9fe::1]",
      "[2001:0:1::1]",
      "[fec0::1]",
      "[::127.0.0.1]",
      "[ff02::1]",
    ],
    ...["0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "169.254.43518", "100.100.100.200", "192.0.0.192"],
    ...[
      "168.63.129.16",
      "224.0.0.1",
      "255.255.255.255",
      "198.18.0.1",
      "203.0.113.9",
      "100.64.0.1",
      "0.0.0.0",
    ],
  ];

  test("refuses every way of writing a local host when only public ones may be called", () => {
    for (const host of local)
      expect([host, codeOf(`http://${host}:8080/`, publicOnly)]).toEqual([host, "url_private"]);
  });

  test("takes local hosts otherwise", () => {
    for (const host of local) expect([host, codeOf(`http://${host}:8080/`)]).toEqual([host, null]);
  });
});

describe("hostOf", () => {
  test("gives the host without brackets and without the root's dot", () => {
    expect(hostOf(new URL("http://[2606:4700::1]:80/"))).toBe("2606:4700::1");
    expect(hostOf(new URL("http://shop.example./"))).toBe("shop.example");
  });
});
