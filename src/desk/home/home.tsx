import * as Calendar from "../../domain/calendar.ts";
import type * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import * as DeskReport from "../../store/reports/desk/home.ts";
import type { Gate } from "../gate.ts";
import { firstWalletRoutes } from "../money/first-wallet.tsx";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { type DeskFrame, mayHere } from "../parts/page/desk-frame.ts";
import { deskPage } from "../parts/page/frame.tsx";
import { PageHead } from "../parts/page/head.tsx";
import { Needs, needsAttention } from "./attention.tsx";
import { Chart } from "./chart.tsx";
import { firstStepsPage } from "./first-steps.tsx";
import { NewestPayments } from "./newest-payments.tsx";

/** Number of days in the chart, including today. */
const chartDays = 30;

/** Hours at which another part of the day begins. */
const noon = 12;
const evening = 18;

/** The merchant's first page: money received, money owed, and what needs attention. */
export function homeRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  const received = (from: string, before: string) =>
    DeskReport.receivedBetween(
      db,
      Calendar.startOf(from, config.timeZone),
      Calendar.startOf(before, config.timeZone),
    );

  firstWalletRoutes(deps, gate);
  gate.page("/desk", "read", (visit) => {
    const { frame } = visit;
    const first = firstStepsPage(deps, frame);
    if (first !== null) return first;
    const { locale, when } = frame;
    return deskPage({
      frame,
      place: "home",
      title: locale.say("home"),
      body: (
        <>
          <PageHead title={greeting(frame)} line={when.todayInFull()}>
            {mayHere(frame, "issue") && (
              <>
                <ButtonLink href="/desk/links/new" kind="quiet" text={locale.say("newLink")} />
                <ButtonLink href="/desk/invoices/new" text={locale.say("newInvoice")} />
              </>
            )}
          </PageHead>
          <section class="received" id="received" data-live>
            <Received frame={frame} />
            <div class="figures">
              <Open frame={frame} />
              <Overdue frame={frame} />
            </div>
          </section>
          <Needs frame={frame} needs={needsAttention(deps, visit)} />
          <NewestPayments frame={frame} deps={deps} />
        </>
      ),
    });
  });

  function Received({ frame }: { frame: DeskFrame }) {
    const { locale, when } = frame;
    const { today } = when;
    const dayAfter = (day: string, days: number) => Calendar.dayOf(Calendar.dayNumber(day) + days);
    const tomorrow = dayAfter(today, 1);
    const month = today.slice(0, 7);
    const lastMonth = dayAfter(`${month}-01`, -1).slice(0, 7);
    const bars = Array.from({ length: chartDays }, (_, i) => dayAfter(today, i + 1 - chartDays)).map(
      (day) => ({ day, amount: received(day, dayAfter(day, 1)) }),
    );
    return (
      <div>
        <h2 class="label">{locale.say("receivedIn", { month: when.month(month) })}</h2>
        <p class="figure">
          <Figure locale={locale} amount={received(`${month}-01`, tomorrow)} />
        </p>
        <dl class="pairs">
          <Pair frame={frame} label={locale.say("today")} amount={received(today, tomorrow)} />
          <Pair
            frame={frame}
            label={when.month(lastMonth)}
            amount={received(`${lastMonth}-01`, `${month}-01`)}
          />
        </dl>
        <Chart frame={frame} bars={bars} />
      </div>
    );
  }

  function Open({ frame }: { frame: DeskFrame }) {
    const { locale, when } = frame;
    const { invoices: count, amount } = DeskReport.owed(db);
    const { firstDue } = DeskReport.owed(db, { from: when.today });
    const textOf = () => {
      if (count === 0) return locale.say("openNone");
      return firstDue === null
        ? locale.say("openCounted", { count })
        : locale.say("openSays", { count, day: when.day(firstDue) });
    };
    return <Owed frame={frame} kind="open" title={locale.say("stateOpen")} amount={amount} text={textOf()} />;
  }

  function Overdue({ frame }: { frame: DeskFrame }) {
    const { locale, when } = frame;
    const { invoices: count, amount, firstDue } = DeskReport.owed(db, { before: when.today });
    const text =
      firstDue === null
        ? locale.say("overdueNone")
        : locale.say("overdueSays", { count, day: when.day(firstDue) });
    return (
      <Owed frame={frame} kind="overdue" title={locale.say("overdueTitle")} amount={amount} text={text} />
    );
  }
}

function greeting({ locale, when, person }: DeskFrame): string {
  if (person === null) return locale.say("home");
  const { name } = person;
  if (when.hour < noon) return locale.say("greetMorning", { name });
  return when.hour < evening ? locale.say("greetDay", { name }) : locale.say("greetEvening", { name });
}

function Pair({ frame: { locale }, label, amount }: { frame: DeskFrame; label: string; amount: Usdc.Usdc }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Figure locale={locale} amount={amount} />
      </dd>
    </div>
  );
}

type OwedProps = {
  frame: DeskFrame;
  kind: "open" | "overdue";
  title: string;
  amount: Usdc.Usdc;
  text: string;
};

function Owed({ frame: { locale }, kind, title, amount, text }: OwedProps) {
  return (
    <a href={`/desk/invoices?kind=${kind}`}>
      <h2 class="label">{title}</h2>
      <p class={kind === "overdue" && amount > 0n ? "figure-mid late" : "figure-mid"}>
        <Figure locale={locale} amount={amount} />
      </p>
      <p class="small soft">{text}</p>
    </a>
  );
}
