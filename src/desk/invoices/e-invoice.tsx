import type { Config } from "../../config/config.ts";
import type { Format } from "../../domain/einvoice/einvoice.ts";
import type { EInvoiceFault, EInvoiceLack } from "../../domain/einvoice/missing.ts";
import type { TextKey } from "../../language/locale.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";

const words = {
  "factur-x": "eInvoiceFacturX",
  ubl: "eInvoiceUbl",
  cii: "eInvoiceCii",
} as const satisfies Record<Format, TextKey>;

const lacks = {
  no_currency: "lacksCurrency",
  no_tax: "lacksTax",
  no_seller_country: "lacksSellerCountry",
  no_buyer_country: "lacksBuyerCountry",
  no_seller_tax_id: "lacksSellerTaxId",
  no_seller_vat_id: "lacksSellerVatId",
  no_seller_registration: "lacksSellerRegistration",
  no_buyer_vat_id: "lacksBuyerVatId",
  no_seller_vat_id_eu: "lacksSellerVatIdEu",
  no_buyer_vat_id_eu: "lacksBuyerVatIdEu",
  no_delivery: "lacksDelivery",
  too_fine: "lacksCoarseness",
  no_vat_id_country: "lacksVatIdCountry",
  no_electronic_address: "lacksElectronicAddress",
  no_address_scheme: "lacksAddressScheme",
  no_buyer_reference: "lacksBuyerReference",
  no_vat_currency: "lacksVatCurrency",
  no_peppol_means: "lacksPeppolMeans",
} as const satisfies Record<EInvoiceLack, TextKey>;

type Props = {
  config: Pick<Config, "eInvoice">;
  frame: DeskFrame;
  /** The page of the invoice or the credit note. */
  href: string;
  /** The sentence above what all formats lack. */
  lead: "eInvoiceLacks" | "eInvoiceCreditLacks";
  /** Lists what it lacks for a format. */
  missingIn(format: Format): readonly EInvoiceFault[];
};

/** An invoice or a credit note in the formats that other programs import, or what is missing for them. */
export function EInvoice({ config, frame: { locale }, href, lead, missingIn }: Props) {
  const missing = { "factur-x": missingIn("factur-x"), cii: missingIn("cii"), ubl: missingIn("ubl") };
  // Unfolded if mails are to include one.
  const isOpen = config.eInvoice !== "off" && missing[config.eInvoice].length > 0;
  const formats = (Object.keys(words) as Format[]).filter((format) => missing[format].length === 0);
  const ofAll = missing["factur-x"];
  const ofPeppol = missing.ubl.filter(({ code }) => !ofAll.some((other) => other.code === code));
  return (
    <details class="aside-part" open={isOpen}>
      <summary>{locale.say("eInvoice")}</summary>
      {formats.map((format) => (
        <p class="small">
          <a href={`${href}/e-invoice?format=${format}`}>{locale.say(words[format])}</a>
        </p>
      ))}
      <Lacks locale={locale} lead={lead} faults={ofAll} />
      <Lacks locale={locale} lead="eInvoicePeppolLacks" faults={ofPeppol} />
    </details>
  );
}

type LacksProps = Pick<DeskFrame, "locale"> & {
  lead: Props["lead"] | "eInvoicePeppolLacks";
  faults: readonly EInvoiceFault[];
};

/** Lists each fault once, although both parties may have it. */
function Lacks({ locale, lead, faults }: LacksProps) {
  if (faults.length === 0) return "";
  return (
    <>
      <p class="small">{locale.say(lead)}</p>
      <ul class="small soft">
        {[...new Set(faults.map(({ code }) => code))].map((code) => (
          <li>{locale.say(lacks[code])}</li>
        ))}
      </ul>
    </>
  );
}
