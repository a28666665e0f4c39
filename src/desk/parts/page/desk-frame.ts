import type { Brand } from "../../../domain/brand.ts";
import { type Duty, may, type Role } from "../../../domain/party/person.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { When } from "../../../language/when.ts";

/** The places of the desk, as the rail and the phone's tabs name them. */
export type Tab = "home" | "invoices" | "links" | "counter" | "money" | "customers" | "settings" | "more";

/** What every page of the desk is shown in. */
export type DeskFrame = Readonly<{
  locale: Locale;
  when: When;
  brand: Brand;
  /** What the shop is called. */
  shopName: string;
  /** Who is signed in; null in development, where nobody signs in. */
  person: { name: string; role: Role } | null;
  /** How many invoices are open, `99+` when they are many; null when none is. */
  openCount: string | null;
  /** Whether payments are seen as they come. */
  watch: "current" | "late" | "starting";
  networkName: string;
  /** What every form carries. */
  formToken: string;
  /** What was just done, to be told once. */
  did: DeedText | null;
  assets: DeskAssets;
}>;

/** Whether who is looking may do it; in development nobody signs in, and may do everything. */
export const mayHere = ({ person }: Pick<DeskFrame, "person">, duty: Duty): boolean =>
  may(person?.role ?? "owner", duty);

/** A text that tells of a deed, such as `didSendInvoice`. */
export type DeedText = Extract<TextKey, `did${string}`>;

/** Where the style sheet and the script are served: their names change with what is in them. */
export type DeskAssets = Readonly<{ style: string; script: string }>;
