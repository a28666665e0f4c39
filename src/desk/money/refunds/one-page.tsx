import * as Refund from "../../../domain/payment/refund.ts";
import type { Receivable } from "../../../domain/receivable/receivable.ts";
import * as Usdc from "../../../domain/usdc.ts";
import type { Address } from "../../../domain/wallet/address.ts";
import type { Network } from "../../../domain/wallet/network.ts";
import type { StoredRefund } from "../../../store/tables/invoicing/refund.ts";
import { ActionButton, ButtonLink, SubmitButton } from "../../parts/button.tsx";
import { Copy, Transaction, WholeFact } from "../../parts/copy.tsx";
import { DeskForm, FaultSummary, type FormFault, Problem } from "../../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../../parts/form/proof.tsx";
import { DeskIcon } from "../../parts/icon.tsx";
import { Fact } from "../../parts/menu.tsx";
import type { DeskFrame } from "../../parts/page/desk-frame.ts";
import { deskPage } from "../../parts/page/frame.tsx";
import { PageHead } from "../../parts/page/head.tsx";
import { receivableHref } from "../../parts/place.ts";
import { Pill } from "../../parts/state.tsx";
import { failures } from "../withdrawal-page.tsx";
import { refundForm } from "./new-page.tsx";
import { listPath, refundHref, shortNameOf, stateOf, whomOf } from "./parts.ts";

export type RefundProps = {
  refund: StoredRefund;
  owner: Receivable;
  payoutWallet: Address;
  network: Network;
  can: { act: boolean; mark: boolean; approve: boolean };
  proof: ProofProps;
  /** Why an approved one does not proceed. */
  obstacle: string | null;
  /** The prepared transfer as a code: a data: URL. */
  qr: string | null;
  faults: readonly FormFault[];
  problem: string | null;
  now: number;
};

const namedBy = { mail: "refundByMail", link: "refundByLink", person: "refundByPerson" } as const;

/** One refund: its progress, and the next step. */
export function refundPage(frame: DeskFrame, props: RefundProps): string {
  const { refund, owner, faults, problem, can } = props;
  const { locale } = frame;
  const { name, word } = stateOf(refund);
  const href = refundHref(refund);
  return deskPage({
    frame,
    place: "money",
    title: locale.say("refundNewTitle", { what: shortNameOf(owner, locale) }),
    body: (
      <div id="refund" data-live={refund.state !== "requested"}>
        <PageHead
          back={{ href: listPath, label: locale.say("refunds") }}
          title={`${locale.figure(Usdc.formatExact(refund.amount))} USDC`}
          pill={<Pill name={name} word={locale.texts[word]} />}
          line={[whomOf(owner), shortNameOf(owner, locale)].filter(Boolean).join(" · ")}
        >
          {refund.state === "confirmed" && (
            <ButtonLink href={`${href}/pdf`} as="window" kind="quiet" text={locale.say("refundReceipt")} />
          )}
        </PageHead>
        <FaultSummary locale={locale} faults={faults} />
        <Problem text={problem} />
        <Next {...props} frame={frame} />
        <Facts {...props} frame={frame} />
        {Refund.mayCancel(refund) && (
          <div class="part actions">
            {can.mark && (
              <ButtonLink
                href={`${href}/elsewhere`}
                as="dialog"
                kind="plain"
                text={locale.say("refundMark")}
              />
            )}
            {can.act && (
              <ButtonLink
                href={`${href}/cancel`}
                as="dialog"
                kind="plain"
                text={locale.say("refundCancel")}
              />
            )}
          </div>
        )}
      </div>
    ),
  });
}

type Props = RefundProps & { frame: DeskFrame };

/** The next step, or what it waits for. */
function Next(props: Props) {
  const { frame, refund, obstacle, now } = props;
  const { locale, when } = frame;
  const { state, address, way, failure, readyAt } = refund;
  if (state === "requested")
    return (
      <>
        {failure !== null && <p class="notice notice-late">{locale.say(failures[failure])}</p>}
        {address === null ? <Ask {...props} /> : <Approve {...props} />}
      </>
    );
  const waits = obstacle !== null && (
    <p class="notice" dir="auto">
      {locale.say("waitsFor", { reason: obstacle })}
    </p>
  );
  const isWaiting = (readyAt ?? 0) > now;
  if (state === "approved" && way === "wallet" && !isWaiting)
    return (
      <>
        <Transfer {...props} />
        {waits}
      </>
    );
  if (state === "approved")
    return (
      <div class="story" role="status">
        <p>
          {isWaiting
            ? locale.say(way === "till" ? "refundWaitsText" : "refundWaitsTransfer", {
                when: when.momentInText(readyAt ?? 0),
              })
            : locale.say("refundSoonText")}
        </p>
        {waits}
      </div>
    );
  return "";
}

