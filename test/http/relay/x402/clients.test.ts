import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ExactEvmScheme } from "@x402/evm";
import { decodePaymentResponseHeader, wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { createWalletClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { decodeXPaymentResponse, wrapFetchWithPayment as wrapFetchV1 } from "x402-fetch";
import * as Address from "../../../../src/domain/wallet/address.ts";
import { clientSample } from "../../../../src/http/docs/x402-docs.ts";
import { startTestChain } from "../../../support/chain/chain.ts";
import { balanceOf } from "../../../support/chain/evm.ts";
import { mint } from "../../../support/chain/settlement.ts";
import { newSigner, type Signer } from "../../../support/chain/signer.ts";
import { newLink, payingTill } from "../../../support/http/x402.ts";
import { shared } from "../../../support/per-file.ts";
import { blocks, project } from "../../../support/till/handbook.ts";
import { type TestTill, untilIs } from "../../../support/till/till.ts";

let till: TestTill;
// Before the chain ends.
afterAll(() => till.stop());
/** The clients know chains by name, and no local one: this one says that it is Base. */
const chain = shared(startTestChain);
beforeAll(async () => {
  await chain.rpc("anvil_setChainId", [base.id]);
  // Its own accounts sign for the chain that it was.
  await chain.rpc("anvil_autoImpersonateAccount", [true]);
  till = await payingTill(chain, { TILL_CHAIN: "base" });
});

const price = 25_000_000n;
const spendControls = { maxAmountPerPayment: "$100" };

/** The client of version 2. */
const payer = ({ key }: Signer, controls: { spendControls?: object } = { spendControls }) =>
  wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: "eip155:*", client: new ExactEvmScheme(key) }],
    ...controls,
  });

/** The client of version 1. */
const payerV1 = ({ key }: Signer) =>
  wrapFetchV1(
    fetch,
    createWalletClient({ account: key, chain: base, transport: http(chain.rpcUrl) }) as never,
    price,
  );

const statusOf = async (slug: string) => (await till.api("GET", `/api/payments/status/${slug}`)).body.status;
const ethOf = async (address: string) =>
  BigInt(String(await chain.rpc("eth_getBalance", [address, "latest"])));

describe("the official client of version 2", () => {
  test("pays a link with USDC alone, and the watcher confirms it", async () => {
    const signer = await newSigner(chain, price);
    const { slug, url, to } = await newLink(till);
    const answer = await payer(signer)(url);
    expect(answer.status).toBe(200);
    const settled = decodePaymentResponseHeader(answer.headers.get("payment-response") ?? "");
    expect(settled).toMatchObject({
      success: true,
      payer: signer.address,
      network: "eip155:8453",
      amount: "25000000",
    });
    expect(await answer.json()).toMatchObject({ transaction: settled.transaction });
    expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
    expect(await ethOf(signer.address)).toBe(0n);
    await untilIs(() => statusOf(slug), "confirmed");
  });

  for (const path of ["x402/invoices/", "i/"] as const) {
    test(`pays an invoice at ${path}…`, async () => {
      const signer = await newSigner(chain, 1_500_000_000n);
      const { invoice_id: id, slug } = await till.createInvoice();
      const name = path === "x402/invoices/" ? id : slug;
      const pay = payer(signer, { spendControls: { maxAmountPerPayment: "$2000" } });
      const answer = await pay(`${till.baseUrl}/${path}${name}`, {
        headers: { accept: "application/json" },
      });
      expect(answer.status).toBe(200);
      await untilIs(async () => (await till.api("GET", `/api/invoices/${id}/status`)).body.status, "paid");
    });
  }

  test("refuses more than a dollar unless it is told, as the handbook says", async () => {
    const signer = await newSigner(chain, price);
    const { url, to } = await newLink(till);
    await expect(payer(signer, {})(url)).rejects.toThrow("maxAmountPerPayment");
    expect(await balanceOf(chain, chain.usdc, to)).toBe(0n);
  });

  test("pays nothing twice, whoever asks first", async () => {
    const signers = [await newSigner(chain, price), await newSigner(chain, price)];
    const { slug, url, to } = await newLink(till);
    const answers = await Promise.all(signers.map((signer) => payer(signer)(url)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.filter(({ headers }) => headers.has("payment-response")).length).toBeGreaterThan(0);
    await untilIs(() => statusOf(slug), "confirmed");
    expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
    expect((await payer(await newSigner(chain, price))(url)).status).toBe(200);
    expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
  });
});

describe("the program of the handbook", () => {
  const code = blocks("javascript")[0] ?? "";
  const file = join(project, "test/output/pay.mjs");

  test("is the one of /docs, and pays", async () => {
    expect(code.trim()).toBe(clientSample);
    const { url, to } = await newLink(till);
    const key = generatePrivateKey();
    await mint(chain, Address.checksum(privateKeyToAccount(key).address), price);
    await Bun.write(file, code);
    const ran = Bun.spawn([process.execPath, file, url], {
      env: { KEY: key },
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await new Response(ran.stdout).text()).toStartWith("200 ");
    expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
  });
});

describe("the official client of version 1", () => {
  test("pays a link", async () => {
    const signer = await newSigner(chain, price);
    const { slug, url, to } = await newLink(till);
    const answer = await payerV1(signer)(url, {});
    expect(answer.status).toBe(200);
    const settled = decodeXPaymentResponse(answer.headers.get("x-payment-response") ?? "");
    expect(settled).toMatchObject({ success: true, payer: signer.address, network: "base" });
    expect(await balanceOf(chain, chain.usdc, to)).toBe(price);
    await untilIs(() => statusOf(slug), "confirmed");
  });
});
