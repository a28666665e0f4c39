import * as Email from "../../domain/party/email.ts";
import { may } from "../../domain/party/person.ts";
import type { HttpDeps } from "../../http/deps.ts";
import { Rich } from "../../language/rich.tsx";
import { databaseBytes } from "../../store/reports/health.ts";
import * as PreferenceStore from "../../store/tables/desk/preference.ts";
import * as InstallationStore from "../../store/tables/installation/installation.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import { chainState } from "../answer.ts";
import { type FormOutcome, type Gate, shopNameOf, type Visit } from "../gate.ts";
import { type HomeNeed, Needs, needsAttention } from "../home/attention.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { DeskForm, type FormFault, TextField } from "../parts/form/form.tsx";
import type { DeskFrame } from "../parts/frame.tsx";
import { headedPage } from "../parts/head.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Rule, Setting } from "../parts/setting.tsx";

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
        backupAt: InstallationStore.newestBackup(db)?.madeAt ?? null,
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

type HealthProps = {
  frame: DeskFrame;
  needs: readonly HomeNeed[];
  /** What the parts of Till say of themselves, one sentence each, in English. */
  said: readonly string[];
  mail: {
    /** The host; null without one. */
    server: string | null;
    sender: string;
    isCaught: boolean;
    /** Whether the reader may send a test, and where to. */
    mayTest: boolean;
    testTo: string;
    faults: readonly FormFault[];
  };
  chain: { network: string; nodes: readonly string[]; socket: string | null; block: string };
  machine: {
    version: string;
    databaseMebibytes: string;
    /** Unix time in milliseconds. */
    backupAt: number | null;
    wordsAt: number | null;
  };
};

/** How Till is: what it found, and what it stands on. */
function healthPage(props: HealthProps): string {
  const { frame, needs, said } = props;
  const { locale } = frame;
  return headedPage({
    frame,
    place: "settings",
    title: locale.say("settingsHealth"),
    back: "settings",
    line: locale.say("healthLine"),
    body: (
      <>
        <div id="well" data-live>
          {needs.length === 0 && (
            <p class="notice notice-good">
              <DeskIcon name="check" />
              <span>
                <strong>{locale.say("healthGood")}</strong> {locale.say("healthGoodText")}
              </span>
            </p>
          )}
        </div>
        <Needs frame={frame} needs={needs} />
        <section class={said.length === 0 ? "said" : "part said"} id="said" data-live>
          {said.length > 0 && (
            <>
              <div class="part-head">
                <h2>{locale.say("healthSays")}</h2>
              </div>
              <p class="soft part-line">{locale.say("healthSaysText")}</p>
              <ul class="sayings" lang="en" dir="ltr">
                {said.map((sentence) => (
                  <li>{sentence}</li>
                ))}
              </ul>
            </>
          )}
        </section>
        <Mail {...props} />
        <Chain {...props} />
        <Machine {...props} />
      </>
    ),
  });
}

function Mail({ frame, mail }: HealthProps) {
  const { locale } = frame;
  return (
    <Setting id="mail" title={locale.say("mailServer")} text={locale.say("mailServerText")}>
      <div class="form">
        <dl class="rules">
          <Rule
            frame={frame}
            label={locale.say("mailServerIs")}
            value={mail.isCaught ? locale.say("mailCatcher") : (mail.server ?? locale.say("notSet"))}
            variable="TILL_SMTP_URL"
          />
          <Rule
            frame={frame}
            label={locale.say("mailSender")}
            value={mail.sender}
            variable="TILL_MAIL_FROM"
          />
        </dl>
        {mail.mayTest && mail.server !== null && (
          <DeskForm frame={frame} action="/desk/settings/health/mail">
            <TextField
              locale={locale}
              name="to"
              label={locale.say("mailTestTo")}
              value={mail.testTo}
              faults={mail.faults}
              extra={{ type: "email", autocomplete: "email", maxlength: "254" }}
            />
            <p>
              <SubmitButton kind="quiet" text={locale.say("mailTestSend")} />
            </p>
          </DeskForm>
        )}
      </div>
    </Setting>
  );
}

function Chain({ frame, chain }: HealthProps) {
  const { locale } = frame;
  return (
    <Setting id="chain" title={locale.say("chainPart")} text={locale.say("chainPartText")} isLive>
      <dl class="rules">
        <Rule frame={frame} label={locale.say("network")} value={chain.network} variable="TILL_CHAIN" />
        <Rule
          frame={frame}
          label={locale.say("chainNodes")}
          value={chain.nodes.join(", ")}
          variable="TILL_RPC_URL"
        />
        <Rule
          frame={frame}
          label={locale.say("chainSocket")}
          value={chain.socket ?? locale.say("chainSocketNone")}
          variable="TILL_RPC_WS_URL"
        />
        <Rule frame={frame} label={locale.say("chainBlock")} value={chain.block} />
      </dl>
    </Setting>
  );
}

function Machine({ frame, machine }: HealthProps) {
  const { locale, when } = frame;
  const { backupAt, wordsAt } = machine;
  return (
    <Setting id="machine" title={locale.say("machinePart")} text={locale.say("machinePartText")}>
      <dl class="rules">
        <Rule frame={frame} label={locale.say("machineVersion")} value={machine.version} />
        <Rule
          frame={frame}
          label={locale.say("machineDatabase")}
          value={locale.say("machineMebibytes", { size: locale.figure(machine.databaseMebibytes) })}
        />
        <div>
          <dt>{locale.say("machineBackup")}</dt>
          <dd>
            <span>{backupAt === null ? locale.say("machineBackupNone") : when.moment(backupAt)}</span>
            <span class="env">
              <span>
                <Rich
                  locale={locale}
                  text="machineBackupHow"
                  values={{ command: <code>till backup FILE</code> }}
                />
              </span>
            </span>
          </dd>
        </div>
        <Rule
          frame={frame}
          label={locale.say("machineWords")}
          value={
            wordsAt === null
              ? locale.say("machineWordsNone")
              : locale.say("machineWordsAt", { when: when.momentInText(wordsAt) })
          }
        />
      </dl>
    </Setting>
  );
}
