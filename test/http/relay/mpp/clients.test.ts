import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Challenge, Receipt } from "mppx";
import { evm, Mppx } from "mppx/client";
import { validate } from "mppx/discovery";
import { assets } from "mppx/evm/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import * as Address from "../../../../src/domain/wallet/address.ts";
import { startTestChain } from "../../../support/chain/chain.ts";
import { balanceOf } from "../../../support/chain/evm.ts";
import { mint } from "../../../support/chain/settlement.ts";
import { newSigner } from "../../../support/chain/signer.ts";
import { decoded, newLink, payingTill } from "../../../support/http/x402.ts";
import { shared } from "../../../support/per-file.ts";
import { blocks, project } from "../../../support/till/handbook.ts";
import { startTestTill, type TestTill, untilIs } from "../../../support/till/till.ts";

let till: TestTill;
// Before the chain ends.
afterAll(() => till.stop());
/** The client knows USDC on Base, so this chain says that it is Base. */
const chain = shared(startTestChain);
beforeAll(async () => {
  await chain.rpc("anvil_setChainId", [base.id]);
  // Its own accounts sign for the chain that it was.
  await chain.rpc("anvil_autoImpersonateAccount", [true]);
  till = await payingTill(chain, { TILL_CHAIN: "base" });
});

const price = 25_000_000n;

const ethOf = async (address: string) =>
  BigInt(String(await chain.rpc("eth_getBalance", [address, "latest"])));

type Place = { url: string; to: Address.Address; due: bigint };

const places: Record<string, () => Promise<Place>> = {
  "a link at /x402/…": async () => ({ ...(await newLink(till)), due: price }),
  "a link at its page": async () => {
    const { slug, to } = await newLink(till);
    return { url: `${till.baseUrl}/pay/${slug}?lang=de`, to, due: price };
  },
  ...Object.fromEntries(
    (["x402/invoices/", "i/"] as const).map((path) => [
      `an invoice at /${path}…`,
      async () => {
        const { invoice_id, slug, deposit_address } = await till.createInvoice();
        const url = `${till.baseUrl}/${path}${path === "i/" ? slug : invoice_id}`;
        return { url, to: Address.checksum(String(deposit_address)), due: 1_500_000_000n };
      },
    ]),
  ),
};

describe("the official client", () => {
  for (const [what, make] of Object.entries(places))
    for (const method of what.includes("link at /x402") ? ["GET", "POST"] : ["GET"])
      test(`pays ${what} by ${method}, with USDC alone`, async () => {
        const { url, to, due } = await make();
        const signer = await newSigner(chain, due);
        const methods = [evm({ account: signer.key, currencies: [assets.base.USDC], maxAmount: "2000" })];
        const { fetch: pay } = Mppx.create({ methods, polyfill: false });
        const answer = await pay(url, { method });
        expect(answer.status).toBe(200);
        const receipt = Receipt.fromResponse(answer);
        expect(receipt).toMatchObject({ status: "success", method: "evm", chainId: base.id });
        expect(Math.abs(Date.parse(receipt.timestamp) - Date.now())).toBeLessThan(60_000);
        expect(answer.headers.get("cache-control")).toContain("private");
        expect(await answer.json()).toMatchObject({ transaction: receipt.reference });
        expect(await balanceOf(chain, chain.usdc, to)).toBe(due);
        expect(await ethOf(signer.address)).toBe(0n);
      });
});

test("the program of the handbook pays", async () => {
  const { slug, url, to } = await newLink(till);
  const key = generatePrivateKey();
  await mint(chain, Address.checksum(privateKeyToAccount(key).address), price);
  const file = join(project, "test/output/pay-by-mpp.mjs");
  await Bun.write(file, blocks("javascript").find((code) => code.includes('"mppx/client"')) ?? "");
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const ran = Bun.spawn([process.execPath, file, url], { env: { KEY: key }, stdio: [...stdio] });
  expect(await new Response(ran.stdout).text()).toStartWith("200 ");
  expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
  await untilIs(async () => (await till.api("GET", `/api/payments/status/${slug}`)).body, {
    status: "confirmed",
  });
});

describe("what the API's description says of paying", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of every shape
  type Described = Record<string, Record<string, any>>;
  const described = async (of: TestTill) => {
    const { body } = await of.api("GET", "/openapi.json");
    expect(validate(body).filter(({ severity }) => severity === "error")).toEqual([]);
    return Object.entries(body.paths as Described).flatMap(([path, calls]) =>
      Object.entries(calls).map(([method, call]) => ({ path, method, call })),
    );
  };

  test("is what a 402 asks for, at every call that has one, and at no other", async () => {
    const [{ slug }, { invoice_id: id }] = [await newLink(till), await till.createInvoice()];
    const calls = await described(till);
    const paid = calls.filter(({ call }) => "x-payment-info" in call);
    expect(paid.map(({ path, method }) => `${method} ${path}`)).toEqual(
      calls.filter(({ call }) => "402" in call.responses).map(({ path, method }) => `${method} ${path}`),
    );
    expect(paid).toHaveLength(4);
    for (const { path, method, call } of paid) {
      const filled = path.replace("{slug}", String(slug)).replace("{id}", String(id));
      const answer = await fetch(`${till.baseUrl}${filled}`, { method: method.toUpperCase() });
      expect([filled, answer.status]).toEqual([filled, 402]);
      const { intent, method: by, request } = Challenge.fromResponse(answer);
      const { offers, protocols, price: asked } = call["x-payment-info"];
      expect(offers).toEqual([
        expect.objectContaining({ intent, method: by, currency: request["currency"], amount: null }),
      ]);
      expect(protocols).toEqual([
        { x402: {} },
        { mpp: { intent, method: by, currency: request["currency"] } },
      ]);
      expect(decoded(answer.headers.get("payment-required")).accepts[0].asset).toBe(request["currency"]);
      expect(asked).toMatchObject({ mode: "dynamic", currency: "USD" });
      expect(Number(asked.min) * 1e6).toBeLessThanOrEqual(Number(request["amount"]));
    }
  });

  test("is nothing where nothing can be paid so", async () => {
    const off = await startTestTill(chain, { TILL_CHAIN: "base", TILL_RELAY: "off" });
    expect((await described(off)).filter(({ call }) => "x-payment-info" in call)).toEqual([]);
    await off.stop();
  });
});

test("its command line finds nothing wrong with a link", async () => {
  const { slug, to } = await newLink(till);
  const args = ["validate", till.baseUrl, "--endpoint", `GET:/x402/${slug}`];
  const command = [process.execPath, join(project, "node_modules/mppx/dist/bin.js"), ...args];
  // It asks a node on the internet for the token's symbol, and goes on without. Here it reaches nobody.
  const nobody = "http://127.0.0.1:9";
  const env = {
    https_proxy: nobody,
    HTTPS_PROXY: nobody,
    no_proxy: "127.0.0.1",
    HOME: "/nonexistent",
    PATH: "",
  };
  const ran = Bun.spawn(command, { env, stdio: ["ignore", "pipe", "ignore"], timeout: 50_000 });
  const out = await new Response(ran.stdout).text();
  expect({ code: await ran.exited, failed: out.match(/✗.*/g) }).toEqual({ code: 0, failed: null });
  expect(out).toContain("Realm matches server hostname");
  expect(await balanceOf(chain, chain.usdc, to)).toBe(0n);
});
