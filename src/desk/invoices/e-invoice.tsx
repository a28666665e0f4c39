import type { Config } from "../../config/config.ts";
import type { Format } from "../../domain/einvoice/einvoice.ts";
import type { MissingField, Need } from "../../domain/einvoice/missing.ts";
import type { TextKey } from "../../language/locale.ts";
import type { DeskFrame } from "../parts/frame.tsx";

const words = {
  "factur-x": "eInvoiceFacturX",
  ubl: "eInvoiceUbl",
  cii: "eInvoiceCii",
} as const satisfies Record<Format, TextKey>;

const gaps = {
  currency: "gapCurrency",
  tax: "gapTax",
  sellerCountry: "gapSellerCountry",
  buyerCountry: "gapBuyerCountry",
  sellerTaxId: "gapSellerTaxId",
  sellerVatId: "gapSellerVatId",
  sellerRegistration: "gapSellerRegistration",
  buyerVatId: "gapBuyerVatId",
  vatIdCountry: "gapVatIdCountry",
  electronicAddress: "gapElectronicAddress",
  addressScheme: "gapAddressScheme",
  buyerReference: "gapBuyerReference",
  vatCurrency: "gapVatCurrency",
} as const satisfies Record<Need, TextKey>;

type Props = {
  config: Pick<Config, "eInvoice">;
  frame: DeskFrame;
  /** The page of the invoice or the credit note. */
  href: string;
  /** What says so of what all forms lack. */
  lead: "eInvoiceLacks" | "eInvoiceCreditLacks";
  /** What it lacks in a form. */
  missingIn(format: Format): readonly MissingField[];
};

/** An invoice or a credit note in the forms that other programs book, or what is missing for them. */
export function EInvoice({ config, frame: { locale }, href, lead, missingIn }: Props) {
  const missing = { "factur-x": missingIn("factur-x"), cii: missingIn("cii"), ubl: missingIn("ubl") };
  // Unfolded where mails are to bring one.
  const isOpen = config.eInvoice !== "off" && missing[config.eInvoice].length > 0;
  const formats = (Object.keys(words) as Format[]).filter((format) => missing[format].length === 0);
  const ofAll = missing["factur-x"];
  const ofPeppol = missing.ubl.filter(({ need }) => !ofAll.some((other) => other.need === need));
  return (
    <details class="aside-part" open={isOpen}>
      <summary>{locale.say("eInvoice")}</summary>
      {formats.map((format) => (
        <p class="small">
          <a href={`${href}/e-invoice?format=${format}`}>{locale.say(words[format])}</a>
        </p>
      ))}
      <Gaps locale={locale} lead={lead} missing={ofAll} />
      <Gaps locale={locale} lead="eInvoicePeppolLacks" missing={ofPeppol} />
    </details>
  );
}

/** Each gap once, though both parties may have it. */
function Gaps({
  locale,
  lead,
  missing,
}: Pick<DeskFrame, "locale"> & {
  lead: Props["lead"] | "eInvoicePeppolLacks";
  missing: readonly MissingField[];
}) {
  if (missing.length === 0) return "";
  return (
    <>
      <p class="small">{locale.say(lead)}</p>
      <ul class="small soft">
        {[...new Set(missing.map(({ need }) => need))].map((need) => (
          <li>{locale.say(gaps[need])}</li>
        ))}
      </ul>
    </>
  );
}
