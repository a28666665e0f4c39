import * as Usdc from "../../domain/usdc.ts";
import * as Address from "../../domain/wallet/address.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { Locale } from "../../language/locale.ts";
import { whenFor } from "../../language/when.ts";
import * as Text from "../../lib/text/text.ts";
import * as Asking from "../../settle/wallet-change.ts";
import { destinationFault } from "../../settle/withdraw.ts";
import { transactTogether } from "../../store/group-commit.ts";
import * as AllowedAddressStore from "../../store/tables/desk/allowed-address.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import * as OwnerMailStore from "../../store/tables/outbox/owner-mail.ts";
import * as WalletChangeStore from "../../store/tables/settle/wallet-change.ts";
import { answer } from "../answer.ts";
import { doorPage } from "../door/door.tsx";
import type { Gate } from "../gate.ts";
import { SubmitButton } from "../parts/button.tsx";
import { WholeAddress } from "../parts/copy.tsx";
import { confirmPage } from "../parts/form/confirm-page.tsx";
import type { FormFault } from "../parts/form/form.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { clocksNow, lookAt } from "../shop/sight.ts";
import { addressesPage, addressesPath, changeForm, limitPath, type TypedChange } from "./addresses-page.tsx";

const nameLengthMax = 60;
/** Maximum changes shown of a kind; older ones are in the audit. */
const shownMax = 30;

type ChangeRequest = Asking.ChangeRequest;
/** Till's own wallets. */
type Own = ReadonlyMap<Address.Address, unknown>;

function questionOf(request: ChangeRequest, { say, figure }: Locale): string {
  if (request.kind === "address") return say("addressQuestion", { name: request.name });
  if (request.amount === null) return say("limitQuestionNone");
  return say("limitQuestion", { amount: figure(Usdc.formatExact(request.amount)) });
}

