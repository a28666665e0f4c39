import { TextArea } from "../parts/form/form.tsx";
import { PartyFields } from "../parts/form/party-fields.tsx";
import { Setting } from "../parts/setting.tsx";
import type { ShopProps } from "./shop-page.tsx";

/** What the law wants of the seller, and the terms. */
export function MerchantDetails({ frame, form, faults }: Pick<ShopProps, "frame" | "form" | "faults">) {
  const { locale } = frame;
  return (
    <Setting
      title={locale.say("partyDetails")}
      text={locale.say("partyDetailsText")}
      more={locale.say("partyInstead")}
    >
      <div class="form">
        <PartyFields locale={locale} prefix="details" typed={form.details} faults={faults} />
        <TextArea
          locale={locale}
          name="payment_terms"
          label={locale.say("paymentTerms")}
          value={form.paymentTerms}
          rows={2}
          faults={faults}
          extra={{ maxlength: "500", dir: "auto" }}
        />
        <label class="check">
          <input type="checkbox" name="usd_parity" value="on" checked={form.usdParity} />
          <span>
            <span>{locale.say("partyParity")}</span> <span class="soft">{locale.say("partyParityText")}</span>
          </span>
        </label>
      </div>
    </Setting>
  );
}
