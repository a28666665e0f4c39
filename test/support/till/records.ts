import * as Invoice from "../../../src/domain/bill/invoice.ts";
import * as InvoiceNumber from "../../../src/domain/bill/invoice-number.ts";
import * as Quantity from "../../../src/domain/bill/quantity.ts";
import type { Link } from "../../../src/domain/link/link.ts";
import type { Deposit } from "../../../src/domain/payment/deposit.ts";
import type { Kind } from "../../../src/domain/receivable/common.ts";
import * as Common from "../../../src/domain/receivable/common.ts";
import * as Usdc from "../../../src/domain/usdc.ts";
import * as Address from "../../../src/domain/wallet/address.ts";
import * as DepositAddress from "../../../src/domain/wallet/deposit-address.ts";
import { speak } from "../../../src/language/locale.ts";
import { type Db, transact } from "../../../src/store/database.ts";
import * as DepositStore from "../../../src/store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../../src/store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../../src/store/tables/invoicing/link.ts";
import * as ReusableStore from "../../../src/store/tables/invoicing/reusable-link.ts";
import { usdc } from "../usdc.ts";

export const payoutWallet = Address.checksum("0x70997970C51812dc3A010C7d01b50e0d17dc79C8");
const secret = new Uint8Array(32).fill(7);

/** How such records are numbered: as nobody set it. */
export const numbers: InvoiceNumber.Pattern = { before: "INV-", digits: 4, after: "" };

/** Where the Till of such records is. */
export const recordSettings = {
  baseUrl: "https://pay.example",
  timeZone: "UTC",
  receiptNumber: { before: "R-", digits: 4, after: "" },
};

/** What chats are told in. */
export const words = () => ({ locale: speak("en"), baseUrl: recordSettings.baseUrl });

type StoredOptions = {
  total?: string;
  webhookUrl?: string;
  webhookEvents?: Common.WebhookForm;
  now?: number;
  payoutWallet?: Address.Address;
  issueDate?: string;
  dueDate?: string;
  vendorName?: string;
  vendorEmail?: string;
  merchantEmail?: string;
  reference?: string;
};

function nextDeposit(
  db: Db,
  expected: Usdc.Usdc,
  { payoutWallet: wallet = payoutWallet }: StoredOptions,
): Deposit {
  const index = DepositStore.nextIndex(db);
  const salt = DepositAddress.saltFor(secret, index);
  const { factory, implementation } = DepositAddress;
  return {
    index,
    address: DepositAddress.derive({ factory, implementation, payoutWallet: wallet, salt }),
    payoutWallet: wallet,
    salt,
    factory,
    expected,
    net: expected,
    elsewhere: Usdc.zero,
    refunded: Usdc.zero,
    refunding: Usdc.zero,
    refundedElsewhere: Usdc.zero,
    tolerance: Usdc.zero,
    received: Usdc.zero,
    pending: Usdc.zero,
  };
}

/** What the store changes of an invoice or a link goes by this. */
export const namedOf = (kind: Kind, { deposit }: { deposit: { index: number } }) => ({
  kind,
  depositIndex: deposit.index,
});

/** Stores a payment link as the service does, without a wallet. */
export function storeLink(
  db: Db,
  options: StoredOptions = {},
  billed: Partial<Pick<Link, "bill" | "payerDetails">> = {},
): Link {
  const { total = "100.00", webhookUrl = null, webhookEvents = "contract", now = Date.now() } = options;
  return transact(db, () => {
    const deposit = nextDeposit(db, usdc(total), options);
    const link: Omit<Link, "id"> = {
      slug: `slug${deposit.index}`,
      merchantEmail: "owner@corner.example",
      businessName: "Corner Shop",
      productDescription: null,
      status: "pending",
      walletType: "byo",
      successUrl: null,
      embedOrigins: [],
      payerEmail: null,
      currency: null,
      bill: null,
      collect: null,
      payerDetails: null,
      receiptNumber: null,
      ...billed,
      reusableId: null,
      reusableSlug: null,
      quantity: 1,
      webhookUrl,
      deposit,
      createdAt: now,
      expiresAt: null,
      ...Common.defaults,
      webhookEvents,
    };
    return { ...link, id: LinkStore.insert(db, link, webhookUrl === null ? null : "whsec_c2VjcmV0") };
  });
}

/** Stores an invoice of one line as the service does, without a wallet or a mail. */
export function storeInvoice(db: Db, options: StoredOptions = {}): Invoice.Invoice {
  const { total = "100.00", webhookUrl = null, webhookEvents = "contract", now = Date.now() } = options;
  const { issueDate = "2026-11-21", dueDate = "2026-12-21", reference = null } = options;
  const { vendorName = "Globex", vendorEmail = "ap@globex.example" } = options;
  const { merchantEmail = "billing@acme.example" } = options;
  return transact(db, () => {
    const amount = usdc(total);
    const deposit = nextDeposit(db, amount, options);
    const sequence = InvoiceStore.nextSequence(db);
    const invoice: Invoice.Invoice = {
      id: crypto.randomUUID(),
      sequence,
      number: InvoiceNumber.of(numbers, sequence),
      slug: `slug${deposit.index}`,
      merchantEmail,
      merchantName: "Acme Ltd",
      merchantAddress: "1 Main Street",
      vendorName,
      vendorEmail,
      vendorAddress: null,
      issueDate,
      dueDate,
      notes: null,
      lineItems: [
        {
          description: "Work",
          quantity: Quantity.fromMillionths(1_000_000n),
          unitPrice: amount,
          ...Invoice.plainLine,
          lineTotal: amount,
        },
      ],
      ...Invoice.plain,
      total: amount,
      status: "draft",
      walletType: "byo",
      webhookUrl,
      reminders: null,
      deposit,
      createdAt: now,
      sentAt: null,
      correctedAt: null,
      ...Common.defaults,
      reference,
      webhookEvents,
    };
    InvoiceStore.insert(db, invoice, webhookUrl === null ? null : "whsec_c2VjcmV0");
    return invoice;
  });
}

/** Stores a reusable link; returns its id. */
export function storeReusable(db: Db, { slug, createdAt = 1 }: { slug: string; createdAt?: number }): number {
  const { markedPaidAt: _, ...rest } = Common.defaults;
  const link: Parameters<typeof ReusableStore.insert>[1] = {
    ...rest,
    slug,
    merchantEmail: "owner@corner.example",
    businessName: "Corner Shop",
    productDescription: null,
    successUrl: null,
    embedOrigins: [],
    webhookUrl: null,
    walletType: "byo",
    wallet: payoutWallet,
    price: { kind: "fixed", each: usdc("1.00"), quantityMax: 1 },
    currency: null,
    tax: null,
    collect: null,
    createdAt,
    expiresAt: null,
  };
  return ReusableStore.insert(db, link, null);
}
