import * as Usdc from "../../domain/usdc.ts";
import { Rich } from "../../language/rich.tsx";
import type { AllowedAddress } from "../../store/tables/desk/allowed-address.ts";
import type { WalletChange } from "../../store/tables/settle/wallet-change.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { WholeAddress } from "../parts/copy.tsx";
import { line } from "../parts/form/controls.tsx";
import { FaultSummary, type FormFault } from "../parts/form/form.tsx";
import { formOf } from "../parts/form/rows.ts";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage, Part } from "../parts/page/head.tsx";
import { Pill } from "../parts/state.tsx";

export const addressesPath = "/desk/money/addresses";
export const limitPath = "/desk/money/limit";

export const changeForm = formOf({
  address: {
    label: "addressOn",
    control: line({
      dir: "ltr",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: "42",
      placeholder: "0x…",
    }),
    fault: "addressFault",
  },
  name: {
    label: "addressName",
    control: line({ dir: "auto", autocomplete: "off", maxlength: "60" }),
    fault: "addressFaultName",
  },
  amount: {
    label: "limitField",
    hint: "limitHint",
    control: line({ inputmode: "decimal", autocomplete: "off", maxlength: "20" }, () => "USDC"),
    fault: "limitFault",
  },
});
/** The form as typed. */
export type TypedChange = typeof changeForm.empty;

type AddressesProps = {
  frame: DeskFrame;
  network: string;
  now: number;
  /** Allowed on the command line. */
  allowed: readonly AllowedAddress[];
  addresses: readonly WalletChange[];
  limits: readonly WalletChange[];
  /** The limit in force, and what is left of it; null without one. */
  day: { limit: Usdc.Usdc; left: Usdc.Usdc } | null;
  /** When an address added now could be used, and whether that is later than usual. */
  wait: { readyAt: number; isLong: boolean };
  /** The reason why a mail about a waiting change was not sent. */
  mailReason: string | null;
  typed: TypedChange;
  faults: readonly FormFault[];
};

/** The addresses the desk may send money to, and the daily limit, with waiting and stopped changes. */
export function addressesPage(props: AddressesProps): string {
  const { frame, network, allowed, addresses, limits, day, faults, mailReason, wait } = props;
  const { locale, when } = frame;
  const amount = (of: Usdc.Usdc) => locale.figure(Usdc.formatExact(of));
  const field = changeForm.fields(props);
  return headedPage({
    frame,
    place: "money",
    title: locale.say("addressesTitle"),
    back: { href: "/desk/money/withdraw", label: locale.say("withdraw") },
    line: locale.say("addressesLine"),
    body: (
      <>
        <FaultSummary locale={locale} faults={faults} />
        {mailReason !== null && (
          <p class="notice" dir="auto">
            {locale.say("ownerMailFailed", { reason: mailReason })}
          </p>
        )}
        <div class="columns">
          <div>
            {allowed.length + addresses.length > 0 && (
              <ul class="people">
                {allowed.map(({ name, address }) => (
                  <li>
                    <span class="who">
                      <strong dir="auto">{name}</strong>
                      <WholeAddress address={address} />
                      <span class="soft small">{locale.say("allowedByCommand")}</span>
                    </span>
                  </li>
                ))}
                {addresses.map((change) => (
                  <Change {...props} change={change} name={change.name ?? ""} />
                ))}
              </ul>
            )}
            <Part title={locale.say("addressAdd")}>
              <form class="form form-alone" method="get" action={`${addressesPath}/confirm`} novalidate>
                <p>{locale.say("addressWaits", { when: when.momentInText(wait.readyAt) })}</p>
                {wait.isLong && <p class="soft">{locale.say("changeWaitsLong")}</p>}
                {field("address", {
                  label: locale.say("addressOn", { network }),
                  hint: locale.say("addressOnHint", { network }),
                })}
                {field("name")}
                <p>
                  <SubmitButton text={locale.say("goOn")} />
                </p>
              </form>
            </Part>
            <Part title={locale.say("limitTitle")}>
              <form class="form form-alone" method="get" action={`${limitPath}/confirm`} novalidate>
                <p class="soft">{locale.say("limitText")}</p>
                <p>
                  {day === null
                    ? locale.say("limitNone")
                    : locale.say("limitLeft", { left: amount(day.left), amount: amount(day.limit) })}
                </p>
                {field("amount")}
                <p>
                  <SubmitButton kind="quiet" text={locale.say("limitChange")} />
                </p>
              </form>
              {limits.length > 0 && (
                <ul class="people">
                  {limits.map((change) => (
                    <Change
                      {...props}
                      change={change}
                      name={
                        change.amount === null
                          ? locale.say("limitNone")
                          : locale.say("limitOf", { amount: amount(change.amount) })
                      }
                    />
                  ))}
                </ul>
              )}
            </Part>
          </div>
          <aside>
            <h2>{locale.say("whyWaits")}</h2>
            <p class="soft">{locale.say("whyWaitsText")}</p>
            <p class="soft">
              <Rich locale={locale} text="inAHurry" values={{ command: <code>till wallet allow</code> }} />
            </p>
          </aside>
        </div>
      </>
    ),
  });
}

/** A change that owners requested: its state, and the button to stop it. */
function Change({ frame, now, change, name }: AddressesProps & { change: WalletChange; name: string }) {
  const { locale, when } = frame;
  const { id, address, readyAt, createdAt, stoppedAt, stoppedBy, kind } = change;
  const waits = stoppedAt === null && readyAt > now;
  const nameOf = (by: string | null) => by || locale.say("development");
  const mayStop = stoppedAt === null && (waits || kind === "address");
  return (
    <li>
      <span class="who">
        <strong dir="auto">{name}</strong>
        {address !== null && <WholeAddress address={address} />}
        {waits && (
          <span>
            <Pill name="seen" word={locale.say("readyFrom", { when: when.momentInText(readyAt) })} />
          </span>
        )}
        {stoppedAt !== null && (
          <span>
            <Pill name="void" word={locale.say("stateStopped")} />
          </span>
        )}
        <span class="soft small" dir="auto">
          {stoppedAt === null
            ? locale.say("askedBy", { name: nameOf(change.createdBy), when: when.momentInText(createdAt) })
            : locale.say("stoppedBy", { name: nameOf(stoppedBy), when: when.momentInText(stoppedAt) })}
        </span>
      </span>
      {mayStop && (
        <ActionButton
          frame={frame}
          action={`/desk/money/changes/${id}/stop`}
          kind="quiet small"
          text={locale.say(waits ? "stopIt" : "withdrawAddressBack")}
          label={locale.say(waits ? "stopNamed" : "takeBackNamed", { name })}
        />
      )}
    </li>
  );
}
