import type * as Tax from "../../../domain/bill/tax.ts";
import type { TextKey } from "../../../language/locale.ts";

/** Names of the kinds of tax for people. */
export const categoryNames = {
  standard: "taxKindStandard",
  zero: "taxKindZero",
  exempt: "taxKindExempt",
  reverse_charge: "taxKindReverse",
  export: "taxKindExport",
  intra_community: "taxKindIntra",
  outside_scope: "taxKindOutside",
} as const satisfies Record<Tax.Category, TextKey>;
