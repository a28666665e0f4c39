import { faceOf, type Receivable } from "../../../domain/receivable/receivable.ts";
import * as Usdc from "../../../domain/usdc.ts";
import { ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { line, own } from "../../parts/form/controls.tsx";
import { usdcRow } from "../../parts/form/currencies.ts";
import {
  type Choice,
  Choices,
  DeskForm,
  FaultSummary,
  type FormFault,
  Problem,
} from "../../parts/form/form.tsx";
import { formOf, type Row } from "../../parts/form/rows.ts";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { headedPage } from "../../parts/page/head.tsx";
import { listPath, shortNameOf } from "./parts.ts";

const noteRow = {
  note: { label: "refundNote", optional: true, control: line({ maxlength: "500", dir: "auto" }) },
} as const satisfies Record<string, Row>;

/** `how`: `mail`, `link`, `address` or `elsewhere`. */
export const refundForm = formOf({
  amount: { ...usdcRow, fault: "refundFaultAmount" },
  how: { label: "refundHow", control: own },
  address: {
    label: "refundSentTo",
    control: line({
      placeholder: "0x…",
      dir: "ltr",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "100",
    }),
    fault: ({ say }, { code }) =>
      say(code === "refund_own" || code === "refund_deposit" ? "refundFaultOurs" : "refundFaultAddress"),
  },
  reason: {
    label: "reason",
    hint: "refundReasonHint",
    optional: true,
    control: line({ maxlength: "500", dir: "auto" }),
  },
  ...noteRow,
});
export const noteForm = formOf(noteRow);

export type TypedRefund = typeof refundForm.empty & { key: string };

type FormProps = {
  owner: Receivable;
  /** The customer's address; null if unknown. */
  email: string | null;
  most: Usdc.Usdc;
  /** True if the reader may mark it as refunded elsewhere. */
  mayMark: boolean;
  typed: TypedRefund;
  faults: readonly FormFault[];
  problem: string | null;
};

/** Begins a refund: first the amount, then how it is refunded. Nothing is sent from here. */
export function refundFormPage(frame: DeskFrame, props: FormProps): string {
  const { owner, email, most, mayMark, typed, faults, problem } = props;
  const { locale } = frame;
  const field = refundForm.fields({ frame, typed, faults });
  const figure = locale.figure(Usdc.formatExact(most));
  const ways: Choice[] = [
    { value: "link", title: locale.say("refundHowLink"), text: locale.say("refundHowLinkText") },
    { value: "address", title: locale.say("refundHowAddress"), text: locale.say("refundHowAddressText") },
  ];
  if (email !== null)
    ways.unshift({
      value: "mail",
      title: locale.say("refundHowMail"),
      text: locale.say("refundHowMailText", { email }),
    });
  if (mayMark)
    ways.push({
      value: "elsewhere",
      title: locale.say("refundHowElsewhere"),
      text: locale.say("refundHowElsewhereText"),
    });
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
        {field("amount", { hint: locale.say("refundAtMost", { amount: figure }) })}
        <Choices name="how" label={locale.say("refundHow")} choices={ways} chosen={typed.how} />
        <div class="only-address">{field("address")}</div>
        {field("reason")}
        {field("note")}
        <div class="bottom">
          <SubmitButton text={locale.say("refundBegin")} />
          <ButtonLink href={listPath} kind="quiet" text={locale.say("cancel")} />
        </div>
      </DeskForm>
    ),
  });
}
