import { type Role, roles } from "../../domain/party/person.ts";
import type { Locale, TextKey } from "../../language/locale.ts";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { Choices, DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import { type DeskFrame, roleTexts } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";

type PersonRow = {
  id: number;
  name: string;
  role: Role;
  isMe: boolean;
  /** Unix time in milliseconds; null when no browser of theirs is signed in. */
  seenAt: number | null;
};

type InvitationRow = { id: number; name: string; role: Role; expiresAt: number };

export const peopleBack = (locale: Locale) => ({
  href: "/desk/settings/people",
  label: locale.say("settingsPeople"),
});

/** What a restored backup may have changed about who works here, with the proof that removing people needs. */
type Restored = {
  /** Who is known to have been removed: nobody when nobody knows. */
  removed: readonly { name: string }[];
  proof: ProofProps;
  faults: readonly FormFault[];
};

/** Who works at the desk, and who is invited. */
export function peoplePage({
  frame,
  restored,
  people,
  invitations,
}: {
  frame: DeskFrame;
  restored: Restored | null;
  people: readonly PersonRow[];
  invitations: readonly InvitationRow[];
}): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsPeople"),
    back: "settings",
    line: locale.say("peopleLine"),
    actions: <ButtonLink href="/desk/settings/people/invite" icon="plus" text={locale.say("invite")} />,
    body: (
      <>
        {restored !== null && <RestoredNotice frame={frame} restored={restored} />}
        <section class="people-list">
          <ul class="people">
            {people.map((person) => (
              <PersonItem frame={frame} person={person} />
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
      </>
    ),
  });
}

/** The title and the text of what a restored backup may have brought back, for Home as well. */
export const restoredTexts = (locale: Locale, removed: readonly { name: string }[]): [string, string] => [
  locale.say("backupRestored"),
  removed.length === 0
    ? locale.say("peopleUnknown")
    : locale.say("peopleBack", {
        count: removed.length,
        names: locale.listed(removed.map(({ name }) => name)),
      }),
];

function RestoredNotice({
  frame,
  restored: { removed, proof, faults },
}: {
  frame: DeskFrame;
  restored: Restored;
}) {
  const { locale } = frame;
  const [title, text] = restoredTexts(locale, removed);
  return (
    <section class="notice people-list" id="restored">
      <DeskIcon name="people" />
      <div class="form">
        <p dir="auto">
          <strong>{title}</strong>
          <br />
          {text}
        </p>
        {removed.length > 0 && (
          <DeskForm frame={frame} action="/desk/settings/people/remove-again">
            <FaultSummary locale={locale} faults={faults} />
            <ProofField locale={locale} proof={proof} faults={faults} />
            <p>
              <button class="button button-danger" type="submit">
                {locale.say("removeAgain")}
              </button>
            </p>
          </DeskForm>
        )}
        <DeskForm frame={frame} action="/desk/settings/people/keep" className="inline">
          <SubmitButton kind="quiet" text={locale.say("keepPeople")} />
        </DeskForm>
      </div>
    </section>
  );
}

function PersonItem({
  frame: { locale, when },
  person: { id, name, role, isMe, seenAt },
}: {
  frame: DeskFrame;
  person: PersonRow;
}) {
  const seen = isMe
    ? locale.say("thatIsYou")
    : seenAt === null
      ? locale.say("notSignedIn")
      : locale.say("lastHere", { time: when.momentInText(seenAt) });
  return (
    <li>
      <Face name={name} />
      <span class="who">
        <NameAndRole locale={locale} name={name} role={role} />
        <span class="soft small">{seen}</span>
      </span>
      <a
        class="button button-plain button-small"
        href={`/desk/settings/people/${id}`}
        aria-label={locale.say("changeNamed", { name })}
      >
        {locale.say("change")}
      </a>
    </li>
  );
}

function InvitationItem({
  frame,
  invitation: { id, name, role, expiresAt },
}: {
  frame: DeskFrame;
  invitation: InvitationRow;
}) {
  const { locale, when } = frame;
  return (
    <li>
      <Face name={name} />
      <span class="who">
        <NameAndRole locale={locale} name={name} role={role} />
        <span class="soft small">{locale.say("linkWorksUntil", { time: when.momentInText(expiresAt) })}</span>
      </span>
      <DeskForm frame={frame} action={`/desk/settings/invitations/${id}/take-back`} className="inline">
        <button
          class="button button-plain button-small"
          type="submit"
          aria-label={locale.say("takeBackInvitation", { name })}
        >
          {locale.say("takeBack")}
        </button>
      </DeskForm>
    </li>
  );
}

function NameAndRole({ locale, name, role }: { locale: Locale; name: string; role: Role }) {
  return (
    <span>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span class="tag">{locale.texts[roleTexts[role]]}</span>
    </span>
  );
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first letters of the first and the last word of a name. */
function Face({ name }: { name: string }) {
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

/** What somebody may do, as a choice. */
export function RoleChoice({
  locale,
  role,
  faults,
  isTitled = false,
}: {
  locale: Locale;
  role: Role;
  faults: readonly FormFault[];
  /** A heading says already what is chosen. */
  isTitled?: boolean;
}) {
  return (
    <Choices
      locale={locale}
      name="role"
      label={locale.say("role")}
      isLabelHidden={isTitled}
      choices={roles.map((each) => [each, roleTexts[each], roleHints[each]])}
      chosen={role}
      faults={faults}
    />
  );
}

/** Makes a link for somebody new. */
export function invitePage({
  frame,
  name,
  role,
  proof,
  faults,
}: {
  frame: DeskFrame;
  name: string;
  role: Role;
  proof: ProofProps;
  faults: readonly FormFault[];
}): string {
  const { locale } = frame;
  const title = locale.say("invite");
  return headedPage({
    frame,
    place: "settings",
    title,
    back: peopleBack(locale),
    line: locale.say("inviteLine"),
    body: (
      <DeskForm frame={frame} action="/desk/settings/people/invite" className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        <TextField
          locale={locale}
          name="name"
          label={locale.say("theirName")}
          hint={locale.say("theirNameHint")}
          value={name}
          faults={faults}
          extra={{ autocomplete: "off", maxlength: "60" }}
        />
        <RoleChoice locale={locale} role={role} faults={faults} />
        <ProofField locale={locale} proof={proof} faults={faults} />
        <div class="actions">
          <SubmitButton text={locale.say("makeLink")} />
        </div>
      </DeskForm>
    ),
  });
}
