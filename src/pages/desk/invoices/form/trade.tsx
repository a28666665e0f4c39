import { TextArea, TextField } from "../../parts/form/form.tsx";
import { PartyFields } from "../../parts/form/party-fields.tsx";
import type { InvoiceFormProps } from "./props.ts";

/** What an invoice to a business says besides: closed until somebody wants it, or something of it is said. */
export function ForBusiness({ props: { frame, typed, faults } }: { props: InvoiceFormProps }) {
  const { locale } = frame;
  const { vendor_details, was_filled, payment_terms, had_terms, ...texts } = typed.trade;
  const isFilled = was_filled || Object.keys(vendor_details).length > 0;
  const isFaulty = faults.some(
    ({ field }) => field.startsWith("vendor_details.") || Object.hasOwn(typed.trade, field),
  );
  const isSaid = isFilled || Object.values(texts).some((text) => text !== "");
  const field = { locale, faults, optional: true };
  return (
    <details class="for-business" open={isFaulty || isSaid}>
      <summary>
        <span class="name-of">{locale.say("partyForBusiness")}</span>
        <span class="soft">{locale.say("partyForBusinessText")}</span>
      </summary>
      <div class="form">
        {isFilled && <input type="hidden" name="was_filled" value="on" />}
        {(had_terms || payment_terms !== "") && <input type="hidden" name="had_terms" value="on" />}
        <p class="hint">{locale.say("partyInstead")}</p>
        <PartyFields locale={locale} prefix="vendor_details" typed={vendor_details} faults={faults} />
        <div class="two">
          <TextField
            {...field}
            name="delivery_from"
            label={locale.say("partyDeliveryFrom")}
            value={texts.delivery_from}
            extra={{ type: "date" }}
          />
          <TextField
            {...field}
            name="delivery_to"
            label={locale.say("partyDeliveryTo")}
            value={texts.delivery_to}
            extra={{ type: "date" }}
          />
        </div>
        <div class="two">
          <TextField
            {...field}
            name="buyer_reference"
            label={locale.say("buyerReference")}
            value={texts.buyer_reference}
            extra={{ autocomplete: "off", maxlength: "100", dir: "auto" }}
          />
          <TextField
            {...field}
            name="purchase_order"
            label={locale.say("purchaseOrder")}
            value={texts.purchase_order}
            extra={{ autocomplete: "off", maxlength: "100", dir: "auto" }}
          />
        </div>
        <TextArea
          {...field}
          name="payment_terms"
          label={locale.say("paymentTerms")}
          value={payment_terms}
          rows={2}
          extra={{ maxlength: "500", dir: "auto" }}
        />
      </div>
    </details>
  );
}
