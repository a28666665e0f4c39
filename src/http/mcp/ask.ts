import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { newToken, tokenHash } from "../../lib/crypto.ts";
import { callerOf } from "../access/api-key.ts";

/**
 * Asks the person at the client, in both ages of the protocol. From 2026-07-28 on the client calls again with the answer.
 * Before, the question goes out in the answer to the call, and what the person says comes as a request of its own: until
 * then Till remembers the call, and nothing longer than that.
 */

const askedSecondsMax = 300;

/** Each keeps a connection open. */
const askedAtOnceMax = 100;

const sessionHeader = "mcp-session-id";
/** A session is not remembered: its name says all that Till wants to know of a client of the older age. */
const sessionForm = /^asks-[\w-]{43}$/;

type Message = { method?: string; id?: string | number; params?: unknown };
const capabilitiesOf = ({ mcpReq }: ServerContext) =>
  (mcpReq.envelope as Record<string, Capabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];

type Capabilities = { elicitation?: { form?: object; url?: object } } | undefined;

/** A client that names no way shows forms. */
const showsForms = (client: Capabilities): boolean => {
  const ways = client?.elicitation;
  return ways !== undefined && (ways.form !== undefined || ways.url === undefined);
};

/** Names the session of a client that begins one and can be asked. */
export function nameSession({ method, params }: Message, answer: Response): Response {
  const { capabilities } = (params ?? {}) as { capabilities?: Capabilities };
  if (method === "initialize" && answer.ok && showsForms(capabilities))
    answer.headers.set(sessionHeader, `asks-${newToken()}`);
  return answer;
}

const requestedSchema: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: { confirm: { type: "boolean", title: "Yes, do this", default: false } },
  required: ["confirm"],
};

export const refused = (text: string): CallToolResult => ({
  content: [{ type: "text", text }],
  isError: true,
});

/** With `key`, what was agreed to is done once, however often the client says so. */
type Consent =
  | { agreed: true; key: string | null }
  | { agreed: false; answer: CallToolResult | InputRequiredResult };

const denied = (text: string): Consent => ({ agreed: false, answer: refused(`Nothing was done. ${text}`) });

/** What a question was about, and the key of what it allows. */
type State = { about: string; key: string };

type Question = {
  /** What is asked for, by which a later answer is known. */
  about: readonly unknown[];
  /** What the person reads. */
  message: () => Promise<string>;
  /** What to do with a client that shows no questions. */
  instead: string;
};

export function createAsk(stopping: AbortSignal) {
  const codec = createRequestStateCodec<State>({
    key: crypto.getRandomValues(new Uint8Array(32)),
    ttlSeconds: askedSecondsMax,
  });
  const open = new Map<string, Server>();

  const sessionOf = ({ headers }: Request, callerId: number | null): string | null => {
    const named = headers.get(sessionHeader) ?? "";
    return sessionForm.test(named) ? `${callerId} ${named}` : null;
  };

  const answered = (
    action: string,
    content: Record<string, unknown> | undefined,
    key: string | null,
  ): Consent =>
    action === "accept" && content?.["confirm"] === true
      ? { agreed: true, key }
      : denied("The person did not agree. Do not try again unless they ask for it.");

  async function askNow(
    ctx: ServerContext,
    server: Server,
    session: string,
    message: string,
  ): Promise<Consent> {
    if (open.has(session))
      return denied("Another question to the person is still open. Wait for its answer.");
    if (open.size >= askedAtOnceMax) return denied("Too many questions are open. Try again in some minutes.");
    open.set(session, server);
    try {
      const { action, content } = await ctx.mcpReq.send(
        { method: "elicitation/create", params: { message, requestedSchema } },
        {
          timeout: askedSecondsMax * 1000,
          signal: AbortSignal.any([ctx.mcpReq.signal, stopping]),
        },
      );
      return answered(action, content, null);
    } catch {
      // The client hung up, said no sense or nothing, or Till stops.
      return denied("The person did not answer.");
    } finally {
      open.delete(session);
    }
  }

  return {
    verify: codec.verify,

    /** Hands what is no call to the open question of its session; false when there is none. */
    hear(request: Request, message: Message): boolean {
      if (message.method !== undefined && message.id !== undefined) return false;
      const session = sessionOf(request, callerOf(request)?.id ?? null);
      const transport = session === null ? undefined : open.get(session)?.transport;
      transport?.onmessage?.(message as Parameters<NonNullable<typeof transport.onmessage>>[0]);
      return transport !== undefined;
    },

    async consent(
      ctx: ServerContext,
      { request, server, isModern }: { request: Request; server: Server; isModern: boolean },
      { about, message, instead }: Question,
    ): Promise<Consent> {
      const callerId = callerOf(request)?.id ?? null;
      const cannot = `This client cannot ask a person, who must agree to it. ${instead}`;
      if (!isModern) {
        const session = sessionOf(request, callerId);
        return session === null ? denied(cannot) : askNow(ctx, server, session, await message());
      }
      const hash = tokenHash(JSON.stringify([callerId, ...about]));
      const said = inputResponse(ctx.mcpReq.inputResponses, "consent");
      const state = ctx.mcpReq.requestState<State>();
      if (said.kind === "elicit" && state?.about === hash)
        return answered(said.action, said.content, state.key);
      if (!showsForms(capabilitiesOf(ctx))) return denied(cannot);
      const asked = inputRequired({
        inputRequests: { consent: inputRequired.elicit({ message: await message(), requestedSchema }) },
        requestState: await codec.mint({ about: hash, key: `agreed-${newToken()}` }),
      });
      return { agreed: false, answer: asked };
    },
  };
}
