import { hasCode } from "../chain/account/account.ts";
import { feeLimits, feeObstacle, readDataFee, readFees } from "../chain/account/fees.ts";
import { mustBeUsdc, NotUsdc } from "../chain/contract/token.ts";
import {
  type Block,
  blockAgeMsMax,
  clockDifferenceMsMax,
  readBlock,
  readIdentity,
} from "../chain/node/block.ts";
import { readTagged, TagMissing } from "../chain/node/confirmations.ts";
import { multicall3Address } from "../chain/node/multicall.ts";
import { readChain } from "../chain/node/other-nodes.ts";
import { logCallsPerHour, logCallsPerHourMax, paceOf } from "../chain/node/pace.ts";
import { httpDate, logRangeTaken, probeSocket } from "../chain/node/probe.ts";
import { createRpc, type Rpc } from "../chain/node/rpc.ts";
import type { Config } from "../config/config.ts";
import type { OtherChain } from "../domain/wallet/elsewhere.ts";
import type { ChainIdentity } from "../domain/wallet/network.ts";
import { messageOf } from "../lib/error.ts";
import { counted } from "../lib/text/english.ts";
import { type OnFinding, type Reporter, reporter } from "./finding.ts";

/** Number of blocks over which the pace is measured: half a minute on Base. */
const paceBlocks = 150;

/** A number of blocks that take less than this was meant for a slower chain. */
const confirmedMsMin = 5_000;

/** Looks, comparisons and heartbeats. */
const idleCallsPerHour = { listening: 60 + 30 + 120, polling: 240 + 30 };

/** Size of the largest settlement with its signature. */
const settlementBytes = 6_700;

/** Checks one node for everything Till needs. Returns it if it is on the right chain. */
export async function checkNode(
  url: string,
  { config, recorded, now }: { config: Config; recorded: ChainIdentity | null; now: () => number },
  onFinding: OnFinding,
): Promise<Rpc | null> {
  const rpc = createRpc({ url });
  const report = reporter(`node ${rpc.host}`, onFinding);
  try {
    const identity = await readIdentity(rpc);
    const { chainId, label } = config.network;
    if (identity.chainId !== chainId) {
      report.wrong(
        `It is a node of chain ${identity.chainId}; ${label} is chain ${chainId}.`,
        "Correct TILL_RPC_URL or TILL_CHAIN. Nothing is credited until then.",
      );
      return null;
    }
    if (recorded && (recorded.chainId !== chainId || recorded.genesisHash !== identity.genesisHash)) {
      report.wrong(
        `Its first block is ${identity.genesisHash}; the data belongs to a chain that begins with ${recorded.genesisHash}.`,
        "Correct TILL_RPC_URL, or TILL_DATA_DIR if this data belongs to another chain.",
      );
      return null;
    }
    report.ok(`It answers and is a node of ${label}.`);
    const head = await readBlock(rpc, "latest");
    if (!head) {
      report.wrong("It has no latest block.", "Ask its operator, or take another node in TILL_RPC_URL.");
      return null;
    }
    await checkPace(rpc, head);
    await checkLogs(rpc, config, head.number, report);
    await checkConfirmations(rpc, config, report);
    await checkContracts(rpc, config, report);
    await checkFees(rpc, report);
    await checkClock(
      url,
      { blockMs: head.timestampSec * 1000, moving: !config.network.isLocal, now },
      onFinding,
    );
    return rpc;
  } catch (thrown) {
    report.wrong(
      `${messageOf(thrown)}.`,
      "Check TILL_RPC_URL, and whether the node is up and your key for it is still good.",
    );
    return null;
  }
}

async function checkLogs(rpc: Rpc, config: Config, head: number, report: Reporter): Promise<void> {
  const wanted = Math.min(config.logRange, head + 1);
  const { blocks, refusal } = await logRangeTaken(rpc, { usdc: config.network.usdc, head, wanted });
  if (blocks === wanted) report.ok(`It gives the logs of ${counted(wanted, "block")} at a time.`);
  else {
    report.warning(
      `It takes ${counted(blocks, "block")} at a time, not ${wanted}: ${refusal}.`,
      `Set TILL_LOG_RANGE=${blocks}. Till also finds this out by itself, at the cost of a few failed calls.`,
    );
  }
  // A new chain has fewer blocks than the node would return.
  if (!config.network.isLocal) tellCalls(rpc, config, blocks === wanted ? config.logRange : blocks, report);
}

/** Measures the chain's pace over several seconds or more. */
async function checkPace(rpc: Rpc, head: Block): Promise<void> {
  const older = await readBlock(rpc, Math.max(0, head.number - paceBlocks));
  if (older) paceOf(rpc).note(older, head);
}

/** Reports the calls for following an idle chain: looks, the WebSocket's heartbeat, and reading all logs once. */
function tellCalls(rpc: Rpc, { rpcWsUrl }: Config, range: number, report: Reporter): void {
  const { blockMs } = paceOf(rpc);
  const looks = rpcWsUrl === null ? idleCallsPerHour.polling : idleCallsPerHour.listening;
  const logs = logCallsPerHour(range, blockMs);
  const isRead = logs <= logCallsPerHourMax;
  report.ok(
    `A block takes ${seconds(blockMs)}. For a thousand open invoices and links Till makes about ${Math.round(looks + (isRead ? logs : 0))} calls in an idle hour, and about 10 for a payment.`,
  );
  if (!isRead)
    report.warning(
      `It gives the logs of only ${counted(range, "block")} at a time, which are ${seconds(range * blockMs)}: to read all of them once would take ${Math.round(logs)} calls an hour, so Till finds payments by balances, and by what the WebSocket tells.`,
      "A payment could be missed only at an address that was emptied before, if somebody else empties it again within a minute; till rescan finds it. A node that gives a minute's blocks at a time leaves no gap.",
    );
}

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

