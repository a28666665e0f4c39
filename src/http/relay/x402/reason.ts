import type { Failure } from "../../../domain/payment/relay.ts";
import type { RefusalCode } from "../../../settle/relay/refusal.ts";

/** Why payment is asked for, in MPP's terms. */
export type MppProblem =
  | "payment-required"
  | "payment-expired"
  | "verification-failed"
  | "invalid-challenge"
  | "malformed-credential"
  | "method-unsupported";

/** Why a payment was rejected or did not move money, in x402's terms, or MPP's for reasons that only MPP has. */
export type InvalidReason =
  | MppProblem
  | "invalid_x402_version"
  | "invalid_payload"
  | "invalid_payment_requirements"
  | "invalid_exact_evm_scheme"
  | "invalid_exact_evm_network_mismatch"
  | "invalid_exact_evm_recipient_mismatch"
  | "invalid_exact_evm_token_name_mismatch"
  | "invalid_exact_evm_token_version_mismatch"
  | "invalid_exact_evm_payload_authorization_value_mismatch"
  | "invalid_exact_evm_payload_authorization_valid_after"
  | "invalid_exact_evm_payload_authorization_valid_before"
  | "eip6492_factory_not_allowed"
  | "invalid_exact_evm_failed_to_parse_signature"
  | "invalid_exact_evm_signature"
  | "invalid_exact_evm_nonce_already_used"
  | "invalid_exact_evm_insufficient_balance"
  | "invalid_exact_evm_transaction_simulation_failed"
  | "invalid_exact_evm_transaction_failed"
  | "unexpected_settle_error"
  | "settlement_pending";

/**
 * The term for each refusal. `isDue`: the response is as for a request without payment, mostly with the amount due now,
 * because the payer can sign something better. Others state the reason, and when to retry.
 */
type ReasonRule = { isDue: boolean; reason: InvalidReason };

const due = (reason: InvalidReason): ReasonRule => ({ isDue: true, reason });
const not = (reason: InvalidReason): ReasonRule => ({ isDue: false, reason });

export const refusalOf: Record<RefusalCode, ReasonRule> = {
  off: not("unexpected_settle_error"),
  closed: due("invalid_payment_requirements"),
  unpriced: not("invalid_payment_requirements"),
  busy: not("settlement_pending"),
  queue: not("unexpected_settle_error"),
  receiver: due("invalid_exact_evm_recipient_mismatch"),
  amount: due("invalid_exact_evm_payload_authorization_value_mismatch"),
  early: due("invalid_exact_evm_payload_authorization_valid_after"),
  late: due("invalid_exact_evm_payload_authorization_valid_before"),
  long: due("invalid_exact_evm_payload_authorization_valid_before"),
  // The payer may have used it themselves, unseen by the watcher so far.
  used: not("invalid_exact_evm_nonce_already_used"),
  identifier: not("invalid_payload"),
  form: due("invalid_exact_evm_failed_to_parse_signature"),
  undeployed: due("eip6492_factory_not_allowed"),
  signature: due("invalid_exact_evm_signature"),
  balance: due("invalid_exact_evm_insufficient_balance"),
  blocked: due("invalid_exact_evm_transaction_simulation_failed"),
  paused: not("unexpected_settle_error"),
  rejected: due("invalid_exact_evm_transaction_simulation_failed"),
  gas: due("invalid_exact_evm_transaction_simulation_failed"),
  minimum: not("invalid_payment_requirements"),
  fees: not("unexpected_settle_error"),
  reserve: not("unexpected_settle_error"),
  budget: not("unexpected_settle_error"),
  failures: not("unexpected_settle_error"),
};

export const failureReason: Record<Failure, InvalidReason> = {
  expired: "invalid_exact_evm_payload_authorization_valid_before",
  reverted: "invalid_exact_evm_transaction_failed",
  cancelled: "invalid_exact_evm_nonce_already_used",
  replaced: "invalid_exact_evm_nonce_already_used",
};
