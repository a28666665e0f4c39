import type { Receivable } from "../../domain/receivable/receivable.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Child } from "../../lib/jsx/jsx-runtime.ts";
import * as ElsewhereReport from "../../store/reports/desk/elsewhere.ts";
import { CameElsewhere } from "../money/elsewhere-page.tsx";
import { Problem } from "../parts/form/form.tsx";
import type { DeskFrame, DoneText, Tab } from "../parts/page/desk-frame.ts";
import { deskPage } from "../parts/page/frame.tsx";
import { receivableHref } from "../parts/place.ts";
import { Hooks } from "./hooks.tsx";
import { Payments } from "./payments.tsx";
import { Standing } from "./standing.tsx";
import { type Feedback, Timeline } from "./timeline.tsx";

type PageProps = {
  deps: HttpDeps;
  frame: DeskFrame;
  receivable: Receivable;
  feedback: Feedback;
  place: Tab;
  title: string;
  /** The message that it was marked as paid, while that can be undone; null if it cannot. */
  marked: DoneText | null;
  columns: string;
  head: Child;
  /** Content before and after its payments. */
  before: Child;
  after: Child;
  aside: Child;
};

/** All about an invoice or a link. Changes by payments and by the merchant appear automatically. */
export function receivablePage({ place, title, marked, columns, head, before, after, ...page }: PageProps) {
  const { aside, ...of } = page;
  const { frame, receivable, feedback } = of;
  const { network } = page.deps.config;
  const came = ElsewhereReport.listOf(page.deps.db, network.name, receivable.deposit.index);
  return deskPage({
    frame,
    place,
    title,
    undo: marked && { of: marked, action: `${receivableHref(receivable)}/unmark` },
    body: (
      <>
        <Problem text={feedback.problem} />
        {head}
        <div class={columns}>
          <div>
            <Standing frame={frame} receivable={receivable} />
            <CameElsewhere frame={frame} rows={came} network={network.label} />
            {before}
            <Payments {...of} />
            {after}
            <Timeline {...of} />
            <Hooks {...of} />
          </div>
          {aside}
        </div>
      </>
    ),
  });
}
