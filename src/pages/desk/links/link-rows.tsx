import type { Usdc } from "../../../domain/usdc.ts";
import type { DeskFrame } from "../frame.tsx";
import { Amount } from "../parts/amount.tsx";
import { Table } from "../parts/list/table.tsx";
import { State, type StateName } from "../parts/state.tsx";

export type LinkRow = {
  href: string;
  /** What it is for; its reference or its slug when nobody said. */
  title: string;
  /** How often it can be paid, and until when. */
  line: string;
  state: { name: StateName; word: string };
  madeAt: number;
  /** What is asked for, as people read it: one amount, or from one to another. */
  price: string;
  /** Null when nothing has come. */
  received: Usdc | null;
};

/** Links as a table, which is a list on a phone. */
export function LinkRows({ frame, rows }: { frame: DeskFrame; rows: readonly LinkRow[] }) {
  const { locale, when } = frame;
  return (
    <Table
      caption={locale.say("linksCaption")}
      isLinked
      live="links"
      heads={[
        locale.say("linksLink"),
        locale.say("state"),
        locale.say("linksMade"),
        { end: locale.say("linkPrice") },
        { end: locale.say("linksReceived") },
      ]}
    >
      {rows.map(({ href, title, line, state, madeAt, price, received }) => (
        <tr role="row">
          <td role="cell" class="main">
            <a class="name" href={href} dir="auto">
              {title}
            </a>
            <span class="sub">{line}</span>
          </td>
          <td role="cell" class="under-end">
            <State {...state} />
          </td>
          <td role="cell" class="quiet not-phone moment">
            {when.moment(madeAt)}
          </td>
          <td role="cell" class="end quiet not-phone">
            <span class="num">{price}</span>
          </td>
          <td role="cell" class="end sum">
            {received === null ? (
              <>
                <span class="soft not-phone" aria-label={locale.say("linksNothingYet")} role="img">
                  –
                </span>
                <span class="num soft on-phone">{price}</span>
              </>
            ) : (
              <Amount locale={locale} amount={received} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
