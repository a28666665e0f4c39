import { type Db, transact } from "../../src/store/database.ts";
import * as PreferenceStore from "../../src/store/tables/desk/preference.ts";

type Changes = Readonly<Record<string, string | number | null>>;

/** Adds a row like another, but for some columns. */
export function addLike(db: Db, table: string, where: string, changes: Changes): void {
  const all = db
    .query<{ name: string; pk: bigint; type: string; hidden: bigint }, [string]>(
      "SELECT name, pk, type, hidden FROM pragma_table_xinfo(?)",
    )
    .all(table);
  const keys = all.filter(({ pk }) => pk > 0n);
  const given = keys.length === 1 && keys[0]?.type === "INTEGER" ? keys[0].name : null;
  const columns = all
    // But for what is computed, and for a number that SQLite gives.
    .filter(({ name, hidden }) => hidden === 0n && (name !== given || name in changes))
    .map(({ name }) => name);
  const values = columns.map((name) => (name in changes ? "?" : name));
  const { changes: added } = db
    .query(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${table} WHERE ${where} LIMIT 1`)
    .run(...columns.flatMap((name) => (name in changes ? [changes[name] ?? null] : [])));
  if (added !== 1) throw new Error(`There is no row of ${table} with ${where}`);
}

/** The states that a year of a shop does not bring, or that pass within seconds: each in a row like those that there are. */
export function addRareStates(db: Db, now: number): void {
  const add = (table: string, where: string, changes: Changes) => addLike(db, table, where, changes);
  const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;
  const address = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;
  transact(db, () => {
    db.query("INSERT INTO store VALUES ('store_1', ?1, ?1, 'Tea Shop', NULL, 'EUR', ?2)").run(
      "tea@corner.example",
      now,
    );
    add("api_key", "scope = 'shop'", {
      hash: "of a shop",
      merchant: "tea@corner.example",
      store_id: "store_1",
      permissions: "[]",
    });
    db.run("INSERT INTO probe VALUES (zeroblob(100))");
    db.run("UPDATE receivable SET has_code = 1 WHERE settled_amount > 0");
    add("recurring", "status = 'ended'", {
      id: "restored",
      status: "paused",
      pause_cause: "restored",
      next_date: "2090-01-31",
    });
    add("reusable_link", "webhook_url IS NULL", {
      slug: "byo",
      wallet_type: "byo",
      wallet_address: address(7),
    });
    // What was paid is gone from the chain.
    db.run("UPDATE link SET status = 'error' WHERE id = (SELECT min(id) FROM link WHERE status = 'pending')");
    db.run("UPDATE link SET expiry_told = 1 WHERE status = 'partial' AND expires_at IS NOT NULL");
    db.run("INSERT INTO invoice_unindexed VALUES (1); INSERT INTO customer_unindexed VALUES (1)");
    addChain(db, now, hash);
    addOutbox(db, now, add);
    addMoney(db, now, { add, hash, address });
    addPeople(db, now, add);
    const taxes = { exempt: "8100", none: "8125", "standard 19.00": "8400", "standard 7.00": "8300" };
    PreferenceStore.setXeroCodes(db, { account: "200", taxTypes: taxes }, now);
    const accounts = { consultant: "1001", client: "1", usdc: "1370", debtor: "10000", transit: "1460" };
    PreferenceStore.setDatevCodes(db, { ...PreferenceStore.datevCodes(db), ...accounts, taxes }, now);
  });
}

type Add = (table: string, where: string, changes: Changes) => void;

function addChain(db: Db, now: number, hash: (n: number) => string): void {
  for (const [at, opinion] of ["attested", "alone", "doubted"].entries())
    db.query(
      `UPDATE transfer SET opinion = ?, told_by = 'first', opinion_by = 'second' WHERE block_hash =
         (SELECT block_hash FROM transfer WHERE confirmed = 1 ORDER BY made_at LIMIT 1 OFFSET ?)`,
    ).run(opinion, at);
  for (const opinion of ["open", "contradicted"])
    db.query(
      `UPDATE transfer SET opinion = ?1, asked_at = ?2, ask_at = ?2 WHERE block_hash =
         (SELECT block_hash FROM transfer WHERE confirmed = 0 AND opinion = 'none' LIMIT 1)`,
    ).run(opinion, now);
  db.query("INSERT INTO lost_transfer SELECT ?, deposit_index, ? FROM link WHERE status = 'error'").run(
    hash(1),
    now,
  );
  const reread = db.query(
    `INSERT INTO reread (reason, from_block, to_block, first_deposit, last_deposit, due_at, request, finished_at)
     VALUES (?, 5, ?, 0, 9, ?, ?, ?)`,
  );
  reread.run("rescan", 9, now, 1, now);
  reread.run("late", null, now + 1, null, null);
  for (const [deposit, amount, cause] of [
    [4, 5, "left"],
    [5, 5, "untold"],
    [6, -5, "missing"],
    [7, 5, null],
  ] as const)
    db.query("INSERT INTO unexplained VALUES (?, ?, ?, 1, ?)").run(deposit, amount, cause, now);
  db.run(
    `INSERT INTO payment_value SELECT DISTINCT deposit_index, tx_hash, 'EUR', '0.8607', 'kraken', made_at, made_at
     FROM transfer WHERE confirmed = 1`,
  );
  for (const kind of ["withdrawal", "refund", "fee", "invoice", "receipt"])
    db.query("INSERT INTO book_value VALUES (?, 1, 'EUR', '0.8607', 'kraken', ?, ?)").run(kind, now, now);
}

function addOutbox(db: Db, now: number, add: Add): void {
  // They are due an hour after the end.
  db.query("UPDATE webhook_event SET attempts = 6, next_attempt_at = ? WHERE state = 'pending'").run(
    now + 3_600_000,
  );
  for (const [state, id] of [
    ["failed", "evt_failed"],
    ["ended", "evt_ended"],
  ] as const)
    add("webhook_event", "endpoint_id IS NOT NULL", { id, state, next_attempt_at: null, informs: 1 });
  db.run("INSERT INTO delivery_attempt VALUES ('evt_failed', 1, 1, 30, 500, 'it answered 500')");
  const sent = "kind = 'invoice' AND state = 'sent'";
  for (const [kind, state, changes] of [
    ["reminder", "failed", { refused: 1, reason: "550 no such user" }],
    ["void", "unknown", { reason: "the connection was lost" }],
    ["refund", "superseded", {}],
    ["counter", "sending", {}],
    ["receipt", "queued", { next_attempt_at: 8_000_000_000_000, awaits_server: 1 }],
  ] as const)
    add("mail", sent, { id: `mail_${kind}`, kind, state, occasion: `of-${state}`, ...changes });
}

type Money = { add: Add; hash: (n: number) => string; address: (n: number) => string };

function addMoney(db: Db, now: number, { add, hash, address }: Money): void {
  add("gas_transaction", "id = 2", { purpose: "rescue", nonce: 900, tx_hash: hash(2) });
  add("gas_transaction", "id = 2", { purpose: "relay", nonce: 901, state: "reverted", tx_hash: hash(3) });
  add("gas_transaction", "id = 2", {
    nonce: 902,
    state: "pending",
    tx_hash: null,
    block_number: null,
    mined_at: null,
  });
  const none = { amount: 0, tx_hash: null, block_number: null, block_hash: null };
  for (const [at, changes] of [
    { state: "pending", ...none },
    { state: "empty", ...none },
    { state: "failed", retry_at: now, ...none },
    { state: "elsewhere", transaction_id: null, tx_hash: hash(4) },
  ].entries())
    add("settlement", "state = 'settled'", { deposit_index: 10 + at, ...changes });
  add("withdrawal", "state = 'done'", { state: "pending", nonce: "pending", tx_hash: null, form_key: null });
  for (const failure of ["expired", "cancelled", "replaced"])
    add("withdrawal", "state = 'done'", {
      state: "failed",
      failure,
      nonce: failure,
      tx_hash: null,
      form_key: null,
    });
  for (const [at, [source, state, failure]] of (
    [
      ["page", "accepted", null],
      ["x402", "sent", null],
      ["mpp", "mined", null],
      ["command", "confirmed", null],
      ["page", "failed", "expired"],
      ["page", "failed", "reverted"],
      ["x402", "failed", "cancelled"],
      ["mpp", "failed", "replaced"],
    ] as const
  ).entries()) {
    const isMined = state === "mined" || state === "confirmed";
    db.query(
      `INSERT INTO relay (deposit_index, source, chain_id, token, payer, to_address, amount, valid_after_sec,
         valid_before_sec, nonce, signature, payment_identifier, begun_block, transaction_id, state, failure, tx_hash,
         block_number, block_hash, created_at, mined_at, ended_at)
       VALUES (?, ?, 31337, ?, ?, ?, 1000000, 0, 2000000000, ?, '0x', ?, 1, 3, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      ...[at, source, address(1), address(2), address(3), hash(at), `payment ${at}`, state, failure],
      ...(isMined ? [hash(at), 9, hash(9)] : [null, null, null]),
      ...[now, isMined ? now : null, isMined && state === "mined" ? null : endOf(state, now)],
    );
  }
  for (const [state, changes] of [
    ["approved", {}],
    ["sent", { tx_hash: hash(5), way: "wallet", block_number: 9 }],
    ["cancelled", { ended_at: now }],
  ] as const)
    add("refund", "state = 'requested'", {
      ...{ id: `refund-${state}`, state, claim_hash: null, claim_token: null, amount: 10_000 },
      ...{ to_address: address(8), address_by: "person", way: "till", ...changes },
    });
  for (const [at, by] of (["mail", "link"] as const).entries())
    add("refund", "id = 'refund-approved'", {
      id: `refund-by-${by}`,
      address_by: by,
      failure: ["expired", "replaced"][at] ?? null,
    });
  add("refund", "id = 'refund-approved'", { id: "refund-failed", failure: "cancelled" });
  for (const [at, state] of ["told", "attested", "arrived", "unknown"].entries()) {
    const signed =
      state === "attested" || state === "arrived"
        ? [2_000_000, "0x01", "0x02", now - 1_000]
        : [null, null, null, null];
    const ended = state === "arrived" || state === "unknown" ? now : null;
    db.query(
      `INSERT INTO crossing (deposit_index, chain_id, tx_hash, state, amount, message, attestation, attested_at,
         created_at, ended_at, next_at)
       VALUES (?, 31338, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(at, hash(at), state, ...signed, now, ended, now);
  }
  db.query("INSERT INTO recovered VALUES (?, ?, 5000000)").run(address(5), address(6));
  db.query("INSERT INTO unknown_deposit VALUES (?, 3, ?)").run(address(9), now);
  const elsewhere =
    "INSERT INTO elsewhere (deposit_index, chain_id, amount, found_at, seen_at, wanted_at, moved_at, tx_hash) VALUES (0, ?, 25000000, ?, ?, ?, ?, ?)";
  for (const [chainId, wantedAt, movedAt, txHash] of [
    [31338, null, null, null],
    [31339, now, null, null],
    [31339, now, now, hash(6)],
  ] as const)
    db.query(elsewhere).run(chainId, now, now, wantedAt, movedAt, txHash);
}

const endOf = (state: string, now: number) => (state === "confirmed" || state === "failed" ? now : null);

function addPeople(db: Db, now: number, add: Add): void {
  add("person", "role = 'owner'", {
    name: "Ida",
    role: "accountant",
    handle: "ida",
    brought_back: "removed",
  });
  add("person", "role = 'owner'", { name: "Eve", role: "staff", handle: "eve", brought_back: "unknown" });
  add("person", "role = 'owner'", { name: "Gone", handle: "gone", removed_at: now });
  for (const role of ["owner", "staff"]) add("entry_link", "name IS NOT NULL", { role, token_hash: role });
  add("audit", "outcome = 'done'", { outcome: "failed" });
  for (const kind of ["mail", "shop", "owner", "wallet"])
    add("told_change", "id IS NOT NULL", { id: kind, kind, smtp_url: null, mail_from: null });
  db.query(
    "INSERT INTO owner_mail VALUES ('waits', 'mail', 'mara@acme.example', 'mail', 1, ?, 'no answer')",
  ).run(now + 9e11);
  db.query(
    "INSERT INTO owner_mail VALUES ('over', 'wallet', 'mara@acme.example', NULL, 1, NULL, NULL)",
  ).run();
  db.query("INSERT INTO setting VALUES ('TIMEZONE', 'Europe/Berlin', ?, 'Mara Lindqvist')").run(now);
}
