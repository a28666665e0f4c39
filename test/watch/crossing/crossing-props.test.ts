import { afterAll, expect, test } from "bun:test";
import { parseConfig } from "../../../src/config/config.ts";
import { crossingProps } from "../../../src/pay/payment/crossing-props.ts";
import { closeDatabase } from "../../../src/store/database.ts";
import { makeDataDir, openNewDatabase, passphrase } from "../../support/till/data-dir.ts";
import { storeInvoice } from "../../support/till/records.ts";

const data = makeDataDir();
const db = openNewDatabase(data.path);
afterAll(() => {
  closeDatabase(db);
  data.remove();
});

test("what was minted is asked for again only once the chain has been read since", () => {
  const { index } = storeInvoice(db).deposit;
  const mintedAt = 1_800_000_000_000;
  db.run(
    `INSERT INTO crossing (deposit_index, chain_id, tx_hash, state, amount, message, attestation, created_at, attested_at,
       next_at, ended_at)
     VALUES (?1, 31339, '0x01', 'arrived', 5000000, '0x', '0x', ?2, ?2, ?2, ?2)`,
    [index, mintedAt],
  );
  const config = parseConfig({
    TILL_CHAIN: "anvil",
    TILL_RPC_URL: "http://127.0.0.1:9",
    TILL_WALLET_PASSPHRASE: passphrase,
  });
  const state = (seconds: number, isDelayed: boolean) => {
    const now = () => mintedAt + seconds * 1_000;
    const deps = { db, config, now, crossings: () => null, isDelayed: () => isDelayed };
    return crossingProps(deps, index).newest?.state ?? null;
  };
  expect([state(59, false), state(61, false)]).toEqual(["attested", null]);
  expect([state(59, true), state(3_600, true)]).toEqual(["attested", "attested"]);
});
