import { afterAll, beforeAll, expect, test } from "bun:test";
import { createRpc } from "../../../src/chain/node/rpc.ts";
import { networks } from "../../../src/domain/wallet/network.ts";
import { createGasAccount } from "../../../src/settle/gas-account.ts";
import { waitFor } from "../../../src/settle/gas-transaction.ts";
import { closeDatabase, openDatabase, walletFile } from "../../../src/store/database.ts";
import { schemaOf, schemaSteps } from "../../../src/store/migrations.ts";
import * as GasStore from "../../../src/store/reports/export/gas.ts";
import * as GasTransactionStore from "../../../src/store/tables/settle/gas-transaction.ts";
import * as SettlementStore from "../../../src/store/tables/settle/settlement.ts";
import * as WithdrawalStore from "../../../src/store/tables/settle/withdrawal.ts";
import { startTestChain, type TestChain } from "../../support/chain/chain.ts";
import { makeDataDir, makeWallet, passphrase } from "../../support/till/data-dir.ts";

const beforeRelays = 3;

/** What was on its way when Till was stopped for the upgrade, after what had ended. */
const rows = `
  INSERT INTO deposit (deposit_index, address, payout_wallet, salt, factory, expected_amount, tolerance_amount,
      received_amount, created_at, created_block, changed_at, compare_at, explained_block)
    VALUES (0, '0xa', '0xw', '0xs0', '0xf', 5000000, 0, 5000000, 1, 10, 2, 3, 4);
  INSERT INTO gas_transaction (id, purpose, chain_id, nonce, to_address, data, gas_limit, reason, state, tx_hash,
      block_number, mined_at, fee_wei, created_at)
    VALUES (1, 'settle', 31337, 70, '0xf', '0x01', 90000, 'first', 'confirmed', '0x1', 5, 6, '123456789012345678901', 4),
      (2, 'withdraw', 31337, 71, '0xu', '0x02', 200000, 'second', 'reverted', '0x2', 5, 6, NULL, 4);
  INSERT INTO gas_transaction (id, purpose, chain_id, nonce, to_address, data, gas_limit, reason, state, created_at)
    VALUES (3, 'settle', 31337, 0, 'GAS', '0x', 21000, 'third', 'pending', 4),
      (4, 'withdraw', 31337, 1, 'GAS', '0x', 21000, 'fourth', 'pending', 4);
  INSERT INTO gas_attempt VALUES ('0x1', 1, 70, '0xaa', 10, 1, 4, 5), ('0x2', 2, 71, '0xbb', 10, 1, 4, 5);
  INSERT INTO settlement (id, deposit_index, transaction_id, state, created_at) VALUES (1, 0, 3, 'pending', 4);
  INSERT INTO withdrawal (id, chain_id, token, account_index, from_address, to_address, amount, nonce, valid_before_sec,
      begun_block, state, transaction_id, created_at)
    VALUES (1, 31337, '0xu', 1, '0xm', '0xt', 7, '0xn', 9, 3, 'pending', 4, 4);`;

let chain: TestChain;
beforeAll(async () => {
  chain = await startTestChain();
});
afterAll(() => chain.stop());

test("what was on its way when Till was upgraded is brought to its end, and all that ended is kept", async () => {
  const dir = makeDataDir();
  const wallet = await makeWallet({ file: walletFile(dir.path), passphrase });
  await chain.giveEth(wallet.gasAddress);
  const old = openDatabase(dir.path, schemaSteps.slice(0, beforeRelays));
  old.run(rows.replaceAll("GAS", wallet.gasAddress));
  const ended = [...GasStore.eachFee(old)];
  closeDatabase(old);

  const db = openDatabase(dir.path);
  try {
    expect(schemaOf(db)).toBe(schemaSteps.length);
    expect(db.query("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(db.query("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(() => db.run("DELETE FROM gas_transaction WHERE id = 3")).toThrow("FOREIGN KEY");
    expect([...GasStore.eachFee(db)]).toEqual(ended);
    expect(ended[0]?.fee).toBe(123456789012345678901n);
    expect(GasTransactionStore.listAttempts(db, 1)).toHaveLength(1);
    expect(SettlementStore.listPending(db, 3)).toHaveLength(1);
    expect(WithdrawalStore.byId(db, 1)).toMatchObject({ state: "pending" });

    const config = { network: networks.anvil, confirmations: 1 };
    const gas = createGasAccount({ config, db, wallet }, createRpc({ url: chain.rpcUrl }));
    for (const id of [3, 4]) expect((await waitFor(gas, id)).kind).toBe("final");
    expect(GasTransactionStore.listPending(db, 31_337)).toEqual([]);
  } finally {
    closeDatabase(db);
    dir.remove();
  }
});
