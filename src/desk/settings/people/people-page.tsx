import { type Person, type Role, roles } from "../../../domain/party/person.ts";
import type { Locale, TextKey } from "../../../language/locale.ts";
import type { EntryLink } from "../../../store/tables/desk/entry-link.ts";
import type { Colleague } from "../../../store/tables/desk/person.ts";
import type { Session } from "../../../store/tables/desk/session.ts";
import { ActionButton, ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { provenPage } from "../../parts/form/confirm-page.tsx";
import { choices, line } from "../../parts/form/controls.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../../parts/form/proof.tsx";
import { formOf } from "../../parts/form/rows.ts";
import { Named } from "../../parts/items.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { roleTexts } from "../../parts/page/frame.tsx";
import { headedPage } from "../../parts/page/head.tsx";
import { Setting } from "../../parts/setting.tsx";
import { KeptOut, peopleBack } from "./kept-out.tsx";
import { type Restored, RestoredNotice } from "./restored.tsx";
import { Sessions } from "./sessions.tsx";

const list = "/desk/settings/people";

type PeoplePageProps = {
  frame: DeskFrame;
  restored: Restored | null;
  people: readonly Colleague[];
  meId: number | null;
  invitations: readonly EntryLink[];
  /** People who were removed, and whose account elsewhere would let them in. */
  keptOut: readonly Person[];
};

/** The people working at the desk, and the invited ones. `meId` is the viewer's. */
export function peoplePage({ frame, restored, people, meId, invitations, keptOut }: PeoplePageProps): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsPeople"),
    back: "settings",
    line: locale.say("peopleLine"),
    actions: <ButtonLink href={`${list}/invite`} icon="plus" text={locale.say("invite")} />,
    body: (
      <>
        {restored !== null && <RestoredNotice frame={frame} restored={restored} />}
        <section class="people-list">
          <ul class="people">
            {people.map((person) => (
              <PersonItem frame={frame} person={person} isMe={person.id === meId} />
            ))}
          </ul>
        </section>
        {invitations.length > 0 && (
          <section class="people-list">
            <h2>{locale.say("invited")}</h2>
            <ul class="people">
              {invitations.map((invitation) => (
                <InvitationItem frame={frame} invitation={invitation} />
              ))}
            </ul>
          </section>
        )}
        <KeptOut frame={frame} people={keptOut} />
      </>
    ),
  });
}

type PersonItemProps = { frame: DeskFrame; person: Colleague; isMe: boolean };

function seenText({ frame: { locale, when }, person: { seenAt }, isMe }: PersonItemProps): string {
  if (isMe) return locale.say("thatIsYou");
  if (seenAt === null) return locale.say("notSignedIn");
  return locale.say("lastHere", { time: when.momentInText(seenAt) });
}

function PersonItem(props: PersonItemProps) {
  const { locale } = props.frame;
  const { id, name, role } = props.person;
  return (
    <li>
      <Who locale={locale} name={name} role={role} text={seenText(props)} />
      <ButtonLink
        href={`${list}/${id}`}
        kind="plain small"
        text={locale.say("change")}
        label={locale.say("changeNamed", { name })}
      />
    </li>
  );
}

function InvitationItem({ frame, invitation }: { frame: DeskFrame; invitation: EntryLink }) {
  const { locale, when } = frame;
  const { id, role, expiresAt } = invitation;
  const name = invitation.name ?? "";
  const until = locale.say("linkWorksUntil", { time: when.momentInText(expiresAt) });
  return (
    <li>
      <Who locale={locale} name={name} role={role} text={until} />
      <ActionButton
        frame={frame}
        action={`/desk/settings/invitations/${id}/take-back`}
        kind="plain small"
        text={locale.say("takeBack")}
        label={locale.say("takeBackInvitation", { name })}
      />
    </li>
  );
}

