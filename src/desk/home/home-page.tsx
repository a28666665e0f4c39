import type * as Usdc from "../../domain/usdc.ts";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink } from "../parts/button.tsx";
import { type DeskFrame, deskPage, mayHere } from "../parts/frame.tsx";
import { PageHead } from "../parts/head.tsx";
import { type HomeNeed, Needs } from "./attention.tsx";
import { type Bar, Chart } from "./chart.tsx";
import { type HomePayment, NewestPayments } from "./newest-payments.tsx";

/** `firstDue` is null when none is due. */
type OwedProps = { invoices: number; amount: Usdc.Usdc; firstDue: string | null };

type HomeProps = {
  frame: DeskFrame;
  received: { today: Usdc.Usdc; thisMonth: Usdc.Usdc; lastMonth: Usdc.Usdc };
  /** `2026-11`, and the one before. */
  months: { current: string; last: string };
  bars: readonly Bar[];
  /** `firstDue`: from today. */
  open: OwedProps;
  overdue: OwedProps;
  needs: readonly HomeNeed[];
  payments: readonly HomePayment[];
};

/** Home: what came in, what is owed, and what needs somebody. */
export function homePage({
  frame,
  received,
  months,
  bars,
  open,
  overdue,
  needs,
  payments,
}: HomeProps): string {
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
          <div>
            <h2 class="label">{locale.say("receivedIn", { month: when.month(months.current) })}</h2>
            <p class="figure">
              <Figure locale={locale} amount={received.thisMonth} />
            </p>
            <dl class="pairs">
              <Pair frame={frame} label={locale.say("today")} amount={received.today} />
              <Pair frame={frame} label={when.month(months.last)} amount={received.lastMonth} />
            </dl>
            <Chart frame={frame} bars={bars} />
          </div>
          <div class="figures">
            <OwedFigure
              frame={frame}
              href="/desk/invoices?kind=open"
              title={locale.say("stateOpen")}
              owed={open}
              text={
                open.invoices === 0
                  ? locale.say("openNone")
                  : open.firstDue === null
                    ? locale.say("openCounted", { count: open.invoices })
                    : locale.say("openSays", { count: open.invoices, day: when.day(open.firstDue) })
              }
            />
            <OwedFigure
              frame={frame}
              href="/desk/invoices?kind=overdue"
              title={locale.say("overdueTitle")}
              owed={overdue}
              isLate
              text={
                overdue.firstDue === null
                  ? locale.say("overdueNone")
                  : locale.say("overdueSays", { count: overdue.invoices, day: when.day(overdue.firstDue) })
              }
            />
          </div>
        </section>
        <Needs frame={frame} needs={needs} />
        <NewestPayments frame={frame} payments={payments} />
      </>
    ),
  });
}

/** Hours at which another part of the day begins. */
const noon = 12;
const evening = 18;

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

function OwedFigure({
  frame: { locale },
  href,
  title,
  owed,
  text,
  isLate = false,
}: {
  frame: DeskFrame;
  href: string;
  title: string;
  owed: OwedProps;
  text: string;
  isLate?: boolean;
}) {
  const isRed = isLate && owed.amount > 0n;
  return (
    <a href={href}>
      <h2 class="label">{title}</h2>
      <p class={isRed ? "figure-mid late" : "figure-mid"}>
        <Figure locale={locale} amount={owed.amount} />
      </p>
      <p class="small soft">{text}</p>
    </a>
  );
}
