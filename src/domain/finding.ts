import type * as Usdc from "./usdc.ts";

/**
 * Topics of findings in display order, with the sentence shown to the public: it names no address and no host, and
 * quotes nobody; null where the public hears nothing.
 */
const topics = {
  // Nobody else is to hear that a hole is open here.
  update: null,
  storage: "the database, or the disk it is on, has a problem",
  check: "the database is being checked, as after every start",
  start: "the chain has not been read since the start",
  chain: "the chain cannot be read just now, so payments show late",
  payments: "a payment needs to be looked at",
  wallet: "the wallet, or a withdrawal from it, needs to be looked at",
  flood: "blocks with very many transfers are read in another way",
  node: "a node that Till asks does not answer",
  settlement: "settlement waits, or could not move the money of a deposit",
  "signed payments": "payments by a signature wait, fail, or cannot be paid for",
  rates: "exchange rates cannot be had just now",
  mail: "mails need to be looked at",
  recurring: "an invoice that repeats is not made",
  webhooks: "a webhook endpoint is sent nothing any more",
  certificate: "the mail server's certificate ends soon",
  clock: "the clock of this machine may be wrong",
  proxy: "clients cannot be told apart",
  connections: "nearly as many connections are open as there may be",
  backup: "backups need to be looked at",
  keys: "an API key ends soon, or has ended",
  settings: "a setting that was made at the desk cannot hold",
  receipts: "who issues receipts with tax has saved no address or no tax number",
} as const;

export type Topic = keyof typeof topics;

type FailedMails = { count: number; reason: string };

/** Findings that the desk words itself: codes with the values of their texts. */
type Values = {
  exposed: { withdrawal: number };
  left: { amount: Usdc.Usdc };
  recovered: { amount: Usdc.Usdc };
  stuck: { count: number };
  failing: FailedMails;
  failed: FailedMails;
  unknown: FailedMails;
  paused: { host: string };
  unmade: object;
  old: { madeAt: number };
  bare: object;
  key: { name: string; expiresAt: number; isOver: boolean };
};
type Code = keyof Values;
type Facts = { [C in Code]: { code: C } & Values[C] }[Code];

/** Something the operator should know; `till doctor` also reports what is fine. */
export type Finding<About extends string = Topic> = {
  readonly about: About;
  readonly level: "ok" | "warning" | "wrong";
  /** In English. May contain secrets until redacted, and may name anybody. */
  readonly message: string;
  /** The remedy; null if the message says it, or there is nothing to do. */
  readonly advice: string | null;
  readonly facts?: Facts | undefined;
};

/** A finding about something that works, but not as it should. Its texts begin in lower case and have no full stop. */
export function warning(about: Topic, message: string, advice: string | null = null, facts?: Facts): Finding {
  return { about, level: "warning", message, advice, facts };
}

/** A finding about something that does not work. */
export function wrong(about: Topic, message: string): Finding {
  return { about, level: "wrong", message, advice: null };
}

/** Collects findings about one topic. */
export function collect(about: Topic) {
  const findings: Finding[] = [];
  const add = (level: Finding["level"]) => (message: string, advice: string, facts?: Facts) =>
    void findings.push({ about, level, message, advice, facts });
  return { findings, warning: add("warning"), wrong: add("wrong") };
}

/** Returns the facts of the first finding with this code. */
export function factsOf<C extends Code>(findings: readonly Finding[], code: C): Values[C] | undefined {
  const facts = findings.map((finding) => finding.facts).find((each) => each?.code === code);
  return facts as Values[C] | undefined;
}

/** Sorts findings by topic, in display order. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const order = Object.keys(topics);
  return findings.toSorted((a, b) => order.indexOf(a.about) - order.indexOf(b.about));
}

/** One line for the operator. */
export function inFull({ message, advice }: Finding): string {
  return advice === null ? message : `${message}; ${advice}`;
}

/** Sentences for the public, one per topic. */
export function inPublic(findings: readonly Finding[]): string[] {
  return [...new Set(findings.flatMap(({ about }) => topics[about] ?? []))];
}
