import * as Usdc from "../../domain/usdc.ts";
import { Rich } from "../../language/rich.tsx";
import { Transaction, WholeAddress } from "../parts/copy.tsx";
import { type DeskFrame, deskPage } from "../parts/frame.tsx";
import { PageHead } from "../parts/head.tsx";
import { Pill, type StateName } from "../parts/state.tsx";

type WithdrawalProps = {
  frame: DeskFrame;
  explorer: string | null;
  amount: Usdc.Usdc;
  from: { address: string; name: string };
  to: { address: string; name: string };
  /** `stopped`: failed because somebody else has the words of the wallet. */
  state: "begun" | "sent" | "done" | "failed" | "stopped";
  failure: "expired" | "cancelled" | "replaced" | null;
  txHash: string | null;
  /** Unix time in milliseconds. */
  begunAt: number;
  endsAt: number;
  /** Why it does not go on. */
  obstacle: string | null;
  /** Whether it was begun on the command line, which continues it. */
  isOfCommandLine: boolean;
};

const looks = {
  begun: { pill: "open", word: "stateBegun", text: "begunText" },
  sent: { pill: "seen", word: "underWay", text: "sentText" },
  done: { pill: "paid", word: "stateDone", text: "doneText" },
  failed: { pill: "late", word: "stateFailed", text: null },
  stopped: { pill: "late", word: "stoppedByOther", text: null },
} as const satisfies Record<WithdrawalProps["state"], { pill: StateName; word: string; text: string | null }>;

const failures = {
  expired: "failedExpired",
  cancelled: "failedCancelled",
  replaced: "failedReplaced",
} as const;

/** How far one withdrawal is. */
export function withdrawalPage(props: WithdrawalProps): string {
  const { frame, amount, state } = props;
  const { locale } = frame;
  return deskPage({
    frame,
    place: "money",
    title: locale.say("oneWithdrawal"),
    body: (
      <div id="withdrawal" data-live>
        <PageHead
          back={{ href: "/desk/money", label: locale.say("navMoney") }}
          title={`${locale.figure(Usdc.formatExact(amount))} USDC`}
          pill={<Pill name={looks[state].pill} word={locale.say(looks[state].word)} />}
          line={locale.say("withdrawnTo", { wallet: props.to.name })}
        />
        <Story {...props} />
        <Facts {...props} />
      </div>
    ),
  });
}

function Story({
  frame: { locale, when },
  state,
  failure,
  obstacle,
  endsAt,
  isOfCommandLine,
}: WithdrawalProps) {
  const { text } = looks[state];
  const isOpen = state === "begun" || state === "sent";
  return (
    <div class="story" role="status">
      <p>{failure !== null ? locale.say(failures[failure]) : text === null ? "" : locale.say(text)}</p>
      {state === "stopped" && (
        <ol class="steps">
          {(["exposedMove", "exposedNew", "exposedOld"] as const).map((step) => (
            <li>
              <p>{locale.say(step)}</p>
            </li>
          ))}
        </ol>
      )}
      {isOpen && obstacle !== null && (
        <p class="notice" dir="auto">
          {locale.say("waitsFor", { reason: obstacle })}
        </p>
      )}
      {isOpen && isOfCommandLine && (
        <p>
          <Rich
            locale={locale}
            text="ofCommandLine"
            values={{ command: <code>till wallet withdraw</code> }}
          />
        </p>
      )}
      {isOpen && <p class="soft">{locale.say("happensBefore", { when: when.momentInText(endsAt) })}</p>}
    </div>
  );
}

function Facts({ frame: { locale, when }, explorer, from, to, txHash, begunAt }: WithdrawalProps) {
  return (
    <dl class="sums sums-alone">
      <div class="whole">
        <dt dir="auto">{locale.say("confirmTo", { name: to.name })}</dt>
        <dd>
          <WholeAddress address={to.address} />
        </dd>
      </div>
      <div class="whole">
        <dt dir="auto">{locale.labelled(locale.say("withdrawFrom"), from.name)}</dt>
        <dd>
          <WholeAddress address={from.address} />
        </dd>
      </div>
      <div>
        <dt>{locale.say("withdrawnBegun")}</dt>
        <dd>{when.moment(begunAt)}</dd>
      </div>
      {txHash !== null && (
        <div>
          <dt>{locale.say("transaction")}</dt>
          <dd>
            <Transaction txHash={txHash} explorer={explorer} name={locale.say("transactionIn")} />
          </dd>
        </div>
      )}
    </dl>
  );
}
