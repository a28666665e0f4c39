import * as Receipt from "../../domain/receipt/receipt.ts";
import * as ReceiptProof from "../../domain/receipt/receipt-proof.ts";
import { networks } from "../../domain/wallet/network.ts";

/** What the API says of a receipt of one payment: of an invoice as the merchant gets it, of a link as a payer does. */
export function receiptExample(subject: Receipt.ReceiptSubject, payment: Omit<Receipt.Payment, "amount">) {
  const { expected: amount } = Receipt.depositOf(subject);
  const payments = [{ ...payment, amount }];
  const receipt = { ...subject, payments, otherPayments: 0, completedAt: payment.madeAt };
  const options = { network: networks.base, withDepositProof: subject.kind === "invoice" };
  return { receipt_proof: ReceiptProof.proofOf(receipt, options) };
}
