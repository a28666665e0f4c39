import { beforeAll, describe, expect, test } from "bun:test";
import * as Address from "../../../src/domain/wallet/address.ts";
import type { TypedData } from "../../../src/settle/relay/relayer.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as RelayStore from "../../../src/store/tables/settle/relay.ts";
import { startTestChain } from "../../support/chain/chain.ts";
import { startRpcProxy } from "../../support/chain/rpc-proxy.ts";
import { newSigner, newSmartSigner, type Signer } from "../../support/chain/signer.ts";
import { shared } from "../../support/per-file.ts";
import { cross } from "../../support/till/moves.ts";
import { type Answer, linkRequest, startTestTill, until, untilIs } from "../../support/till/till.ts";
import { forgetAddress } from "../../support/watch/cold-world.ts";

const price = 25_000_000n;

const chain = shared(startTestChain);
const proxy = shared(() => startRpcProxy(chain.rpcUrl));
const till = shared(() =>
  startTestTill({ rpcUrl: proxy.url, wsUrl: chain.wsUrl }, { TILL_CONFIRMATIONS: "1" }),
);

beforeAll(async () => {
  const gasAddress = await until(
    () => WalletStore.gasAddress(till.db),
    (address) => address !== null,
  );
  if (gasAddress) await chain.giveEth(gasAddress);
});

type Owed = { page: string; slug: string; to: Address.Address; status: () => Promise<string> };

/** A new link or invoice over the price. */
const owed = {
  async link(): Promise<Owed> {
    const { slug, deposit_address } = (await till.api("POST", "/api/links", linkRequest)).body;
    const status = async () => (await till.api("GET", `/api/payments/status/${slug}`)).body.status;
    return { page: `/pay/${slug}`, slug, to: Address.checksum(deposit_address), status };
  },
  async invoice(): Promise<Owed> {
    const line_items = [{ description: "Design", quantity: 1, unit_price: "25.00" }];
    const { slug = "", invoice_id, deposit_address = "" } = await till.createInvoice({ line_items });
    const status = async () => (await till.api("GET", `/api/invoices/${invoice_id}/status`)).body.status;
    return { page: `/i/${slug}`, slug, to: Address.checksum(deposit_address), status };
  },
};

const ask = (page: string, payer: string, more = {}, query = "") =>
  till.api("POST", `${page}/authorization${query}`, { payer, ...more });

/** Signs what the page asks for, as a wallet does. */
async function sign(
  page: string,
  signer: Signer,
): Promise<{ authorization: TypedData["message"]; signature: string }> {
  const answer = await ask(page, signer.address.toLowerCase());
  expect(answer.status).toBe(200);
  const typed = answer.body as TypedData;
  return { authorization: typed.message, signature: await signer.key.signTypedData(typed as never) };
}

const hand = (page: string, body: object, query = "") => till.api("POST", `${page}/relay${query}`, body);
const codeOf = ({ status, body }: Answer) => [status, body.code];

describe("a payer of the page with USDC and no ETH", () => {
  test.each([
    ["an invoice", owed.invoice, newSigner, "paid"],
    ["a link with a smart wallet", owed.link, newSmartSigner, "confirmed"],
  ] as const)("signs and has paid %s", async (_, make, signerOf, paid) => {
    const { page, status } = await make();
    const signed = await sign(page, await signerOf(chain, price));
    const taken = await hand(page, signed);
    expect(taken).toMatchObject({ status: 202, body: { state: "accepted", tx_hash: null } });
    await untilIs(status, paid);
    expect((await hand(page, signed)).status).toBe(202);
    expect(codeOf(await ask(page, signed.authorization.from))).toEqual([409, "closed"]);
  });

  test("pays an address that was not watched any more, and is not asked again for what came there", async () => {
    const [one, other] = [await owed.link(), await owed.link()];
    forgetAddress(till.db, one.to);
    forgetAddress(till.db, other.to);
    const signed = await sign(other.page, await newSigner(chain, price));
    await till.pause();
    await till.resume();
    await hand(one.page, await sign(one.page, await newSigner(chain, price)));
    await untilIs(one.status, "confirmed", 30_000);
    // What was paid by other means is not in the books yet.
    await chain.pay(other.to, price);
    expect(codeOf(await hand(other.page, signed))).toEqual([409, "busy"]);
    await untilIs(other.status, "confirmed", 30_000);
  });

  test("who signs twice by mistake signs the same nonce, and pays once", async () => {
    const { page, slug, status } = await owed.link();
    const signer = await newSigner(chain, 2n * price);
    const [one, two] = [await sign(page, signer), await sign(page, signer)];
    expect(one.authorization.nonce).toBe(two.authorization.nonce);
    const answers = await Promise.all([hand(page, one), hand(page, two)]);
    expect(answers.filter((answer) => answer.status === 202).length).toBeGreaterThan(0);
    await untilIs(status, "confirmed");
    expect((await till.api("GET", `/api/payments/status/${slug}`)).body.received_amount).toBe("25.00");
  });
});

