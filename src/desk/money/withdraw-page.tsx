import * as Ether from "../../domain/ether.ts";
import * as Usdc from "../../domain/usdc.ts";
import { Rich } from "../../language/rich.tsx";
import type { ManagedWallet } from "../../settle/treasury.ts";
import type { WithdrawalPlan } from "../../settle/withdraw.ts";
import type { AllowedAddress } from "../../store/tables/desk/allowed-address.ts";
import { Figure } from "../parts/amount.tsx";
import { ButtonLink, SubmitButton } from "../parts/button.tsx";
import { ShortAddress, WholeFact } from "../parts/copy.tsx";
import { usdcRow } from "../parts/form/currencies.ts";
import { Choices, DeskForm, FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import { formOf } from "../parts/form/rows.ts";
import { DeskIcon } from "../parts/icon.tsx";
import { Empty } from "../parts/list.tsx";
import { Fact } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import { addressesPath } from "./addresses-page.tsx";
import type { WalletNames } from "./movements.tsx";

/** As typed, or prefilled by a link of the desk. */
export type TypedWithdrawal = { from: string; to: string; amount: string; isAll: boolean };

/** A wallet as last read; `balance` is null before. */
export type SourceWallet = ManagedWallet & { balance: Usdc.Usdc | null };

/** A withdrawal ready to confirm. */
export type WithdrawalOrder = { wallet: SourceWallet; to: AllowedAddress; amount: Usdc.Usdc };

type WithdrawProps = {
  frame: DeskFrame;
  wallets: readonly (ManagedWallet & { balance: Usdc.Usdc })[];
  names: WalletNames;
  /** Number of wallets whose balance no node has reported. */
  unknownWallets: number;
  /** `usedAt` in Unix milliseconds; null if it was never paid. */
  addresses: readonly (AllowedAddress & { usedAt: number | null })[];
  typed: TypedWithdrawal;
  faults: readonly FormFault[];
  /** The page of a withdrawal that has to end first; null if there is none. */
  underWay: string | null;
  /** When an address that an owner adds now could be used, and whether that is later than usual. */
  readyAt: number;
  isLong: boolean;
  /** The command that allows an address. */
  command: string;
};

/** The amount and the address. Nothing is sent from here: a confirmation comes first. */
export function withdrawPage(props: WithdrawProps): string {
  const { frame } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("withdraw"),
    back: "money",
    line: locale.say("withdrawLine"),
    isForm: true,
    body: <Body {...props} />,
  });
}

function Body(props: WithdrawProps) {
  const { wallets, unknownWallets, addresses } = props;
  const { locale } = props.frame;
  if (wallets.length > 0)
    return addresses.length > 0 ? <WithdrawForm {...props} /> : <NoneAllowed {...props} />;
  return (
    <Empty
      icon="money"
      title={locale.say(unknownWallets > 0 ? "balanceUnknown" : "heldNothing")}
      text={locale.say(unknownWallets > 0 ? "balanceUnknownText" : "walletEmptyText")}
    />
  );
}

function NoneAllowed({ frame: { locale, when }, command, readyAt, isLong }: WithdrawProps) {
  return (
    <div class="empty">
      <span class="empty-mark">
        <DeskIcon name="lock" />
      </span>
      <h2>{locale.say("noneAllowed")}</h2>
      <p>{locale.say("noneAllowedText", { when: when.momentInText(readyAt) })}</p>
      {isLong && <p class="soft">{locale.say("changeWaitsLong")}</p>}
      <p>
        <ButtonLink href={addressesPath} text={locale.say("addressAdd")} />
      </p>
      <p class="soft small">
        <Rich locale={locale} text="inAHurry" values={{ command: <code>{command}</code> }} />
      </p>
    </div>
  );
}

/** The amount, in USDC. */
const amountForm = formOf({ amount: usdcRow });

