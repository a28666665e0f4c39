import { randomUUID } from "node:crypto";
import { qrTerminal } from "../../../document/qr.ts";
import { createClient } from "../../api/client.ts";
import type { ExitCode, Flags, FlagValues } from "../../command.ts";
import { hasColors, print, sayJson, widthOf } from "../../terminal/output.ts";
import { create, type RequestArgs, type RequestCheck, type requestFlags, requestOf } from "./request-args.ts";
import type { RequestDraft, WalkPurpose } from "./walk.ts";
import { type WatchedPayment, watch } from "./watch.ts";

/** What a command creates, of an answer and of a walk's draft. */
type Issue<Created, D extends RequestDraft> = {
  name: string;
  path: string;
  fields: Flags;
  /** The request as the API takes it; as it is unless told. */
  bodyOf?: (request: RequestArgs) => unknown;
  check: (body: unknown) => RequestCheck;
  /** Loaded when there is somebody to ask. */
  purpose: () => Promise<WalkPurpose<D>>;
  tell: (created: Created) => void;
  /** Null for what nobody pays by itself. */
  watched: (created: Created) => WatchedPayment | null;
};

/** Creates it from flags or a file, or asks for everything; then waits for the payment, if wanted. */
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

/** Draws a QR code for whoever holds a phone to the screen; on a terminal that has room for it. */
export function sayCode(text: string): void {
  const code = qrTerminal(text);
  const width = Bun.stringWidth(code.slice(0, code.indexOf("\n")));
  if (hasColors() && width <= widthOf(process.stdout)) print(`\n${code}\n`);
}
