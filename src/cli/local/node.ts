import { checkIdentity } from "../../chain/node/probe.ts";
import { createRpc, type Rpc } from "../../chain/node/rpc.ts";
import type { Config } from "../../config/config.ts";
import { messageOf } from "../../lib/error.ts";
import type { Db } from "../../store/database.ts";
import * as InstallationStore from "../../store/tables/installation/installation.ts";
import { UsageError } from "../command.ts";
import { patiently } from "../terminal/output.ts";

/** The first node of TILL_RPC_URL that answers and is on the right chain. Throws a NoNode with every node's reason. */
export async function openNode(db: Db, config: Config): Promise<Rpc> {
  const reasons: string[] = [];
  for (const url of config.rpcUrls) {
    const rpc = createRpc({ url });
    try {
      const identity = checkIdentity(rpc, config, InstallationStore.chainRecord(db));
      await patiently(`Waiting for the node at ${new URL(url).host} to answer …`, identity);
      return rpc;
    } catch (thrown) {
      reasons.push(messageOf(thrown));
    }
  }
  throw new NoNode(reasons);
}

/** The node of --rpc-url, on any chain. Throws a UsageError unless it is an http(s) URL. */
export function namedNode(url: string): Rpc {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError("--rpc-url is not an http(s) URL.");
  return createRpc({ url });
}

class NoNode extends Error {
  override readonly name = "NoNode";
  constructor(reasons: readonly string[]) {
    super(`No node of TILL_RPC_URL can be used: ${reasons.join("; ")}`);
  }
}
