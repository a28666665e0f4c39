import { beforeAll, expect, test } from "bun:test";
import { relaysInWords, relayWarnings } from "../../../src/doctor/relay-state.ts";
import type { TypedData } from "../../../src/settle/relay/relayer.ts";
import { transact } from "../../../src/store/database.ts";
import * as WalletStore from "../../../src/store/tables/installation/wallet.ts";
import { relaysTo } from "../../support/chain/relays.ts";
import { newSigner } from "../../support/chain/signer.ts";
import { chain, owner, till, useDeskOnChain } from "../../support/desk/setup.ts";
import { callTill } from "../../support/till/run-till.ts";
import { linkRequest, until } from "../../support/till/till.ts";

const price = 25_000_000n;

useDeskOnChain({ TILL_CONFIRMATIONS: "1" });
beforeAll(async () => {
  const gas = await until(
    () => WalletStore.gasAddress(till.db),
    (address) => address !== null,
  );
  if (gas) await chain.giveEth(gas);
});

/** Signs on the page of a new link. */
async function signed(): Promise<{ slug: string; index: number }> {
  const { slug } = (await till.api("POST", "/api/links", linkRequest)).body;
  const signer = await newSigner(chain, price);
  const typed = (await till.api("POST", `/pay/${slug}/authorization`, { payer: signer.address }))
    .body as TypedData;
  const signature = await signer.key.signTypedData(typed as never);
  const taken = await till.api("POST", `/pay/${slug}/relay`, { authorization: typed.message, signature });
  expect(taken.status).toBe(202);
  const row = till.db
    .query<{ at: bigint }, [string]>("SELECT deposit_index AS at FROM link WHERE slug = ?")
    .get(slug);
  return { slug, index: Number(row?.at) };
}

test("the desk, the command line and the metrics tell how a payment came, and what its fee took", async () => {
  const paid = await signed();
  await until(
    async () => (await till.api("GET", `/api/payments/status/${paid.slug}`)).body.status,
    (status) => status === "confirmed",
  );
  await until(
    () => relaysTo(till.db, paid.index)[0]?.state,
    (state) => state === "confirmed",
  );
  const failed = await signed();
  const [relay] = await until(
    () => relaysTo(till.db, failed.index),
    ([each]) => each?.state === "confirmed",
  );
  transact(till.db, () =>
    till.db
      .query(
        `UPDATE relay SET state = 'failed', failure = 'reverted', block_number = NULL, block_hash = NULL,
           mined_at = NULL WHERE id = ?`,
      )
      .run(relay?.id ?? 0),
  );

  const env = {
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: chain.rpcUrl,
    TILL_DATA_DIR: till.config.dataDir,
    TILL_WALLET_PASSPHRASE: till.config.walletPassphrase,
  };
  const exported = await callTill(["export", "payments", "--format", "json"], { env });
  expect(JSON.parse(exported.stdout)[0]).toMatchObject({ payment_link: paid.slug, paid_by: "signature" });
  const fees = JSON.parse((await callTill(["export", "fees", "--format", "json"], { env })).stdout);
  expect(fees.map(({ purpose }: { purpose: string }) => purpose)).toContain("relay");
  const wallet = await callTill(["wallet", "show"], { env });
  expect(wallet.stdout).toMatch(/1 paid and 1 failed in 24 hours, 0 on the way/);
  expect((await callTill(["doctor"], { env })).stdout).toMatch(
    /signed payments: In 24 hours 1 payment by a signature paid and 1 failed/,
  );

  const later = Date.now() + 6 * 60_000;
  const found = { mined: [], sent: [expect.stringContaining("has been on its way since")] };
  for (const state of ["mined", "sent"] as const) {
    const back = new Error();
    const judged = () => {
      const place =
        state === "mined" ? "block_number = 1, block_hash = '0x', mined_at = 1" : "block_number = NULL";
      till.db.run(
        `UPDATE relay SET state = '${state}', failure = NULL, ended_at = NULL, ${place} WHERE id = ?`,
        [relay?.id ?? 0],
      );
      expect(relaysInWords(till.db, till.config, later)).toContain("1 is on the way.");
      expect(relayWarnings(till.db, till.config, later).map(({ message }) => message)).toEqual(found[state]);
      throw back;
    };
    expect(() => transact(till.db, judged)).toThrow(back);
  }

  const { body } = await till.api("GET", "/health/ready");
  expect(body.signed_payments).toMatchObject({ offered: true, obstacle: null, paid_24h: 1, failed_24h: 1 });
  const metrics = await (await fetch(`${till.localUrl}/metrics`)).text();
  expect(metrics).toContain("till_relay_offered 1");
  expect(metrics).toMatch(/till_relay_fees_day_wei [1-9]/);

  for (const [path, words] of [
    [`/desk/links/${paid.slug}`, "25.00 USDC signed: Till sends it"],
    [`/desk/links/${failed.slug}`, "Signed payment of 25.00 USDC failed: the token refused it"],
    ["/desk/money", "Failed: 1"],
  ] as const) {
    const html = await (await owner.get(path)).text();
    expect(html.replaceAll(/<[^>]+>|&nbsp;|\s+/g, " ").replaceAll(/ +/g, " ")).toContain(words);
  }
});
