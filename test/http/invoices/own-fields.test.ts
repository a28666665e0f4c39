import { describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { shared } from "../../support/per-file.ts";
import { invoiceRequest, linkRequest, startTestTill, untilIs } from "../../support/till/till.ts";

/** What a merchant says of an invoice or a link for their own books: a reference, metadata, when a link expires. */

const chain = shared(startTestChain);
const till = shared(() =>
  startTestTill(chain, { TILL_TIMEZONE: "Pacific/Auckland" }, { now: () => clock ?? Date.now() }),
);
/** Unix milliseconds; null is the clock of this machine. */
let clock: number | null = null;

const kinds = [
  ["/api/invoices", { ...invoiceRequest, send_now: false }],
  ["/api/links", linkRequest],
] as const;

async function createLink(changes: object): Promise<Record<string, string>> {
  const { status, body } = await till.api("POST", "/api/links", { ...linkRequest, ...changes });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}

/** The one that was made last. */
async function newest(path: string) {
  return (await till.api("GET", `${path}?limit=1`)).body.data[0];
}

async function faultsOf(path: string, body: object): Promise<Record<string, string>> {
  const answer = await till.api("POST", path, body);
  expect(answer.status).toBe(400);
  return Object.fromEntries(
    answer.body.errors.map((fault: { field: string; message: string }) => [fault.field, fault.message]),
  );
}

describe.each(kinds)("a reference and metadata by %s", (path, request) => {
  test("are answered as they were given, and only then", async () => {
    const metadata = { cart: "8f14e45f", note: "two\nlines", empty: "" };
    expect((await till.api("POST", path, { ...request, reference: "PO-4711", metadata })).status).toBe(201);
    expect(await newest(path)).toMatchObject({ reference: "PO-4711", metadata });
    for (const nothing of [{}, { reference: null, metadata: null }, { metadata: {} }]) {
      expect((await till.api("POST", path, { ...request, ...nothing })).status).toBe(201);
      const names = Object.keys(await newest(path));
      expect(names).not.toContain("reference");
      expect(names).not.toContain("metadata");
    }
  });

  test("a list can be narrowed to a reference, exactly as it was given", async () => {
    for (const reference of ["Order 7", "order 7", "Order 77", "Order 7"])
      await till.api("POST", path, { ...request, reference });
    const { data } = (await till.api("GET", `${path}?reference=Order%207`)).body;
    expect(data.map((record: { reference: string }) => record.reference)).toEqual(["Order 7", "Order 7"]);
    expect((await till.api("GET", `${path}?reference=nobody`)).body.data).toEqual([]);
    expect((await till.api("GET", `${path}?reference=`)).body.errors[0].field).toBe("reference");
  });

  test("metadata takes any name, also those that mean something to JavaScript", async () => {
    const hostile = '{"__proto__":"a","constructor":"b","toString":"c","7":"d","a/b~c.d":"e"}';
    const body = JSON.stringify({ ...request, metadata: null }).replace(
      '"metadata":null',
      `"metadata":${hostile}`,
    );
    expect((await till.api("POST", path, body)).status).toBe(201);
    const { metadata } = await newest(path);
    expect(Object.entries(metadata).sort()).toEqual(Object.entries(JSON.parse(hostile)).sort());
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });

  test("every fault is named by its field", async () => {
    const wanted = "must be text of at most 500 characters";
    const long = "k".repeat(41);
    const faults = await faultsOf(path, {
      ...request,
      reference: "x".repeat(101),
      metadata: {
        number: 7,
        none: null,
        list: ["a"],
        long: "x".repeat(501),
        "": "a",
        [long]: "a",
        control: "\u0007",
      },
    });
    expect(faults).toEqual({
      reference: "must be text of 1 to 100 characters",
      "metadata.number": wanted,
      "metadata.none": wanted,
      "metadata.list": wanted,
      "metadata.long": wanted,
      "metadata.": "must have a name of 1 to 40 plain characters",
      [`metadata.${long}`]: "must have a name of 1 to 40 plain characters",
      "metadata.control": "must not contain control characters",
    });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`key${i}`, "value"]));
    for (const metadata of [many, [], "text", 7])
      expect(await faultsOf(path, { ...request, metadata })).toEqual({
        metadata: expect.stringContaining("must be an object of at most 50 texts"),
      });
    for (const reference of ["", "two\nlines", " ", 7])
      expect(Object.keys(await faultsOf(path, { ...request, reference }))).toEqual(["reference"]);
    const { key50: _, ...most } = many;
    expect((await till.api("POST", path, { ...request, metadata: most })).status).toBe(201);
  });
});

describe("what payers see", () => {
  const metadata = { margin: "s3cret-margin" };

  test("of a link is its reference, and nothing of its metadata", async () => {
    const { slug } = await createLink({ reference: "PO-4711", metadata });
    const [page, section, publicView] = await Promise.all(
      [`/pay/${slug}`, `/pay/${slug}/payment`, `/api/links/${slug}`].map((path) => till.api("GET", path)),
    );
    expect(page?.body).toContain("PO-4711");
    expect(Object.keys(publicView?.body)).not.toContain("reference");
    for (const answer of [page, section, publicView])
      expect(JSON.stringify(answer?.body)).not.toContain("s3cret");
  });

  test("of an invoice is its reference, on the page and in the mail, and nothing of its metadata", async () => {
    const vendor_email = "reference@globex.example";
    const { slug } = await till.createInvoice({
      reference: "PO-4711",
      metadata,
      vendor_email,
      send_now: true,
    });
    const page = await till.api("GET", `/i/${slug}`);
    const mail = till.mail.list().find(({ to }) => to.includes(vendor_email));
    for (const text of [page.body, mail?.text, mail?.html]) {
      expect(text).toContain("PO-4711");
      expect(text).not.toContain("s3cret");
    }
  });
});

