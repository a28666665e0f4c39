import { quantity } from "../../../chain/node/block.ts";
import * as InvoiceNumber from "../../../domain/bill/invoice-number.ts";
import type { Deposit } from "../../../domain/payment/deposit.ts";
import * as Address from "../../../domain/wallet/address.ts";
import { withoutEnd } from "../../../lib/text/english.ts";
import { planRescue, type Rescue, rescue as rescueNow } from "../../../settle/elsewhere/rescue.ts";
import {
  createGasAccount,
  describeFee,
  describeShortage,
  type GasAccount,
} from "../../../settle/gas-account.ts";
import type { Db } from "../../../store/database.ts";
import * as DepositStore from "../../../store/tables/invoicing/deposit.ts";
import * as InvoiceStore from "../../../store/tables/invoicing/invoice.ts";
import * as LinkStore from "../../../store/tables/invoicing/link.ts";
import { command, json, onlyWord, parseAddress, UsageError } from "../../command.ts";
import { dataFlags, environmentOf } from "../../local/data-dir.ts";
import { namedNode, type OpenInstallation, openGasAccount, withWallet } from "../../local/installation.ts";
import { say, sayAside, sayJson } from "../../terminal/output.ts";
import { agreed, refuseUnasked } from "../../terminal/prompt.ts";

/** How long to wait for the transactions; running the command again continues with them. */
const waitMsMax = 600_000;

export const rescue = command({
  calls: ["DEPOSIT --token ADDRESS|eth [FLAGS]"],
  words: [
    ["DEPOSIT", "a deposit address, or the number, id or slug of its invoice, or the slug of its link"],
  ],
  flags: {
    token: {
      value: "ADDRESS|eth",
      text: "the contract address of the token sent there, or eth",
    },
    "rpc-url": {
      value: "URL",
      text: "a node of the chain it was sent on, if that is not this Till's chain",
    },
    yes: { text: "do not ask, for scripts" },
    force: { text: "go ahead even if the payout wallet is a contract that is missing on the other chain" },
    json,
    ...dataFlags,
  },
  about: `For money that does not count as a payment: another token, ETH, or anything on another EVM chain, where the deposit address is the same. It moves to the payout wallet of the deposit, the only place where it can go. The gas account pays the fee, with its ETH on that chain. Shows what will happen and asks first.`,
  examples: ["till rescue INV-0007 --token 0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2"],

  async run(values, words) {
    const target = onlyWord(words, "give one deposit address, invoice or link.");
    if (values.token === undefined)
      throw new UsageError("say what was sent there: --token ADDRESS, or --token eth.");
    const token = values.token.toLowerCase() === "eth" ? Address.zero : parseAddress(values.token, "--token");
    refuseUnasked(values.yes, "rescue");

    return await withWallet(environmentOf(values), async (opened) => {
      const { network, invoiceNumber } = opened.config;
      const deposit = findDeposit(opened.db, target, invoiceNumber);
      const gas = await openChain(opened, values["rpc-url"]);
      const isHome = gas.chainId === network.chainId;
      if (isHome && token === network.usdc)
        throw new UsageError("this is USDC on its own chain, which counts as a payment. Use: till settle");
      const home = isHome ? null : await openGasAccount(opened);
      const plan = await planRescue(gas, deposit, token, home, values.force);
      const there = isHome ? { label: network.label, coin: "ETH" } : gas.elsewhere;
      sayAside(describe(plan, there, gas));
      if (plan.fee.shortage) throw new Error(describeShortage(plan.fee.shortage));
      if (!(await agreed(values.yes, "Rescue?", "Nothing was moved."))) return 1;
      const { moved, arrived, left, txHash, obstacle } = await rescueNow(
        gas,
        plan,
        AbortSignal.timeout(waitMsMax),
      );
      const to = deposit.payoutWallet;
      if (values.json) {
        const fields = { chain_id: gas.chainId, token, from: deposit.address, to };
        sayJson({
          ...fields,
          moved: `${moved}`,
          arrived: arrived === null ? null : `${arrived}`,
          left: `${left}`,
          tx_hash: txHash,
          obstacle,
        });
      } else if (moved > 0n) say(movedText(plan, moved, arrived));
      if (obstacle !== null) sayAside(obstacle);
      else if (left > 0n)
        sayAside(
          `${amountOf({ ...plan, balance: left })} is still at ${deposit.address}: the token refused the transfer, or ` +
            `the payout wallet is a contract that does not accept it.`,
        );
      return obstacle === null && left === 0n ? 0 : 1;
    });
  },
});

