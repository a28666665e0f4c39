import type { DetailPayment, Hook, TimelineEntry } from "../invoices/detail-page.tsx";
import type { StandingInvoice } from "../invoices/standing.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import type { StateName } from "../parts/state.tsx";
import type { LinkRow } from "./list-page.tsx";

/** What the pages of both kinds of links have. */
export type LinkCommon = {
  frame: DeskFrame;
  slug: string;
  title: string;
  /** What it asks for, how often, and until when. */
  line: string;
  state: { name: StateName; word: string };
  /** Whether it asks for money: what is closed needs no code and no snippet. */
  isOpen: boolean;
  can: Readonly<Record<"issue" | "void" | "mark" | "unmark", boolean>>;
  /** The page to pay on. */
  url: string;
  snippets: { checkout: string; frame: string; button: string };
  facts: readonly (readonly [name: string, value: string])[];
  /** What is shown of it in a frame may run its own script. */
  isLive: boolean;
};

export type LinkDetailProps = LinkCommon & {
  /** As an invoice that has been sent. */
  standing: StandingInvoice;
  payments: readonly DetailPayment[];
  otherPayments: number;
  timeline: readonly TimelineEntry[];
  hooks: readonly Hook[];
  webhookUrl: string | null;
  merchantEmail: string;
  payerEmail: string | null;
  address: string;
  receiptHref: string | null;
  /** The reusable link that it is a payment of. */
  parent: { href: string; title: string } | null;
  note: string;
  faults: readonly FormFault[];
  problem: string | null;
};

export type ReusableDetailProps = LinkCommon & {
  /** In words: how many were paid and what came. */
  totals: { begun: string; paid: string; received: string };
  rows: readonly LinkRow[];
  newest: string | null;
  older: string | null;
  /** Why it is void. */
  voidReason: string | null;
};

export const linkHref = (slug: string) => `/desk/links/${slug}`;
