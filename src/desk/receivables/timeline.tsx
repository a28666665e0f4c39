import type { Failure } from "../../domain/payment/relay.ts";
import type { Kind } from "../../domain/receivable/common.ts";
import { faceOf, type Receivable } from "../../domain/receivable/receivable.ts";
import { timelineOf } from "../../http/events/timeline.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { toldAmount, toldCredit, toldTexts } from "../../language/told.ts";
import { htmlOf, type Markup, rawHtml } from "../../lib/jsx/jsx-runtime.ts";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, described, type FormFault } from "../parts/form/form.tsx";
import { DeskIcon, type IconName } from "../parts/icon.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { Part } from "../parts/page/head.tsx";
import { receivableHref } from "../parts/place.ts";

/** An event, as in the API. */
type TimelineEntry = ReturnType<typeof timelineOf>[number];

/** The error of the last action, and the input of a refused note. */
export type Feedback = { problem?: string; note?: string; faults?: readonly FormFault[] };

type Tone = "good" | "accent" | "late" | null;
type Look = { icon: IconName; tone: Tone };

const plain = (icon: IconName, tone: Tone = null): Look => ({ icon, tone });

/** Events described by one amount, or by their text alone. */
const simple = {
  transfer_seen: ["toldSeen", plain("down", "accent")],
  transfer_confirmed: ["toldConfirmed", plain("check", "good")],
  transfer_lost: ["toldLost", plain("alert", "late")],
  settled: ["toldSettled", plain("money")],
  signature_taken: ["toldSigned", plain("key")],
  crossing_told: ["toldCrossed", plain("clock")],
  crossing_attested: ["toldAttested", plain("down", "accent")],
  crossing_unknown: ["toldCrossNone", plain("alert", "late")],
  partially_paid: [toldTexts.partially_paid, plain("drop")],
  paid: [toldTexts.paid, plain("check", "good")],
  overpaid: [toldTexts.overpaid, plain("check", "good")],
  payment_reversed: [toldTexts.payment_reversed, plain("alert", "late")],
  unexpected_payment: [toldTexts.unexpected_payment, plain("alert", "late")],
  voided: [toldTexts.voided, plain("cross")],
  marked_paid: [toldTexts.marked_paid, plain("check", "good")],
  marked_unpaid: [toldTexts.marked_unpaid, plain("clock")],
  expired: [toldTexts.expired, plain("clock", "late")],
  quoted: ["toldQuoted", plain("money")],
  commented: ["toldNote", plain("note")],
  corrected: [toldTexts.corrected, plain("note")],
  refund_requested: [toldTexts.refund_requested, plain("money")],
  refund_approved: [toldTexts.refund_approved, plain("money", "accent")],
  refund_sent: [toldTexts.refund_sent, plain("money", "accent")],
  refunded: [toldTexts.refunded, plain("check", "good")],
  refund_failed: [toldTexts.refund_failed, plain("alert", "late")],
  refund_cancelled: [toldTexts.refund_cancelled, plain("cross")],
} as const satisfies Record<string, readonly [TextKey, Look]>;

const created = { invoice: "toldCreated", link: "linkToldCreated" } as const satisfies Record<Kind, TextKey>;

const signatureEnds = {
  expired: "toldSignExpired",
  reverted: "toldSignReverted",
  cancelled: "toldSignCancelled",
  replaced: "toldSignReplaced",
} as const satisfies Record<Failure, TextKey>;

const mailKinds = {
  invoice: "invoice",
  reminder: "mailReminder",
  void: "mailVoid",
  receipt: "receipt",
  notice: "mailNotice",
  credit: "creditNote",
  refund: "mailRefund",
} as const satisfies Record<string, TextKey>;

const mailStates = {
  sent: "mailSent",
  queued: "mailWaits",
  sending: "mailWaits",
  failed: "mailFailed",
  unknown: "mailUnknown",
  superseded: "mailSuperseded",
} as const satisfies Record<string, TextKey>;

type Props = {
  frame: DeskFrame;
  entry: TimelineEntry;
  /** The customer and the merchant. */
  people: { name: string; email: string; merchantEmail: string };
  kind: Kind;
};

type TimelineProps = { deps: HttpDeps; frame: DeskFrame; receivable: Receivable; feedback: Feedback };

/** All events, newest first, and the form for a note. */
export function Timeline({ deps, frame, receivable, feedback }: TimelineProps) {
  const { customerName, customerEmail } = faceOf(receivable);
  const people = {
    name: customerName ?? frame.locale.say("linkSomebody"),
    email: customerEmail ?? "",
    merchantEmail: receivable.merchantEmail,
  };
  return (
    <Part title={frame.locale.say("whatHappened")}>
      <ol class="timeline" id="timeline" data-live>
        {timelineOf(deps, receivable)
          .toReversed()
          .map((entry) => (
            <Happening frame={frame} entry={entry} people={people} kind={receivable.kind} />
          ))}
      </ol>
      {mayHere(frame, "issue") && (
        <NoteForm frame={frame} href={receivableHref(receivable)} feedback={feedback} />
      )}
    </Part>
  );
}

