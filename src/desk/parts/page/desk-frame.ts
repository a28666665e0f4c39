import type { Brand } from "../../../domain/brand.ts";
import { type Duty, may, type Role } from "../../../domain/party/person.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { When } from "../../../language/when.ts";

/** The desk's places, as in the navigation and the phone's tabs. */
export type Tab = "home" | "invoices" | "links" | "counter" | "money" | "customers" | "settings" | "more";

/** The surroundings of every page of the desk. */
export type DeskFrame = Readonly<{
  locale: Locale;
  when: When;
  brand: Brand;
  shopName: string;
  /** The signed-in person; null in development, where nobody signs in. */
  person: { name: string; role: Role } | null;
  /** Number of open invoices, `99+` for more; null if there are none. */
  openCount: string | null;
  /** How current the detection of payments is. */
  watch: "current" | "late" | "starting";
  networkName: string;
  /** Included in every form. */
  formToken: string;
  /** The message about what was just done, shown once. */
  did: DoneText | null;
  assets: DeskAssets;
}>;

/** True if the viewer may do it; in development nobody signs in, and everything is allowed. */
export const mayHere = ({ person }: Pick<DeskFrame, "person">, duty: Duty): boolean =>
  may(person?.role ?? "owner", duty);

/** A message about what was done, such as `didSendInvoice`. */
export type DoneText = Extract<TextKey, `did${string}`>;

/** Paths of the style sheet and the script, which change with their content. */
export type DeskAssets = Readonly<{ style: string; script: string }>;
