import type { Usdc } from "../../../domain/usdc.ts";
import type { Network } from "../../../domain/wallet/network.ts";
import { identifierForm, type PaymentPayload } from "./payment.ts";
import type { InvalidReason } from "./reason.ts";
import { headerText, type Resource } from "./subject.ts";

/** Minimum validity of an authorisation: clocks differ, and a node may be unreachable for a while. */
export const timeoutSec = 300;

const scheme = "exact";
const mimeType = "application/json";

/** An offer: x402's scheme `exact` on EVM chains, by an EIP-3009 authorisation. */
export type Terms = {
  network: Pick<Network, "name" | "chainId" | "usdc">;
  /** From the token's EIP-712 domain. */
  token: { name: string; version: string };
  payTo: string;
  amount: Usdc;
};

/** The chain's name in version 2 (CAIP-2). */
export const networkOf = ({ chainId }: Pick<Network, "chainId">) => `eip155:${chainId}`;

/** The chain's name in version 1, which has its own for the chains it knows. */
export const networkOfV1 = (network: Pick<Network, "name" | "chainId">) =>
  network.name === "anvil" ? networkOf(network) : network.name;

function requirementsOf({ network, token, payTo, amount }: Terms) {
  return {
    scheme,
    network: networkOf(network),
    amount: amount.toString(),
    asset: network.usdc,
    payTo,
    maxTimeoutSeconds: timeoutSec,
    extra: { name: token.name, version: token.version },
  };
}

type Described = Pick<Resource, "url" | "description">;

/** Returns the header of a 402 in version 2. `error` is why payment is asked for. */
export function paymentRequired(terms: Terms, { url, description }: Described, error: string) {
  return {
    x402Version: 2,
    error,
    resource: { url, description: headerText(description), mimeType },
    accepts: [requirementsOf(terms)],
    extensions: { "payment-identifier": { info: { required: false }, schema: identifierSchema } },
  };
}

/** Returns the body of a 402 in version 1. */
export function paymentRequiredV1(terms: Terms, { url, description }: Described, error: string) {
  const { amount, network: _, ...same } = requirementsOf(terms);
  const network = networkOfV1(terms.network);
  return {
    x402Version: 1,
    error,
    accepts: [{ ...same, network, maxAmountRequired: amount, resource: url, description, mimeType }],
  };
}

const identifierSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { required: { type: "boolean" }, id: identifierForm },
  required: ["required"],
};

/** Returns why a payment does not match the current offer; null if it does. Cheap: compares only the payer's claims. */
export function mismatch({ version, accepted, auth }: PaymentPayload, terms: Terms): InvalidReason | null {
  const { extra, ...offered } = requirementsOf(terms);
  const network = version === 1 ? networkOfV1(terms.network) : offered.network;
  if (accepted["scheme"] !== scheme) return "invalid_exact_evm_scheme";
  if (accepted["network"] !== network) return "invalid_exact_evm_network_mismatch";
  if (auth.to !== terms.payTo) return "invalid_exact_evm_recipient_mismatch";
  if (auth.amount !== terms.amount) return "invalid_exact_evm_payload_authorization_value_mismatch";
  if (version === 1) return null;
  const token = accepted["extra"] as Partial<Terms["token"]> | null | undefined;
  if (token?.name !== extra.name) return "invalid_exact_evm_token_name_mismatch";
  if (token.version !== extra.version) return "invalid_exact_evm_token_version_mismatch";
  if (accepted["amount"] !== offered.amount) return "invalid_exact_evm_payload_authorization_value_mismatch";
  const isSame = (name: "asset" | "payTo") => {
    const value = accepted[name];
    return typeof value === "string" && value.toLowerCase() === offered[name].toLowerCase();
  };
  const fits = isSame("asset") && isSame("payTo") && accepted["maxTimeoutSeconds"] === timeoutSec;
  return fits ? null : "invalid_payment_requirements";
}
