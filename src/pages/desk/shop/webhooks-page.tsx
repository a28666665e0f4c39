import type { DeskFrame } from "../frame.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { DeskForm } from "../parts/form/form.tsx";
import { headedPage } from "../parts/head.tsx";
import { Empty } from "../parts/list/empty.tsx";
import { Kinds } from "../parts/list/kinds.tsx";
import { Pager } from "../parts/list/pager.tsx";
import { Table } from "../parts/list/table.tsx";
import { State, type StateName } from "../parts/state.tsx";

/** A webhook event, and what came of its latest attempt. */
export type HookRow = {
  id: string;
  type: string;
  /** Whose it is: an invoice's number or a link's slug, and its page. */
  owner: { name: string; href: string } | null;
  url: string;
  state: "delivered" | "waiting" | "retrying" | "failed";
  attempts: number;
  /** What the receiver answered, or why nobody did; null before the first attempt. */
  answer: string | null;
  nextAt: number | null;
  createdAt: number;
};

type HooksProps = {
  frame: DeskFrame;
  isFailing: boolean;
  rows: readonly HookRow[];
  next: string | null;
};

const looks = {
  delivered: { state: "paid", word: "webhookDelivered" },
  waiting: { state: "open", word: "webhookWaiting" },
  retrying: { state: "late", word: "webhookRetrying" },
  failed: { state: "late", word: "givenUp" },
} as const satisfies Record<HookRow["state"], { state: StateName; word: string }>;

/** What other programs were told. */
export function webhooksPage({ frame, isFailing, rows, next }: HooksProps): string {
  const { locale } = frame;
  const kinds = [
    { href: "/desk/settings/webhooks", isHere: !isFailing, text: locale.say("all") },
    { href: "/desk/settings/webhooks?state=failing", isHere: isFailing, text: locale.say("webhooksFailing") },
  ];
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsWebhooks"),
    back: "settings",
    line: locale.say("webhooksLine"),
    actions: (
      <ButtonLink href="/desk/settings/webhooks/test" kind="quiet" text={locale.say("webhooksTest")} />
    ),
    body: (
      <>
        <Kinds label={locale.say("settingsWebhooks")} kinds={kinds} />
        <div id="hooks" data-live>
          {rows.length > 0 ? (
            <Hooks frame={frame} rows={rows} />
          ) : isFailing ? (
            <Empty
              icon="check"
              title={locale.say("webhooksNoneFail")}
              text={locale.say("webhooksNoneFailText")}
            />
          ) : (
            <Empty icon="hook" title={locale.say("webhooksEmpty")} text={locale.say("webhooksEmptyText")} />
          )}
        </div>
        <Pager locale={locale} newest={null} older={next} />
      </>
    ),
  });
}

function Hooks({ frame, rows }: Pick<HooksProps, "frame" | "rows">) {
  const { locale, when } = frame;
  const heads = ["webhookColumnEvent", "webhookColumnReceiver", "webhookColumnAnswer", "when"] as const;
  return (
    <Table
      caption={locale.say("webhooksCaption")}
      heads={[...heads.map((head) => locale.say(head)), { hidden: locale.say("sendAgain") }]}
      kind="hooks"
    >
      {rows.map((row) => (
        <tr role="row">
          <td role="cell" class="main">
            <strong translate="no">{row.type}</strong>
            <span class="sub">
              {row.owner === null ? (
                locale.say("webhookNoOwner")
              ) : (
                <a href={row.owner.href}>{row.owner.name}</a>
              )}
            </span>
          </td>
          <td role="cell" class="quiet whole hook-url">
            <bdi title={row.url}>{row.url}</bdi>
          </td>
          <td role="cell" class="whole">
            <Answer frame={frame} row={row} />
          </td>
          <td role="cell" class="quiet under">
            {when.moment(row.createdAt)}
          </td>
          <td role="cell" class="end hook-again">
            <DeskForm frame={frame} action={`/desk/settings/webhooks/${row.id}/redeliver`} className="inline">
              <button
                class={`button button-small ${row.state === "delivered" ? "button-plain" : "button-quiet"}`}
                type="submit"
              >
                {locale.say("sendAgain")}
              </button>
            </DeskForm>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Answer({ frame: { locale, when }, row }: { frame: DeskFrame; row: HookRow }) {
  const { state, word } = looks[row.state];
  const more = [
    row.answer,
    row.attempts > 1 ? locale.say("attempts", { count: row.attempts }) : null,
    row.nextAt === null ? null : locale.say("webhookNext", { when: when.momentInText(row.nextAt) }),
  ].filter((each) => each !== null);
  return (
    <>
      <State name={state} word={locale.say(word)} />
      <span class="sub" dir="auto">
        {more.join(" · ")}
      </span>
    </>
  );
}
