/** Tells its parent when viem hands over a payment, and once when it has begun to watch. */
import { type Address, createPublicClient, http, parseAbiItem, webSocket } from "viem";
import { base } from "viem/chains";

const url = process.env["BENCH_URL"] ?? "";
const transport = url.startsWith("ws") ? webSocket(url) : http(url);
// Of Base, for how often viem polls there.
const client = createPublicClient({ chain: { ...base, id: 31337 }, transport });
client.watchEvent({
  address: process.env["BENCH_USDC"] as Address,
  event: parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)"),
  args: { to: (process.env["BENCH_TO"] ?? "").split(",") as Address[] },
  onLogs: () => process.send?.("paid"),
});
await Bun.sleep(1_000);
process.send?.("ready");
