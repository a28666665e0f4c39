import { beforeAll, describe, expect, test } from "bun:test";
import { inlineSources, parse } from "../../pages/dom.ts";
import { startBrowser } from "../../support/browser/browser.ts";
import { sendRaw } from "../../support/http/raw-http.ts";
import { shared } from "../../support/per-file.ts";
import { type Answer, linkRequest, startTestTill } from "../../support/till/till.ts";

const node = { rpcUrl: "http://127.0.0.1:9" };
const till = shared(() => startTestTill(node));
let invoice: Record<string, string>;
let link: Record<string, string>;
let all: Record<string, Answer>;

beforeAll(async () => {
  invoice = await till.createInvoice();
  link = (await till.api("POST", "/api/links", linkRequest)).body;
  all = await answers();
});

const html = { accept: "text/html" };
const get = (path: string, headers?: Record<string, string>) => till.api("GET", path, undefined, headers);

/** Every kind of answer there is, by its path. */
async function answers(): Promise<Record<string, Answer>> {
  const { invoice_id, slug } = invoice;
  const paths = [
    "/",
    "/docs",
    "/dev/mail",
    "/w.js",
    "/openapi.json",
    "/metrics",
    "/health/live",
    "/health/ready",
    `/i/${slug}`,
    `/i/${slug}/payment`,
    `/pay/${link["slug"]}`,
    `/pay/${link["slug"]}/payment`,
    "/i/nothing",
    "/pay/nothing",
    "/nothing",
    "/api/nothing",
    "/api/invoices",
    `/api/invoices/${invoice_id}`,
    `/api/invoices/${invoice_id}/status`,
    `/api/invoices/${invoice_id}/pdf`,
    `/api/links/${link["slug"]}`,
    `/api/payments/status/${link["slug"]}`,
    "/api/payments/status/nothing",
  ];
  const found: Record<string, Answer> = {};
  for (const path of paths) {
    found[path] = await get(path);
    if (!/^\/(docs|openapi|metrics|health|w\.js)|\/pdf$/.test(path))
      found[`${path} as a page`] = await get(path, html);
  }
  found["refused"] = await till.api("POST", "/api/invoices", {});
  found["not JSON"] = await till.api("POST", "/api/invoices", "{");
  found["wrong method"] = await till.api("DELETE", "/api/invoices");
  found["foreign host"] = await get("/", { host: "evil.example" });
  const etag = found["/w.js"]?.headers.get("etag") ?? "";
  found["304"] = await get("/w.js", { "if-none-match": etag });
  return found;
}

/** What the directives of a page's policy allow. */
function policyOf(answer: Answer | undefined): Record<string, string> {
  const text = answer?.headers.get("content-security-policy") ?? "";
  return Object.fromEntries(
    text.split(";").map((directive) => {
      const [name = "", ...values] = directive.trim().split(" ");
      return [name, values.join(" ")];
    }),
  );
}

