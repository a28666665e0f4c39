import * as Address from "../domain/address.ts";

/** Where Multicall3 is on every chain that has it. */
export const multicall3Address = Address.checksum("0xcA11bde05977b3631167028862bE2a173976CA11");