function Who({ locale, name, role, text }: { locale: Locale; name: string; role: Role; text: string }) {
  return (
    <>
      <Letters name={name} />
      <Named name={name} beside={<span class="tag">{locale.texts[roleTexts[role]]}</span>} text={text} />
    </>
  );
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first letters of the first and the last word of a name. */
function Letters({ name }: { name: string }) {
  const words = name.split(" ").filter((word) => word !== "");
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = ends.map((word = "") => [...graphemes.segment(word)][0]?.segment ?? "");
  return (
    <span class="face" aria-hidden="true">
      {letters.join("").toUpperCase()}
    </span>
  );
}

const roleHints = {
  owner: "roleOwnerText",
  staff: "roleStaffText",
  accountant: "roleAccountantText",
} as const satisfies Record<Role, TextKey>;

const personForm = formOf({
  name: {
    label: "theirName",
    hint: "theirNameHint",
    control: line({ autocomplete: "off", maxlength: "60" }),
  },
  role: { label: "role", control: choices(roles.map((each) => [each, roleTexts[each], roleHints[each]])) },
});

/** Common to the pages whose form requires a proof. */
export type Proven = { frame: DeskFrame; proof: ProofProps; faults: readonly FormFault[] };

/** Creates a link for a new person. */
export function invitePage({ name, role, ...page }: Proven & { name: string; role: Role }): string {
  const { frame, faults } = page;
  const { locale } = frame;
  const field = personForm.fields({ frame, typed: { name, role }, faults });
  return provenPage({
    ...page,
    title: locale.say("invite"),
    back: peopleBack(locale),
    line: locale.say("inviteLine"),
    action: `${list}/invite`,
    children: (
      <>
        {field("name")}
        {field("role")}
      </>
    ),
    submit: { text: locale.say("makeLink") },
  });
}

type PersonPageProps = Proven & {
  person: Person;
  /** The role selected in the form. */
  role: Role;
  hasPasskey: boolean;
  hasPassword: boolean;
  /** Where they have an account to sign in with; null without one. */
  provider: string | null;
  sessions: readonly Session[];
  /** The reader's own session. */
  here: number | null;
};

/** Another person at the desk: their role, their sessions, and how to let them back in or remove them. */
export function personPage({
  frame,
  person,
  role,
  sessions,
  here,
  proof,
  faults,
  hasPasskey,
  hasPassword,
  provider,
}: PersonPageProps): string {
  const { locale } = frame;
  const { id, name } = person;
  const ways = [
    ...(hasPasskey ? [locale.say("passkey")] : []),
    ...(hasPassword ? [locale.say("password")] : []),
    ...(provider === null ? [] : [provider]),
  ];
  const path = `${list}/${id}`;
  return headedPage({
    frame,
    place: "settings",
    title: name,
    back: peopleBack(locale),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        <Setting
          title={locale.say("role")}
          text={locale.say("roleLine")}
          {...(provider !== null && { more: locale.say("roleOfProvider", { name: provider }) })}
        >
          <DeskForm frame={frame} action={`${path}/role`}>
            {/* A heading says already what is chosen. */}
            {personForm.fields({ frame, typed: { name, role }, faults })("role", { isLabelHidden: true })}
            <ProofField locale={locale} proof={proof} faults={faults} />
            <p>
              <SubmitButton kind="quiet" text={locale.say("saveRole")} />
            </p>
          </DeskForm>
        </Setting>
        <Setting
          title={locale.say("signedInOn")}
          text={locale.say("signedInOnLine")}
          {...(ways.length > 0 && { more: locale.labelled(locale.say("signsInWith"), locale.listed(ways)) })}
        >
          <div class="form">
            <Sessions frame={frame} path={path} sessions={sessions} here={here} />
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

/** Requires a proof before creating a link for somebody. */
export function wayBackPage({ person: { id, name }, ...page }: Proven & { person: Person }): string {
  const { locale } = page.frame;
  const path = `${list}/${id}`;
  return provenPage({
    ...page,
    title: locale.say("wayBackFor", { name }),
    back: { href: path, label: name },
    action: `${path}/link`,
    children: <p>{locale.say("wayBackText")}</p>,
    submit: { text: locale.say("makeLink") },
  });
}