describe("every answer", () => {
  test("cannot be taken for another type, tells nobody where it was, and asks for no permission", async () => {
    for (const [name, { headers }] of Object.entries(all)) {
      const found = ["x-content-type-options", "referrer-policy"].map((header) => headers.get(header));
      expect([name, ...found]).toEqual([name, "nosniff", "no-referrer"]);
      expect(headers.get("permissions-policy")).toContain("camera=()");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin-allow-popups");
      expect(headers.get("strict-transport-security")).toBeNull();
      expect(headers.get("server")).toBeNull();
      expect(headers.get("set-cookie")).toBeNull();
    }
  });

  test("is not kept by anybody, but for what is asked for again with its tag", async () => {
    for (const [name, { headers }] of Object.entries(all)) {
      const hasTag = headers.has("etag");
      expect([name, headers.get("cache-control")]).toEqual([name, hasTag ? "no-cache" : "no-store"]);
    }
  });

  test("that is HTML loads nothing, runs only its own script and can be framed only where it must", async () => {
    for (const [name, answer] of Object.entries(all)) {
      if (!answer.headers.get("content-type")?.startsWith("text/html")) continue;
      const policy = policyOf(answer);
      expect([name, policy["default-src"]]).toEqual([name, "'none'"]);
      expect([name, policy["base-uri"], policy["form-action"]]).toEqual([name, "'none'", "'none'"]);
      const [styles, scripts] = ["style", "script"].map((tag) =>
        inlineSources(parse(String(answer.body)), tag),
      );
      expect([name, policy["script-src"] ?? "'none'"]).toEqual([name, scripts?.join(" ") || "'none'"]);
      const isMail = policy["style-src"] === "'unsafe-inline'";
      expect([name, isMail]).toEqual([name, name.startsWith("/dev/mail")]);
      if (!isMail) expect([name, policy["style-src"] ?? ""]).toEqual([name, styles?.join(" ") ?? ""]);
      const isPay = name.startsWith("/pay/") && !name.includes("/payment");
      expect([name, policy["frame-ancestors"]]).toEqual([name, isPay ? "*" : "'none'"]);
    }
  });

  test("is for this origin only, but for the widget and what a shop's page reads", async () => {
    const open = Object.entries(all)
      .filter(([, { headers }]) => headers.get("cross-origin-resource-policy") !== "same-origin")
      .map(([name]) => name.replace(" as a page", ""));
    const expected = [
      "/w.js",
      "304",
      `/api/links/${link["slug"]}`,
      `/api/payments/status/${link["slug"]}`,
      "/api/payments/status/nothing",
    ];
    expect([...new Set(open)].sort()).toEqual(expected.sort());
    for (const name of expected) expect(all[name]?.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("asks for https once the base URL has it, also when the request was no good", async () => {
    await using open = await startTestTill(node, {
      TILL_BASE_URL: "https://pay.example.com",
      TILL_OPEN_API: "true",
    });
    for (const path of ["/", "/api/invoices", "/nothing", "/w.js"]) {
      const { headers } = await open.api("GET", path);
      expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
    }
    const port = Number(new URL(open.localUrl).port);
    const malformed = ["/", "/api/payments/status/", "/i/", "/pay/"].flatMap((path) => [
      `${path}abc HTTP/1.1\r\nHost: `,
      `${path}%zz HTTP/1.1\r\nHost: localhost:${port}`,
    ]);
    for (const request of malformed) {
      const answer = await sendRaw(port, `GET ${request}\r\n\r\n`);
      expect(answer).toStartWith("HTTP/1.1 400");
      expect(answer.toLowerCase()).toContain("nosniff");
      expect(answer).toContain('"code":"malformed_request"');
    }
  });

  test("that is a link's page can be framed by the origins that were named", async () => {
    const embed_origins = ["https://shop.example", "http://127.0.0.1:8080"];
    const { body } = await till.api("POST", "/api/links", { ...linkRequest, embed_origins });
    const policy = policyOf(await get(`/pay/${body.slug}`));
    expect(policy["frame-ancestors"]?.split(" ").sort()).toEqual(embed_origins.sort());
  });
});

describe("every page in a browser", () => {
  test("reaches for nothing but Till and breaks no rule of its own", async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const elsewhere: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (origin !== till.baseUrl && protocol !== "data:") elsewhere.push(request.url());
      });
      page.on("console", (message) => {
        if (/policy|refused|blocked/i.test(message.text())) complaints.push(message.text());
      });
      const paths = ["/", "/docs", "/dev/mail", `/i/${invoice["slug"]}`, `/pay/${link["slug"]}`, "/nothing"];
      for (const path of paths) {
        // What a page asks for last is what it is told: that request is held.
        const waits =
          /^\/(i|pay)\//.test(path) && page.waitForRequest((request) => /shown=\w/.test(request.url()));
        await page.goto(`${till.baseUrl}${path}`);
        await (waits || page.waitForLoadState("networkidle"));
      }
      expect(elsewhere).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