test("webhooks have what was given after the fields of the contract", async () => {
  const receiver = await startReceiver();
  try {
    const given = { reference: "PO-4711", metadata: { cart: "17" } };
    const invoice = await till.createInvoice({ ...given, webhook_url: receiver.url });
    const link = await createLink({ ...given, webhook_url: receiver.url });
    const plain = await createLink({ webhook_url: receiver.url });
    for (const { deposit_address } of [invoice, link, plain])
      await chain.pay(Address.checksum(deposit_address ?? ""), "25.00");
    await untilIs(() => receiver.received.length, 3);
    const bodies = receiver.received.map(({ raw }) => raw.toString());
    const end = '"reference":"PO-4711","metadata":{"cart":"17"}}';
    expect(bodies).toContain(
      `{"event":"invoice.paid","invoice_id":"${invoice["invoice_id"]}","invoice_number":"${invoice["invoice_number"]}",` +
        `"total_amount":"1500.00","status":"partial",${end}`,
    );
    const paid = (slug: string | undefined) =>
      `{"event":"link.paid","slug":"${slug}","expected_amount":"25.00","received_amount":"25.00","status":"confirmed"`;
    expect(bodies).toContain(`${paid(link["slug"])},${end}`);
    expect(bodies).toContain(`${paid(plain["slug"])}}`);
  } finally {
    await receiver.stop();
  }
});

describe("a link with expires_at", () => {
  const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString();

  test("says so in every answer about it; one without stays as it was", async () => {
    const { slug } = await createLink({ expires_at: "2033-02-28T23:30:00.5+05:30" });
    const expires_at = "2033-02-28T18:00:00.500Z";
    expect((await till.api("GET", `/api/links/${slug}`)).body).toMatchObject({ expires_at });
    expect(await newest("/api/links")).toMatchObject({ slug, expires_at });
    const { slug: lasting } = await createLink({});
    expect(Object.keys((await till.api("GET", `/api/links/${lasting}`)).body)).not.toContain("expires_at");
  });

  test("wants a time that exists, with a time zone, in the future, within ten years", async () => {
    const shape = "must be a time with its time zone, such as 2026-12-31T18:00:00+01:00";
    for (const text of [
      "2033-01-01",
      "2033-01-01T10:00:00",
      "2033-02-30T10:00:00Z",
      "2033-01-01T25:00:00Z",
      "2033-01-01 10:00:00Z",
      "1 January 2033",
      "",
    ])
      expect([text, await faultsOf("/api/links", { ...linkRequest, expires_at: text })]).toEqual([
        text,
        { expires_at: shape },
      ]);
    clock = Date.parse("2026-11-22T12:00:00Z");
    try {
      const fault = async (expires_at: string) =>
        (await faultsOf("/api/links", { ...linkRequest, expires_at }))["expires_at"];
      expect(await fault("2026-11-22T12:00:00Z")).toBe(
        "must be in the future; it is 2026-11-22T12:00:00.000Z now",
      );
      expect(await fault("2036-12-01T00:00:00Z")).toStartWith("must be within ten years");
      await createLink({ expires_at: "2036-11-22T12:00:00Z" });
    } finally {
      clock = null;
    }
  });

  test("then asks for no money, on the page that stood in the cache too, and credits what comes", async () => {
    const link = await createLink({ expires_at: inOneHour() });
    const { slug, deposit_address = "" } = link;
    const look = async () => {
      const [page, section] = await Promise.all([
        till.api("GET", `/pay/${slug}`),
        till.api("GET", `/pay/${slug}/payment`),
      ]);
      return [page.body, section.body] as string[];
    };
    for (const html of await look()) {
      expect(html).toContain('data-payment="open"');
      expect(html).toContain(deposit_address);
    }
    clock = Date.now() + 3_600_001;
    try {
      for (const html of await look()) {
        expect(html).toContain('data-payment="expired"');
        expect(html).toContain("This payment link has expired");
        for (const absent of [deposit_address, 'class="qr"', "ethereum:", 'data-part="how"'])
          expect(html).not.toContain(absent);
      }
      // No row has changed.
      const status = async () => (await till.api("GET", `/api/payments/status/${slug}`)).body;
      expect((await status()).status).toBe("pending");
      await chain.pay(Address.checksum(deposit_address), "10.00");
      await untilIs(status, { status: "partial" });
      for (const html of await look()) {
        expect(html).toContain('data-payment="expired"');
        expect(html).toContain("10.00");
        expect(html).not.toContain('data-part="how"');
      }
      await chain.pay(Address.checksum(deposit_address), "15.00");
      expect(await untilIs(status, { status: "confirmed" })).toMatchObject({
        received_amount: "25.00",
      });
      for (const html of await look()) expect(html).toContain('data-payment="paid"');
    } finally {
      clock = null;
    }
  });
});
