import * as Email from "../../../domain/party/email.ts";
import { may } from "../../../domain/party/person.ts";
import type { FormFault } from "../../../pages/desk/parts/form/form.tsx";
import { healthPage } from "../../../pages/desk/shop/health-page.tsx";
import { databaseBytes } from "../../../store/reports/health.ts";
import * as PreferenceStore from "../../../store/tables/desk/preference.ts";
import * as BackupMadeStore from "../../../store/tables/installation/backup-made.ts";
import * as WalletStore from "../../../store/tables/installation/wallet.ts";
import type { HttpDeps } from "../../deps.ts";
import { chainState } from "../chain-state.ts";
import { type FormOutcome, type Gate, shopNameOf, type Visit } from "../gate.ts";
import { needsAttention } from "../home/attention.ts";

const mebibyte = 1_048_576;

/** Till's health, and what to do about it. */
export function healthPageRoutes(deps: HttpDeps, gate: Gate): void {
  const { db, config, dev } = deps;
  /** The URL of a node or a mail server may contain a key. */
  const hostOf = (url: string) => new URL(url).host;

  function blockOf({ frame: { locale } }: Visit): string {
    const head = deps.chainHead();
    if (head === null) return locale.say("chainBlockNone");
    const block = locale.figure(String(head));
    const seconds = Math.round(deps.chainLagMs() / 1_000);
    return chainState(deps) === "late"
      ? locale.say("chainBehind", { block, seconds })
      : locale.say("chainUpToDate", { block });
  }

  function page(visit: Visit, testTo: string, faults: readonly FormFault[] = []): string {
    const problems = deps.problems();
    // A lost or unchecked database must not even be asked for its warnings.
    const isSound = !problems.some(({ about }) => about === "storage" || about === "check");
    const said = [...problems, ...(isSound ? deps.warnings() : [])];
    return healthPage({
      frame: visit.frame,
      needs: needsAttention(deps, visit).map((need) =>
        // The reader is already on the page this leads to.
        need.action?.href === "/desk/settings/health" ? { ...need, action: null } : need,
      ),
      said: said.map(({ text }) => text),
      mail: {
        server: config.smtpUrl === null ? null : hostOf(config.smtpUrl),
        sender: config.mailFrom,
        isCaught: dev !== null,
        mayTest: may(visit.who.role, "manage"),
        testTo,
        faults,
      },
      chain: {
        network: config.network.label,
        nodes: config.rpcUrls.map(hostOf),
        socket: config.rpcWsUrl === null ? null : hostOf(config.rpcWsUrl),
        block: blockOf(visit),
      },
      machine: {
        version: deps.version,
        databaseMebibytes: (databaseBytes(config.dataDir) / mebibyte).toFixed(1),
        backupAt: BackupMadeStore.newest(db)?.madeAt ?? null,
        wordsAt: WalletStore.wordsAt(db),
      },
    });
  }

  async function testMail(visit: Visit, form: URLSearchParams): Promise<FormOutcome> {
    const { locale } = visit.frame;
    const to = (form.get("to") ?? "").trim();
    const again = (message: string) => page(visit, to, [{ field: "to", message }]);
    if (!Email.parse(to).ok) return again(locale.say("profileFaultEmail"));
    const outcome = await deps.mailer.sendTest({
      to,
      subject: locale.say("mailTestSubject"),
      text: locale.say("mailTestBody", { shop: shopNameOf(deps) }),
    });
    if (outcome.kind === "sent")
      return { kind: "done", to: "/desk/settings/health", did: "didMailTest", subject: to };
    const reason = deps.redact(outcome.reason);
    const text = outcome.kind === "unknown" ? "mailTestUnknown" : "mailTestFault";
    return { kind: "failed", html: again(locale.say(text, { reason })) };
  }

  gate.page("/desk/settings/health", "read", (visit) => page(visit, PreferenceStore.profile(db).email ?? ""));
  gate.action("/desk/settings/health/mail", "manage", "mail.test", testMail);
}
