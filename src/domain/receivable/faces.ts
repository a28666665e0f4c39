import type { Kind } from "./common.ts";

/** The differences between invoices and links as such. Those between one and the next are in `Face`. */
export const faces = {
  invoice: {
    noun: "invoice",
    payer: "customer",
    /** The path of the payer's page, before the slug. */
    page: "/i/",
    /** Only a credit note takes anything off: nothing beyond what is owed back is refunded without one. */
    hasCreditNotes: true,
    /** The payer gets a mail about each payment, not only once all is paid. */
    hasPartialReceipts: true,
  },
  link: {
    noun: "payment link",
    payer: "payer",
    page: "/pay/",
    hasCreditNotes: false,
    hasPartialReceipts: false,
  },
} as const satisfies Record<Kind, object>;
