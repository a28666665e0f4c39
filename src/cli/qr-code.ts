import { qrTerminal } from "../document/qr.ts";
import { hasColors, print, widthOf } from "./output.ts";

/** Draws a QR code for whoever holds a phone to the screen; on a terminal that has room for it. */
export function sayCode(text: string): void {
  const code = qrTerminal(text);
  const width = Bun.stringWidth(code.slice(0, code.indexOf("\n")));
  if (hasColors() && width <= widthOf(process.stdout)) print(`\n${code}\n`);
}
