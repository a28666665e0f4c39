import * as Invoice from "../../../src/domain/invoice.ts";
import * as InvoiceNumber from "../../../src/domain/invoice-number.ts";
import * as Quantity from "../../../src/domain/quantity.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import type { Db } from "../../../src/store/database.ts";
import { transact } from "../../../src/store/database.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import { usdc } from "../usdc.ts";

export const payoutWallet = Address.checksum("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const secret = new Uint8Array(32).fill(7);

/** How such records are numbered: as nobody set it. */
export const numbers: InvoiceNumber.Pattern = { before: "INV-", digits: 4, after: "" };

/** Where the Till of such records is. */
export const site = { baseUrl: "https://pay.example", timeZone: "UTC" };

/** Stores an invoice of one line as the service does, without a wallet or a mail. */
export function storeInvoice(
  db: Db,
  options: { total?: string; webhookUrl?: string; now?: number; payoutWallet?: Address.Address } = {},
): Invoice.Invoice {
  const { total = "100.00", webhookUrl = null, now = Date.now() } = options;
  const wallet = options.payoutWallet ?? payoutWallet;
  return transact(db, () => {
    const index = DepositStore.nextIndex(db);
    const salt = DepositAddress.saltFor(secret, index);
    const { factory, implementation } = DepositAddress;
    const amount = usdc(total);
    const sequence = InvoiceStore.nextSequence(db);
    const invoice: Invoice.Invoice = {
      id: crypto.randomUUID(),
      sequence,
      number: InvoiceNumber.of(numbers, sequence),
      slug: `slug${index}`,
      merchantEmail: "billing@acme.example",
      merchantName: "Acme Ltd",
      merchantAddress: "1 Main Street",
      vendorName: "Globex",
      vendorEmail: "ap@globex.example",
      vendorAddress: null,
      issueDate: "2026-11-21",
      dueDate: "2026-12-21",
      notes: null,
      lineItems: [
        {
          description: "Work",
          quantity: Quantity.fromMillionths(1_000_000n),
          unitPrice: amount,
          lineTotal: amount,
        },
      ],
      total: amount,
      status: "draft",
      walletType: "byo",
      webhookUrl,
      reminders: null,
      deposit: {
        index,
        address: DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt }),
        payoutWallet: wallet,
        salt,
        factory,
        expected: amount,
        tolerance: Usdc.zero,
        received: Usdc.zero,
        pending: Usdc.zero,
      },
      createdAt: now,
      sentAt: null,
      ...Invoice.defaults,
    };
    DepositStore.insert(db, invoice.deposit, now);
    InvoiceStore.insert(db, invoice, webhookUrl === null ? null : "whsec_c2VjcmV0");
    return invoice;
  });
}
