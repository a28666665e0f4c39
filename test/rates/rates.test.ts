import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import * as Source from "../../src/domain/bill/rate/source.ts";
import type { SourceFailure } from "../../src/rates/ask.ts";
import { createRates, type Rates } from "../../src/rates/rates.ts";
import { type Behaviour, type Exchanges, startExchanges } from "../support/http/exchanges.ts";

const minute = 60_000;
let now = Date.now();
let exchanges: Exchanges;
let rates: Rates;
let failures: SourceFailure[];
beforeAll(async () => {
  exchanges = await startExchanges(() => now);
});
afterAll(() => exchanges.stop());
beforeEach(() => {
  exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
  rates = open(exchanges.setting);
});
afterEach(() => rates.stop());

function open(setting: string, publicOnly = false): Rates {
  failures = [];
  const sources = Source.parseChosen(setting) ?? [];
  return createRates({ sources, publicOnly, now: () => now, onFailure: (failure) => failures.push(failure) });
}

const reasons = () => Object.fromEntries(failures.map(({ name, reason }) => [name, reason]));

/** Every way in which an exchange fails, and what is said of it. */
const waysToFail: [string, Behaviour, RegExp][] = [
  ["a redirect, which is not followed", "redirects", /redirect/i],
  ["a connection that ends", "hangs up", /./],
  ["an answer without an end", "floods", /more than 16384 bytes/],
  ["no JSON", { body: "<html>" }, /no JSON/],
  ["an error", { body: "{}", status: 500 }, /HTTP 500/],
  ["too many calls", { body: "{}", status: 429 }, /HTTP 429/],
  ["nothing", { body: "" }, /no JSON/],
  ["null", { body: "null" }, /another form/],
  ["a list", { body: "[1]" }, /another form/],
  ["a number where a text is due", { body: '{"bid":0.86,"ask":0.86,"timestamp":"1"}' }, /another form/],
  ["zero", { bid: "0.0000", ask: "0.0000" }, /none/],
  ["a negative price", { bid: "-0.8606", ask: "-0.8604" }, /none/],
  ["words", { bid: "NaN", ask: "Infinity" }, /none/],
  ["an exponent", { bid: "8606e-4", ask: "8608e-4" }, /none/],
  ["an absurd price", { bid: "86.06", ask: "86.08" }, /absurd/],
  ["a price of another thing", { bid: "0.0000121", ask: "0.0000122" }, /absurd/],
  ["bid above ask", { bid: "0.8608", ask: "0.8606" }, /without a price/],
  ["a market that is empty", { bid: "0.5", ask: "1.5" }, /without a price/],
];

describe("what an exchange says", () => {
  test("is the middle of three that agree, each asked once for its own market", async () => {
    exchanges.set("kraken", { bid: "0.8600", ask: "0.8602" });
    exchanges.set("bitstamp", { bid: "0.8619", ask: "0.8621" });
    const before = exchanges.asked.length;
    expect(await rates.quote("EUR")).toEqual({
      rate: "0.8607",
      source: "kraken, coinbase, bitstamp",
      fetchedAt: now,
    });
    expect(exchanges.asked.slice(before).sort()).toEqual([
      "bitstamp/api/v2/ticker/usdceur/",
      "coinbase/products/USDC-EUR/ticker",
      "kraken/0/public/Ticker?pair=USDCEUR",
    ]);
    expect(failures).toEqual([]);
  });

  test("is asked for in dollars only where there is such a market", async () => {
    exchanges.set("all", { bid: "0.9997", ask: "0.9998" });
    expect(await rates.quote("USD")).toMatchObject({ rate: "0.99975", source: "kraken, bitstamp" });
    expect(await rates.quote("GBP")).toBeNull();
    expect(await rates.quote("toString")).toBeNull();
  });

  test.each(waysToFail)("is not believed when it is %s", async (_, behaviour, reason) => {
    exchanges.set("bitstamp", behaviour);
    expect(await rates.quote("EUR")).toMatchObject({ rate: "0.8607", source: "kraken, coinbase" });
    expect(reasons()).toEqual({ bitstamp: expect.stringMatching(reason) });
  });

  test.each(["coinbase", "bitstamp"] as const)("is not believed when %s is old or ahead", async (name) => {
    for (const at of [now - 11 * minute, now + 11 * minute]) {
      rates = open(exchanges.setting);
      exchanges.set(name, { bid: "0.8606", ask: "0.8608", at });
      expect((await rates.quote("EUR"))?.source).not.toContain(name);
      expect(reasons()[name]).toMatch(/another time/);
    }
  });

  test("is waited for three seconds, to the last byte", async () => {
    exchanges.set("kraken", "hangs");
    exchanges.set("bitstamp", "trickles");
    const startedAt = performance.now();
    // One alone is not believed, and nothing was known before.
    expect(await rates.quote("EUR")).toBeNull();
    expect(performance.now() - startedAt).toBeGreaterThan(2_500);
    expect(reasons()).toMatchObject({
      kraken: "no answer within 3000 ms",
      bitstamp: "no answer within 3000 ms",
    });
  });
});

