import { formTokenOf } from "../../src/people/sessions.ts";
import type { Random } from "../support/random.ts";
import type { Asking } from "./asking.ts";
import type { Chance } from "./chance.ts";
import { owner as who } from "./installation.ts";
import type { Time } from "./time.ts";

/** Till says it exactly, with six decimals. */
const microOf = (amount: string) => BigInt(amount.replace(".", "").padEnd(amount.indexOf(".") + 6, "0"));

/** What the owner agreed to at the desk, whether or not Till's answer came. */
export type Approval = { refund: string; address: string; amount: bigint };

export type Withdrawal = { key: string; to: string; amount: bigint };

type OwnerDeps = { time: Time; chance: Chance; asking: Asking };

type RefundAnswer = { id: string; address: string | null; amount: string };

export type Owner = ReturnType<typeof createOwner>;

/** The owner, who looks at the desk every few minutes: approves what customers wait for, and withdraws. */
export function createOwner({ time, chance, asking }: OwnerDeps) {
  const approvals: Approval[] = [];
  const withdrawals: Withdrawal[] = [];
  const faults: string[] = [];
  const random = chance("owner");
  let begun = 0;
  /** At the end nothing more is withdrawn: refunds need the money. */
  let isWithdrawing = true;

  const headers = { cookie: `till=${who.token}` };

  async function post(by: Random, path: string, fields: Record<string, string>): Promise<number> {
    const body = new URLSearchParams({ form: formTokenOf(who.token), proof: who.password, ...fields });
    const { status } = await asking.insist(by, "POST", path, body, {
      ...headers,
      "sec-fetch-site": "same-origin",
    });
    // 422: it changed meanwhile. 303 leads on, or to where people sign in: a form of nobody's is 403.
    if (status !== 303 && status !== 422) faults.push(`the desk answered ${status} to ${path}`);
    return status;
  }

  /** Approves what customers have said where to send, and thinks better of it now and then. */
  async function lookAtRefunds(): Promise<void> {
    const { text } = await asking.insist(random, "GET", "/api/refunds?status=requested&limit=100");
    for (const { id, address, amount } of JSON.parse(text).data as RefundAnswer[]) {
      if (address === null || random.chance(0.1)) continue;
      approvals.push({ refund: id, address: address.toLowerCase(), amount: microOf(amount) });
      await post(random, `/desk/refunds/${id}/approve`, { address });
      if (!random.chance(0.05)) continue;
      await time.sleep(random.between(1, 3_000));
      await asking.insist(
        random,
        "POST",
        `/api/refunds/${id}/cancel`,
        {},
        { "idempotency-key": `cancel-${id}` },
      );
    }
  }

  async function withdraw(by: Random): Promise<void> {
    if (!isWithdrawing) return;
    begun += 1;
    const to = who.addresses[begun % who.addresses.length] ?? "";
    const amount = by.chance(0.4) ? "all=1" : `amount=${by.between(1, 200)}.00`;
    const browsers = by.pick([1, 1, 2]);
    const path = `/desk/money/withdraw/confirm?from=1&to=${to}&${amount}`;
    // In two browsers each has a form of its own.
    const forms = [];
    for (let n = 0; n < browsers; n++) {
      const { status, text } = await asking.insist(by, "GET", path, undefined, headers);
      const fields = [...text.matchAll(/type="hidden" name="(from|to|micro|key)" value="([^"]*)"/g)];
      if (status === 200) forms.push(Object.fromEntries(fields.map(([, name, value]) => [name, value])));
    }
    await Promise.all(
      forms.map(async (form) => {
        withdrawals.push({ key: form["key"], to: to.toLowerCase(), amount: BigInt(form["micro"]) });
        await post(by, "/desk/money/withdraw", form);
      }),
    );
  }

  async function keepLooking(): Promise<void> {
    for (;;) {
      await time.sleep(random.between(30_000, 300_000));
      await lookAtRefunds();
    }
  }

  return {
    approvals,
    withdrawals,
    faults,
    withdraw,
    begin: () => void keepLooking(),
    rest(): void {
      isWithdrawing = false;
    },
  };
}
