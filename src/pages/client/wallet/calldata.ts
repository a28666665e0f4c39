/** ABI-encoded calls of an ERC-20 token (EIP-20). Selectors are the first 4 bytes of the signature's keccak-256. */
const transferSelector = "a9059cbb";
const balanceOfSelector = "70a08231";

/** Bytes of an ABI word, in hex digits. */
const wordDigits = 64;

const addressForm = /^0x[0-9a-fA-F]{40}$/;
const uint256End = 1n << 256n;

/** `transfer(to, amount)`; the amount in the token's smallest unit. Throws a RangeError for what cannot be encoded. */
export function transferCall(to: string, amount: bigint): string {
  if (amount <= 0n || amount >= uint256End) throw new RangeError(`Not an amount: ${amount}`);
  return `0x${transferSelector}${addressWord(to)}${amount.toString(16).padStart(wordDigits, "0")}`;
}

/** `balanceOf(owner)`. Throws a RangeError when the owner is no address. */
export function balanceCall(owner: string): string {
  return `0x${balanceOfSelector}${addressWord(owner)}`;
}

function addressWord(address: string): string {
  if (!addressForm.test(address)) throw new RangeError(`Not an address: ${address}`);
  return address.slice(2).toLowerCase().padStart(wordDigits, "0");
}
