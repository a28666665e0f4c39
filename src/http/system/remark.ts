/** The public sentence for each topic: no address, no host, nobody else's words. */
const publicSentences = {
  storage: "the database, or the disk it is on, has a problem",
  check: "the database is being checked, as after every start",
  start: "the chain has not been read since the start",
  chain: "the chain cannot be read just now, so payments show late",
  payment: "a payment needs to be looked at",
  node: "a node that Till asks does not answer",
  flood: "blocks with very many transfers are read in another way",
  wallet: "the wallet, or a withdrawal from it, needs to be looked at",
  relay: "payments by a signature wait, fail, or cannot be paid for",
  settlement: "settlement waits, or could not move the money of a deposit",
  rate: "exchange rates cannot be had just now",
  mail: "mails need to be looked at",
  certificate: "the mail server's certificate ends soon",
  backup: "backups need to be looked at",
  clock: "the clock of this machine may be wrong",
  proxy: "clients cannot be told apart",
} as const;

export type RemarkTopic = keyof typeof publicSentences;

/** A fault or a warning. `text` is a sentence for the operator and may name anything. */
export type Remark = { readonly about: RemarkTopic; readonly text: string };

export function remarks(about: RemarkTopic, texts: readonly string[]): Remark[] {
  return texts.map((text) => ({ about, text }));
}

/** Remarks reduced for the public: one sentence per topic. */
export function toEverybody(all: readonly Remark[]): string[] {
  return [...new Set(all.map(({ about }) => publicSentences[about]))];
}
