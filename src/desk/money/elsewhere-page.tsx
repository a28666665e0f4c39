import * as Ether from "../../domain/ether.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { OtherChain } from "../../domain/wallet/elsewhere.ts";
import type { RescuePlan } from "../../settle/elsewhere/elsewhere.ts";
import type { Came } from "../../store/reports/desk/elsewhere.ts";
import type { Found } from "../../store/tables/settle/elsewhere.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Transaction, WholeAddress, WholeFact } from "../parts/copy.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Fact } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";
import { receivableHref } from "../parts/place.ts";
import { shortNameOf } from "./refunds/parts.ts";

export const elsewhereHref = ({ id }: Pick<Found, "id">): string => `/desk/money/elsewhere/${id}`;

type PageProps = Came & {
  frame: DeskFrame;
  /** True if it goes to a wallet of Till's, for which nobody has another app yet. */
  isOwnWallet: boolean;
  /** True if what it was sent for can be marked as paid. */
  canMark: boolean;
  /** What moving it takes, or why it is impossible; null for a reader who may not move it, and while it is moved. */
  plan: RescuePlan | string | null;
  /** Why it does not go on. */
  obstacle: string | null;
  proof: ProofProps;
  faults: readonly FormFault[];
};

/** What came on another chain: where it is and goes, what that costs, and what became of it. */
export function elsewherePage(props: PageProps): string {
  const { frame, found, chain, about, isOwnWallet, plan, obstacle } = props;
  const { locale, when } = frame;
  const { say } = locale;
  const values = { chain: chain.label };
  const isMoved = found.movedAt !== null;
  return headedPage({
    frame,
    place: "money",
    title: `${locale.figure(Usdc.formatExact(found.amount))} ${say("elsewhereOne", values)}`,
    back: { href: receivableHref(about), label: shortNameOf(about, locale) },
    ...(plan !== null && { line: say("elsewhereMailText") }),
    isForm: true,
    body: (
      <div class="elsewhere" id="elsewhere" data-live={plan === null}>
        {(isMoved || found.wantedAt !== null) && (
          <div role="status">
            <p>{say(isMoved ? "elsewhereMoved" : "elsewhereMoving", values)}</p>
            {obstacle !== null && !isMoved && (
              <p class="notice" dir="auto">
                {say("waitsFor", { reason: obstacle })}
              </p>
            )}
          </div>
        )}
        {isMoved && props.canMark && (
          <p>
            <ButtonLink href={`${receivableHref(about)}/mark`} text={say("linkMark")} />
          </p>
        )}
        <dl class="sums">
          <WholeFact label={say("depositAddress")} address={about.deposit.address} />
          <WholeFact label={say("elsewhereTo", values)} address={about.deposit.payoutWallet} />
          <Fact label={say("elsewhereSince")}>{when.moment(found.foundAt)}</Fact>
          {!isMoved && <Fact label={say("elsewhereSeen")}>{when.moment(found.seenAt)}</Fact>}
          {found.txHash !== null && (
            <Fact label={say("transaction")}>
              <Transaction txHash={found.txHash} explorer={chain.explorer} name={say("transactionIn")} />
            </Fact>
          )}
          {typeof plan !== "string" && plan !== null && <Fee {...props} plan={plan} />}
        </dl>
        <div class="soft">
          <p>{say("elsewhereStays", values)}</p>
          {isOwnWallet && <p>{say("elsewhereOwnWallet", values)}</p>}
        </div>
        {typeof plan !== "string" && plan?.rescue.isContractWallet && (
          <p class="notice">
            <DeskIcon name="alert" />
            <span>{say("elsewhereContract", values)}</span>
          </p>
        )}
        {plan !== null && <Move {...props} plan={plan} />}
      </div>
    ),
  });
}

type PlannedProps<Plan> = Omit<PageProps, "plan"> & { plan: Plan };

const inCoin = ({ locale }: DeskFrame, wei: bigint, { coin }: OtherChain) =>
  `${locale.figure(Ether.format(wei))} ${coin}`;

