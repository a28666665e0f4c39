import type { Usdc } from "../../domain/usdc.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import { isLoopbackHost } from "../../lib/net/host.ts";
import { world } from "../../lib/world.ts";
import { newestBilling } from "../../store/reports/desk/billing.ts";
import * as AuditStore from "../../store/tables/desk/audit.ts";
import * as WalletStore from "../../store/tables/installation/wallet.ts";
import type { Gate } from "../gate.ts";
import type { FormFault } from "../parts/form/form.tsx";
import type { FormOutcome, Visit } from "../parts/page/visit.ts";
import { nextOf } from "./first-wallet.tsx";
import { wordsPath as path, shownWordsPage, wordField, wordsHref, wordsPage } from "./words-page.tsx";

const wordCount = 12;
/** Enough to prove that somebody has them all. */
const askedCount = 3;
const purpose = "wallet.words";
const showAction = "money.words-show";

/** Returns the positions of the words to ask for, such as 2, 7 and 11. */
function placesToAsk(): number[] {
  const left = Array.from({ length: wordCount }, (_, i) => i + 1);
  while (left.length > askedCount) left.splice(world.randomBytes(4).readUInt32LE() % left.length, 1);
  return left;
}

/** Writing down the words of Till's wallet. `atStake` is what would be lost without them; null while unknown. */
export function wordsRoutes(deps: HttpDeps, gate: Gate, atStake: () => Promise<Usdc | null>): void {
  const { db, dev, limits } = deps;
  const { protocol, hostname } = new URL(deps.baseUrl);

  /**
   * The desk shows the words only while they protect nothing: before anything is to be paid, and until somebody has
   * them. Later, a thief with an owner's passkey would bypass every waiting period. Over a network this needs TLS,
   * because nobody else may read them.
   */
  const mayShow = () =>
    dev === null &&
    (protocol === "https:" || isLoopbackHost(hostname)) &&
    WalletStore.wordsAt(db) === null &&
    newestBilling(db) === null;

  async function page(visit: Visit, faults: readonly FormFault[] = []): Promise<string> {
    return wordsPage({
      frame: visit.frame,
      atStake: await atStake(),
      writtenAt: WalletStore.wordsAt(db),
      command: dev === null ? "till wallet backup" : "till wallet backup --dev",
      proof: mayShow() ? gate.proving.ask(visit, purpose) : null,
      shown: AuditStore.newest(db, showAction),
      asked: placesToAsk(),
      next: visit.query.has("to") ? nextOf(visit) : null,
      faults,
    });
  }

  gate.page(path, "move", (visit) => page(visit));
  gate.action(`${path}/show`, "move", showAction, async (visit, form): Promise<FormOutcome> => {
    if (!mayShow()) return page(visit);
    const fault = await gate.proving.check(visit, purpose, form);
    if (fault !== null) return page(visit, [fault]);
    const words = await deps.words();
    // Meanwhile somebody may have created an invoice.
    if (!mayShow()) return page(visit);
    const back = wordsHref(nextOf(visit));
    return { kind: "shown", html: shownWordsPage({ frame: visit.frame, words, back }) };
  });
  gate.action(path, "move", "money.words", async (visit, form): Promise<FormOutcome> => {
    const { frame, who, now } = visit;
    const places = Array.from({ length: wordCount }, (_, i) => i + 1).filter((at) => form.has(wordField(at)));
    const [first = 1] = places;
    const client = `person ${who.id}`;
    const refuse = (message: string) => page(visit, [{ field: wordField(first), message }]);
    if (limits.check("SIGN_INS", client)) return refuse(frame.locale.say("tooManyTries"));
    const words = await deps.words();
    const isRight = places.every(
      (at) => (form.get(wordField(at)) ?? "").trim().toLowerCase() === words[at - 1],
    );
    if (places.length !== askedCount || !isRight) {
      limits.take("SIGN_INS", client);
      return refuse(frame.locale.say("wordsWrong"));
    }
    WalletStore.setWordsAt(db, now);
    return { kind: "done", to: visit.query.has("to") ? nextOf(visit) : path, did: "didNoteWords" };
  });
}
