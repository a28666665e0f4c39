/** What everybody may read of a public Till, by what it is about: no address, no host, no words of anybody else. */
const publicSentences = {
  storage: "the database, or the disk it is on, has a problem",
  check: "the database is being checked, as after every start",
  start: "the chain has not been read since the start",
  chain: "the chain cannot be read just now, so payments show late",
  payment: "a payment needs to be looked at",
  flood: "blocks with very many transfers are read in another way",
  relay: "payments by a signature wait, fail, or cannot be paid for",
  settlement: "settlement waits, or could not move the money of a deposit",
  rate: "exchange rates cannot be had just now",
  mail: "mails need to be looked at",
} as const;

export type RemarkTopic = keyof typeof publicSentences;

/** Something that is wrong or wants attention. `text` is a sentence for whoever runs this Till: it can name anything. */
export type Remark = { readonly about: RemarkTopic; readonly text: string };

export function remarks(about: RemarkTopic, texts: readonly string[]): Remark[] {
  return texts.map((text) => ({ about, text }));
}

/** What is left of remarks for everybody: one sentence for each kind. */
export function toEverybody(all: readonly Remark[]): string[] {
  return [...new Set(all.map(({ about }) => publicSentences[about]))];
}
