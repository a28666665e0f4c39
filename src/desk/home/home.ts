import * as Calendar from "../../domain/calendar.ts";
import { depth } from "../../domain/payment/transfer.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/deps.ts";
import type { Locale } from "../../language/locale.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as DeskReport from "../../store/reports/desk/home.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import type { Gate } from "../gate.ts";
import { needsAttention } from "./attention.tsx";
import { type FirstSteps, firstStepsPage } from "./first-steps.tsx";
import { homePage } from "./home-page.tsx";
import type { HomePayment } from "./newest-payments.tsx";

/** The days in the chart, today included. */
const chartDays = 30;
const paymentsShown = 6;
/** Nobody pays less than a cent. */
const leastShown = Usdc.fromMicro(10_000n);

/** The merchant's first page: what came in, what is owed, and what needs attention. */
export function homeRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  const received = (from: string, before: string) =>
    DeskReport.receivedBetween(
      db,
      Calendar.startOf(from, config.timeZone),
      Calendar.startOf(before, config.timeZone),
    );

  gate.page("/desk", "read", (visit) => {
    const { frame } = visit;
    const steps = firstSteps();
    const first = steps && firstStepsPage({ frame, steps });
    if (first !== null) return first;
    const { today } = frame.when;
    const dayAfter = (day: string, days: number) => Calendar.dayOf(Calendar.dayNumber(day) + days);
    const tomorrow = dayAfter(today, 1);
    const monthStart = `${today.slice(0, 7)}-01`;
    const lastMonthStart = `${dayAfter(monthStart, -1).slice(0, 7)}-01`;
    const bars = Array.from({ length: chartDays }, (_, i) => dayAfter(today, i + 1 - chartDays)).map(
      (day) => ({
        day,
        amount: received(day, dayAfter(day, 1)),
      }),
    );
    return homePage({
      frame,
      bars,
      received: {
        today: received(today, tomorrow),
        thisMonth: received(monthStart, tomorrow),
        lastMonth: received(lastMonthStart, monthStart),
      },
      months: { current: monthStart.slice(0, 7), last: lastMonthStart.slice(0, 7) },
      open: { ...DeskReport.owed(db), firstDue: DeskReport.owed(db, { from: today }).firstDue },
      overdue: DeskReport.owed(db, { before: today }),
      needs: needsAttention(deps, visit),
      payments: DeskReport.newestPayments(db, { least: leastShown, limit: paymentsShown }).map((payment) =>
        shown(payment, frame.locale),
      ),
    });
  });

  /** What remains to do before anybody can pay; null once anything was made. */
  function firstSteps(): FirstSteps | null {
    if (newestBilling(db) !== null) return null;
    return {
      hasProfile: PreferenceStore.profile(db).name !== null,
      hasWords: deps.dev === null ? WalletStore.wordsAt(db) !== null : null,
    };
  }

  function shown(payment: DeskReport.NewPayment, locale: Locale): HomePayment {
    const { number, vendorName, linkSlug, productDescription, amount, madeAt, confirmed, blockNumber } =
      payment;
    const kind = locale.say(payment.atCounter ? "counter" : "paymentLink");
    const about =
      number === null
        ? {
            href: `/desk/links/${linkSlug}`,
            name: productDescription ?? kind,
            line: productDescription === null ? (linkSlug ?? "") : kind,
          }
        : { href: `/desk/invoices/${encodeURIComponent(number)}`, name: vendorName ?? number, line: number };
    const state = confirmed
      ? ("confirmed" as const)
      : {
          count: depth(blockNumber, deps.chainHead() ?? blockNumber),
          needed: typeof config.confirmations === "number" ? config.confirmations : null,
        };
    return { ...about, state, madeAt, amount };
  }
}
