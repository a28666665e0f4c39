import { writeFileSync } from "node:fs";
import type { ReceiptAnswer } from "../../http/fields/receipt-schemas.ts";
import { messageOf } from "../../lib/error.ts";
import { ownerOnlyFile } from "../../lib/file.ts";
import { apiPath, findTarget, targetHelp } from "../api/target.ts";
import { command, onlyWord, UsageError } from "../command.ts";
import { amountText, answer, say, sayFacts, sayTable, timeText } from "../terminal/output.ts";
import { refuseDirectory } from "../terminal/output-file.ts";

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

/** Throws a UsageError when the file exists. */
function writeNew(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes, { flag: "wx", mode: ownerOnlyFile });
  } catch (thrown) {
    throw new UsageError(`${file} was not written: ${messageOf(thrown)}.`);
  }
}

function sayReceipt(proof: Proof): void {
  const { invoice_number, link, merchant, marked_paid_at, transfers, other_transfers } = proof;
  sayFacts([
    ["Receipt", { text: invoice_number ?? link ?? "", color: "bold" }],
    ["Merchant", merchant.name],
    ["Paid", timeText(proof.paid_at)],
    ["Marked", marked_paid_at === undefined ? null : `${timeText(marked_paid_at)}, as paid in another way`],
    ["Total", `${amountText(proof.total_amount)} USDC`],
    ["Received", `${amountText(proof.received_amount)} USDC`],
    ["Address", proof.deposit_address],
  ]);
  if (transfers.length === 0) return;
  say("\nPayments");
  sayTable(
    [{ right: "AMOUNT" }, { right: "BLOCK" }, { below: "TX" }, { below: "FROM" }],
    transfers.map(({ amount, block_number, tx_hash, from }) => [
      amountText(amount),
      String(block_number),
      tx_hash,
      from,
    ]),
  );
  if (other_transfers > 0) say(`Smaller ones that are not listed: ${other_transfers}`);
}