test("what is on its way is never told as refused: nobody pays it in another way", async () => {
  const { page, status } = await owed.link();
  const signed = await sign(page, await newSigner(chain, price));
  await chain.rpc("evm_setAutomine", [false]);
  expect((await hand(page, signed)).status).toBe(202);
  await till.pause();
  await till.resume({ mode: "off" });
  const [again, other] = [await hand(page, signed), await hand((await owed.link()).page, signed)];
  expect(again.status).toBe(202);
  expect(other.status).toBe(400);
  await chain.rpc("evm_setAutomine", [true]);
  await chain.mine(1);
  await untilIs(status, "confirmed");
  await till.pause();
  await till.resume();
});

test("while all that is due comes from another network, the page asks for it in no other way", async () => {
  const { page, slug } = await owed.link();
  const signer = await newSigner(chain, price);
  const signed = await sign(page, signer);
  const crossing = () => till.api("POST", `${page}/crossing?lang=de`, { chain_id: 31338 });
  cross(till.db, LinkStore.bySlug(till.db, slug)?.deposit.index ?? -1, price, Date.now());
  const asked = [await ask(page, signer.address), await hand(page, signed), await crossing()];
  expect(asked.map(codeOf)).toEqual(Array(3).fill([409, "busy"]));
  expect(asked[2]?.body.message).toStartWith("Eine andere Zahlung ist schon unterwegs.");
  expect((await till.api("GET", page)).body).not.toContain('data-part="how"');
  // A part stands for nothing.
  till.db.run("UPDATE crossing SET amount = amount / 2");
  expect((await till.api("GET", page)).body).toContain('data-part="how"');
  expect((await ask(page, signer.address)).status).toBe(200);
  expect(codeOf(await crossing())).toEqual([503, "node_unreachable"]);
});

describe("is told why not, in words of the page's language", () => {
  test("when another amount is due, when too little is there, and when a payment is on its way", async () => {
    const { page, status } = await owed.link();
    const [first, second] = [await newSigner(chain, price), await newSigner(chain, price - 1n)];
    const changed = await ask(page, first.address, { value: "1" }, "?lang=de");
    expect(changed).toMatchObject({ status: 409, body: { code: "amount" } });
    expect(changed.body.message).toStartWith("Der offene Betrag hat sich geändert.");
    const poor = await hand(page, await sign(page, second));
    expect(poor).toMatchObject({ status: 422, body: { code: "balance" } });
    expect(poor.body.message).toBe("This account does not have enough USDC on Base (Anvil).");
    await chain.rpc("evm_setAutomine", [false]);
    try {
      const late = await sign(page, first);
      expect((await hand(page, late)).status).toBe(202);
      const busy = await ask(page, second.address);
      expect(codeOf(busy)).toEqual([409, "busy"]);
      expect(busy.headers.get("retry-after")).toBe("5");
    } finally {
      await chain.rpc("evm_setAutomine", [true]);
      await chain.mine(1);
    }
    await untilIs(status, "confirmed");
  });

  test("when more is signed than the database can be asked for", async () => {
    const { page } = await owed.link();
    const { authorization, signature } = await sign(page, await newSigner(chain, price));
    for (const value of [`${2n ** 63n}`, "9".repeat(78)]) {
      const answer = await hand(page, { signature, authorization: { ...authorization, value } });
      expect(codeOf(answer)).toEqual([409, "amount"]);
    }
  });

  test("when others of the same account or client are on their way: this one is not, and is to be paid", async () => {
    const signer = await newSigner(chain, 4n * price);
    const other = await newSigner(chain, price);
    const links = await Promise.all(Array.from({ length: 4 }, owed.link));
    const [{ page: free }, ...others] = links as [Owed, ...Owed[]];
    const byOther = await sign(free, other);
    await chain.rpc("evm_setAutomine", [false]);
    for (const { page } of others) expect((await hand(page, await sign(page, signer))).status).toBe(202);
    const fourth = await ask(free, signer.address, {}, "?lang=de");
    const fifth = await hand(free, byOther);
    await chain.rpc("evm_setAutomine", [true]);
    await chain.mine(1);
    // Both came from one client.
    for (const answer of [fourth, fifth]) expect(codeOf(answer)).toEqual([429, "queue"]);
    for (const { status } of others) await untilIs(status, "confirmed");
    expect(fourth.body.message).toStartWith("Die Netzwerkgebühr kann gerade nicht für Sie bezahlt werden.");
  });

  test("when the nonce is not the page's", async () => {
    const { page } = await owed.link();
    const signer = await newSigner(chain, price);
    const { authorization, signature } = await sign(page, signer);
    const own = await hand(page, {
      authorization: { ...authorization, nonce: `0x${"1".repeat(64)}` },
      signature,
    });
    expect(own).toMatchObject({ status: 400, body: { errors: [{ field: "authorization.nonce" }] } });
  });

  test("when the amount is below the least", async () => {
    const link = await till.api("POST", "/api/links", { ...linkRequest, expected_amount: "0.01" });
    const { address } = await newSigner(chain, 0n);
    expect(codeOf(await ask(`/pay/${link.body.slug}`, address))).toEqual([422, "minimum"]);
  });
});