/** The address is not known yet: who was asked, and what can be done. */
function Ask({ frame, refund, can, faults, now }: Props) {
  const { locale, when } = frame;
  const { email, claimHash, claimEndsAt, isMailed } = refund;
  const isAsked = claimHash !== null && (claimEndsAt ?? 0) > now;
  const values = { when: when.momentInText(claimEndsAt ?? 0) };
  const href = refundHref(refund);
  return (
    <>
      <div class="story">
        <p>
          {isAsked
            ? locale.say(isMailed ? "refundAskedText" : "refundGivenText", values)
            : locale.say("refundUnaskedText")}
        </p>
        {can.act && (
          <div class="actions">
            {email !== null && (
              <ActionButton
                frame={frame}
                action={`${href}/ask`}
                kind={isAsked ? "quiet" : ""}
                text={locale.say("refundMailLink")}
              />
            )}
            <ActionButton
              frame={frame}
              action={`${href}/ask`}
              kind="quiet"
              field={["how", "link"]}
              text={locale.say("refundShowLink")}
            />
          </div>
        )}
      </div>
      {can.act && (
        <details class="aside-part" open={faults.length > 0}>
          <summary>{locale.say("refundTypeAddress")}</summary>
          <DeskForm frame={frame} action={`${href}/address`} className="form form-alone">
            {refundForm.fields({ frame, typed: refundForm.empty, faults })("address", {
              hint: locale.say("refundHowAddressText"),
            })}
            <div class="actions">
              <SubmitButton kind="quiet" text={locale.say("refundSaveAddress")} />
            </div>
          </DeskForm>
        </details>
      )}
    </>
  );
}

/** The address is known: an owner checks and approves it. */
function Approve({ frame, refund, can, proof, faults, network }: Props) {
  const { locale } = frame;
  const { address, way } = refund;
  const figure = locale.figure(Usdc.formatExact(refund.amount));
  if (!can.approve || address === null) return <p class="story">{locale.say("refundsReadyText")}</p>;
  return (
    <DeskForm frame={frame} action={`${refundHref(refund)}/approve`} className="form form-alone">
      <input type="hidden" name="address" value={address} />
      <p>
        {way === "till"
          ? locale.say("refundApproveText", { amount: figure })
          : locale.say("refundPrepareText")}{" "}
        <span class="soft">{locale.say("refundFinal", { network: network.label })}</span>
      </p>
      <ProofField locale={locale} proof={proof} faults={faults} />
      <div class="actions">
        <button class="button" type="submit">
          {proof.kind === "passkey" && <DeskIcon name="key" />}
          {locale.say(way === "till" ? "refundApprove" : "refundPrepare")}
        </button>
      </div>
    </DeskForm>
  );
}

/** The transfer to send from a wallet of the merchant's own. */
function Transfer({ frame, refund, qr, payoutWallet }: Props) {
  const { locale } = frame;
  const figure = locale.figure(Usdc.formatExact(refund.amount));
  return (
    <div class="story" role="status">
      <p>{locale.say("refundTransferText")}</p>
      {qr !== null && (
        <p>
          <img class="qr" src={qr} width="240" height="240" alt={locale.say("qrOfPayment")} />
        </p>
      )}
      <div class="actions">
        <Copy
          frame={frame}
          id="copy-amount"
          text={Usdc.formatExact(refund.amount)}
          label={locale.labelled(locale.say("copy"), `${figure} USDC`)}
        />
        <Copy
          frame={frame}
          id="copy-address"
          text={refund.address ?? ""}
          label={locale.say("copyTheAddress")}
        />
      </div>
      <dl class="sums sums-alone">
        <WholeFact label={locale.say("refundFrom")} address={payoutWallet} />
      </dl>
    </div>
  );
}

function Facts({ frame, refund, owner, network }: Props) {
  const { locale, when } = frame;
  const { address, addressBy, txHash, reason, note, way } = refund;
  const row = (label: string, value: string | null) =>
    value !== null && (
      <div>
        <dt>{label}</dt>
        <dd dir="auto">{value}</dd>
      </div>
    );
  return (
    <dl class="sums sums-alone">
      {address !== null && way !== "elsewhere" && (
        <WholeFact
          label={
            <>
              {locale.say("refundSentTo")}
              {addressBy !== null && <span class="soft small">{` · ${locale.say(namedBy[addressBy])}`}</span>}
            </>
          }
          address={address}
        />
      )}
      <Fact label={locale.say("refundColumnFor")}>
        <a href={receivableHref(owner)} dir="auto">
          {shortNameOf(owner, locale)}
        </a>
      </Fact>
      {way === "elsewhere" && row(locale.say("state"), locale.say("refundElsewhere"))}
      {row(locale.say("reason"), reason)}
      {row(locale.say("refundNote"), note)}
      {row(locale.say("withdrawnBegun"), when.moment(refund.createdAt))}
      {refund.endedAt !== null && row(locale.texts[stateOf(refund).word], when.moment(refund.endedAt))}
      {txHash !== null && (
        <Fact label={locale.say("transaction")}>
          <Transaction txHash={txHash} explorer={network.explorer} name={locale.say("transactionIn")} />
        </Fact>
      )}
    </dl>
  );
}
