import { randomUUID } from "node:crypto";
import { qrTerminal } from "../../../document/qr.ts";
import { createClient } from "../../api/client.ts";
import type { ExitCode, Flags, FlagValues } from "../../command.ts";
import { hasColors, print, sayJson, widthOf } from "../../terminal/output.ts";
import { create, type RequestArgs, type RequestCheck, type requestFlags, requestOf } from "./request-args.ts";
import type { RequestDraft, WalkPurpose } from "./walk.ts";
import { type WatchedPayment, watch } from "./watch.ts";

/** What a command creates: `Created` is the API's answer, `D` a walk's draft of the request. */
type Issue<Created, D extends RequestDraft> = {
  name: string;
  path: string;
  fields: Flags;
  /** The request for the API; by default unchanged. */
  bodyOf?: (request: RequestArgs) => unknown;
  check: (body: unknown) => RequestCheck;
  /** Loaded only when there is somebody to ask. */
  purpose: () => Promise<WalkPurpose<D>>;
  tell: (created: Created) => void;
  /** Null for what is not paid directly. */
  watched: (created: Created) => WatchedPayment | null;
};

/** Creates it from flags or a file, or by asking; then waits for the payment if wanted. */
export async function issue<Created extends object, D extends RequestDraft>(
  values: FlagValues<typeof requestFlags>,
  { name, path, fields, bodyOf = ({ body }) => body, check, purpose, tell, watched }: Issue<Created, D>,
): Promise<ExitCode> {
  const request = await requestOf(name, values, fields);
  const client = createClient(process.env);
  const json = request.json || !process.stdout.isTTY;
  const ask = async (key: string) => {
    const [{ walk }, questions] = await Promise.all([import("./walk.ts"), purpose()]);
    return await walk<Created, D>(client, key, questions, tell);
  };
  const created = request.body
    ? await create<Created>(client, path, bodyOf(request), request, { check, tell: json ? sayJson : tell })
    : await ask(request.idempotencyKey ?? randomUUID());
  const toWatch = request.watch ? watched(created) : null;
  if (toWatch) await watch(client, toWatch, { json });
  return 0;
}

/** Draws a QR code for a phone at the screen, if the terminal has room. */
export function sayCode(text: string): void {
  const code = qrTerminal(text);
  const width = Bun.stringWidth(code.slice(0, code.indexOf("\n")));
  if (hasColors() && width <= widthOf(process.stdout)) print(`\n${code}\n`);
}
