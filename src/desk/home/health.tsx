import type { settings } from "../../config/settings.ts";
import { inFull } from "../../domain/finding.ts";
import { may } from "../../domain/party/person.ts";
import { confirmationsName } from "../../domain/payment/block.ts";
import * as Usdc from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { findingsOf } from "../../http/system/health.ts";
import type { TextKey } from "../../language/locale.ts";
import { Rich } from "../../language/rich.tsx";
import { databaseBytes } from "../../store/reports/health.ts";
import * as BackupStore from "../../store/tables/installation/backup.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import { chainState } from "../answer.ts";
import type { Gate } from "../gate.ts";
import { ButtonLink } from "../parts/button.tsx";
import { DeskIcon } from "../parts/icon.tsx";
import { Fact } from "../parts/menu.tsx";
import type { DeskFrame } from "../parts/page/desk-frame.ts";
import { headedPage } from "../parts/page/head.tsx";
import type { Visit } from "../parts/page/visit.ts";
import { Rule, Setting } from "../parts/setting.tsx";
import { Needs, needsAttention } from "./attention.tsx";

const mebibyte = 1_048_576;

/** The URL of a node or a mail server may contain a key. */
const hostOf = (url: string) => new URL(url).host;

/** Till's health, and how to fix problems. */
export function healthPageRoutes(deps: HttpDeps, gate: Gate): void {
  gate.page("/desk/settings/health", "read", (visit) => healthPage(deps, visit));
}

/** Till's health: its findings, and what it depends on. */
function healthPage(deps: HttpDeps, visit: Visit): string {
  const { frame } = visit;
  const { locale } = frame;
  const { problems, warnings } = findingsOf(deps);
  const sentences = [...problems, ...(warnings ?? [])].map(inFull);
  const needs = needsAttention(deps, visit).map((need) =>
    // The reader is already on the page this leads to.
    need.action?.href === "/desk/settings/health" ? { ...need, action: null } : need,
  );
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
        <section class={sentences.length === 0 ? "said" : "part said"} id="said" data-live>
          {sentences.length > 0 && (
            <>
              <div class="part-head">
                <h2>{locale.say("healthSays")}</h2>
              </div>
              <p class="soft part-line">{locale.say("healthSaysText")}</p>
              <ul class="sayings" lang="en" dir="ltr">
                {sentences.map((sentence) => (
                  <li>{sentence}</li>
                ))}
              </ul>
            </>
          )}
        </section>
        <Mail frame={frame} deps={deps} mayTest={may(visit.who.role, "manage")} />
        <Chain frame={frame} deps={deps} />
        <Works frame={frame} deps={deps} />
        <Machine frame={frame} deps={deps} />
      </>
    ),
  });
}

type PartProps = { frame: DeskFrame; deps: HttpDeps };

/** `mayTest`: the reader may set the server, and send a test. */
function Mail({ frame, deps: { config, dev }, mayTest }: PartProps & { mayTest: boolean }) {
  const { locale } = frame;
  const server = config.smtpUrl === null ? null : hostOf(config.smtpUrl);
  return (
    <Setting id="mail" title={locale.say("mailServer")} text={locale.say("mailServerText")}>
      <div class="form">
        <dl class="rules">
          <Rule
            frame={frame}
            label={locale.say("mailServerIs")}
            value={dev === null ? (server ?? locale.say("notSet")) : locale.say("mailCatcher")}
            variable={config.fixed.SMTP_URL && "TILL_SMTP_URL"}
          />
          <Rule
            frame={frame}
            label={locale.say("mailSender")}
            value={config.mailFrom}
            variable={config.fixed.MAIL_FROM && "TILL_MAIL_FROM"}
          />
        </dl>
        {mayTest && (
          <p>
            <ButtonLink href="/desk/settings/mail" kind="quiet" text={locale.say("mailServerIs")} />
          </p>
        )}
      </div>
    </Setting>
  );
}

function Chain({ frame, deps }: PartProps) {
  const { locale } = frame;
  const { network, rpcUrls, rpcWsUrl } = deps.config;
  return (
    <Setting id="chain" title={locale.say("chainPart")} text={locale.say("chainPartText")} isLive>
      <dl class="rules">
        <Rule frame={frame} label={locale.say("network")} value={network.label} variable="TILL_CHAIN" />
        <Rule
          frame={frame}
          label={locale.say("chainNodes")}
          value={rpcUrls.map(hostOf).join(", ")}
          variable="TILL_RPC_URL"
        />
        <Rule
          frame={frame}
          label={locale.say("chainSocket")}
          value={rpcWsUrl === null ? locale.say("chainSocketNone") : hostOf(rpcWsUrl)}
          variable="TILL_RPC_WS_URL"
        />
        <Rule frame={frame} label={locale.say("chainBlock")} value={blockInWords(deps, frame)} />
      </dl>
    </Setting>
  );
}

function blockInWords(deps: HttpDeps, { locale }: DeskFrame): string {
  const head = deps.chainHead();
  if (head === null) return locale.say(chainState(deps) === "current" ? "chainBlockIdle" : "chainBlockNone");
  const block = locale.figure(String(head));
  const seconds = Math.round(deps.chainLagMs() / 1_000);
  return chainState(deps) === "late"
    ? locale.say("chainBehind", { block, seconds })
    : locale.say("chainUpToDate", { block });
}

/** Settings that only the server's operator can change. */
function Works({ frame, deps: { config } }: PartProps) {
  const { say, usdc } = frame.locale;
  const rule = (label: TextKey, value: string, name: keyof typeof settings) => (
    <Rule frame={frame} label={frame.locale.texts[label]} value={value} variable={`TILL_${name}`} />
  );
  return (
    <Setting title={say("rulesTitle")} text={say("rulesText")}>
      <dl class="rules">
        {rule("confirmations", confirmationsName(config.confirmations), "CONFIRMATIONS")}
        {rule("ruleSettle", say(config.settle === "auto" ? "ruleSettleAuto" : "ruleSettleManual"), "SETTLE")}
        {rule("ruleSettleMin", usdc(Usdc.format(config.settleMin)), "SETTLE_MIN")}
      </dl>
    </Setting>
  );
}

function Machine({ frame, deps: { db, config, version } }: PartProps) {
  const { locale, when } = frame;
  const size = locale.figure((databaseBytes(config.dataDir) / mebibyte).toFixed(1));
  const backup = BackupStore.newest(db);
  const wordsAt = WalletStore.wordsAt(db);
  return (
    <Setting id="machine" title={locale.say("machinePart")} text={locale.say("machinePartText")}>
      <dl class="rules">
        <Rule frame={frame} label={locale.say("machineVersion")} value={version} />
        <Rule
          frame={frame}
          label={locale.say("machineDatabase")}
          value={locale.say("machineMebibytes", { size })}
        />
        <Fact label={locale.say("machineBackup")}>
          <span>{backup === null ? locale.say("machineBackupNone") : when.moment(backup.madeAt)}</span>
          <span class="env">
            <span>
              <Rich
                locale={locale}
                text="machineBackupHow"
                values={{ command: <code>till backup FILE</code> }}
              />
            </span>
          </span>
        </Fact>
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
