import * as Usdc from "../../domain/usdc.ts";
import { ButtonLink } from "../parts/button.tsx";
import { WholeAddress } from "../parts/copy.tsx";
import { DeskForm, FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { ProofField, type ProofProps } from "../parts/form/proof.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";

type ConfirmProps = {
  frame: DeskFrame;
  network: string;
  account: number;
  to: { address: string; name: string };
  amount: Usdc.Usdc;
  left: Usdc.Usdc;
  /** ETH as people read it. */
  fee: { about: string; most: string };
  /** Sent twice, the form begins one withdrawal. */
  formKey: string;
  proof: ProofProps;
  faults: readonly FormFault[];
};

/** What will happen, in full, before it is confirmed. */
export function confirmPage({
  frame,
  network,
  account,
  to,
  amount,
  left,
  fee,
  formKey,
  proof,
  faults,
}: ConfirmProps): string {
  const { locale } = frame;
  const figure = (of: Usdc.Usdc) => locale.figure(Usdc.formatExact(of));
  const back = `/desk/money/withdraw?${new URLSearchParams({ from: String(account), to: to.address, amount: Usdc.formatExact(amount) })}`;
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
        <input type="hidden" name="from" value={String(account)} />
        <input type="hidden" name="to" value={to.address} />
        <input type="hidden" name="micro" value={String(amount)} />
        <input type="hidden" name="key" value={formKey} />
        <dl class="sums">
          <div class="whole">
            <dt dir="auto">{locale.say("confirmTo", { name: to.name })}</dt>
            <dd>
              <WholeAddress address={to.address} />
            </dd>
          </div>
          <div>
            <dt>{locale.say("confirmReceives")}</dt>
            <dd>
              <span class="num">
                {figure(amount)}
                <span class="unit"> USDC</span>
              </span>
            </dd>
          </div>
          <div>
            <dt>{locale.say("confirmFee")}</dt>
            <dd class="sums-two">
              <span class="num">{locale.say("confirmFeeAbout", { eth: locale.figure(fee.about) })}</span>
              <span class="soft small">{locale.say("confirmFeeMost", { eth: locale.figure(fee.most) })}</span>
            </dd>
          </div>
          <div>
            <dt>{locale.say("confirmLeft")}</dt>
            <dd>
              <span class="num">
                {figure(left)}
                <span class="unit"> USDC</span>
              </span>
            </dd>
          </div>
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
