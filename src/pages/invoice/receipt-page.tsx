import embeddedStyles from "../../../assets/styles/embedded.css" with { type: "text" };
import messageStyles from "../../../assets/styles/message.css" with { type: "text" };
import receiptStyles from "../../../assets/styles/receipt.css" with { type: "text" };
import type { Brand } from "../../domain/brand.ts";
import type { Locale } from "../../language/locale.ts";
import { HostedBy } from "../brand-mark.tsx";
import { layout, type Page } from "../layout.tsx";
import { scripts } from "../scripts.ts";
import { webHref } from "../text.ts";
import type { CheckoutFrame } from "./checkout-props.ts";

const script = scripts["widget/checkout-message"];

export type ReceiptPageProps = CheckoutFrame & {
  /** Where the form goes, and the checkout that it came from: paths on this server. */
  action: string;
  checkout: string;
  businessName: string;
  /** What is noted so far, and only so much of it as strangers may see. */
  maskedEmail: string | null;
  /** Whether it has gone there. */
  isSent: boolean;
  /** Whether the address that was sent is none. */
  isRefused: boolean;
  brand: Brand;
  locale: Locale;
};

/** Where the payer of a link says where the receipt is to go. A plain form, which needs no script. */
export function receiptPage(props: ReceiptPageProps): Page {
  const { locale, brand, embedded, slug, parentOrigin } = props;
  const title = locale.say(props.isSent ? "receipt" : "receiptByEmail");
  const body = (
    <main class="page page-narrow">
      <div
        class="card message receipt"
        id="message"
        data-slug={slug}
        data-parent-origin={parentOrigin === null ? false : parentOrigin}
      >
        <p class="soft">
          <bdi>{props.businessName}</bdi>
        </p>
        <h1>{title}</h1>
        {props.isSent ? <Sent props={props} /> : <Form props={props} />}
        <p>
          <a href={webHref(props.checkout) ?? "#"}>{locale.say("backToPayment")}</a>
        </p>
      </div>
      {!embedded && <HostedBy brand={brand} locale={locale} />}
    </main>
  );
  return layout({
    locale,
    brand,
    title,
    styles: [messageStyles, receiptStyles, ...(embedded ? [embeddedStyles] : [])],
    body,
    script,
  });
}

/** Spread, because the JSX types do not know it here. */
const focused = { autofocus: true };

type Props = { props: ReceiptPageProps };

function Sent({ props: { locale, maskedEmail } }: Props) {
  return <p>{locale.say("receiptSentTo", { email: maskedEmail ?? "" })}</p>;
}

function Form({ props: { action, locale, maskedEmail, isRefused } }: Props) {
  const { say } = locale;
  return (
    <form method="post" action={webHref(action) ?? "#"}>
      {maskedEmail !== null && <p>{say("receiptGoesTo", { email: maskedEmail })}</p>}
      <label for="email">{say("yourEmail")}</label>
      <input
        id="email"
        name="email"
        type="email"
        required
        {...focused}
        maxlength={254}
        autocomplete="email"
        dir="ltr"
        aria-describedby={isRefused ? "fault" : false}
        aria-invalid={isRefused ? "true" : false}
      />
      {isRefused && (
        <p class="fault" id="fault">
          {say("emailInvalid")}
        </p>
      )}
      <p class="soft">{say("receiptWhen")}</p>
      <button class="button" type="submit">
        {say(maskedEmail === null ? "receiptByEmail" : "changeEmail")}
      </button>
    </form>
  );
}
