import { url } from "../parse.ts";

/** Payments from other chains. */
export const crossingSettings = {
  CCTP_URL: {
    default: null,
    meaning:
      "Circle's service for bringing USDC from one network to another, `https://iris-api.circle.com` (for test networks `https://iris-api-sandbox.circle.com`); with it, customers can pay from Ethereum, Arbitrum One, OP Mainnet and Polygon",
    parse: url(["http:", "https:"]),
    wants: "a URL that starts with http:// or https://",
  },
} as const;
