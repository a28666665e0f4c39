import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { Usdc } from "../../../domain/usdc.ts";
import type { NoteRow } from "../credit/notes.tsx";
import type { DeskFrame } from "../frame.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import type { EInvoiceProps } from "./e-invoice.tsx";

export type DetailProps = {
  frame: DeskFrame;
  invoice: Invoice;
  /** What can be done now, by who looks at it. */
  can: Readonly<
    Record<"send" | "remind" | "void" | "mark" | "unmark" | "quote" | "issue" | "credit", boolean>
  >;
  creditNotes: readonly NoteRow[];
  payments: readonly DetailPayment[];
  /** How many more there are, all smaller. */
  otherPayments: number;
  /** Newest first. */
  timeline: readonly TimelineEntry[];
  hooks: readonly Hook[];
  /** Whole addresses on the web. */
  links: { page: string; pdf: string; receipt: string | null };
  eInvoice: EInvoiceProps;
  /** The desk's page of the customer; null when there is none. */
  customerHref: string | null;
  /** What was typed as a note and refused. */
  note: string;
  faults: readonly FormFault[];
  /** What went wrong with what was asked for. */
  problem: string | null;
};

export type DetailPayment = {
  txHash: string;
  /** Null without an explorer. */
  explorerUrl: string | null;
  amount: Usdc;
  confirmed: boolean;
  confirmations: number;
  /** Null when the chain decides what is final. */
  needed: number | null;
  /** Unix time in milliseconds. */
  madeAt: number;
};

/** Something that happened, as the timeline of the API has it. */
export type TimelineEntry = {
  /** Unix time in milliseconds. */
  at: number;
  type: string;
  data: Readonly<Record<string, unknown>>;
};

export type Hook = {
  id: string;
  /** What it tells, such as `invoice.paid`. */
  name: string;
  state: "pending" | "delivered" | "failed";
  attempts: readonly {
    /** Unix time in milliseconds. */
    startedAt: number;
    durationMs: number;
    httpStatus: number | null;
    reason: string | null;
  }[];
};
