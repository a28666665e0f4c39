import type { InvoiceCurrency } from "../../../../domain/bill/currency.ts";
import type { Status } from "../../../../domain/bill/invoice.ts";
import type { StandingFacts } from "../../../../domain/payment/standing.ts";
import type { Billed, Usdc } from "../../../../domain/usdc.ts";
import type { DeskFrame } from "../../frame.tsx";
import type { Days } from "../../parts/list/days-menu.tsx";

export type ListTab = "all" | "open" | "overdue" | "paid" | "drafts" | "void";

/** One line of a list of invoices. Days are `YYYY-MM-DD`. */
export type InvoiceRow = {
  number: string;
  vendorName: string;
  status: Status;
  dueDate: string;
  total: Usdc;
  currency: InvoiceCurrency | null;
  deposit: StandingFacts["deposit"] & { pending: Usdc };
  voidedAt: number | null;
  markedPaidAt: number | null;
  sentAt: number | null;
  /** The first line. */
  description: string;
};

export type DraftRow = {
  id: number;
  vendorName: string;
  description: string;
  /** Of the lines that can be read. */
  total: Billed;
  /** The currency that was typed, or USDC. */
  code: string;
  /** Unix time in milliseconds. */
  changedAt: number;
};

export type ListProps = Days & {
  frame: DeskFrame;
  kind: ListTab;
  query: string;
  /** Whether the field for searching has the focus. */
  isSearching: boolean;
  /** `99+` when there are many. */
  counts: Readonly<Record<ListTab, string>>;
  /** Whether there is any invoice or draft at all. */
  isEmpty: boolean;
  rows: readonly InvoiceRow[];
  drafts: readonly DraftRow[];
  sum: { count: number; total: Usdc; isAll: boolean };
  /** Of a search that found more than is looked through: so many are. */
  foundMax: number | null;
  /** Paths with their query. */
  links: {
    kinds: Readonly<Record<ListTab, string>>;
    /** The same with other days. */
    days(days: Days): string;
    newest: string | null;
    older: string | null;
    /** Null for whom it is not. */
    csv: string | null;
  };
  mayIssue: boolean;
};
