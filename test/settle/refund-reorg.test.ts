import { afterAll, beforeAll, expect, test } from "bun:test";
import usdcArtifact from "../../assets/contracts/artifacts/DevUsdc.json";
import { payers } from "../../src/chain/dev/dev-chain.ts";
import type * as Address from "../../src/domain/wallet/address.ts";
import { startTestChain, type TestChain } from "../support/chain/chain.ts";
import { encode, send } from "../support/chain/evm.ts";
import { newWallet } from "../support/chain/settlement.ts";
import { addPerson, password, visitor } from "../support/desk/desk.ts";
import { ownPort } from "../support/http/port.ts";
import { hurry } from "../support/hurry.ts";
import { startTestTill, type TestTill, until } from "../support/till/till.ts";

hurry();

let chain: TestChain;
let till: TestTill;
beforeAll(async () => {
  chain = await startTestChain();
  const port = String(ownPort());
  till = await startTestTill(
    chain,
    { TILL_PORT: port, TILL_BASE_URL: `http://localhost:${port}`, TILL_CONFIRMATIONS: "4" },
    { isDev: false },
  );
});
afterAll(async () => {
  await till.stop();
  await chain.stop();
});

test("a merchant is not asked to send a refund again before the chain is sure to have lost their transfer", async () => {
  const own = payers[4] as Address.Address;
  const owner = visitor(till, await addPerson(till, "Mara", "owner"));
  const made = await till.createInvoice({
    ...{ wallet_type: "byo", wallet_address: own },
    line_items: [{ description: "Coffee", quantity: 1, unit_price: "20.00" }],
  });
  await chain.pay(made["deposit_address"] as Address.Address, "26.00");
  await chain.rpc("anvil_mine", ["0x8"]);
  await until(
    async () => (await till.api("GET", `/api/invoices/${made["invoice_id"]}`)).body,
    ({ status }) => status === "excess",
  );
  const address = newWallet();
  const { body } = await till.api("POST", "/api/refunds", { invoice: made["invoice_number"], address });
  const status = async () => (await till.api("GET", `/api/refunds/${body.id}`)).body.status;
  expect((await owner.post(`/desk/refunds/${body.id}/approve`, { address, proof: password })).status).toBe(
    303,
  );
  const data = encode(usdcArtifact.abi, "transfer", [address, 6_000_000n]);
  await send(chain, { from: own, to: chain.usdc, data });
  await until(status, (now) => now === "sent");
  await chain.reorg(1);
  // Time itself: Till looks for the transfer more than once in it.
  await Bun.sleep(1_000);
  expect(await status()).toBe("sent");
  await chain.rpc("anvil_mine", ["0x8"]);
  await until(status, (now) => now === "approved");
});
