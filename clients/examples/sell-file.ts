/**
 * Sells a file to programs that pay by x402: each asks for /file, pays the price that it gets with status 402, and has it.
 *
 *   TILL_URL=… TILL_API_KEY=… SHOP_URL=https://files.example bun sell-file.ts report.pdf
 *
 * The money goes to Till as for any link: the seller needs no wallet and no key of one. The file goes out as soon as the
 * payment is in a block; whoever sells more waits until the link's status is `confirmed`.
 */
import { createTill } from "till-client";

const { TILL_URL = "http://127.0.0.1:3000", TILL_API_KEY, SHOP_URL = "http://127.0.0.1:8081" } = process.env;
const till = createTill({ baseUrl: TILL_URL, apiKey: TILL_API_KEY });
const file = Bun.file(process.argv[2] ?? "report.pdf");

/** What was offered, by the address to pay to. A real seller keeps it in its database. */
const offers = new Map<string, { slug: string; state: "open" | "selling" | "sold" }>();

/** A price of its own for each buyer: what pays it pays nothing else. */
async function newOffer() {
  const link = await till.post("/api/links", {
    body: {
      business_name: "Files",
      product_description: "A report",
      expected_amount: "25.00",
      merchant_email: "owner@files.example",
      wallet_type: "managed",
    },
  });
  if (!("slug" in link)) throw new Error("A link for one payment was asked for");
  const offer = { slug: link.slug, state: "open" as const };
  offers.set(link.deposit_address.toLowerCase(), offer);
  return offer;
}

/** The offer that a signed payment is for; null without a payment, or of one for something else. */
function offerOf(headers: Headers) {
  const header = headers.get("payment-signature") ?? headers.get("x-payment");
  if (header === null) return null;
  try {
    const { to } = JSON.parse(atob(header)).payload.authorization;
    return offers.get(String(to).toLowerCase()) ?? null;
  } catch {
    return null;
  }
}

/** Whether the payment that was sent is what paid. The status alone says only that it is paid. */
function hasPaid({ ok, headers }: Response): boolean {
  const result = headers.get("payment-response") ?? headers.get("x-payment-response");
  return ok && result !== null && JSON.parse(atob(result)).success === true;
}

/** The headers of x402, of both its versions; nothing else goes on. */
const paying = ["payment-signature", "x-payment", "accept"];
const answering = ["payment-required", "payment-response", "x-payment-response", "content-type"];

const some = (headers: Headers, names: readonly string[]) =>
  new Headers(names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) ?? ""]] : [])));

export default {
  port: Number(new URL(SHOP_URL).port || 8081),
  hostname: "127.0.0.1",
  async fetch(request: Request): Promise<Response> {
    const isAsked = request.method === "GET" && new URL(request.url).pathname === "/file";
    if (!isAsked) return new Response("Not found", { status: 404 });
    const paid = offerOf(request.headers);
    // Anybody can read a payment on the chain and send it again: an offer is sold once, and to one at a time. A new price
    // would have an honest buyer, who sends it again, pay twice.
    if (paid?.state === "sold") return new Response("This was sold. Please write to us", { status: 409 });
    if (paid?.state === "selling")
      return new Response("Please wait", { status: 409, headers: { "retry-after": "5" } });
    if (paid) paid.state = "selling";
    const { slug } = paid ?? (await newOffer());
    // Till names the price, judges the payment and takes it. The file goes out once it has.
    const answer = await fetch(`${TILL_URL}/x402/${slug}`, {
      headers: some(request.headers, paid ? paying : ["accept"]),
    }).catch(() => new Response("Please try again", { status: 502 }));
    const isSold = hasPaid(answer);
    if (paid) paid.state = isSold ? "sold" : "open";
    const headers = some(answer.headers, answering);
    if (!answer.ok) return new Response(answer.body, { status: answer.status, headers });
    if (!isSold) return new Response("Another payment paid this", { status: 409 });
    headers.set("content-type", file.type);
    return new Response(file, { headers });
  },
};