function Fee({ frame, chain, plan: { rescue } }: PlannedProps<RescuePlan>) {
  const { say } = frame.locale;
  const { cost, costMax } = rescue.fee;
  return (
    <div>
      <dt>{say("confirmFee")}</dt>
      <dd class="sums-two">
        <span class="num">{say("confirmFeeAbout", { fee: inCoin(frame, cost, chain) })}</span>
        <span class="soft small">{say("confirmFeeMost", { fee: inCoin(frame, costMax, chain) })}</span>
      </dd>
    </div>
  );
}

/** The form that moves it, or what has to be done before. */
function Move({ frame, found, chain, plan, obstacle, proof, faults }: PlannedProps<RescuePlan | string>) {
  const { locale } = frame;
  const { say } = locale;
  const refused = (reason: string) => (
    <p class="notice" dir="auto">
      <DeskIcon name="alert" />
      <span>{say("elsewhereFault", { reason })}</span>
    </p>
  );
  if (typeof plan === "string") return refused(plan);
  const { shortage } = plan.rescue.fee;
  if (shortage !== null) {
    const amount = locale.figure(Ether.format(shortage.needed - shortage.balance));
    const { label, coin } = chain;
    return (
      <div class="notice">
        <DeskIcon name="drop" />
        <div>
          <p>{say("elsewhereGas", { amount, coin, chain: label })}</p>
          <p>
            <WholeAddress address={shortage.address} />
          </p>
        </div>
      </div>
    );
  }
  return (
    <DeskForm frame={frame} action={elsewhereHref(found)} className="form form-alone">
      <FaultSummary locale={locale} faults={faults} />
      {obstacle !== null && refused(obstacle)}
      <ProofField locale={locale} proof={proof} faults={faults} />
      <div class="bottom">
        <button class="button" type="submit">
          {proof.kind === "passkey" && <DeskIcon name="key" />}
          {say("elsewhereMove")}
        </button>
        <ButtonLink href="/desk/money" kind="quiet" text={say("cancel")} />
      </div>
    </DeskForm>
  );
}

type ListProps = {
  frame: DeskFrame;
  rows: readonly Came[];
};

/** What is on other chains, on the money page. */
export function ElsewherePart({ frame, rows }: ListProps) {
  const { locale } = frame;
  if (rows.length === 0) return "";
  return (
    <Part id="elsewhere" title={locale.say("elsewhereTitle")} isLive>
      <p class="soft part-line">{locale.say("elsewhereLine")}</p>
      <ul class="attention">
        {rows.map(({ found, chain, about }) => (
          <li>
            <DeskIcon name="money" />
            <div>
              <h3>{`${locale.figure(Usdc.formatExact(found.amount))} ${locale.say("elsewhereOne", { chain: chain.label })}`}</h3>
              <p dir="auto">
                {found.wantedAt === null
                  ? locale.labelled(locale.say("elsewhereFor"), shortNameOf(about, locale))
                  : locale.say("elsewhereMoving")}
              </p>
            </div>
            <ButtonLink href={elsewhereHref(found)} kind="quiet small" text={locale.say("elsewhereShow")} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What came on other chains instead of here, on the page of what it was sent for. */
export function CameElsewhere({ frame, rows, network }: ListProps & { network: string }) {
  const { locale, when } = frame;
  return rows.map(({ found, chain }) => {
    const amount = locale.usdc(Usdc.formatExact(found.amount));
    return (
      <p class={found.movedAt === null ? "notice" : "notice notice-plain"}>
        <DeskIcon name="money" />
        <span>
          {locale.say("cameElsewhere", { amount, chain: chain.label, network })}
          {locale.bracketed(when.momentInText(found.foundAt))}{" "}
          <a class="reach" href={elsewhereHref(found)}>
            {locale.say("elsewhereShow")}
          </a>
        </span>
      </p>
    );
  });
}
