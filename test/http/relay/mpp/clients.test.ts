import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Receipt } from "mppx";
import { evm, Mppx } from "mppx/client";
import { validate } from "mppx/discovery";
import { assets } from "mppx/evm/client";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import * as Address from "../../../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../../../support/chain/chain.ts";
import { balanceOf } from "../../../support/chain/evm.ts";
import { mint } from "../../../support/chain/settlement.ts";
import { newSigner } from "../../../support/chain/signer.ts";
import { payingTill } from "../../../support/http/x402.ts";
import { project } from "../../../support/till/handbook.ts";
import { linkRequest, type TestTill, until } from "../../../support/till/till.ts";

/** The client knows USDC on Base, so this chain says that it is Base. */
let chain: TestChain;
let till: TestTill;
beforeAll(async () => {
  chain = await startTestChain();
  await chain.rpc("anvil_setChainId", [base.id]);
  // Its own accounts sign for the chain that it was.
  await chain.rpc("anvil_autoImpersonateAccount", [true]);
  till = await payingTill(chain, { TILL_CHAIN: "base" });
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

const price = 25_000_000n;

async function newLink() {
  const { slug, x402_url, deposit_address } = (await till.api("POST", "/api/links", linkRequest)).body;
  return { slug: String(slug), url: String(x402_url), to: Address.checksum(deposit_address) };
}

const ethOf = async (address: string) =>
  BigInt(String(await chain.rpc("eth_getBalance", [address, "latest"])));

const places = {
  "a link at /x402/…": async () => ({ ...(await newLink()), due: price }),
  "a link at its page": async () => {
    const { slug, to } = await newLink();
    return { url: `${till.baseUrl}/pay/${slug}?lang=de`, to, due: price };
  },
  ...Object.fromEntries(
    (["x402/invoices/", "i/"] as const).map((path) => [
      `an invoice at /${path}…`,
      async () => {
        const { invoice_id, slug, deposit_address } = await till.createInvoice();
        const url = `${till.baseUrl}/${path}${path === "i/" ? slug : invoice_id}`;
        return { url, to: Address.checksum(deposit_address), due: 1_500_000_000n };
      },
    ]),
  ),
};

describe("the official client", () => {
  for (const [what, make] of Object.entries(places))
    for (const method of what.includes("page") || what.includes("/i/") ? ["GET"] : ["GET", "POST"])
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

  test("finds what is to be paid in the API's description", async () => {
    const { body } = await till.api("GET", "/openapi.json");
    expect(validate(body).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("its command line", () => {
  /** It asks a node on the internet for the token's symbol, and goes on without. Here it reaches nobody. */
  const alone = {
    https_proxy: "http://127.0.0.1:9",
    HTTPS_PROXY: "http://127.0.0.1:9",
    no_proxy: "127.0.0.1",
  };
  const run = async (args: string[], key: string) => {
    const command = [process.execPath, join(project, "node_modules/mppx/dist/bin.js"), ...args];
    const env = { ...alone, MPPX_PRIVATE_KEY: key, HOME: "/nonexistent", PATH: "" };
    const ran = Bun.spawn(command, { env, stdio: ["ignore", "pipe", "pipe"], timeout: 50_000 });
    const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()]);
    return { code: await ran.exited, out, err };
  };

  test("pays a link", async () => {
    const { slug, url, to } = await newLink();
    const key = generatePrivateKey();
    await mint(chain, Address.checksum(privateKeyToAccount(key).address), price);
    const { code, out, err } = await run([url, "--include"], key);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(out.toLowerCase()).toContain("payment-receipt: ");
    expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
    await until(
      async () => (await till.api("GET", `/api/payments/status/${slug}`)).body.status,
      (status) => status === "confirmed",
    );
  });
});
