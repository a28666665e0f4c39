import { Choices, TextArea, TextField } from "../../parts/form/form.tsx";
import type { InvoiceFormProps } from "./props.ts";

type Props = { props: InvoiceFormProps };

/** Where the money goes. */
export function PaidInto({ props: { frame, typed, faults } }: Props) {
  const { locale } = frame;
  return (
    <Choices
      locale={locale}
      name="wallet_type"
      label={locale.say("paidInto")}
      choices={[
        ["managed", "tillsWallet", "tillsWalletText"],
        ["byo", "ownWallet", "ownWalletText"],
      ]}
      chosen={typed.wallet_type}
    >
      <div class="choice-more">
        <TextField
          locale={locale}
          name="wallet_address"
          label={locale.say("walletAddress")}
          value={typed.wallet_address}
          faults={faults}
          extra={{ autocomplete: "off", spellcheck: "false", dir: "ltr", class: "address" }}
        />
      </div>
    </Choices>
  );
}

const shopFields: readonly string[] = ["merchant_name", "merchant_email", "merchant_address"];

/** Who bills: filled in from what was said before, so it is closed unless something is missing. */
export function BilledBy({ props: { frame, typed, faults } }: Props) {
  const { locale } = frame;
  const field = { locale, faults };
  const isFaulty = faults.some(({ field }) => shopFields.includes(field));
  const isMissing =
    typed.merchant_name === "" || typed.merchant_email === "" || typed.merchant_address === "";
  return (
    <details class="billed-by" open={isFaulty || isMissing}>
      <summary>
        <span class="name-of">{locale.say("billedBy")}</span>
        <bdi class="soft">
          {typed.merchant_name === "" ? locale.say("billedByNobody") : typed.merchant_name}
        </bdi>
      </summary>
      <div class="form">
        <div class="two">
          <TextField
            {...field}
            name="merchant_name"
            label={locale.say("shopName")}
            value={typed.merchant_name}
            extra={{ autocomplete: "organization", dir: "auto" }}
          />
          <TextField
            {...field}
            name="merchant_email"
            label={locale.say("email")}
            value={typed.merchant_email}
            hint={locale.say("shopEmailHint")}
            extra={{ type: "email", autocomplete: "email" }}
          />
        </div>
        <TextArea
          {...field}
          name="merchant_address"
          label={locale.say("shopAddress")}
          value={typed.merchant_address}
          rows={2}
          extra={{ autocomplete: "street-address", dir: "auto" }}
        />
      </div>
    </details>
  );
}
