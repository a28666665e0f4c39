import type { Warning } from "../../../domain/bill/warning.ts";
import type { SumRow } from "../../../language/sums.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import type { billOf } from "./body.ts";
import type { KeptForm } from "./typed.ts";

/** The form of a new invoice, and what it is shown with. */
export type InvoiceFormProps = KeptForm & {
  frame: DeskFrame;
  bill: ReturnType<typeof billOf>;
  /** What the total is in USDC just now, when it is in another currency and a rate is known. */
  inUsdc: { amount: string; rate: string } | null;
  /** How the total comes about, where it is not the sum of the lines alone. */
  sums: readonly SumRow[];
  warnings: readonly Warning[];
  /** Whether discounts and taxes are asked for. */
  hasTerms: boolean;
  faults: readonly FormFault[];
  /** What cannot be said beside a field. */
  problem: string | null;
  /** What it is kept as. */
  draft: Draft | null;
  /** Customers that were billed before. */
  customers: readonly { name: string; email: string }[];
  /** Whether a mail server is set: without one nobody is mailed anything. */
  hasMail: boolean;
  /** What the page of the invoice begins with, such as `pay.shop.example/i/`. */
  pageBeginning: string;
  /** An example of the code that the customer scans, as the address of a picture. */
  exampleQr: string;
};
