import type { Role } from "../../domain/party/person.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { Setting } from "../parts/setting.tsx";
import { peopleBack, RoleChoice } from "./people-page.tsx";
import { type SessionRow, Sessions } from "./sessions.tsx";

/** Somebody else at the desk: what they may do, where they are signed in, and how they come back or go. */
export function personPage({
  frame,
  person,
  role,
  sessions,
  proof,
  faults,
}: {
  frame: DeskFrame;
  person: { id: number; name: string };
  /** What is chosen in the form. */
  role: Role;
  sessions: readonly SessionRow[];
  proof: ProofProps;
  faults: readonly FormFault[];
}): string {
  const { locale } = frame;
  const { id, name } = person;
  const path = `/desk/settings/people/${id}`;
  return headedPage({
    frame,
    place: "settings",
    title: name,
    back: peopleBack(locale),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <Setting title={locale.say("role")} text={locale.say("roleLine")}>
          <DeskForm frame={frame} action={`${path}/role`}>
            <RoleChoice locale={locale} role={role} faults={faults} isTitled />
            <ProofField locale={locale} proof={proof} faults={faults} />
            <p>
              <SubmitButton kind="quiet" text={locale.say("saveRole")} />
            </p>
          </DeskForm>
        </Setting>
        <Setting title={locale.say("signedInOn")} text={locale.say("signedInOnLine")}>
          <div class="form">
            <Sessions frame={frame} path={path} sessions={sessions} />
          </div>
        </Setting>
        <Setting title={locale.say("wayBack")} text={locale.say("wayBackLine")}>
          <p>
            <ButtonLink href={`${path}/link`} kind="quiet" text={locale.say("makeLink")} />
          </p>
        </Setting>
        <Setting title={locale.say("removePerson")} text={locale.say("removePersonLine")}>
          <p>
            <a class="button button-quiet late" href={`${path}/remove`}>
              {locale.say("removePersonNow")}
            </a>
          </p>
        </Setting>
      </>
    ),
  });
}

/** Asks who makes a link for somebody to prove that it is them. */
export function wayBackPage({
  frame,
  person: { id, name },
  proof,
  faults,
}: {
  frame: DeskFrame;
  person: { id: number; name: string };
  proof: ProofProps;
  faults: readonly FormFault[];
}): string {
  const { locale } = frame;
  const path = `/desk/settings/people/${id}`;
  const title = locale.say("wayBackFor", { name });
  return headedPage({
    frame,
    place: "settings",
    title,
    back: { href: path, label: name },
    body: (
      <DeskForm frame={frame} action={`${path}/link`} className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        <p>{locale.say("wayBackText")}</p>
        <ProofField locale={locale} proof={proof} faults={faults} />
        <div class="actions">
          <SubmitButton text={locale.say("makeLink")} />
        </div>
      </DeskForm>
    ),
  });
}
