/** Why Till is not updated, in full sentences; nothing was changed. */
export class UpdateRefused extends Error {
  override readonly name = "UpdateRefused";
}