describe("a rate", () => {
  test("drops the one of three that is far from the others, and says so", async () => {
    exchanges.set("coinbase", { bid: "0.9000", ask: "0.9002" });
    expect(await rates.quote("EUR")).toMatchObject({ rate: "0.8607", source: "kraken, bitstamp" });
    expect(reasons()).toEqual({ coinbase: "0.9001, which nothing confirms" });
  });

  test("is not taken of two that do not agree, unless one is near what was known", async () => {
    exchanges.set("kraken", { body: "", status: 503 });
    exchanges.set("coinbase", { bid: "0.9000", ask: "0.9002" });
    expect(await rates.quote("EUR")).toBeNull();
    exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
    now += minute;
    expect(await rates.quote("EUR")).not.toBeNull();
    exchanges.set("kraken", { body: "", status: 503 });
    exchanges.set("coinbase", { bid: "0.9000", ask: "0.9002" });
    now += 11 * minute;
    expect(await rates.quote("EUR")).toMatchObject({ rate: "0.8607", source: "bitstamp" });
  });

  test.each([
    ["0.8607", "0.8607", true],
    ["0.8500", "0.8669", true],
    // Each would be within 2 % of their middle.
    ["0.8500", "0.8680", false],
    ["0.8680", "0.8500", false],
    ["0.5000", "1.9000", false],
  ])(
    "of two, %s and %s, is one only where they are within 2 %% of each other: %p",
    async (one, two, isOne) => {
      exchanges.set("kraken", { body: "", status: 503 });
      exchanges.set("coinbase", { bid: one, ask: one });
      exchanges.set("bitstamp", { bid: two, ask: two });
      expect((await rates.quote("EUR")) !== null).toBe(isOne);
    },
  );

  test("of one alone is believed near one of the last 24 hours that two confirmed, not after", async () => {
    await rates.quote("EUR");
    exchanges.set("all", { body: "", status: 503 });
    exchanges.set("kraken", { bid: "0.8700", ask: "0.8702" });
    now += 20 * minute;
    expect(await rates.quote("EUR")).toMatchObject({ rate: "0.8701", source: "kraken" });
    exchanges.set("kraken", { bid: "0.8800", ask: "0.8802" });
    now += 20 * minute;
    expect(await rates.quote("EUR")).toBeNull();
    exchanges.set("kraken", { bid: "0.8606", ask: "0.8608" });
    now += 24 * 60 * minute;
    expect(await rates.quote("EUR")).toBeNull();
  });

  test("of the only source that was chosen is believed", async () => {
    rates = open(exchanges.setting.split(",")[0] ?? "");
    expect(await rates.quote("EUR")).toMatchObject({ source: "kraken" });
  });

  test("is asked for once a minute at most, by all who want it at a time", async () => {
    const before = exchanges.asked.length;
    const all = await Promise.all(Array.from({ length: 50 }, () => rates.quote("EUR")));
    expect(new Set(all.map((quote) => quote?.rate))).toEqual(new Set(["0.8607"]));
    now += minute - 1;
    await rates.quote("EUR");
    expect(exchanges.asked.length - before).toBe(3);
    now += 1;
    await rates.quote("EUR");
    expect(exchanges.asked.length - before).toBe(6);
  });

  test("is kept for ten minutes while nobody answers, and not longer", async () => {
    const quote = await rates.quote("EUR");
    exchanges.set("all", "hangs up");
    now += 10 * minute - 1;
    expect(await rates.quote("EUR")).toEqual(quote);
    now += 1;
    expect(await rates.quote("EUR")).toBeNull();
    expect(rates.state()).toEqual([{ code: "EUR", isKnown: false, wantedAgoMs: 1 }]);
  });

  test("is not asked for again at once when nobody had one, but soon", async () => {
    exchanges.set("all", { body: "", status: 503 });
    expect(await rates.quote("EUR")).toBeNull();
    const before = exchanges.asked.length;
    expect(await rates.quote("EUR")).toBeNull();
    expect(exchanges.asked.length).toBe(before);
    exchanges.set("all", { bid: "0.8606", ask: "0.8608" });
    now += 10_000;
    expect(await rates.quote("EUR")).not.toBeNull();
  });

  test("is asked for again when the clock was set back", async () => {
    await rates.quote("EUR");
    now -= 60 * minute;
    exchanges.set("all", { bid: "0.8700", ask: "0.8702" });
    expect(await rates.quote("EUR")).toMatchObject({ rate: "0.8701", fetchedAt: now });
  });
});

describe("an address of somebody's own", () => {
  test("must be public where webhooks' must be, whatever its name resolves to, and nothing is connected to", async () => {
    for (const setting of [
      exchanges.setting,
      exchanges.setting.replaceAll("127.0.0.1", "localhost.localdomain"),
    ]) {
      rates = open(setting, true);
      const before = exchanges.asked.length;
      expect(await rates.quote("EUR")).toBeNull();
      for (const reason of Object.values(reasons()))
        expect(reason).toMatch(/is not a public address|ENOTFOUND|EAI_AGAIN/);
      expect(exchanges.asked.length).toBe(before);
    }
    expect(Object.keys(reasons()).toSorted()).toEqual(["bitstamp", "coinbase", "kraken"]);
    rates = open(exchanges.setting.replace("127.0.0.1", hostname()), true);
    expect(await rates.quote("EUR")).toBeNull();
    expect(reasons()["kraken"]).toBe(`${hostname().toLowerCase()} is not a public address`);
  });
});

describe("TILL_RATES", () => {
  test.each([
    ["off", []],
    ["kraken", [["kraken", "https://api.kraken.com"]]],
    [
      " coinbase , bitstamp=http://127.0.0.1:1/x/ ",
      [
        ["coinbase", "https://api.exchange.coinbase.com"],
        ["bitstamp", "http://127.0.0.1:1/x"],
      ],
    ],
    ["kraken,kraken", undefined],
    ["binance", undefined],
    ["kraken,off", undefined],
    ["kraken=ftp://x", undefined],
    ["kraken=https://user:secret@x", undefined],
    ["", undefined],
  ])("reads %p", (text, chosen) => {
    expect(Source.parseChosen(text)?.map(({ name, baseUrl }) => [name, baseUrl])).toEqual(
      chosen as string[][],
    );
  });
});
