import type { Receivable } from "../../../domain/receivable/receivable.ts";
import type { Owing, StoredRefund } from "../../../store/tables/invoicing/refund.ts";
import { Figure } from "../../parts/amount.tsx";
import { ButtonLink } from "../../parts/button.tsx";
import { Cell, Empty, headsOf, NameCell, NextPage, Table } from "../../parts/list.tsx";
import { type DeskFrame, mayHere } from "../../parts/page/desk-frame.ts";
import { headedPage, Part } from "../../parts/page/head.tsx";
import { CsvLink, Pager } from "../../parts/page/list-page.tsx";
import { State } from "../../parts/state.tsx";
import { listPath, refundHref, refundStart, shortNameOf, stateOf, whomOf } from "./parts.ts";

type ListProps = {
  owing: readonly (Owing & { owner: Receivable })[];
  moreOwing: string | null;
  rows: readonly { refund: StoredRefund; owner: Receivable }[];
  newest: string | null;
  older: string | null;
};

/** Amounts owed to customers, followed by refunds, newest first. */
export function refundListPage(
  frame: DeskFrame,
  { owing, moreOwing, rows, newest, older }: ListProps,
): string {
  const { locale, when } = frame;
  const mayBegin = mayHere(frame, "issue");
  return headedPage({
    frame,
    place: "money",
    title: locale.say("refunds"),
    back: "money",
    line: locale.say("refundsLine"),
    actions: rows.length > 0 && mayHere(frame, "export") && (
      <CsvLink locale={locale} href={`${listPath}.csv`} />
    ),
    body: (
      <>
        {owing.length === 0 && rows.length === 0 && (
          <Empty icon="money" title={locale.say("refundsNone")} text={locale.say("refundsNoneText")}>
            <ButtonLink href="/desk/money" kind="quiet" text={locale.say("navMoney")} />
          </Empty>
        )}
        {owing.length > 0 && (
          <Part title={locale.say("refundsOwed")}>
            <Table
              caption={locale.say("refundsOwed")}
              heads={headsOf(locale, ["customer", "refundColumnFor"], ["amount"])}
              isLinked={mayBegin}
              kind="rows"
            >
              {owing.map(({ owner, amount, askedAt }) => (
                <tr role="row">
                  <Cell kind="main">
                    {mayBegin ? (
                      <a class="name" href={refundStart(owner)} dir="auto">
                        {whomOf(owner) ?? shortNameOf(owner, locale)}
                      </a>
                    ) : (
                      <bdi>{whomOf(owner) ?? shortNameOf(owner, locale)}</bdi>
                    )}
                  </Cell>
                  <td role="cell" class="quiet" dir="auto">
                    {shortNameOf(owner, locale)}
                    {askedAt !== null && (
                      <span class="sub">
                        {locale.say("refundAskedAt", { when: when.momentInText(askedAt) })}
                      </span>
                    )}
                  </td>
                  <Cell kind="end sum">
                    <Figure locale={locale} amount={amount} isExact />
                  </Cell>
                </tr>
              ))}
            </Table>
            <NextPage locale={locale} href={moreOwing} />
          </Part>
        )}
        {rows.length > 0 && (
          <Part title={locale.say("refundsBegun")}>
            <Table
              caption={locale.say("refundsBegun")}
              heads={headsOf(locale, ["customer", "state", "refundColumnFor"], ["amount"])}
              isLinked
              live="refunds"
            >
              {rows.map(({ refund, owner }) => {
                const { name, word } = stateOf(refund);
                return (
                  <tr role="row">
                    <NameCell href={refundHref(refund)} name={whomOf(owner) ?? shortNameOf(owner, locale)}>
                      <span class="sub">{when.moment(refund.createdAt)}</span>
                    </NameCell>
                    <Cell>
                      <State name={name} word={locale.texts[word]} />
                    </Cell>
                    <td role="cell" class="quiet" dir="auto">
                      {shortNameOf(owner, locale)}
                    </td>
                    <Cell kind="end sum">
                      <Figure locale={locale} amount={refund.amount} isExact />
                    </Cell>
                  </tr>
                );
              })}
            </Table>
            <Pager locale={locale} newest={newest} older={older} />
          </Part>
        )}
      </>
    ),
  });
}
