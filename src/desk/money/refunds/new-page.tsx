import { faceOf, type Receivable } from "../../../domain/receivable/receivable.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, fieldsOf, Problem } from "../../parts/form/form.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage } from "../../parts/page/head.tsx";
import { listPath, shortNameOf } from "./parts.ts";

/** `how`: `mail`, `link`, `address` or `elsewhere`. */
export type TypedRefund = Record<"amount" | "how" | "address" | "reason" | "note" | "key", string>;

type FormProps = {
  owner: Receivable;
  /** The customer's; null when nobody knows it. */
  email: string | null;
  most: Usdc.Usdc;
  /** Whether who sees it may say that it was given back elsewhere. */
  mayMark: boolean;
  typed: TypedRefund;
  faults: readonly FormFault[];
  problem: string | null;
};

/** Begins a refund: the sum first, then how it is given back. Nothing is sent from here. */
export function refundFormPage(frame: DeskFrame, props: FormProps): string {
  const { owner, email, most, mayMark, typed, faults, problem } = props;
  const { locale } = frame;
  const { text } = fieldsOf({ frame, typed, faults });
  const figure = locale.figure(Usdc.formatExact(most));
  const choice = (value: string, title: string, words: string) => (
    <label class="choice">
      <input type="radio" name="how" value={value} checked={typed.how === value} />
      <span>
        <strong>{title}</strong>
        <span class="soft">{words}</span>
      </span>
    </label>
  );
  return headedPage({
    frame,
    place: "money",
    title: locale.say("refundNewTitle", { what: shortNameOf(owner, locale) }),
    back: { href: listPath, label: locale.say("refunds") },
    isForm: true,
    body: (
      <DeskForm frame={frame} action={listPath} className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        <Problem text={problem} />
        <input type="hidden" name="key" value={typed.key} />
        <input type="hidden" name={owner.kind} value={faceOf(owner).name} />
        {text("amount", locale.say("amount"), {
          unit: "USDC",
          hint: locale.say("refundAtMost", { amount: figure }),
          inputmode: "decimal",
          autocomplete: "off",
          maxlength: "20",
        })}
        <fieldset id="how" tabindex="-1">
          <legend>{locale.say("refundHow")}</legend>
          <div class="choices">
            {email !== null &&
              choice("mail", locale.say("refundHowMail"), locale.say("refundHowMailText", { email }))}
            {choice("link", locale.say("refundHowLink"), locale.say("refundHowLinkText"))}
            {choice("address", locale.say("refundHowAddress"), locale.say("refundHowAddressText"))}
            {mayMark &&
              choice("elsewhere", locale.say("refundHowElsewhere"), locale.say("refundHowElsewhereText"))}
          </div>
        </fieldset>
        <div class="only-address">
          {text("address", locale.say("refundSentTo"), {
            placeholder: "0x…",
            dir: "ltr",
            autocomplete: "off",
            spellcheck: "false",
            maxlength: "100",
          })}
        </div>
        {text("reason", locale.say("reason"), {
          optional: true,
          hint: locale.say("refundReasonHint"),
          maxlength: "500",
          dir: "auto",
        })}
        {text("note", locale.say("refundNote"), { optional: true, maxlength: "500", dir: "auto" })}
        <div class="bottom">
          <SubmitButton text={locale.say("refundBegin")} />
          <ButtonLink href={listPath} kind="quiet" text={locale.say("cancel")} />
        </div>
      </DeskForm>
    ),
  });
}
