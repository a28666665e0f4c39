import type { CreditNote, Remainder } from "../../../domain/bill/credit-note.ts";
import type { Invoice } from "../../../domain/bill/invoice.ts";
import type { Usdc } from "../../../domain/usdc.ts";
import type { DeskFrame } from "../frame.tsx";
import type { FormFault } from "../parts/form/form.tsx";

export const creditKinds = ["rest", "lines", "amounts"] as const;
export type CreditKind = (typeof creditKinds)[number];

/** The form as it was typed: quantities by the lines of the invoice, amounts by the rows of its taxes. */
export type TypedCredit = {
  kind: CreditKind;
  quantities: readonly string[];
  amounts: readonly string[];
  reason: string;
  /** By it, a form that is sent twice makes one credit note. */
  key: string;
};

export type CreditFormProps = {
  frame: DeskFrame;
  invoice: Invoice;
  left: Remainder;
  typed: TypedCredit;
  faults: readonly FormFault[];
  problem: string | null;
};

export type CreditConfirmProps = {
  frame: DeskFrame;
  invoice: Invoice;
  typed: TypedCredit;
  credited: Pick<CreditNote, "lines" | "totals">;
  effect: { toReturn: Usdc; left: Usdc; isVoid: boolean };
  /** Whether it is to be mailed; null where no mail can be sent. */
  mailIt: boolean | null;
  /** What went wrong. */
  problem: string | null;
};
