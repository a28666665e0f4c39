import { writeFileSync } from "node:fs";
import type { ReceiptAnswer } from "../../http/fields/receipt-schemas.ts";
import { messageOf } from "../../lib/error.ts";
import { ownerOnlyFile } from "../../lib/file.ts";
import { apiPath, findTarget, targetHelp } from "../api/target.ts";
import { command, onlyWord, UsageError } from "../command.ts";
import { amountText, bold, timeText, usdc } from "../records/format.ts";
import { answer, say } from "../terminal/output.ts";
import { refuseDirectory } from "../terminal/output-file.ts";
import { type Facts, sayList, sayRecord } from "../terminal/table.ts";

type Proof = (typeof ReceiptAnswer)["static"]["receipt_proof"];

export const receipt = command({
  calls: ["INVOICE|LINK [--json]", "INVOICE|LINK --pdf FILE"],
  words: [["INVOICE, LINK", targetHelp]],
  flags: {
    json: {
      text: "the proof for till verify-receipt; it derives the deposit address and so names your payout wallet",
    },
    pdf: { value: "FILE", text: "save the PDF that customers get; never replaces a file" },
  },
  about: "There is a receipt once the invoice or link is paid.",
  examples: ["till receipt INV-0001 --pdf INV-0001-receipt.pdf"],

  async run(values, words) {
    const word = onlyWord(words, "say of what: till receipt INV-0001");
    if (values.json && values.pdf !== undefined) throw new UsageError("give --json or --pdf, not both.");
    if (values.pdf !== undefined) refuseDirectory(values.pdf);
    const { client, target } = await findTarget(word);
    const path = `${apiPath(target)}/receipt`;
    if (values.pdf !== undefined) {
      writeNew(values.pdf, await client.getPdf(path));
      say(`Wrote ${values.pdf}.`);
      return 0;
    }
    const receipt = await client.get<{ receipt_proof: Proof }>(`${path}.json`);
    return answer(values.json, receipt, () => sayReceipt(receipt.receipt_proof));
  },
});

/** Throws a UsageError if the file exists. */
function writeNew(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: "wx", mode: ownerOnlyFile });
  } catch (thrown) {
    throw new UsageError(`${file} was not written: ${messageOf(thrown)}.`);
  }
}

const facts: Facts<Proof> = [
  ["Receipt", ({ invoice_number, link }) => bold(invoice_number ?? link ?? "")],
  ["Merchant", ({ merchant }) => merchant.name],
  ["Paid", "paid_at", timeText],
  ["Marked", "marked_paid_at", (at) => `${timeText(at)}, as paid in another way`],
  ["Total", "total_amount", usdc],
  ["Received", "received_amount", usdc],
  ["Address", "deposit_address"],
];

function sayReceipt(proof: Proof): void {
  sayRecord(facts, proof);
  if (proof.transfers.length === 0) return;
  say("\nPayments");
  sayList(proof.transfers, [
    [{ right: "AMOUNT" }, "amount", amountText],
    [{ right: "BLOCK" }, "block_number"],
    [{ below: "TX" }, "tx_hash"],
    [{ below: "FROM" }, "from"],
  ]);
  if (proof.other_transfers > 0) say(`Smaller ones that are not listed: ${proof.other_transfers}`);
}
