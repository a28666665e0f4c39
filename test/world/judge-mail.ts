import type { Db } from "../../src/store/database.ts";
import { invoiceRequest } from "../support/till/till.ts";
import type { Chain } from "./chain.ts";
import type { Mail, MailHost } from "./mail-host.ts";
import type { Shop } from "./shop.ts";

/** Payments count when they are ten seconds old, to the second. */
const countsAfterMs = 9_000;

type Judged = { chain: Chain; wallet: string; mailHost: MailHost; shop: Shop; db: () => Db | null };

/** What a mail is about, by its Message-ID: of one that goes out once it names that. */
const aboutOf = ({ id }: Mail) => {
  const [, kind = "", occasion = "", of = ""] =
    /^(receipt|notice|refund)-(?:(partial|excess|unexpected|reversed|refund\.\S+?|rfd_\S+?)[^-]*-)?([^@]+)@/.exec(
      id,
    ) ?? [];
  return { kind, occasion, of };
};

/** Looks at each mail as it comes: to whom it goes, and whether what it says is so. */
export function watchMails({ chain, wallet, mailHost, shop, db }: Judged, faults: string[]): void {
  const seen = new Set<string>();
  mailHost.onMail((mail) => {
    const { id, to } = mail;
    if (seen.has(id)) faults.push(`mail ${id} came twice`);
    seen.add(id);
    const { kind, occasion, of } = aboutOf(mail);
    const order = shop.orders.find((one) => one.id === of);
    // Nobody can say whose it is whose answer was lost, until it is asked for again.
    if (!order) return;
    const right = kind === "notice" ? invoiceRequest.merchant_email : order.email;
    if (to !== right) faults.push(`mail ${id} went to ${to}, not to ${right}`);
    if (kind === "refund") {
      if (!id.includes(".done")) return;
      const [refund] = /rfd_\w+/.exec(id) ?? [];
      const row = db()
        ?.query<{ address: string; amount: bigint }, [string]>(
          "SELECT lower(to_address) AS address, amount FROM refund WHERE id = ?",
        )
        .get(refund ?? "");
      if (row && chain.matured(row.address, countsAfterMs) < row.amount)
        faults.push(`mail ${id} says that ${row.amount} went to ${row.address} of ${wallet}, and it did not`);
      return;
    }
    const least = { "": order.expected, partial: 10_000n, excess: order.expected + 10_000n }[occasion] ?? 0n;
    if (chain.matured(order.address, countsAfterMs) < least)
      faults.push(`mail ${id} says that ${least} came, and no such money was ever old enough`);
  });
}

/** What has to hold of mails at the end. `kills`: each may leave one of which nobody knows what became of it. */
export function judgeMails(db: Db, { chain, mailHost, shop }: Omit<Judged, "db">, kills: number): string[] {
  const faults: string[] = [];
  const rows = db
    .query<
      { id: string; kind: string; occasion: string; state: string; refused: bigint; address: string },
      []
    >(
      `SELECT mail.id, mail.kind, occasion, mail.state, refused, lower(receivable.address) AS address
       FROM mail JOIN receivable USING (deposit_index)`,
    )
    .all();
  const byId = new Map(mailHost.mails.map((mail) => [mail.id.replace(/@.*/, ""), mail]));
  const orders = new Map(shop.orders.map((order) => [order.address, order]));
  let unknown = 0;
  let failed = 0;
  for (const { id, kind, occasion, state, refused, address } of rows) {
    const order = orders.get(address);
    const name = kind === "invoice" ? id : [kind, occasion, order?.id].filter(Boolean).join("-");
    const mail = byId.get(name);
    if (state === "sent" && !mail) faults.push(`mail ${name} is sent, and it never came`);
    if (state === "queued" || state === "sending") faults.push(`mail ${name} is ${state}, and all is quiet`);
    if (state === "failed" && refused === 0n) faults.push(`mail ${name} was given up`);
    if (state === "failed" && mail) faults.push(`mail ${name} came and is failed`);
    if (state === "failed") failed += 1;
    if (state === "unknown") unknown += 1;
    if (kind === "invoice" && mail && mail.to !== order?.email)
      faults.push(`the invoice ${order?.id} went to ${mail.to}`);
  }
  if (failed > mailHost.counts.refusedForGood)
    faults.push(`${failed} mails were refused for good, say the books`);
  if (unknown > mailHost.counts.unanswered + kills)
    faults.push(`of ${unknown} mails nobody knows whether they came, and all were answered`);
  const has = (kind: string, address: string) =>
    rows.some((row) => row.kind === kind && row.occasion === "" && row.address === address);
  for (const { address, expected, email, id } of shop.orders) {
    const moves = chain.movesOf(address).filter(({ to }) => to === address);
    if (moves.reduce((sum, { amount }) => sum + amount, 0n) < expected) continue;
    if (!has("notice", address)) faults.push(`${id} is paid, and no mail tells the merchant`);
    if (email !== null && !has("receipt", address))
      faults.push(`${id} is paid, and no mail tells the customer`);
  }
  const done = db
    .query<{ id: string }, []>(
      `SELECT id FROM refund WHERE state = 'confirmed' AND NOT EXISTS
         (SELECT 1 FROM mail WHERE kind = 'refund' AND occasion = refund.id || '.done')`,
    )
    .all();
  for (const { id } of done) faults.push(`refund ${id} has come, and no mail tells the customer`);
  return faults;
}
