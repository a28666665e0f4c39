import { confirmationsName } from "../../domain/payment/block.ts";
import * as Address from "../../domain/wallet/address.ts";
import { type NetworkName, networks } from "../../domain/wallet/network.ts";
import { confirmationsOf, integer, oneOf, url, urls } from "../parse.ts";

/** The chain to watch, its nodes, and when a payment counts. */
export const chainSettings = {
  CHAIN: {
    default: "base",
    meaning: "`base`, `base-sepolia` or `anvil`",
    ...oneOf(Object.keys(networks) as NetworkName[]),
  },
  RPC_URL: {
    default: null,
    otherwise: "required",
    meaning: "a node of the chain (http or https), or several in order of preference, separated by commas",
    parse: urls(["http:", "https:"]),
    wants: "http(s) URLs, separated by commas",
    isSecret: true,
  },
  RPC_WS_URL: {
    default: null,
    meaning: "a node's WebSocket; with it, payments show within a second instead of about 15",
    parse: url(["ws:", "wss:"]),
    wants: "a URL that starts with ws:// or wss://",
    isSecret: true,
  },
  ELSEWHERE_RPC_URL: {
    default: null,
    meaning:
      "nodes of Ethereum, Arbitrum One, OP Mainnet and Polygon (beside `base-sepolia`, of their test chains), separated by commas; with them Till finds USDC that was sent to a deposit address on the wrong chain",
    parse: urls(["http:", "https:"]),
    wants: "http(s) URLs, separated by commas",
    isSecret: true,
  },
  USDC_ADDRESS: {
    default: null,
    otherwise: "Circle's",
    meaning: "another token contract, in checksum form",
    parse: checkedAddress,
    wants: "an address in checksum form",
  },
  CONFIRMATIONS: {
    default: null,
    otherwise: `${confirmationsName(networks.base.confirmations)}; on anvil ${confirmationsName(networks.anvil.confirmations)}`,
    meaning:
      "how old a payment must be to count (`10s`), or how many blocks deep (`50`: also ten seconds on Base), or `safe`, or `finalized`",
    parse: confirmationsOf,
    wants:
      'a time in seconds such as 10s, from 1s to 3600s, a number of blocks from 1 to 10000, "safe" or "finalized"',
  },
  SECOND_OPINION: {
    default: "prefer",
    meaning:
      "with several nodes, a second one must know a payment before it counts; `strict`: even if no other answers for a minute",
    ...oneOf(["prefer", "strict"]),
  },
  LOG_RANGE: {
    default: 2000,
    meaning: "the most blocks in one `eth_getLogs` call; use 10 for Alchemy's free tier",
    parse: integer(1, 100_000),
    wants: "a number of blocks from 1 to 100000",
  },
} as const;

function checkedAddress(text: string): Address.Address | undefined {
  const parsed = Address.parse(text);
  return parsed.ok ? parsed.address : undefined;
}
