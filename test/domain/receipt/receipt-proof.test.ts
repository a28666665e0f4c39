import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { NotAReceipt, type ReceiptProof, read } from "../../../src/domain/receipt/receipt-proof.ts";
import { type ChainCheck, judge } from "../../../src/domain/receipt/receipt-verdict.ts";
import { knownNetwork, networks } from "../../../src/domain/wallet/network.ts";
import { examplesAt } from "../../../src/http/docs/examples.ts";

const { answer } = examplesAt("https://pay.example").calls["GET /api/invoices/{id}/receipt.json"] ?? {};
const proof = read(answer);
const { transfers } = proof;

/** What an honest node says when all of it is there. */
const held = (of: ReceiptProof): ChainCheck => ({
  node: "node.example",
  chainId: of.chain_id,
  payoutWallet: null,
  transfers: of.transfers.map((transfer) => {
    return { ...transfer, fault: null, confirmations: 12, blockMs: Date.parse(of.paid_at) };
  }),
});
const options = { token: networks.base.usdc, wallet: null };
const isOk = (of: ReceiptProof) => judge(of, held(of), options).ok;

describe("read", () => {
  test("takes what the API answers, in its envelope and without", () => {
    expect({ receipt_proof: proof }).toEqual(answer as never);
    expect(read(proof)).toEqual(proof);
  });

  test("takes nothing else: any field that is missing or of another kind is said", () => {
    const needed = Object.keys(proof).filter(
      (name) => !["invoice_number", "deposit_proof", "other"].includes(name),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...needed),
        fc.oneof(
          fc.constant(undefined),
          fc.constant(null),
          fc.boolean(),
          fc.double(),
          fc.constant({}),
          fc.constant("x"),
        ),
        (name, value) => {
          fc.pre(!(typeof value === "number" && Number.isSafeInteger(value)));
          expect(() => read({ ...proof, [name]: value })).toThrow(NotAReceipt);
        },
      ),
      { seed: 1 },
    );
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => read(value)).toThrow(NotAReceipt);
      }),
      { seed: 1 },
    );
  });
});

describe("judge", () => {
  test("holds to the millionth: what is short by more than the tolerance does not", () => {
    const paid = (amount: string, tolerance = "0.00") => ({
      ...proof,
      total_amount: "1500.00",
      received_amount: amount,
      tolerance,
      transfers: transfers.map((transfer) => ({ ...transfer, amount })),
    });
    expect(isOk(paid("1500.00"))).toBe(true);
    expect(isOk(paid("1499.999999"))).toBe(false);
    expect(isOk(paid("1500.000001"))).toBe(true);
    expect(isOk(paid("1499.50", "0.50"))).toBe(true);
    expect(isOk(paid("1499.499999", "0.50"))).toBe(false);
    // A tenth is the most that is ever allowed.
    expect(isOk(paid("1350.00", "1500.00"))).toBe(true);
    expect(isOk(paid("1349.999999", "1500.00"))).toBe(false);
    expect(isOk(paid("0.00", "1500.00"))).toBe(false);
  });

  test("says what the tolerance allowed, and what is not in the file", () => {
    const short = { ...proof, received_amount: "1499.60", tolerance: "0.50", other_transfers: 3 };
    const made = { ...short, transfers: transfers.map((transfer) => ({ ...transfer, amount: "1499.60" })) };
    const { checks } = judge(made, held(made), options);
    expect(checks.find(({ name }) => name === "sum")).toMatchObject({
      ok: true,
      text: "Together that is 1499.60 USDC, and 1500.00 were to pay: short by 0.40, within the tolerance of 0.50 that the receipt names. 3 smaller ones are not in the file.",
    });
  });

  test("knows by the blocks when it was complete", () => {
    const [one] = transfers;
    if (!one) throw new Error("The example has no transfer");
    const paidAt = Date.parse(proof.paid_at);
    const day = 86_400_000;
    const times = [paidAt - day, paidAt, paidAt + day];
    const parts = {
      ...proof,
      received_amount: "1500.00",
      transfers: ["700.00", "800.00", "0.01"].map((amount, at) => ({ ...one, amount, block_number: at })),
    };
    const judged = (at: number, of: ReceiptProof = parts) => {
      const chain = held(of);
      const dated = chain.transfers.map((transfer) => ({
        ...transfer,
        blockMs: times[transfer.block_number] ?? 0,
      }));
      const dates = { ...of, received_amount: "1500.01", paid_at: new Date(at).toISOString() };
      return judge(dates, { ...chain, transfers: dated.toReversed() }, options).checks.find(
        ({ name }) => name === "date",
      )?.ok;
    };
    expect([paidAt - day, paidAt, paidAt + 3_500_000, paidAt + day].map((at) => judged(at))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(judged(paidAt - day, { ...parts, other_transfers: 1 })).toBeUndefined();
  });

  test("knows USDC on the chains of Till, and on no other", () => {
    expect(knownNetwork(8453)).toBe(networks.base);
    expect(knownNetwork(1)).toBeNull();
    const unknown = judge(proof, held(proof), { ...options, token: null });
    expect(unknown.ok).toBe(false);
  });

  test("of a receipt of nothing proves nothing", () => {
    const nothing = { ...proof, total_amount: "0.00", received_amount: "0.00", transfers: [] };
    expect(isOk(nothing)).toBe(false);
  });
});
