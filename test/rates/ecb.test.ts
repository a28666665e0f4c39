import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import * as Reference from "../../src/domain/bill/rate/reference.ts";
import type { SourceFailure } from "../../src/rates/ask.ts";
import { createEcbRates } from "../../src/rates/past.ts";

const minute = 60_000;
/** In Frankfurt it is an hour later. */
const at = (text: string) => Date.parse(`${text}:00Z`);
let now: number;
let recent: string | ((response: ServerResponse) => void);
let all: string;
let asked: string[];
let failures: string[];
let rates: ReturnType<typeof createEcbRates>;

const server = createServer((request, response) => {
  const file = request.url?.split("/").at(-1) ?? "";
  asked.push(file);
  const answer = file === "eurofxref-hist.xml" ? all : recent;
  if (typeof answer === "string") response.writeHead(200, { "content-type": "text/xml" }).end(answer);
  else answer(response);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  now = at("2026-11-23T09:00");
  recent = week;
  all = documentOf([...weekDays, "2020-01-08 1.1115 0.84868", "1999-01-04 1.1789 0.7111"]);
  asked = [];
  failures = [];
  const { port } = server.address() as AddressInfo;
  rates = createEcbRates({
    baseUrl: `http://127.0.0.1:${port}/stats`,
    publicOnly: false,
    now: () => now,
    onFailure: ({ reason }: SourceFailure) => failures.push(reason),
    signal: new AbortController().signal,
  });
});

/** As the bank writes it: `day usd gbp`, newest first. */
const documentOf = (days: readonly string[], name = "European Central Bank") =>
  `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>${name}</gesmes:name></gesmes:Sender><Cube>
${days.map(dayOf).join("\n")}
</Cube></gesmes:Envelope>`;
function dayOf(text: string) {
  const [day, usd, gbp] = text.split(" ");
  const cubes = [`USD" rate="${usd}`, `JPY" rate="170.55`, `GBP" rate="${gbp}`, `IDR" rate="17487.21`];
  return `<Cube time="${day}">${cubes.map((cube) => `<Cube currency="${cube}"/>`).join("")}</Cube>`;
}
const weekDays = [
  "2026-11-20 1.1500 0.87000",
  "2026-11-19 1.1612 0.87110",
  "2026-11-18 1.1600 0.87100",
  // Nothing on Tuesday, as on a holiday.
  "2026-11-16 1.1588 0.87090",
];
const week = documentOf(weekDays);
const rateOf = async (time: string, code = "EUR") => (await rates.quoteOf(code, at(time)))?.rate ?? null;

describe("the reference rate of a payment", () => {
  test("is that of its day in Frankfurt, with what the bank wrote", async () => {
    expect(await rates.quoteOf("EUR", at("2026-11-19T10:00"))).toEqual({
      rate: "0.8611780916",
      source: "ECB 2026-11-19: 1 EUR = 1.1612 USD",
      fetchedAt: at("2026-11-19T15:00"),
    });
    // Half an hour before and after midnight there.
    expect(await rateOf("2026-11-19T22:30")).toBe("0.8611780916");
    expect(await rateOf("2026-11-19T23:30")).toBe("0.8695652174");
    expect(asked).toEqual(["eurofxref-hist-90d.xml"]);
  });

  test("is that of the last day before on a weekend and on a holiday", async () => {
    expect(await rateOf("2026-11-22T12:00")).toBe("0.8695652174");
    expect(await rateOf("2026-11-21T12:00")).toBe("0.8695652174");
    expect(await rates.quoteOf("EUR", at("2026-11-17T12:00"))).toMatchObject({
      source: "ECB 2026-11-16: 1 EUR = 1.1588 USD",
    });
  });

  test("goes through the euro to other currencies, and is 1 in dollars", async () => {
    expect(await rates.quoteOf("GBP", at("2026-11-20T10:00"))).toMatchObject({
      rate: "0.7565217391",
      source: "ECB 2026-11-20: 1 EUR = 1.1500 USD = 0.87000 GBP",
    });
    expect(await rateOf("2026-11-20T10:00", "IDR")).toBe("15206.2695652174");
    expect(await rateOf("2026-11-20T10:00", "USD")).toBe("1");
    expect(await rateOf("2026-11-20T10:00", "ARS")).toBeNull();
    expect(failures).toContain("no rate of ARS on 2026-11-20");
  });

  test("is waited for until it is out, and asked for every quarter of an hour", async () => {
    const payment = at("2026-11-23T08:00");
    expect(rates.isOver(payment)).toBe(false);
    now = at("2026-11-23T15:00");
    expect(rates.isOver(payment)).toBe(true);
    expect(await rateOf("2026-11-23T08:00")).toBeNull();
    recent = documentOf(["2026-11-23 1.1700 0.88", ...weekDays]);
    now += 15 * minute - 1;
    expect(await rateOf("2026-11-23T08:00")).toBeNull();
    expect(asked).toHaveLength(1);
    now += 1;
    expect(await rateOf("2026-11-23T08:00")).toBe("0.8547008547");
    expect(failures).toEqual([]);
  });

  test("is looked for among all days when it is older than the last ninety", async () => {
    expect(await rateOf("2020-01-08T10:00")).toBe("0.8996851102");
    expect(await rateOf("2020-01-10T10:00")).toBe("0.8996851102");
    expect(await rateOf("1998-12-31T10:00")).toBeNull();
    expect(asked).toEqual(["eurofxref-hist-90d.xml", "eurofxref-hist.xml"]);
  });
});