function WithdrawForm({ frame, wallets, names, addresses, typed, faults, underWay, ...more }: WithdrawProps) {
  const { locale, when } = frame;
  const [only] = wallets;
  return (
    <form class="form form-alone" method="get" action="/desk/money/withdraw/confirm" novalidate>
      <FaultSummary locale={locale} faults={faults} />
      {underWay !== null && (
        <p class="notice">
          <DeskIcon name="clock" />
          <span>
            {locale.say("isUnderWay")} <a href={underWay}>{locale.say("counterShow")}</a>
          </span>
        </p>
      )}
      {wallets.length === 1 && only ? (
        <input type="hidden" name="from" value={String(only.account)} />
      ) : (
        <Choices
          name="from"
          label={locale.say("withdrawFrom")}
          chosen={typed.from}
          choices={wallets.map(({ account, address, balance }) => ({
            value: String(account),
            title: <bdi>{names.nameOf(address)}</bdi>,
            text: <ShortAddress address={address} />,
            beside: <span class="num">{locale.figure(Usdc.formatExact(balance))}</span>,
          }))}
        />
      )}
      <div class="field-group">
        {amountForm.fields({ frame, typed, faults })("amount", {
          hint:
            wallets.length === 1 && only
              ? locale.say("withdrawAtMost", { amount: locale.figure(Usdc.formatExact(only.balance)) })
              : undefined,
        })}
        <label class="check">
          <input type="checkbox" name="all" value="1" checked={typed.isAll} /> {locale.say("withdrawAll")}
        </label>
      </div>
      <Choices
        name="to"
        label={locale.say("withdrawTo")}
        chosen={addresses.length === 1 ? (addresses[0]?.address ?? "") : typed.to}
        faults={faults}
        choices={addresses.map(({ address, name, usedAt }) => ({
          value: address,
          title: <bdi>{name}</bdi>,
          text: <ShortAddress address={address} />,
          beside: (
            <span class="soft small">
              {usedAt === null
                ? locale.say("neverUsed")
                : locale.say("addressLastUsed", { when: when.momentInText(usedAt) })}
            </span>
          ),
        }))}
      />
      <div class="notice notice-plain">
        <DeskIcon name="lock" />
        <p>
          <Rich
            locale={locale}
            text="allowedHow"
            values={{ when: when.momentInText(more.readyAt), command: <code>till wallet allow</code> }}
          />{" "}
          <a href={addressesPath}>{locale.say("addressesTitle")}</a>
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

type ConfirmProps = {
  frame: DeskFrame;
  network: string;
  order: WithdrawalOrder;
  plan: WithdrawalPlan;
  /** Makes a form that is sent twice one withdrawal. */
  formKey: string;
  proof: ProofProps;
  faults: readonly FormFault[];
};

/** Everything that will happen, to be confirmed. */
export function confirmPage({ frame, network, order, plan, formKey, proof, faults }: ConfirmProps): string {
  const { to, amount } = order;
  const { fee } = plan;
  const from = String(order.wallet.account);
  const { locale } = frame;
  const figure = (of: Usdc.Usdc) => locale.figure(Usdc.formatExact(of));
  const eth = (wei: bigint) => ({ fee: `${locale.figure(Ether.format(wei))} ETH` });
  const again = new URLSearchParams({ from, to: to.address, amount: Usdc.formatExact(amount) });
  const back = `/desk/money/withdraw?${again}`;
  return headedPage({
    frame,
    place: "money",
    title: locale.say("confirmTitle", { amount: figure(amount) }),
    back: { href: back, label: locale.say("confirmBack") },
    line: locale.say("confirmLine", { network }),
    isForm: true,
    body: (
      <DeskForm frame={frame} action="/desk/money/withdraw" className="form form-alone">
        <FaultSummary locale={locale} faults={faults} />
        <input type="hidden" name="from" value={from} />
        <input type="hidden" name="to" value={to.address} />
        <input type="hidden" name="micro" value={String(amount)} />
        <input type="hidden" name="key" value={formKey} />
        <dl class="sums">
          <WholeFact label={locale.say("confirmTo", { name: to.name })} dir="auto" address={to.address} />
          <Fact label={locale.say("confirmReceives")}>
            <Figure locale={locale} amount={amount} isExact />
          </Fact>
          <div>
            <dt>{locale.say("confirmFee")}</dt>
            <dd class="sums-two">
              <span class="num">{locale.say("confirmFeeAbout", eth(fee.cost))}</span>
              <span class="soft small">{locale.say("confirmFeeMost", eth(fee.costMax))}</span>
            </dd>
          </div>
          <Fact label={locale.say("confirmLeft")}>
            <Figure locale={locale} amount={Usdc.fromMicro(plan.balance - amount)} isExact />
          </Fact>
        </dl>
        <ProofField locale={locale} proof={proof} faults={faults} />
        <div class="bottom">
          <button class="button" type="submit">
            {proof.kind === "passkey" && <DeskIcon name="key" />}
            {locale.say(proof.kind === "passkey" ? "confirmWithPasskey" : "confirmButton")}
          </button>
          <ButtonLink href={back} kind="quiet" text={locale.say("confirmBack")} />
        </div>
      </DeskForm>
    ),
  });
}