/** Where the desk may send money, and how much per day: an owner asks, all owners are told, and each can stop it. */
export function addressRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config } = deps;
  const { network } = config;

  function page(
    { frame, now }: Visit,
    typed: Partial<TypedChange> = {},
    faults: readonly FormFault[] = [],
  ): string {
    const waiting = WalletChangeStore.listWaiting(db, now);
    const mails = waiting.flatMap(({ id }) => OwnerMailStore.listOf(db, id));
    // A mail server that was replaced may be gone.
    const reason =
      mails.find(({ reason, serverBefore }) => reason !== null && serverBefore === null)?.reason ?? null;
    return addressesPage({
      frame,
      now,
      faults,
      network: network.label,
      allowed: AllowedAddressStore.listOfCommand(db),
      addresses: WalletChangeStore.list(db, "address", shownMax),
      limits: WalletChangeStore.list(db, "limit", shownMax),
      day: Asking.leftOf(db, network.chainId, { now, headAt: now }),
      wait: Asking.readyAtNow(db, { hasMailServer: config.smtpUrl !== null }, { now, headAt: now }),
      mailReason: reason === null ? null : deps.redact(reason),
      typed: { ...changeForm.empty, ...typed },
    });
  }

  function addressIn(
    typed: TypedChange,
    { frame: { locale }, now }: Visit,
    own: Own,
  ): ChangeRequest | FormFault[] {
    const faults: FormFault[] = [];
    const fault = (field: string, message: string) => faults.push({ field, message });
    const read = Address.parse(typed.address);
    const contracts = { usdc: network.usdc, gasAccount: WalletStore.gasAddress(db) };
    if (!read.ok || own.has(read.address) || destinationFault(db, read.address, contracts) !== null)
      fault("address", locale.say("addressFault"));
    else if (
      AllowedAddressStore.byAddress(db, read.address, now) !== null ||
      WalletChangeStore.ofAddress(db, read.address) !== null
    )
      fault("address", locale.say("addressThere"));
    const { name } = typed;
    if (name === "" || name.length > nameLengthMax || Text.fault(name, { lineBreaks: false }) !== null)
      fault("name", locale.say("addressFaultName"));
    return faults.length > 0 || !read.ok ? faults : { kind: "address", address: read.address, name };
  }

  function limitIn({ amount: text }: TypedChange, { frame: { locale } }: Visit): ChangeRequest | FormFault[] {
    if (text === "") return { kind: "limit", amount: null };
    const amount = Usdc.parseTypedExact(text, locale.decimalMark);
    return amount === null || amount === 0n
      ? [{ field: "amount", message: locale.say("limitFault") }]
      : { kind: "limit", amount };
  }

  /** A proof covers this change and nothing else. */
  const purposeOf = (request: ChangeRequest) =>
    request.kind === "address"
      ? `wallet.address ${request.address} ${request.name}`
      : `wallet.limit ${request.amount}`;

  const needsProof = (request: ChangeRequest, clocks: Asking.Clocks) =>
    request.kind === "address" || !Asking.isLower(db, request.amount, clocks);

  function confirm(
    visit: Visit,
    request: ChangeRequest,
    clocks: Asking.Clocks,
    faults: readonly FormFault[] = [],
    remark: string | null = null,
  ): string {
    const { frame } = visit;
    const { locale } = frame;
    const { say } = locale;
    const isProven = needsProof(request, clocks);
    const { readyAt, isLong } = Asking.readyAtNow(db, { hasMailServer: config.smtpUrl !== null }, clocks);
    const when = frame.when.momentInText(readyAt);
    const isAddress = request.kind === "address";
    const hidden = (name: string, value: string) => <input type="hidden" name={name} value={value} />;
    const amount = isAddress || request.amount === null ? "" : Usdc.formatExact(request.amount);
    return confirmPage({
      frame,
      place: "money",
      faults,
      isDanger: false,
      back: { href: addressesPath, label: say("addressesTitle") },
      question: questionOf(request, locale),
      text: isProven ? say("changeWaits", { when }) : say("limitAtOnce"),
      ...(isProven && isLong ? { warning: say("changeWaitsLong") } : {}),
      field: isAddress ? (
        <>
          {hidden("address", request.address)}
          {hidden("name", request.name)}
          <WholeAddress address={request.address} />
          {remark !== null && <p class="notice">{remark}</p>}
        </>
      ) : (
        hidden("amount", amount)
      ),
      proof: isProven ? gate.proving.ask(visit, purposeOf(request)) : { kind: "none" },
      action: isAddress ? addressesPath : limitPath,
      keep: say("cancel"),
      confirm: isAddress ? say("addressAdd") : say("limitChange"),
    });
  }

  const seenOf = ({ frame }: Visit, request: ChangeRequest) =>
    request.kind === "address" ? lookAt(deps, frame, request.address) : null;

  type Reader = (typed: TypedChange, visit: Visit, own: Own) => ChangeRequest | FormFault[];

  function changeRoutes(path: string, action: string, field: keyof TypedChange, read: Reader): void {
    const unknownTime = ({ frame }: Visit): FormFault[] => [
      { field, message: frame.locale.say("noNodeNow") },
    ];
    gate.page(`${path}/confirm`, "move", async (visit) => {
      const typed = changeForm.read(visit.query, visit.frame.locale);
      const [clocks, own] = await Promise.all([clocksNow(deps), deps.ownWallets()]);
      const request = clocks === null ? unknownTime(visit) : read(typed, visit, own);
      if (Array.isArray(request) || clocks === null)
        return answer(page(visit, typed, request as FormFault[]), 422);
      const seen = await seenOf(visit, request);
      if (seen?.fault) return answer(page(visit, typed, [{ field: "address", message: seen.fault }]), 422);
      return confirm(visit, request, clocks, [], seen?.remark);
    });
    gate.action(path, "move", action, async (visit, form): Promise<FormOutcome> => {
      const typed = changeForm.read(form, visit.frame.locale);
      const [clocks, own, vault] = await Promise.all([clocksNow(deps), deps.ownWallets(), deps.vault()]);
      const request = clocks === null ? unknownTime(visit) : read(typed, visit, own);
      if (Array.isArray(request) || clocks === null) return page(visit, typed, request as FormFault[]);
      const isProven = needsProof(request, clocks);
      const seen = await seenOf(visit, request);
      if (seen?.fault) return page(visit, typed, [{ field: "address", message: seen.fault }]);
      const fault = isProven ? await gate.proving.check(visit, purposeOf(request), form) : null;
      if (fault) return confirm(visit, request, clocks, [fault], seen?.remark);
      // Read again, as somebody else may have been faster; nothing is awaited between this and storing it.
      const again = read(typed, visit, own);
      if (Array.isArray(again)) return page(visit, typed, again);
      if (!gate.isStill(visit)) throw new Error("Who asked for it was signed out, or got another role.");
      const hasMailServer = config.smtpUrl !== null;
      Asking.askForChange(db, request, { by: visit.who.name, isProven, clocks, vault, hasMailServer });
      deps.onMailDue();
      const subject = subjectOf({ name: null, address: null, amount: null, ...request });
      return { kind: "done", to: addressesPath, did: "didAskChange", subject };
    });
  }

  gate.page(addressesPath, "move", (visit) => page(visit));
  changeRoutes(addressesPath, "wallet.address", "address", addressIn);
  changeRoutes(limitPath, "wallet.limit", "amount", limitIn);

  // Stopping needs no passkey: it is the safe direction.
  gate.action("/desk/money/changes/:id/stop", "move", "wallet.stop", ({ params, who, now }) => {
    const change = WalletChangeStore.byId(db, params["id"] ?? "");
    if (change === null) return null;
    WalletChangeStore.stop(db, change.id, who.name, now);
    return { kind: "done", to: addressesPath, did: "didStopChange", subject: subjectOf(change) };
  });

  function stopPage(request: Request, change: WalletChangeStore.WalletChange | null): Response {
    const look = gate.look(request);
    const { locale } = look;
    const { say } = locale;
    if (change === null) return answer(doorPage({ look, title: say("stopGone"), body: "" }), 404);
    if (change.stoppedAt !== null)
      return answer(doorPage({ look, title: say("stateStopped"), text: say("stopDone"), body: "" }));
    const when = whenFor(locale, config.timeZone, deps.now());
    const amount = change.amount === null ? null : locale.figure(Usdc.formatExact(change.amount));
    const what = change.name ?? (amount === null ? say("limitNone") : say("limitOf", { amount }));
    const values = {
      name: change.createdBy || say("development"),
      when: when.momentInText(change.createdAt),
    };
    return answer(
      doorPage({
        look,
        title: say("stopQuestion"),
        text: say("askedBy", values),
        body: (
          <form class="box" method="post">
            <p dir="auto">
              <strong>{what}</strong>
            </p>
            {change.address !== null && <WholeAddress address={change.address} />}
            <SubmitButton kind="large full" text={say("stopIt")} />
          </form>
        ),
      }),
    );
  }

  const ofLink = ({ params }: { params?: Record<string, string> }) =>
    Asking.ofLink(db, params?.["token"] ?? "");
  // Programs that scan mails open links, so viewing changes nothing.
  gate.door.get("/desk/stop/:token", (context) => stopPage(context.request, ofLink(context)));
  gate.door.post("/desk/stop/:token", async (context) => {
    const change = ofLink(context);
    if (change === null) return stopPage(context.request, null);
    const by = gate.look(context.request).locale.say("stoppedByMail");
    const now = deps.now();
    await transactTogether(db, () => {
      if (!WalletChangeStore.stop(db, change.id, by, now)) return;
      const entry = {
        at: now,
        personId: null,
        personName: by,
        action: "wallet.stop",
        subject: subjectOf(change),
      };
      AuditStore.note(db, entry);
    });
    return stopPage(context.request, WalletChangeStore.byId(db, change.id));
  });
}

const subjectOf = ({
  name,
  address,
  amount,
}: Pick<WalletChangeStore.WalletChange, "name" | "address" | "amount">) =>
  name === null ? `${amount === null ? "∞" : Usdc.formatExact(amount)} USDC` : `${name} ${address}`;
