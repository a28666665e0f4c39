import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { createApiKey } from "../../../src/http/access/api-key.ts";
import { languageCodes } from "../../../src/language/languages.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import { parse, words } from "../../pages/dom.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { expectedSignature, startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { linkRequest, startTestTill, type TestTill, until, untilIs } from "../../support/till/till.ts";
import { begin, openForm, sendForm, slugIn } from "../../support/till/visitor.ts";

const request = {
  ...linkRequest,
  expected_amount: "12.50",
  wallet_type: "byo",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  product_description: "One bag of coffee",
  reusable: true,
  quantity_max: 10,
};

const chain = shared(startTestChain);
const till = shared(() => startTestTill(chain));
const receiver = shared(startReceiver);

const post = (body: unknown, headers: Record<string, string> = {}) =>
  till.api("POST", "/api/links", body, headers);
async function create(changes: Record<string, unknown> = {}): Promise<Record<string, string>> {
  const { status, body } = await post({ ...request, ...changes });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}
const createChosen = (changes: Record<string, unknown> = {}) =>
  create({ expected_amount: null, quantity_max: null, amount_min: "1.00", amount_max: "500.00", ...changes });
async function faultsOf(changes: Record<string, unknown>): Promise<Record<string, string>> {
  const { status, body } = await post({ ...request, ...changes });
  expect(status).toBe(400);
  return Object.fromEntries(
    body.errors.map(({ field, message }: Record<string, string>) => [field, message]),
  );
}
const pageOf = (link: Record<string, string>) => link["payment_link"] ?? "";
const recordOf = async (slug: string | undefined) =>
  (await till.api("GET", `/api/reusable-links?slug=${slug}`)).body.data[0];
const childrenOf = async (slug: string | undefined) =>
  (await till.api("GET", `/api/links?reusable_slug=${slug}`)).body.data;
const linkOf = async (path: string) => (await till.api("GET", `/api/links/${slugIn(path)}`)).body;
const pay = async (path: string, amount: string) =>
  chain.pay(Address.checksum((await linkOf(path)).deposit_address), amount);
const rowsOf = (table: string) =>
  Number(till.db.query<{ count: bigint }, []>(`SELECT count(*) AS count FROM ${table}`).get()?.count);

describe("POST /api/links with reusable: true", () => {
  test("answers 201 with the page and its snippets, and no address", async () => {
    const before = rowsOf("receivable");
    const { slug, ...link } = await create();
    expect(link as Record<string, unknown>).toEqual({
      payment_link: `${till.baseUrl}/pay/${slug}`,
      iframe_snippet: expect.stringContaining(`<iframe src="${till.baseUrl}/pay/${slug}"`),
      js_widget_snippet: `<script src="${till.baseUrl}/w.js" data-slug="${slug}"></script>`,
      reusable: true,
      expected_amount: "12.50",
      quantity_max: 10,
    });
    const chosen = await createChosen({ webhook_url: receiver.url });
    expect(chosen).toMatchObject({ amount_min: "1.00", amount_max: "500.00" });
    expect(chosen["webhook_secret"]).toMatch(/^whsec_/);
    expect(Object.keys(chosen)).not.toContain("quantity_max");
    expect(rowsOf("receivable")).toBe(before);
  });

  test("can be repeated with its key, and gets the same answer", async () => {
    const key = { "idempotency-key": "reusable-1" };
    const body = { ...request, webhook_url: receiver.url };
    const first = await post(body, key);
    expect(first.status).toBe(201);
    expect((await post(body, key)).body).toEqual(first.body);
    // As after an end before the answer could be stored.
    till.db.run("UPDATE idempotency SET answer_status = NULL, answer_body = NULL WHERE key = 'reusable-1'");
    expect((await post(body, key)).body).toEqual(first.body);
  });

  test("names each combination that makes no sense, at its field", async () => {
    const chosen = { expected_amount: null, quantity_max: null };
    const of = async (changes: Record<string, unknown>) => Object.keys(await faultsOf(changes)).sort();
    expect(await of({ reusable: false })).toEqual(["quantity_max"]);
    expect(await of({ reusable: null, amount_min: "1", amount_max: "2" })).toEqual([
      "amount_max",
      "amount_min",
      "quantity_max",
    ]);
    expect(await of({ reusable: "yes" })).toContain("reusable");
    expect(await faultsOf(chosen)).toEqual({
      expected_amount: "is required without amount_min and amount_max",
    });
    // A link that is paid once is refused as ever.
    expect(await faultsOf({ reusable: null, ...chosen })).toEqual({
      expected_amount: 'must be an amount of USDC as a string with up to two decimals, such as "1500.00"',
    });
    expect(await of({ ...chosen, amount_min: "1.00" })).toEqual(["amount_max"]);
    expect(await of({ ...chosen, amount_max: "1.00" })).toEqual(["amount_min"]);
    expect(await faultsOf({ ...chosen, amount_min: "2.00", amount_max: "1.99" })).toEqual({
      amount_max: "must not be below amount_min, 2.00",
    });
    expect(await of({ amount_min: "1.00", amount_max: "2.00" })).toEqual(["expected_amount", "quantity_max"]);
    expect(await of({ ...chosen, amount_min: "0.00", amount_max: "1.001" })).toEqual([
      "amount_max",
      "amount_min",
    ]);
    for (const quantity_max of [0, -1, 1.5, 1001, "3"])
      expect(await of({ quantity_max })).toEqual(["quantity_max"]);
    expect((await faultsOf({ expected_amount: "1000000000.00", quantity_max: 2 }))["quantity_max"]).toContain(
      "more than 1000000000.00",
    );
    await create({ expected_amount: "1000000.00", quantity_max: 1000 });
    await createChosen({ amount_min: "5.00", amount_max: "5.00" });
  });
});

describe("reads of a reusable link", () => {
  test("the public view tells the price, and nothing private", async () => {
    const link = await create({
      webhook_url: "http://127.0.0.1:9/secret-hook",
      merchant_email: "private@corner.example",
    });
    const answer = await till.api("GET", `/api/links/${link["slug"]}`);
    expect(answer.body).toEqual({
      slug: link["slug"],
      business_name: "Corner Shop",
      product_description: "One bag of coffee",
      reusable: true,
      status: "open",
      expected_amount: "12.50",
      quantity_max: 10,
    });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const page = await openForm(pageOf(link));
    for (const secret of ["private@corner", "secret-hook", "whsec_", request.wallet_address])
      expect(page.html.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test.each(["/api/payments/status/SLUG", "/api/links/SLUG/payments", "/api/links/SLUG/events"])(
    "%s is 404 and says where its payments are",
    async (path) => {
      const { slug = "" } = await create();
      const answer = await till.api("GET", path.replace("SLUG", slug));
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect(answer.body.detail).toContain(`GET /api/links?reusable_slug=${slug}`);
    },
  );

  test("the list has them newest first, page by page, and ordinary links have none of their fields", async () => {
    const made = [await create(), await createChosen(), await create()].map(({ slug }) => slug);
    const first = (await till.api("GET", "/api/reusable-links?limit=2")).body;
    expect([first.data.map(({ slug }: { slug: string }) => slug), first.has_more]).toEqual([
      [made[2], made[1]],
      true,
    ]);
    const next = (await till.api("GET", `/api/reusable-links?limit=1&starting_after=${made[1]}`)).body;
    expect(next.data[0].slug).toBe(made[0]);
    for (const query of ["starting_after=nothing", "limit=0", "colour=red"])
      expect((await till.api("GET", `/api/reusable-links?${query}`)).status).toBe(400);
    expect((await till.api("GET", "/api/links?reusable_slug=nothing")).status).toBe(400);
    const { body } = await post({ ...request, reusable: null, quantity_max: null });
    const [link] = (await till.api("GET", `/api/links?slug=${body.slug}`)).body.data;
    expect(Object.keys(link).filter((name) => /reusable|quantity/.test(name))).toEqual([]);
  });
});

describe("the form of a reusable link", () => {
  test("is looked at without a row being written, and is another one for each visitor", async () => {
    const link = await create();
    const tables = [
      "reusable_link",
      "link",
      "receivable",
      "event",
      "mail",
      "idempotency",
      "webhook_event",
    ] as const;
    const before = tables.map(rowsOf);
    const tokens = new Set<string>();
    for (let visit = 0; visit < 20; visit++) {
      const page = await openForm(pageOf(link));
      expect([page.status, page.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
      expect(page.headers.get("content-security-policy")).toContain("form-action 'self'");
      tokens.add(page.token);
    }
    expect(tokens.size).toBe(20);
    expect(tables.map(rowsOf)).toEqual(before);
  });

  test("makes a link of its own for the payment, with all that the reusable one says", async () => {
    const link = await create({
      success_url: "https://shop.example/thanks",
      embed_origins: ["https://shop.example"],
      webhook_url: receiver.url,
      webhook_events: "standard",
      reference: "poster-7",
      metadata: { campaign: "spring" },
    });
    expect((await openForm(pageOf(link))).html).toContain("poster-7");
    const path = await begin(pageOf(link), { quantity: "3" });
    expect((await fetch(`${till.baseUrl}${path}`)).headers.get("content-security-policy")).toContain(
      "frame-ancestors https://shop.example",
    );
    const [child] = await childrenOf(link["slug"]);
    expect(child).toMatchObject({
      slug: slugIn(path),
      business_name: "Corner Shop",
      product_description: "One bag of coffee",
      expected_amount: "37.50",
      status: "pending",
      reusable_slug: link["slug"],
      quantity: 3,
      merchant_email: request.merchant_email,
      wallet_type: "byo",
      wallet_address: request.wallet_address,
      success_url: "https://shop.example/thanks",
      embed_origins: ["https://shop.example"],
      webhook_url: receiver.url,
      webhook_events: "standard",
      reference: "poster-7",
      metadata: { campaign: "spring" },
    });
    expect(words(parse(await (await fetch(`${till.baseUrl}${path}`)).text()))).toContain("Quantity: 3");
    expect(await recordOf(link["slug"])).toMatchObject({
      payments_begun: 1,
      payments_paid: 0,
      received_amount: "0.00",
    });
  });

  test("sent twice, at once or later, is one payment; another choice or another form is another one", async () => {
    const link = await create();
    const { token } = await openForm(pageOf(link));
    const send = (fields: Record<string, string>) =>
      sendForm(pageOf(link), { token, quantity: "2", ...fields });
    const answers = await Promise.all(Array.from({ length: 12 }, () => send({})));
    const [{ location = null } = {}] = answers;
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.location}`))).toEqual(
      new Set([`303 ${location}`]),
    );
    expect((await send({})).location).toBe(location);
    expect(await childrenOf(link["slug"])).toHaveLength(1);
    expect((await send({ quantity: "3" })).location).not.toBe(location);
    expect(
      (await sendForm(pageOf(link), { token: (await openForm(pageOf(link))).token, quantity: "2" })).location,
    ).not.toBe(location);
    // Without a token of ours each is another one: what somebody else chose names nothing.
    const own = [await send({ token: "mine" }), await send({ token: "mine" })].map(
      (answer) => answer.location,
    );
    expect(new Set(own).size).toBe(2);
    const children: { deposit_address: string }[] = await childrenOf(link["slug"]);
    expect(new Set(children.map((child) => child.deposit_address)).size).toBe(5);
  });

  test("of another link with the same token begins another payment", async () => {
    const [first, second] = [await create(), await create()];
    const { token } = await openForm(pageOf(first));
    const paths = [];
    for (const link of [first, second])
      paths.push((await sendForm(pageOf(link), { token, quantity: "1" })).location);
    expect(new Set(paths).size).toBe(2);
  });

  test("comes back as it was typed, with the fault beside the field, and begins nothing", async () => {
    const [fixed, chosen] = [await create(), await createChosen()];
    const yen = await createChosen({ currency: "JPY", rate: "150", amount_min: "100", amount_max: "50000" });
    const dinars = await createChosen({ currency: "KWD", rate: "0.308" });
    const before = rowsOf("link");
    const { token } = await openForm(pageOf(chosen));
    for (const [link, field, typed, sentence] of [
      [fixed, "quantity", "11", "Enter a whole number from 1 to 10."],
      [fixed, "quantity", "<b>", "Enter a whole number from 1 to 10."],
      [chosen, "amount", "0.99", "Enter at least 1.00 USDC."],
      [chosen, "amount", "500.01", "Enter at most 500.00 USDC."],
      [chosen, "amount", '12,50" onfocus="alert(1)', "Enter an amount such as 12.50,"],
      [yen, "amount", "12.50", "Enter an amount such as 1250,"],
      [dinars, "amount", "12.5000", "Enter an amount such as 1.250,"],
    ] as const) {
      const { status, html } = await sendForm(pageOf(link), { token, [field]: typed });
      expect(status).toBe(422);
      const page = parse(html);
      const input = page.querySelector(`input[name=${field}]`);
      expect(input?.getAttribute("value")).toBe(typed);
      expect(input?.getAttribute("aria-invalid")).toBe("true");
      expect(input?.hasAttribute("onfocus")).toBe(false);
      const fault = page.getElementById(input?.getAttribute("aria-describedby") ?? "");
      expect(fault?.textContent).toContain(sentence);
      expect(page.querySelector("input[name=token]")?.getAttribute("value")).toBe(token);
    }
    expect(rowsOf("link")).toBe(before);
  });

  test("takes an amount as the language of the page writes it, or says that it cannot", async () => {
    const link = await createChosen();
    const expected = async (lang: string, amount: string) => {
      const url = `${pageOf(link)}?lang=${lang}`;
      const { token } = await openForm(url);
      const { status, location } = await sendForm(url, { token, amount });
      if (status !== 303) return status;
      expect(location).toContain(`?lang=${lang}`);
      return (await linkOf(location ?? "")).expected_amount;
    };
    expect(await expected("de", "12,50")).toBe("12.50");
    expect(await expected("de", "12.50")).toBe("12.50");
    expect(await expected("de", "1.250")).toBe(422);
    expect(await expected("en", "1,250")).toBe(422);
    expect(await expected("en", "12,50")).toBe("12.50");
    for (const code of languageCodes) expect(await expected(code, "7")).toBe("7.00");
  });

  test("takes an address for the receipt, which is mailed when the payment is there", async () => {
    const link = await create();
    const { token, html } = await openForm(pageOf(link));
    expect(parse(html).querySelector("input[name=email]")?.getAttribute("autocomplete")).toBe("email");
    const refused = await sendForm(pageOf(link), { token, quantity: "2", email: "anna@" });
    expect([refused.status, refused.html.includes("Enter a valid email address")]).toEqual([422, true]);
    expect(await childrenOf(link["slug"])).toEqual([]);
    const sent = await sendForm(pageOf(link), { token, quantity: "2", email: " anna@customer.example " });
    const path = sent.location ?? "";
    expect((await childrenOf(link["slug"]))[0].payer_email).toBe("anna@customer.example");
    await pay(path, "25.00");
    const mails = await until(
      () => till.mail.list().filter(({ to }) => to.includes("anna@customer.example")),
      (all) => all.length > 0,
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("25.00");
  });

  test("is not there for an unknown link, nor for one that is paid once", async () => {
    const { body: once } = await post({ ...request, reusable: null, quantity_max: null });
    for (const slug of ["nothing", once.slug]) {
      const answer = await sendForm(`${till.baseUrl}/pay/${slug}`, { quantity: "1" });
      expect([answer.status, answer.html.includes("Payment link not found")]).toEqual([404, true]);
    }
  });

  test("is taken from a page of ours, a frame without an origin included, and on loopback from no other site", async () => {
    const link = await create();
    const send = (headers: Record<string, string>) => sendForm(pageOf(link), { quantity: "1" }, headers);
    expect((await send({ "sec-fetch-site": "same-origin", origin: till.baseUrl })).status).toBe(303);
    expect((await send({ "sec-fetch-site": "same-origin", origin: "null" })).status).toBe(303);
    expect((await send({ "sec-fetch-site": "cross-site", origin: "https://evil.example" })).status).toBe(403);
    expect((await send({ "content-type": "application/json" })).status).toBe(415);
    expect((await sendForm(pageOf(link), { quantity: "1", more: "x".repeat(17_000) })).status).toBe(413);
    // Other writes are as closed to forms as before.
    const answer = await fetch(`${till.baseUrl}/api/links`, {
      method: "POST",
      body: new URLSearchParams({ reusable: "true" }),
    });
    expect(answer.status).toBe(415);
  });

  test("closes by the clock", async () => {
    const clock = { now: Date.now() };
    await using timed = await startTestTill({ rpcUrl: "http://127.0.0.1:9" }, {}, { now: () => clock.now });
    const expires_at = new Date(clock.now + 60_000).toISOString();
    const { body } = await timed.api("POST", "/api/links", { ...request, expires_at });
    expect(await (await fetch(body.payment_link)).text()).toMatch(/Pay by .*UTC.* \(in 1 minute\)/);
    const path = await begin(body.payment_link, { quantity: "1" });
    expect((await timed.api("GET", `/api/links/${body.slug}`)).body).toMatchObject({
      status: "open",
      expires_at,
    });
    clock.now += 60_000;
    expect((await openForm(body.payment_link)).status).toBe(410);
    expect((await sendForm(body.payment_link, { quantity: "1" })).status).toBe(410);
    expect((await timed.api("GET", `/api/links/${body.slug}`)).body.status).toBe("closed");
    expect((await timed.api("GET", "/api/reusable-links")).body.data[0].status).toBe("closed");
    const page = await fetch(`${timed.baseUrl}${path}`);
    expect([page.status, (await page.text()).includes("Awaiting payment")]).toEqual([200, true]);
    const late = await timed.api("POST", "/api/links", { ...request, expires_at });
    expect(late.body.errors[0].field).toBe("expires_at");
  });

  test("does not begin anything once the link is closed, and what was begun goes on", async () => {
    const link = await create({ webhook_url: receiver.url });
    const { token } = await openForm(pageOf(link));
    const path = (await sendForm(pageOf(link), { token, quantity: "1" })).location ?? "";
    const close = (body: object, headers = {}) =>
      till.api("POST", `/api/links/${link["slug"]}/void`, body, headers);
    expect((await close({})).body.errors[0].field).toBe("reason");
    const key = { "idempotency-key": "close-1" };
    const reason = "Sold out <b>today</b>";
    const voided = await close({ reason }, key);
    expect(voided).toMatchObject({
      status: 200,
      body: { status: "closed", void_reason: reason, payments_begun: 1 },
    });
    expect((await close({ reason }, key)).body).toEqual(voided.body);
    // What is void stays void, with the reason that it had.
    expect((await close({ reason: "Another" })).body.void_reason).toBe(reason);
    expect((await till.api("POST", "/api/links/nothing/void", { reason })).status).toBe(404);
    expect((await till.api("POST", `/api/links/${link["slug"]}/mark`, { as: "paid" })).status).toBe(404);
    const closed = await openForm(pageOf(link));
    expect([closed.status, closed.html.includes("<form")]).toEqual([410, false]);
    expect(closed.html).toContain("Payment link closed");
    expect(words(parse(closed.html))).toContain(reason);
    const refused = await sendForm(pageOf(link), { token, quantity: "2" });
    expect([refused.status, refused.html.includes("<form")]).toEqual([410, false]);
    expect((await sendForm(pageOf(link), { token, quantity: "1" })).location).toBe(path);
    expect((await till.api("GET", `/api/links/${link["slug"]}`)).body.status).toBe("closed");
    await pay(path, "12.50");
    await untilIs(() => linkOf(path), { status: "confirmed" });
  });
});

describe("the payments of a reusable link", () => {
  test("are paid by themselves, counted, and told of with the one secret", async () => {
    const link = await create({ webhook_url: receiver.url });
    const paths = [];
    for (const quantity of ["1", "2", "3"]) paths.push(await begin(pageOf(link), { quantity }));
    const [one = "", two = "", three = ""] = paths;
    await pay(one, "12.50");
    await pay(two, "30.00");
    await pay(three, "1.00");
    await untilIs(() => recordOf(link["slug"]), { received_amount: "43.50" });
    expect(await recordOf(link["slug"])).toMatchObject({ payments_begun: 3, payments_paid: 2 });
    const slugs = paths.map(slugIn);
    const events = await untilIs(
      () =>
        receiver.received.flatMap(({ headers, raw }) => {
          const body = JSON.parse(raw.toString());
          return slugs.includes(body.slug) ? [{ headers, raw, body }] : [];
        }),
      { length: 3 },
    );
    expect(Object.fromEntries(events.map(({ body }) => [body.slug, body.status]))).toEqual({
      [slugs[0] ?? ""]: "confirmed",
      [slugs[1] ?? ""]: "excess",
      [slugs[2] ?? ""]: "partial",
    });
    for (const { headers, raw } of events)
      expect(headers["x-service-signature"]).toBe(expectedSignature(link["webhook_secret"] ?? "", raw));
    await pay(three, "36.50");
    await untilIs(() => recordOf(link["slug"]), { payments_paid: 3, received_amount: "80.00" });
  });
});

describe("limits of a public Till", () => {
  const publicTill = (changes: Record<string, string>) =>
    startTestTill(chain, {
      TILL_BASE_URL: "https://pay.example.com",
      TILL_TRUST_PROXY: "127.0.0.1",
      TILL_OPEN_API: "true",
      ...changes,
    });
  const reusableAt = async (open: TestTill, headers: Record<string, string> = {}) => {
    const { body } = await open.api("POST", "/api/links", { ...request, webhook_url: null }, headers);
    return `${open.localUrl}/pay/${body.slug}`;
  };
  const from = (client: string) => ({ "x-forwarded-for": client });

  test("let one address begin so many payments in an hour and in a day, and say so on the page", async () => {
    for (const limit of ["HOUR", "DAY"]) {
      const open = await publicTill({ [`TILL_LIMIT_PAYMENTS_${limit}`]: "3" });
      try {
        const url = await reusableAt(open);
        const { token } = await openForm(url, from("192.0.2.1"));
        const send = (quantity: string, client: string) => sendForm(url, { token, quantity }, from(client));
        for (const quantity of ["1", "2", "3"]) expect((await send(quantity, "192.0.2.1")).status).toBe(303);
        const refused = await send("4", "192.0.2.1");
        expect(refused.status).toBe(429);
        expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
        const page = parse(refused.html);
        expect(page.querySelector("[role=alert]")?.textContent).toContain("Too many payments");
        expect(page.querySelector("input[name=quantity]")?.getAttribute("value")).toBe("4");
        // What was begun is found again, and others are not held up.
        expect((await send("3", "192.0.2.1")).status).toBe(303);
        expect((await send("4", "192.0.2.2")).status).toBe(303);
      } finally {
        await open.stop();
      }
    }
  });

  test("keep the address for a receipt with each payment that can be begun, and few others", async () => {
    const open = await publicTill({ TILL_LIMIT_RECEIPTS: "1" });
    try {
      const url = await reusableAt(open);
      const { token } = await openForm(url, from("192.0.2.1"));
      const addressOf = async (quantity: string, email: string) => {
        const { location } = await sendForm(url, { token, quantity, email }, from("192.0.2.1"));
        return LinkStore.bySlug(open.db, slugIn(location))?.payerEmail;
      };
      for (const quantity of ["1", "2", "3"])
        expect(await addressOf(quantity, `jo${quantity}@initech.example`)).toBe(
          `jo${quantity}@initech.example`,
        );
      expect(await addressOf("3", "other@initech.example")).toBe("other@initech.example");
      expect(await addressOf("3", "third@initech.example")).toBe("other@initech.example");
    } finally {
      await open.stop();
    }
  });

  test("let a /48 of IPv6 begin ten times as many as one of its networks", async () => {
    const open = await publicTill({ TILL_LIMIT_PAYMENTS_HOUR: "1" });
    try {
      const url = await reusableAt(open);
      const begin = async (client: string) => (await sendForm(url, { quantity: "1" }, from(client))).status;
      const statuses: number[] = [];
      for (let network = 0; network < 12; network++)
        statuses.push(await begin(`2001:db8:1:${network.toString(16)}::1`));
      expect(statuses).toEqual([...Array(10).fill(303), 429, 429]);
      expect(await begin("2001:db8:2::1")).toBe(303);
      expect(await begin("192.0.2.1")).toBe(303);
    } finally {
      await open.stop();
    }
  });

  test("let the oldest unpaid payment expire before anybody is refused, and what is paid to it counts", async () => {
    const open = await publicTill({ TILL_LIMIT_UNPAID: "2" });
    try {
      const url = await reusableAt(open);
      const { token } = await openForm(url);
      const send = (client: number) => sendForm(url, { token, quantity: "1" }, from(`192.0.2.${client}`));
      const again = async (client: number) => sendForm(url, { quantity: "1" }, from(`192.0.2.${client}`));
      const recordAt = (path: string) => LinkStore.bySlug(open.db, slugIn(path));
      const first = (await send(1)).location ?? "";
      const second = (await again(2)).location ?? "";
      expect(recordAt(first)).toMatchObject({ status: "pending", expiresAt: null });
      const third = await again(3);
      expect(third.status).toBe(303);
      const expired = recordAt(first);
      expect(expired?.expiresAt).toBeLessThanOrEqual(Date.now());
      expect(recordAt(second)).toMatchObject({ expiresAt: null });
      const page = parse(String((await open.api("GET", `/pay/${slugIn(first)}`)).body));
      expect(page.body.textContent).toContain("expired");
      expect(page.body.textContent).toContain("Start a new payment");
      // Its address was shown: who pays there has paid.
      if (expired) await chain.pay(expired.deposit.address, "12.50");
      await untilIs(() => recordAt(first), { status: "confirmed" });
      // What begins in the place of others has an end, too: each is a row for good.
      for (let i = 0; i < 19; i++) expect((await again(10 + i)).status).toBe(303);
      const refused = await again(99);
      expect([refused.status, refused.html.includes("at the moment")]).toEqual([429, true]);
      expect((await sendForm(await reusableAt(open), { quantity: "1" })).status).toBe(303);
      open.db.run("UPDATE link SET created_at = created_at - 86400001 WHERE status = 'pending'");
      expect((await again(99)).status).toBe(303);
    } finally {
      await open.stop();
    }
  });

  test("a foreign site's form begins what anybody could, and no more where a login in front of Till opens it", async () => {
    for (const [openApi, status] of [
      ["false", 303],
      ["true", 403],
    ] as const) {
      const open = await publicTill({ TILL_OPEN_API: openApi });
      try {
        const { key } = createApiKey(open.db, "shop", Date.now());
        const url = await reusableAt(open, { authorization: `Bearer ${key}` });
        const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
        const sent = await sendForm(url, { quantity: "1" }, foreign);
        expect(sent.status).toBe(status);
        expect(sent.headers.get("access-control-allow-origin")).toBeNull();
      } finally {
        await open.stop();
      }
    }
  });
});
