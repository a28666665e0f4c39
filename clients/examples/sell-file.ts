/**
 * Sells a file to programs that pay by x402: each asks for /file, pays the price that it gets with status 402, and has it.
 *
 *   TILL_URL=… TILL_API_KEY=… SHOP_URL=https://files.example bun sell-file.ts report.pdf
 *
 * The money goes to Till as for any link: the seller needs no wallet and no key of one.
 */
import { createTill } from "till-client";

const { TILL_URL = "http://127.0.0.1:3000", TILL_API_KEY, SHOP_URL = "http://127.0.0.1:8081" } = process.env;
const till = createTill({ baseUrl: TILL_URL, apiKey: TILL_API_KEY });
const file = Bun.file(process.argv[2] ?? "report.pdf");

/** Links by the address to pay to. A real seller keeps them in its database. */
const slugs = new Map<string, string>();

/** A price of its own for each buyer: what pays it pays nothing else. */
async function newOffer(): Promise<string> {
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
  slugs.set(link.deposit_address.toLowerCase(), link.slug);
  return link.slug;
}

/** The offer that a signed payment is for; null without a payment, or of one for something else. */
function offerOf(headers: Headers): string | null {
  const header = headers.get("payment-signature") ?? headers.get("x-payment");
  if (header === null) return null;
  try {
    return slugs.get(String(JSON.parse(atob(header)).payload.authorization.to).toLowerCase()) ?? null;
  } catch {
    return null;
  }
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
    const offered = offerOf(request.headers);
    const slug = offered ?? (await newOffer());
    // Till names the price, judges the payment and takes it. The file goes out once it has.
    const answer = await fetch(`${TILL_URL}/x402/${slug}`, {
      headers: some(request.headers, offered === null ? ["accept"] : paying),
    });
    const headers = some(answer.headers, answering);
    if (!answer.ok) return new Response(answer.body, { status: answer.status, headers });
    headers.set("content-type", file.type);
    return new Response(file, { headers });
  },
};