/** One event of an invoice or a link. */
function Happening({ frame, entry, people, kind }: Props) {
  const { when } = frame;
  const { icon, tone } = lookOf(entry);
  const at = Date.parse(entry.at);
  const { credit_note, text, reason, note } = entry.data;
  const quoted = text ?? reason ?? note ?? (credit_note as Record<string, unknown> | undefined)?.["reason"];
  const isCode = entry.type === "webhook" || entry.type === "signature_failed";
  return (
    <li>
      <span class={tone === null ? "dot" : `dot dot-${tone}`}>
        <DeskIcon name={icon} />
      </span>
      <div class="what">
        <p>{wordsOf({ frame, entry, people, kind })}</p>
        {typeof quoted === "string" && !isCode && (
          <blockquote dir="auto" class="prose">
            {quoted}
          </blockquote>
        )}
      </div>
      <time datetime={new Date(at).toISOString()}>{when.moment(at)}</time>
    </li>
  );
}

function lookOf({ type, data }: TimelineEntry): Look {
  if (Object.hasOwn(simple, type)) return simple[type as keyof typeof simple][1];
  if (type === "created") return plain("plus");
  if (type === "opened") return plain("eye");
  if (type === "credited" || type === "document") return plain("note");
  if (type === "signature_failed") return plain("alert", "late");
  if (type === "mail") return plain("mail", data["state"] === "failed" ? "late" : null);
  if (type === "webhook")
    return plain("hook", data["reason"] !== null && data["state"] !== "delivered" ? "late" : null);
  return plain("more");
}

function wordsOf({ frame: { locale }, entry: { type, data }, people, kind }: Props): Markup {
  const text = (value: unknown) => String(value ?? "");
  const amount = toldAmount(data, locale);
  if (type === "created") return <Rich locale={locale} text={created[kind]} />;
  if (Object.hasOwn(simple, type)) {
    const isUndelivered = type === "crossing_unknown" && data["amount"] !== undefined;
    const key = isUndelivered ? "toldCrossOver" : simple[type as keyof typeof simple][0];
    return (
      <Rich
        locale={locale}
        text={key as "toldAttested"}
        values={{ amount, network: text(data["network"]) }}
      />
    );
  }
  if (type === "signature_failed")
    return (
      <Rich
        locale={locale}
        text={signatureEnds[data["reason"] as Failure] as "toldSignReverted"}
        values={{ amount }}
      />
    );
  if (type === "opened")
    return <Rich locale={locale} text="toldOpened" values={{ name: <bdi>{people.name}</bdi> }} />;
  if (type === "credited") {
    const { number, amount } = toldCredit(data, locale);
    const values = { number: <bdi>{number}</bdi>, amount: amount.replace(" ", "\u00a0") };
    return <Rich locale={locale} text="toldCredited" values={values} />;
  }
  if (type === "mail") return mailWords({ locale }, data, people);
  if (type === "document") {
    const file = (
      <a href={text(data["url"])} title={`SHA-256 ${text(data["sha256"])}`}>
        <bdi>{text(data["file_name"])}</bdi>
      </a>
    );
    return <Rich locale={locale} text="toldKept" values={{ file }} />;
  }
  if (type === "webhook") return hookWords({ locale }, data);
  return <Rich locale={locale} text="toldOmitted" values={{ count: text(data["count"]) }} />;
}

function mailWords(
  { locale }: Pick<DeskFrame, "locale">,
  data: TimelineEntry["data"],
  people: Props["people"],
): Markup {
  const { kind, state, to } = data as {
    kind: keyof typeof mailKinds;
    state: keyof typeof mailStates;
    to: string;
  };
  const address = to === "merchant" ? people.merchantEmail : people.email;
  const sentence = (
    <Rich locale={locale} text={mailStates[state] as "mailSent"} values={{ to: <bdi>{address}</bdi> }} />
  );
  const label = htmlOf(locale.labelled(locale.say(mailKinds[kind]), "\u0000"));
  return rawHtml(label.replace("\u0000", () => String(sentence)));
}

function hookText(state: string, reason: string | null) {
  if (state === "delivered") return "toldHookDelivered";
  if (reason === null) return "toldHookWaits";
  return state === "failed" ? "toldHookFailed" : "toldHookFailing";
}

function hookWords({ locale }: Pick<DeskFrame, "locale">, data: TimelineEntry["data"]): Markup {
  const { state, reason } = data as { state: string; reason: string | null };
  const event = <code>{String(data["type"] ?? data["status"])}</code>;
  return <Rich locale={locale} text={hookText(state, reason)} values={{ event }} />;
}

/** The form for an internal note, below the events. */
function NoteForm({ frame, href, feedback }: { frame: DeskFrame; href: string; feedback: Feedback }) {
  const { note = "", faults = [] } = feedback;
  const { locale } = frame;
  const fault = faults.find(({ field }) => field === "note");
  return (
    <DeskForm frame={frame} action={`${href}/note`} className="say">
      <label class="visually-hidden" for="note">
        {locale.say("noteLabel")}
      </label>
      <textarea
        id="note"
        name="note"
        rows="2"
        dir="auto"
        placeholder={locale.say("notePlaceholder")}
        {...described({ name: "note", faults })}
      >
        {note}
      </textarea>
      {fault !== undefined && (
        <p class="fault" id="note-fault">
          {fault.message}
        </p>
      )}
      <SubmitButton kind="quiet small" text={locale.say("addNote")} />
    </DeskForm>
  );
}
