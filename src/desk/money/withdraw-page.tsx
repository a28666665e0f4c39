import * as Usdc from "../../domain/usdc.ts";
import { Rich } from "../../language/rich.tsx";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { ShortAddress } from "../parts/copy.tsx";
import { FaultSummary, type FormFault, TextField } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Empty } from "../parts/list.tsx";

type SourceWallet = { account: number; name: string; address: string; balance: Usdc.Usdc };
/** `usedAt` in Unix milliseconds; null when it was never paid. */
type TargetAddress = { address: string; name: string; usedAt: number | null };

type WithdrawProps = {
  frame: DeskFrame;
  wallets: readonly SourceWallet[];
  /** Wallets whose balance no node has told. */
  unknownWallets: number;
  addresses: readonly TargetAddress[];
  typed: { from: string; to: string; amount: string; isAll: boolean };
  faults: readonly FormFault[];
  /** The page of a withdrawal that has to end first; null when none does. */
  underWay: string | null;
  /** What allows an address. */
  command: string;
};

/** How much goes where. Nothing is sent from here: what will happen is shown first. */
export function withdrawPage(props: WithdrawProps): string {
  const { frame, wallets, addresses } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("withdraw"),
    back: "money",
    line: locale.say("withdrawLine"),
    isForm: true,
    body:
      wallets.length === 0 ? (
        <Empty
          icon="money"
          title={locale.say(props.unknownWallets > 0 ? "balanceUnknown" : "heldNothing")}
          text={locale.say(props.unknownWallets > 0 ? "balanceUnknownText" : "walletEmptyText")}
        />
      ) : addresses.length === 0 ? (
        <NoneAllowed {...props} />
      ) : (
        <WithdrawForm {...props} />
      ),
  });
}

function NoneAllowed({ frame: { locale }, command }: WithdrawProps) {
  return (
    <div class="empty">
      <span class="empty-mark">
        <DeskIcon name="lock" />
      </span>
      <h2>{locale.say("noneAllowed")}</h2>
      <p>{locale.say("noneAllowedText")}</p>
      <pre class="command" dir="ltr" tabindex="0">
        {command}
      </pre>
      <p>{locale.say("noneAllowedThen")}</p>
    </div>
  );
}

function WithdrawForm({ frame, wallets, addresses, typed, faults, underWay, ...more }: WithdrawProps) {
  const { locale, when } = frame;
  const [only] = wallets;
  const toFault = faults.find(({ field }) => field === "to");
  return (
    <form class="form form-alone" method="get" action="/desk/money/withdraw/confirm" novalidate>
      <FaultSummary locale={locale} faults={faults} />
      {underWay !== null && (
        <p class="notice">
          <DeskIcon name="clock" />
          <span>
            {locale.say("isUnderWay")} <a href={underWay}>{locale.say("showIt")}</a>
          </span>
        </p>
      )}
      {wallets.length === 1 && only ? (
        <input type="hidden" name="from" value={String(only.account)} />
      ) : (
        <fieldset id="from">
          <legend>{locale.say("withdrawFrom")}</legend>
          <div class="choices">
            {wallets.map(({ account, name, address, balance }) => (
              <label class="choice">
                <input
                  type="radio"
                  name="from"
                  value={String(account)}
                  checked={String(account) === typed.from}
                />
                <span>
                  <strong dir="auto">{name}</strong>
                  <span class="soft">
                    <ShortAddress address={address} />
                  </span>
                </span>
                <span class="num">{locale.figure(Usdc.formatExact(balance))}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <div class="field-group">
        <TextField
          locale={locale}
          name="amount"
          label={locale.say("amount")}
          value={typed.amount}
          unit="USDC"
          faults={faults}
          extra={{ inputmode: "decimal", autocomplete: "off", maxlength: "20" }}
          {...(wallets.length === 1 && only
            ? {
                hint: locale.say("withdrawAtMost", { amount: locale.figure(Usdc.formatExact(only.balance)) }),
              }
            : {})}
        />
        <label class="check">
          <input type="checkbox" name="all" value="1" checked={typed.isAll} /> {locale.say("withdrawAll")}
        </label>
      </div>
      <fieldset id="to" aria-describedby={toFault ? "to-fault" : false}>
        <legend>{locale.say("withdrawTo")}</legend>
        <div class="choices">
          {addresses.map(({ address, name, usedAt }) => (
            <label class="choice">
              <input
                type="radio"
                name="to"
                value={address}
                checked={address === typed.to || addresses.length === 1}
              />
              <span>
                <strong dir="auto">{name}</strong>
                <span class="soft">
                  <ShortAddress address={address} />
                </span>
              </span>
              <span class="soft small">
                {usedAt === null
                  ? locale.say("neverUsed")
                  : locale.say("addressLastUsed", { when: when.momentInText(usedAt) })}
              </span>
            </label>
          ))}
        </div>
        {toFault !== undefined && (
          <p class="fault" id="to-fault">
            {toFault.message}
          </p>
        )}
      </fieldset>
      <div class="notice notice-plain">
        <DeskIcon name="lock" />
        <p>
          <Rich locale={locale} text="allowedHow" values={{ command: <code>till wallet allow</code> }} />
        </p>
      </div>
      {more.unknownWallets > 0 && (
        <p class="hint">
          <Rich locale={locale} text="moreWallets" values={{ command: <code>till wallet withdraw</code> }} />
        </p>
      )}
      <div class="bottom">
        <SubmitButton text={locale.say("goOn")} />
        <ButtonLink href="/desk/money" kind="quiet" text={locale.say("cancel")} />
      </div>
    </form>
  );
}
