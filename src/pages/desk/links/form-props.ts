import type { DeskFrame } from "../frame.tsx";
import type { FormFault } from "../parts/form/form.tsx";

/** The fields of the form of a new link, as they were typed. */
export const linkFields = [
  "product_description",
  "often",
  "price",
  "expected_amount",
  "quantity_max",
  "amount_min",
  "amount_max",
  "expires_on",
  "reference",
  "business_name",
  "merchant_email",
  "wallet_type",
  "wallet_address",
  "success_url",
  "embed_origins",
  "webhook_url",
] as const;

export type LinkField = (typeof linkFields)[number];

/** `often` is `once` or `again`; `price` is `fixed` or `chosen`; `expires_on` is a day. */
export type TypedLink = Record<LinkField, string>;

export type LinkFormProps = {
  frame: DeskFrame;
  typed: TypedLink;
  faults: readonly FormFault[];
  /** Whether the reader may have other systems told of what is paid. */
  mayHook: boolean;
  /** What makes a form that is sent twice one link. */
  once: string;
  /** Where the page that the payer would see is shown. */
  previewHref: string;
  /** How the address of the page begins. */
  pageBeginning: string;
  /** The first day on which it can end. */
  today: string;
};
