import type { Warning } from "../../../domain/bill/warning.ts";
import type { SumRow } from "../../../language/sums.ts";
import type { Draft } from "../../../store/tables/desk/draft.ts";
import type { FormFault } from "../../parts/form/form.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import type { billOf } from "./body.ts";
import type { KeptForm } from "./typed.ts";

/** The form of a new invoice, and the data shown with it. */
export type InvoiceFormProps = KeptForm & {
  frame: DeskFrame;
  bill: ReturnType<typeof billOf>;
  /** The current total in USDC, if it is in another currency and a rate is known. */
  inUsdc: { amount: string; rate: string } | null;
  /** Rows that lead to the total, if it is not just the sum of the lines. */
  sums: readonly SumRow[];
  warnings: readonly Warning[];
  /** Where the money goes, if the settings name another wallet. */
  otherWallet: string | null;
  /** True if discounts and taxes are asked for. */
  hasTerms: boolean;
  faults: readonly FormFault[];
  /** An error that belongs to no field. */
  problem: string | null;
  /** The draft that it is saved as. */
  draft: Draft | null;
  /** Identifies what the draft held when the form was first shown. */
  seen: string | null;
  /** Customers billed before. */
  customers: readonly { name: string; email: string }[];
  /** True if a mail server is set: without one nothing is mailed. */
  hasMail: boolean;
  /** The beginning of the invoice page's address, such as `pay.shop.example/i/`. */
  pageBeginning: string;
  /** An example of the code that the customer scans, as an image's address. */
  exampleQr: string;
};