describe("what costs nothing is asked first", () => {
  test("no node hears of what the books alone can refuse", async () => {
    const { page } = await owed.link();
    const signer = await newSigner(chain, price);
    const signed = await sign(page, signer);
    const other = await owed.link();
    const isOurs = ({ method }: { method: string }) => /call|getCode|estimate|getBlock/i.test(method);
    proxy.reset();
    const { authorization, signature } = signed;
    const refusals = [
      await ask("/pay/23456789abcdefgh", signer.address),
      await ask(page, "0x12"),
      await ask(page, signer.address, { value: "1" }),
      await hand("/i/23456789abcdefgh", signed),
      await hand(other.page, signed),
      await hand(page, { authorization: { ...authorization, value: "-1" }, signature }),
      await hand(page, { authorization, signature: "0xzz" }),
      await hand(page, { authorization: { ...authorization, to: authorization.from }, signature }),
      await hand(page, { authorization, signature: `0x${"00".repeat(8_200)}` }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([404, 400, 409, 404, 400, 400, 400, 422, 413]);
    expect(
      proxy.calls
        .filter(isOurs)
        .filter(({ params }) => JSON.stringify(params).includes(signer.address.slice(2).toLowerCase())),
    ).toEqual([]);
    expect(
      RelayStore.listUnresolved(till.db, till.config.network.chainId).filter(
        ({ payer }) => payer === signer.address,
      ),
    ).toEqual([]);
  });

  test("a node that is away is no fault of the payer, and no lost payment", async () => {
    const { page, status } = await owed.link();
    const signer = await newSigner(chain, price);
    const signed = await sign(page, signer);
    proxy.answer = () => new Response("down", { status: 502 });
    const away = await hand(page, signed);
    proxy.answer = null;
    expect(codeOf(away)).toEqual([503, "node_unreachable"]);
    expect((await hand(page, signed)).status).toBe(202);
    await untilIs(status, "confirmed");
  });
});

test("a public Till takes so many of one address", async () => {
  await using open = await startTestTill(
    { rpcUrl: "http://127.0.0.1:9" },
    { TILL_BASE_URL: "https://pay.example.com", TILL_TRUST_PROXY: "127.0.0.1", TILL_LIMIT_RELAYS: "2" },
    { limitClock: () => 0 },
  );
  const from = (client: string) =>
    open.api("POST", "/i/23456789abcdefgh/authorization", {}, { "x-forwarded-for": client });
  expect([await from("192.0.2.1"), await from("192.0.2.1")].map(({ status }) => status)).toEqual([400, 400]);
  const refused = await from("192.0.2.1");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(refused.body.detail).toContain("TILL_LIMIT_RELAYS");
  expect((await from("192.0.2.2")).status).toBe(400);
});

test("a client whose payments failed has to wait, whoever signs", async () => {
  const { page } = await owed.link();
  const honest = await sign(page, await newSigner(chain, price));
  // One account gives all of them their money, and one transaction at a time.
  const broke: Signer[] = [];
  for (let each = 0; each < 3; each++) broke.push(await newSigner(chain, price));
  await chain.rpc("evm_setAutomine", [false]);
  for (const signer of broke) {
    const link = await owed.link();
    expect((await hand(link.page, await sign(link.page, signer))).status).toBe(202);
    await chain.rpc("anvil_dealERC20", [signer.address, chain.usdc, "0x0"]);
  }
  await chain.rpc("evm_setAutomine", [true]);
  await chain.mine(1);
  await until(
    () => RelayStore.listUnresolved(till.db, till.config.network.chainId),
    ({ length }) => length === 0,
  );
  expect(codeOf(await hand(page, honest))).toEqual([429, "failures"]);
});
