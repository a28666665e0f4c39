import * as Usdc from "../../domain/usdc.ts";
import { Rich } from "../../language/rich.tsx";
import { isExposure, refundOf, type Withdrawal } from "../../store/tables/settle/withdrawal.ts";
import { Transaction, WholeFact } from "../parts/copy.tsx";
import { Fact } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { deskPage } from "../parts/page/frame.tsx";
import { PageHead } from "../parts/page/head.tsx";
import { Pill, type StateName } from "../parts/state.tsx";
import type { WalletNames } from "./movements.tsx";

type WithdrawalProps = {
  frame: DeskFrame;
  explorer: string | null;
  withdrawal: Withdrawal;
  /** Till's newest transaction that executes it; null until one was sent. */
  sentHash: string | null;
  names: WalletNames;
  /** Why it does not proceed. */
  obstacle: string | null;
};

/** `stopped`: failed because somebody else has the wallet's words. */
function stateOf({ withdrawal: { state, failure }, sentHash }: WithdrawalProps) {
  if (isExposure(failure)) return "stopped";
  if (state !== "pending") return state;
  return sentHash === null ? "begun" : "sent";
}

const looks = {
  begun: { pill: "open", word: "stateBegun", text: "begunText" },
  sent: { pill: "seen", word: "underWay", text: "sentText" },
  done: { pill: "paid", word: "stateDone", text: "doneText" },
  failed: { pill: "late", word: "stateFailed", text: null },
  stopped: { pill: "late", word: "stoppedByOther", text: null },
} as const satisfies Record<
  ReturnType<typeof stateOf>,
  { pill: StateName; word: string; text: string | null }
>;

export const failures = {
  expired: "failedExpired",
  cancelled: "failedCancelled",
  replaced: "failedReplaced",
} as const;

/** The progress of one withdrawal. */
export function withdrawalPage(props: WithdrawalProps): string {
  const { frame, withdrawal, names } = props;
  const { locale } = frame;
  const { pill, word } = looks[stateOf(props)];
  return deskPage({
    frame,
    place: "money",
    title: locale.say("oneWithdrawal"),
    body: (
      <div id="withdrawal" data-live>
        <PageHead
          back={{ href: "/desk/money", label: locale.say("navMoney") }}
          title={`${locale.figure(Usdc.formatExact(withdrawal.amount))} USDC`}
          pill={<Pill name={pill} word={locale.say(word)} />}
          line={
            refundOf(withdrawal) === null
              ? locale.say("withdrawnTo", { wallet: names.nameOf(withdrawal.to) })
              : locale.say("refundedTo")
          }
        />
        <Story {...props} />
        <Facts {...props} />
      </div>
    ),
  });
}

function Story(props: WithdrawalProps) {
  const { obstacle, withdrawal } = props;
  const { failure, validBeforeSec, formKey } = withdrawal;
  const { locale, when } = props.frame;
  const state = stateOf(props);
  const text = failure === null ? looks[state].text : failures[failure];
  const isOpen = state === "begun" || state === "sent";
  return (
    <div class="story" role="status">
      <p>{text !== null && locale.say(text)}</p>
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
      {/* Begun on the command line, which continues it. */}
      {isOpen && formKey === null && (
        <p>
          <Rich
            locale={locale}
            text="ofCommandLine"
            values={{ command: <code>till wallet withdraw</code> }}
          />
        </p>
      )}
      {isOpen && (
        <p class="soft">{locale.say("happensBefore", { when: when.momentInText(validBeforeSec * 1_000) })}</p>
      )}
    </div>
  );
}

function Facts({ frame: { locale, when }, explorer, withdrawal, names, sentHash }: WithdrawalProps) {
  const { from, to } = withdrawal;
  const txHash = withdrawal.txHash ?? sentHash;
  return (
    <dl class="sums sums-alone">
      <WholeFact
        label={
          refundOf(withdrawal) === null
            ? locale.say("confirmTo", { name: names.nameOf(to) })
            : locale.say("refundSentTo")
        }
        dir="auto"
        address={to}
      />
      <WholeFact
        label={locale.labelled(locale.say("withdrawFrom"), names.nameOf(from))}
        dir="auto"
        address={from}
      />
      <Fact label={locale.say("withdrawnBegun")}>{when.moment(withdrawal.createdAt)}</Fact>
      {txHash !== null && (
        <Fact label={locale.say("transaction")}>
          <Transaction txHash={txHash} explorer={explorer} name={locale.say("transactionIn")} />
        </Fact>
      )}
    </dl>
  );
}
