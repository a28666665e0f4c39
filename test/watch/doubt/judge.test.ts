import { afterAll, beforeAll, expect, test } from "bun:test";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as OpinionStore from "../../../src/store/tables/watch/opinion.ts";
import * as TransferStore from "../../../src/store/tables/watch/transfer.ts";
import { applyVerdicts, judge } from "../../../src/watch/doubt/second-opinion.ts";
import { db, makeDatabase, removeDatabase } from "../../support/till/database.ts";
import { payoutWallet, recordSettings, storeInvoice } from "../../support/till/records.ts";

beforeAll(makeDatabase);
afterAll(removeDatabase);

test("an hour of silence lets one node's word count, but never when that is how it is set", () => {
  const now = 3_600_000;
  const inquiry = { opinion: "open", seenAt: 0, askedAt: 1_000 } as OpinionStore.Inquiry;
  const answer = { kind: "silent", reason: "it is down", since: 0, until: now } as const;
  const hearing = { inquiry, others: [{ node: "second", answer }], witness: null };
  expect(judge(hearing, "prefer", now)).toMatchObject({ kind: "counts", opinion: "alone" });
  expect(judge(hearing, "strict", now)).toEqual({ kind: "waits", until: null });
});

test("what another node confirms in one block is confirmed for the same transaction in another block, not for itself", () => {
  const { deposit } = storeInvoice(db);
  const place = (blockHash: string, txHash = "0x01") => ({
    blockHash,
    txHash,
    logIndex: 0,
    blockNumber: 7,
    depositIndex: deposit.index,
    payer: payoutWallet,
    amount: Usdc.fromMicro<Usdc.Usdc>(1_000_000n),
  });
  const [there, here, other] = [place("0xa1"), place("0xb2"), place("0xc3", "0x02")];
  for (const transfer of [there, here, other])
    TransferStore.insert(
      db,
      transfer,
      false,
      { seenAt: 1, madeAt: 1 },
      { node: "first", needsOpinion: true },
    );
  expect(OpinionStore.isAttestedElsewhere(db, here)).toBe(false);
  OpinionStore.save(db, there, { opinion: "attested", by: "second", askedAt: null, askAt: null });
  expect([there, here, other].map((each) => OpinionStore.isAttestedElsewhere(db, each))).toEqual([
    false,
    true,
    false,
  ]);
});

test("what counted in one block is lost when no node knows it any more in the block where it came back", () => {
  const { deposit } = storeInvoice(db);
  const place = (blockHash: string, blockNumber: number) => ({
    ...{ blockHash, blockNumber, txHash: "0x03", logIndex: 0, depositIndex: deposit.index },
    ...{ payer: payoutWallet, amount: Usdc.fromMicro<Usdc.Usdc>(1_000_000n) },
  });
  const times = { seenAt: 1, madeAt: 1 };
  TransferStore.insert(db, place("0xd4", 7), true, times);
  const back = place("0xe5", 8);
  TransferStore.insert(db, back, false, times, { node: "first", needsOpinion: true });
  TransferStore.removeElsewhere(db, back);
  const [inquiry] = OpinionStore.listDue(db, 2, 2, 9).filter(({ blockHash }) => blockHash === back.blockHash);
  if (!inquiry) throw new Error("nobody is asked");
  const heard = [{ inquiry, verdict: { kind: "gone", reason: "no node knows it" } as const }];
  const facts = { confirmedUpTo: 7, now: 3 };
  const { applied } = applyVerdicts(db, heard, facts, { receipts: false, recordSettings });
  expect(applied.lost).toMatchObject([{ txHash: back.txHash }]);
});

test("what counted for long on one node's word is taken back when its money is missing and no node knows it", () => {
  const { deposit } = storeInvoice(db);
  const place = { blockHash: "0xf6", blockNumber: 7, txHash: "0x04", logIndex: 0 };
  const amount = Usdc.fromMicro<Usdc.Usdc>(1_000_000n);
  const transfer = { ...place, depositIndex: deposit.index, payer: payoutWallet, amount };
  TransferStore.insert(db, transfer, true, { seenAt: 1, madeAt: 1 }, { node: "first", needsOpinion: true });
  const due = () => OpinionStore.listDue(db, 2, 2, 9).find(({ blockHash }) => blockHash === "0xf6");
  const alone = { opinion: "alone", by: null, askedAt: 1 } as const;
  OpinionStore.save(db, transfer, { ...alone, askAt: 2 });
  // It is being asked about already, and taken back if another node contradicts it.
  OpinionStore.doubt(db, deposit.index, 2, 9);
  expect(due()?.opinion).toBe("alone");
  OpinionStore.save(db, transfer, { ...alone, askAt: null });
  OpinionStore.doubt(db, deposit.index, 2, 9);
  const inquiry = due();
  expect(inquiry?.opinion).toBe("doubted");
  if (!inquiry) throw new Error("nobody is asked");
  const denies = (node: string) => ({
    node,
    answer: { kind: "contradicted", reason: "no such block" } as const,
  });
  const verdict = judge({ inquiry, others: [denies("second")], witness: denies("first") }, "prefer", 2);
  const facts = { confirmedUpTo: 7, now: 2 };
  const { applied } = applyVerdicts(db, [{ inquiry, verdict }], facts, { receipts: false, recordSettings });
  expect(applied.lost).toMatchObject([{ txHash: "0x04" }]);
});