async function checkConfirmations(
  rpc: Rpc,
  { confirmations, network }: Config,
  report: Reporter,
): Promise<void> {
  if (typeof confirmations === "number" && !network.isLocal) {
    const ms = confirmations * paceOf(rpc).blockMs;
    const text = `TILL_CONFIRMATIONS=${confirmations} is ${seconds(ms)} on this chain.`;
    if (ms >= confirmedMsMin) report.ok(text);
    else
      report.warning(text, "Blocks were slower once. Set it to a time, such as 10s, which stays what it is.");
  }
  if (typeof confirmations !== "string") return;
  try {
    const { number } = await readTagged(rpc, confirmations);
    report.ok(`It knows the ${confirmations} block (${number}).`);
  } catch (thrown) {
    if (!(thrown instanceof TagMissing)) throw thrown;
    report.wrong(
      `It has no ${confirmations} block, so no payment would ever be confirmed.`,
      "Set TILL_CONFIRMATIONS to a time, such as 10s, or take another node.",
    );
  }
}

async function checkContracts(rpc: Rpc, { network }: Config, report: Reporter): Promise<void> {
  try {
    await mustBeUsdc(rpc, network.usdc);
    report.ok(`USDC is at ${network.usdc}.`);
  } catch (thrown) {
    if (!(thrown instanceof NotUsdc)) throw thrown;
    report.wrong(thrown.fact, thrown.advice);
  }
  if (await hasCode(rpc, multicall3Address))
    report.ok("Multicall3 is there, for looking at many addresses at once.");
  else
    report.warning(
      "Multicall3 is not on this chain.",
      "Many addresses cannot be looked at in one call here.",
    );
}

async function checkFees(rpc: Rpc, report: Reporter): Promise<void> {
  const limits = feeLimits();
  const { baseFee } = await readFees(rpc, limits);
  const obstacle = feeObstacle(limits, { baseFee, dataFee: await readDataFee(rpc, settlementBytes) });
  if (obstacle === null) report.ok("Its network fees are within what Till pays.");
  else report.warning(obstacle, "Payments are credited all the same. What has to be moved is moved later.");
}

async function checkClock(
  url: string,
  { blockMs, moving, now }: { blockMs: number; moving: boolean; now: () => number },
  onFinding: OnFinding,
): Promise<void> {
  const report = reporter("clock", onFinding);
  const set = "Set this machine's clock, for example with systemd-timesyncd or chrony.";
  const theirs = await httpDate(url);
  const here = now();
  const seconds = (ms: number) => `${Math.round(Math.abs(ms) / 1000)} s`;
  const side = (ms: number) => (ms > 0 ? "ahead of" : "behind");
  if (theirs !== null && Math.abs(here - theirs) > clockDifferenceMsMax)
    report.wrong(`It is ${seconds(here - theirs)} ${side(here - theirs)} the node's.`, set);
  else if (blockMs - here > clockDifferenceMsMax)
    report.wrong(`It is ${seconds(blockMs - here)} behind the newest block.`, set);
  else if (moving && here - blockMs > blockAgeMsMax) {
    report.wrong(
      `The newest block of the node is ${seconds(here - blockMs)} old.`,
      "The node does not keep up, or this clock is ahead. Compare with another node.",
    );
  } else report.ok("It agrees with the node's and with the newest block.");
}

/** Checks that the node's WebSocket accepts a subscription. */
export async function checkSocket(config: Config, onFinding: OnFinding): Promise<void> {
  const report = reporter("websocket", onFinding);
  if (config.rpcWsUrl === null) {
    return report.warning(
      "TILL_RPC_WS_URL is not set: payments show within a quarter of a minute, not within a second.",
      "Set it to the wss:// address of your node, if it has one.",
    );
  }
  try {
    const chainId = await probeSocket(config.rpcWsUrl, config.network.usdc);
    if (chainId === config.network.chainId) report.ok("It takes a subscription.");
    else
      report.wrong(`It is of chain ${chainId}, not ${config.network.chainId}.`, "Correct TILL_RPC_WS_URL.");
  } catch (thrown) {
    report.wrong(
      `${new URL(config.rpcWsUrl).host}: ${messageOf(thrown).replaceAll(config.rpcWsUrl, "…")}.`,
      "Check TILL_RPC_WS_URL. Until then payments are found by asking regularly, which is slower.",
    );
  }
}

/** Checks the nodes of other chains. */
export async function checkElsewhere(
  { elsewhereRpcUrls, network }: Config,
  onFinding: OnFinding,
): Promise<void> {
  const seen = new Set<OtherChain>();
  for (const url of elsewhereRpcUrls) {
    const rpc = createRpc({ url });
    const report = reporter(`node ${rpc.host}`, onFinding);
    try {
      const chain = await readChain(rpc, network);
      await mustBeUsdc(rpc, chain.usdc);
      if (seen.has(chain))
        report.warning(`It is a second node of ${chain.label}: the first is used.`, "Leave one out.");
      else report.ok(`It answers and is a node of ${chain.label}.`);
      seen.add(chain);
    } catch (thrown) {
      report.warning(
        `${messageOf(thrown)}.`,
        "Correct TILL_ELSEWHERE_RPC_URL. Until then USDC that is sent there by mistake is not found.",
      );
    }
  }
}
