import type { DeskFrame } from "../frame.tsx";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { DeskForm, FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Empty } from "../parts/list/empty.tsx";

type KeyRow = { id: number; name: string; createdAt: number; lastUsedAt: number | null };

/** The keys with which programs use the API. */
export function keysPage({ frame, keys }: { frame: DeskFrame; keys: readonly KeyRow[] }): string {
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsKeys"),
    back: "settings",
    line: locale.say("keysLine"),
    actions: keys.length > 0 && <MakeKey frame={frame} />,
    body:
      keys.length === 0 ? (
        <Empty icon="key" title={locale.say("noKeys")} text={locale.say("noKeysText")}>
          <MakeKey frame={frame} />
        </Empty>
      ) : (
        <section class="people-list">
          <ul class="people">
            {keys.map((key) => (
              <KeyItem frame={frame} row={key} />
            ))}
          </ul>
        </section>
      ),
  });
}

function MakeKey({ frame: { locale } }: { frame: DeskFrame }) {
  return <ButtonLink href="/desk/settings/keys/new" icon="plus" text={locale.say("newKey")} />;
}

function KeyItem({ frame: { locale, when }, row }: { frame: DeskFrame; row: KeyRow }) {
  const { id, name, createdAt, lastUsedAt } = row;
  return (
    <li>
      <span class="face">
        <DeskIcon name="key" />
      </span>
      <span class="who">
        <span>
          <strong>
            <bdi>{name}</bdi>
          </strong>
        </span>
        <span class="soft small">
          {lastUsedAt === null
            ? locale.say("keyNeverUsed", { time: when.momentInText(createdAt) })
            : locale.say("keyUsed", {
                made: when.momentInText(createdAt),
                used: when.momentInText(lastUsedAt),
              })}
        </span>
      </span>
      <a
        class="button button-plain button-small"
        href={`/desk/settings/keys/${id}/revoke`}
        aria-label={locale.say("revokeNamed", { name })}
      >
        {locale.say("revoke")}
      </a>
    </li>
  );
}

export function newKeyPage({
  frame,
  name,
  proof,
  faults,
  closes,
}: {
  frame: DeskFrame;
  name: string;
  proof: ProofProps;
  faults: readonly FormFault[];
  /** Whether the API takes calls without a key until this one is made. */
  closes: boolean;
}): string {
  const { locale } = frame;
  const title = locale.say("newKey");
  return headedPage({
    frame,
    place: "settings",
    title,
    back: { href: "/desk/settings/keys", label: locale.say("settingsKeys") },
    line: locale.say("newKeyLine"),
    body: (
      <DeskForm frame={frame} action="/desk/settings/keys/new" className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        {closes && <p>{locale.say("firstKeyCloses")}</p>}
        <TextField
          locale={locale}
          name="name"
          label={locale.say("keyName")}
          hint={locale.say("keyNameHint")}
          value={name}
          faults={faults}
          extra={{ autocomplete: "off", maxlength: "100" }}
        />
        <ProofField locale={locale} proof={proof} faults={faults} />
        <div class="actions">
          <SubmitButton text={locale.say("makeKey")} />
        </div>
      </DeskForm>
    ),
  });
}
