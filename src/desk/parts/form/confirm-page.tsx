import type { Child } from "../../../lib/jsx/jsx-runtime.ts";
import type { WithChildren } from "../../../pages/layout.tsx";
import { SubmitButton } from "../button.tsx";
import type { DeskFrame, Tab } from "../page/desk-frame.ts";
import { headedPage } from "../page/head.tsx";
import { DeskForm, FaultSummary, type FormFault } from "./form.tsx";
import { ProofField, type ProofProps } from "./proof.tsx";

type ProvenPageProps = WithChildren<{
  frame: DeskFrame;
  title: string;
  back: { href: string; label: string };
  line?: string;
  action: string;
  proof: ProofProps;
  faults: readonly FormFault[];
  after?: Child;
  submit: Parameters<typeof SubmitButton>[0];
}>;

/** A page with one form. Its sender proves who they are, between `children` and `after`. */
export function provenPage({ frame, proof, faults, children, ...page }: ProvenPageProps): string {
  const { title, back, line, action, after, submit } = page;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title,
    back,
    line,
    body: (
      <DeskForm frame={frame} action={action} className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        {children}
        <ProofField locale={locale} proof={proof} faults={faults} />
        {after}
        <div class="actions">
          <SubmitButton {...submit} />
        </div>
      </DeskForm>
    ),
  });
}

export type ConfirmProps = {
  frame: DeskFrame;
  place?: Tab;
  back: { href: string; label: string };
  question: string;
  /** The effect, and whom it affects. */
  text: string;
  warning?: string | undefined;
  /** A field to fill in. */
  field?: Child;
  proof?: ProofProps;
  faults?: readonly FormFault[];
  action: string;
  keep: string;
  confirm: string;
  /** True if it cannot be undone. */
  isDanger?: boolean;
};

/**
 * Asks before an action: the question names the thing, the buttons repeat the verb. Opened by a link with
 * `data-dialog`, it is a dialog over the previous page.
 */
export function confirmPage({ frame, faults = [], isDanger = true, ...page }: ConfirmProps): string {
  const { place = "settings", back, question, text, warning, field } = page;
  const { locale } = frame;
  return headedPage({
    frame,
    place,
    title: question,
    back,
    body: (
      <div class="form-alone" id="confirm" data-title={question}>
        <p class="soft" dir="auto">
          {text}
        </p>
        <DeskForm frame={frame} action={page.action} className="form confirm">
          {field === undefined && <FaultSummary locale={locale} faults={faults} />}
          {warning !== undefined && <p class="notice">{warning}</p>}
          {field}
          <ProofField locale={locale} proof={page.proof ?? { kind: "none" }} faults={faults} />
          <div class="actions">
            <a class="button button-quiet" href={back.href} data-close>
              {page.keep}
            </a>
            <SubmitButton kind={isDanger ? "danger" : ""} text={page.confirm} />
          </div>
        </DeskForm>
      </div>
    ),
  });
}
