import { may } from "../../domain/party/person.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { messageOf } from "../../lib/error.ts";
import { within } from "../../lib/loop.ts";
import type { RescuePlan } from "../../settle/elsewhere/elsewhere.ts";
import type { Came } from "../../store/reports/desk/elsewhere.ts";
import * as ElsewhereReport from "../../store/reports/desk/elsewhere.ts";
import type { Found } from "../../store/tables/settle/elsewhere.ts";
import type { Gate } from "../gate.ts";
import { doneAt, pagesOfOne } from "../one.ts";
import { closingsOf } from "../parts/closings.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { Visit } from "../parts/page/visit.ts";
import { numberIn } from "../parts/place.ts";
import { elsewhereHref, elsewherePage } from "./elsewhere-page.tsx";

/** Two nodes are asked, several times each. */
const planMsMax = 10_000;

/** What came on another chain, and moving it to the payout wallet there. */
export function elsewhereRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;

  /** What moving it takes, or why it is impossible now. */
  async function planOf({ frame }: Visit, found: Found): Promise<RescuePlan | string> {
    const elsewhere = deps.elsewhere();
    if (elsewhere === null) return frame.locale.say("checkRunsText");
    const planned = elsewhere.plan(found).catch((thrown) => deps.redact(messageOf(thrown)));
    return (await within(planned, planMsMax)) ?? frame.locale.say("balanceUnknownText");
  }

  async function page(visit: Visit, came: Came, faults: readonly FormFault[] = []): Promise<string> {
    const { found, about } = came;
    const { who } = visit;
    const isWaiting = found.movedAt === null && found.wantedAt === null;
    const obstacle = deps.elsewhere()?.obstacleOf(found.id) ?? null;
    return elsewherePage({
      ...came,
      frame: visit.frame,
      isOwnWallet: (await deps.ownWallets()).has(about.deposit.payoutWallet),
      canMark: closingsOf(about, who).mark,
      plan: isWaiting && may(who.role, "move") ? await planOf(visit, found) : null,
      obstacle: obstacle === null ? null : deps.redact(obstacle),
      proof: gate.proving.ask(visit, purposeOf(found)),
      faults,
    });
  }

  const one = pagesOfOne(gate, ({ params }) => {
    const id = numberIn(params["id"]);
    return id === null ? null : ElsewhereReport.byId(db, config.network.name, id);
  });
  one.page("/desk/money/elsewhere/:id", "read", (visit, came) => page(visit, came));
  one.action("/desk/money/elsewhere/:id", "move", "money.rescue", async (visit, came, form) => {
    const { found } = came;
    const elsewhere = deps.elsewhere();
    const done = doneAt(elsewhereHref(found), "didElsewhere", subjectOf(came));
    // The same form again, whatever became of the first.
    if (found.movedAt !== null || found.wantedAt !== null) return done;
    const plan = await planOf(visit, found);
    if (elsewhere === null || typeof plan === "string" || plan.rescue.fee.shortage !== null)
      return page(visit, came);
    const fault = await gate.proving.check(visit, purposeOf(found), form);
    // Nothing is awaited between the check of who asks and storing it.
    if (fault === null && gate.isStill(visit) && elsewhere.begin(found)) return done;
    return page(visit, came, fault === null ? [] : [fault]);
  });
}

/** A proof covers this one, to the only place where it can go. */
const purposeOf = ({ id, amount }: Found) => `rescue ${id} ${amount}`;

/** The audit's description. */
const subjectOf = ({ found, chain, about }: Came) =>
  `${Usdc.formatExact(found.amount)} USDC, ${chain.label} → ${about.deposit.payoutWallet}`;
