/**
 * A process for anvil.test.ts that runs Anvil the way `till dev` does and is then interrupted or killed.
 * Arguments: the state file. Prints one line of JSON when ready and another when an interrupt has been dealt with.
 */

import { startAnvil } from "../../../src/chain/dev/anvil.ts";
import { createRpc } from "../../../src/chain/node/rpc.ts";

const anvil = await startAnvil({ port: 0, stateFile: process.argv[2] ?? "" });
const rpc = createRpc({ url: anvil.rpcUrl });
await rpc.request("anvil_mine", ["0x5"]);

process.on("SIGINT", async () => {
  // Anvil must still be there while Till finishes what it was doing.
  await Bun.sleep(200);
  const head = await rpc.request("eth_blockNumber", []);
  await anvil.stop();
  console.log(JSON.stringify({ headAfterInterrupt: head }));
  process.exit(0);
});
console.log(JSON.stringify({ pid: anvil.pid, rpcUrl: anvil.rpcUrl }));
setInterval(() => {}, 60_000);