function findDeposit(db: Db, target: string, numbers: InvoiceNumber.Pattern): Deposit {
  const byAddress = /^0x/i.test(target) ? DepositStore.byAddress(db, parseAddress(target, target)) : null;
  const sequence = InvoiceNumber.sequenceOf(numbers, target);
  const deposit =
    byAddress ??
    (sequence === null
      ? (InvoiceStore.byId(db, target) ?? InvoiceStore.bySlug(db, target) ?? LinkStore.bySlug(db, target))
          ?.deposit
      : InvoiceStore.bySequence(db, sequence)?.deposit);
  if (!deposit)
    throw new Error(
      `${JSON.stringify(target)} is not a deposit address, invoice or link of this installation.`,
    );
  return deposit;
}

async function openChain(opened: OpenInstallation, url: string | undefined): Promise<GasAccount> {
  if (url === undefined) return await openGasAccount(opened);
  const rpc = namedNode(url);
  return createGasAccount(opened, rpc, quantity(rpc, await rpc.request("eth_chainId", [])));
}

/** `there`: the chain where it is; null if Till does not know it. */
function describe(
  plan: Rescue,
  there: { label: string; coin: string } | null,
  { wallet, chainId }: GasAccount,
): string {
  const { deposit, needed, fee, isContractWallet } = plan;
  return [
    `Move ${amountOf(plan)} on ${there?.label ?? `the chain with id ${chainId}`}`,
    `  from  ${deposit.address}, a deposit address`,
    `  to    ${deposit.payoutWallet}, its payout wallet`,
    ...(isContractWallet
      ? ["        a contract: somebody else's may have the same address there. Make sure that it is yours"]
      : []),
    ...(needed.length > 1 ? ["  with  a transaction before that creates Till's factory on that chain"] : []),
    `  fee   ${describeFee(fee, there?.coin ?? "of the chain's coin")}, paid by the gas account ${wallet.gasAddress}`,
  ].join("\n");
}

function movedText(plan: Rescue, moved: bigint, arrived: bigint | null): string {
  const { address, payoutWallet } = plan.deposit;
  const sent = amountOf({ ...plan, balance: moved });
  if (arrived === null) return `Moved ${sent} to ${payoutWallet}. The token does not say how much arrived.`;
  if (arrived === moved) return `Moved ${sent} to ${payoutWallet}.`;
  return (
    `Moved ${sent} from ${address}. ${amountOf({ ...plan, balance: arrived })} arrived at ${payoutWallet}: the token ` +
    "did something else with the rest, such as keeping a fee."
  );
}

/** A token names itself, possibly with a lie: only its address counts. */
function amountOf({ balance, decimals, symbol, token }: Rescue): string {
  const name = symbol !== null && /^[\w .$-]{1,32}$/.test(symbol) ? symbol : "units";
  const address = token === Address.zero ? "" : ` (${token})`;
  if (decimals === null || decimals === 0) return `${balance} ${name}${address}`;
  const digits = balance.toString().padStart(decimals + 1, "0");
  const fraction = withoutEnd(digits.slice(-decimals), "0");
  return `${digits.slice(0, -decimals)}${fraction ? `.${fraction}` : ""} ${name}${address}`;
}
