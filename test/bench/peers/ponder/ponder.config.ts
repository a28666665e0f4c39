import { createConfig } from "ponder";
import { parseAbi } from "viem";

const env = (name: string) => process.env[name] ?? "";

export default createConfig({
  database: { kind: "pglite", directory: env("BENCH_DIR") },
  chains: { anvil: { id: 31337, rpc: env("BENCH_URLS").split(",") } },
  contracts: {
    Usdc: {
      chain: "anvil",
      abi: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]),
      address: env("BENCH_USDC") as `0x${string}`,
      startBlock: Number(env("BENCH_FROM")),
      endBlock: Number(env("BENCH_TO")),
    },
  },
});