describe("the newest reference rate", () => {
  const latest = (day: string, from: string, to: string) => rates.latestOf({ from, to }, day);

  test("is that of a day before while that of the day is not out", async () => {
    const friday = { rate: "0.8695652174", source: "ECB 2026-11-20: 1 EUR = 1.1500 USD" };
    expect(await latest("2026-11-23", "USD", "EUR")).toMatchObject(friday);
    expect(await latest("2027-01-01", "USD", "EUR")).toMatchObject(friday);
    expect(await latest("2026-11-17", "USD", "EUR")).toMatchObject({ rate: "0.8629616845" });
    expect(asked).toHaveLength(1);
    expect(await latest("2026-01-17", "USD", "EUR")).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test("goes from any currency to any other through the euro", async () => {
    expect(await latest("2026-11-20", "JPY", "EUR")).toMatchObject({
      rate: "0.0058633832",
      source: "ECB 2026-11-20: 1 EUR = 170.55 JPY",
    });
    expect(await latest("2026-11-20", "JPY", "GBP")).toMatchObject({
      rate: "0.0051011434",
      source: "ECB 2026-11-20: 1 EUR = 170.55 JPY = 0.87000 GBP",
    });
    expect(await latest("2026-11-20", "EUR", "GBP")).toMatchObject({
      rate: "0.87",
      source: "ECB 2026-11-20: 1 EUR = 0.87000 GBP",
    });
    expect(await latest("2026-11-20", "KWD", "EUR")).toBeNull();
    expect(failures).toContain("no rate of KWD in EUR on 2026-11-20");
  });

  test("is of no use from a bank that is away", async () => {
    recent = (response) => void response.writeHead(503).end();
    expect(await latest("2026-11-20", "USD", "EUR")).toBeNull();
    expect(asked).toHaveLength(1);
    expect(failures).toEqual(["HTTP 503"]);
    // It is asked again soon, and not at once.
    recent = week;
    expect(await latest("2026-11-20", "USD", "EUR")).toBeNull();
    now += 30_000;
    expect(await latest("2026-11-20", "USD", "EUR")).toMatchObject({ rate: "0.8695652174" });
  });

  test("is asked for once for all who want it at once", async () => {
    const many = await Promise.all(Array.from({ length: 9 }, () => latest("2026-11-20", "USD", "EUR")));
    expect(many.map((each) => each?.rate)).toEqual(Array(9).fill("0.8695652174"));
    expect(asked).toHaveLength(1);
  });
});

const faults: [string, typeof recent, RegExp][] = [
  ["nothing", "", /another form/],
  ["a page", "<html><body>Maintenance</body></html>", /another form/],
  ["no days", documentOf([]), /without a day/],
  ["a part", week.slice(0, -40), /another form/],
  ["more after its end", `${week}<Cube/>`, /another form/],
  ["another sender", documentOf(weekDays, "A Bank"), /another form/],
  ["zero", documentOf(["2026-11-20 0.0000 0.87"]), /a rate that is none on 2026-11-20/],
  ["no number", documentOf(["2026-11-20 1..15 0.87"]), /none/],
  ["words", documentOf(["2026-11-20 N/A 0.87"]), /another form/],
  ["a negative rate", documentOf(["2026-11-20 -1.15 0.87"]), /another form/],
  ["too much", documentOf(["2026-11-20 115.00 0.87"]), /absurd/],
  ["a huge rate", documentOf([`2026-11-20 ${"9".repeat(40)} 0.87`]), /none/],
  ["a leap", documentOf(["2026-11-20 1.9 0.87", "2026-11-19 0.8 0.87"]), /absurd/],
  ["no dollars", week.replaceAll("USD", "USN"), /no rate of USD/],
  ["a day to come", documentOf(["2026-11-24 1.15 0.87"]), /wrong day/],
  ["no day", documentOf(["2026-11-31 1.15 0.87"]), /wrong day/],
  ["a day twice", documentOf(["2026-11-20 1.15 0.87", "2026-11-20 1.15 0.87"]), /wrong day/],
  ["days in another order", documentOf([...weekDays].reverse()), /wrong day/],
  ["an error", (response) => void response.writeHead(500).end(week), /HTTP 500/],
  ["a redirect", (response) => void response.writeHead(302, { location: "/x" }).end(), /redirect/i],
  ["a broken connection", (response) => void response.destroy(), /./],
  ["too many bytes", " ".repeat(1 << 20) + week, /more than 1048576 bytes/],
];

describe("a document is not believed", () => {
  test.each(faults)("with %s", async (_, answer, reason) => {
    recent = answer;
    expect(await rateOf("2026-11-20T10:00")).toBeNull();
    expect(failures).toEqual([expect.stringMatching(reason)]);
    // What was known before stays.
    recent = week;
    now += 15 * minute;
    expect(await rateOf("2026-11-20T10:00")).toBe("0.8695652174");
    recent = answer;
    now = at("2026-11-23T16:00");
    expect(await rateOf("2026-11-23T08:00")).toBeNull();
    expect(await rateOf("2026-11-20T10:00")).toBe("0.8695652174");
  });

  test("that comes for ever", async () => {
    recent = (response) => {
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    };
    const startedAt = performance.now();
    expect(await rateOf("2026-11-20T10:00")).toBeNull();
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    expect(failures).toEqual(["no answer within 5000 ms"]);
  });

  test("for days after it ends, which is said", async () => {
    now = at("2026-12-07T16:00");
    expect(await rateOf("2026-11-20T10:00")).toBe("0.8695652174");
    expect(await rateOf("2026-12-07T10:00")).toBeNull();
    expect(failures[0]).toBe("no rates since 2026-11-20");
  });
});

test("All days since 1999 are read, a day at a time, so that other things are done in between", async () => {
  const day = (back: number) =>
    new Date(at("2026-11-20T00:00") - back * 86_400_000).toISOString().slice(0, 10);
  const many = Array.from(
    { length: 31 },
    (_, i) => `<Cube currency="X${String.fromCharCode(65 + (i % 26))}A" rate="1${i}.5"/>`,
  );
  all = documentOf(Array.from({ length: 7_000 }, (_, i) => `${day(i)} 1.15 0.87`)).replaceAll(
    '<Cube currency="JPY"',
    `${many.join("")}<Cube currency="JPY"`,
  );
  expect(all.length).toBeGreaterThan(7_500_000);
  expect(await rateOf("2010-01-08T10:00")).toBe("0.8695652174");
  expect([...Reference.read(all, { to: "EUR" }, "2026-11-20")]).toHaveLength(7_000);
});

test.each([
  ["exchanges", null],
  ["ecb", { baseUrl: "https://www.ecb.europa.eu/stats/eurofxref" }],
  ["ecb=http://127.0.0.1:1/x/", { baseUrl: "http://127.0.0.1:1/x" }],
  ["ecb=ftp://x", undefined],
  ["ecb=https://user:secret@x", undefined],
  ["kraken", undefined],
  ["", undefined],
])("TILL_BOOKKEEPING_RATES reads %p", (text, source) => {
  expect(Reference.parseSource(text)).toEqual(source as { baseUrl: string });
});
