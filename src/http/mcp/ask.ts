import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type JSONRPCMessage,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { newToken, tokenHash } from "../../lib/crypto.ts";
import { world } from "../../lib/world.ts";
import { callerOf } from "../access/api-key.ts";

/**
 * Asks the person at the client, in both ages of the protocol. From 2026-07-28 on the client calls again with the answer.
 * Before, the question goes out in the answer to the call, and what the person says comes as a request of its own: until
 * then Till remembers the call, and nothing longer than that.
 */

const askedSecondsMax = 300;

/** Each keeps a connection open. A key has few people behind it. */
const askedAtOnceMax = 100;
const askedOfKeyMax = 5;

/** So many refusals are remembered as long as their questions hold. */
const refusalsMax = 10_000;

const sessionHeader = "mcp-session-id";
/** A session is not remembered: its name says all that Till wants to know of a client of the older age. */
const sessionForm = /^asks-[\w-]{43}$/;

export type Message = { method?: string; id?: string | number; params?: object };
type Capabilities = { elicitation?: { form?: object; url?: object } };

/** A client that names no way shows forms. */
const showsForms = (client: Capabilities | null | undefined): boolean => {
  const ways = client?.elicitation ?? null;
  return ways !== null && (ways.form !== undefined || ways.url === undefined);
};

/** Names the session of a client that begins one and can be asked. */
export function nameSession({ method, params }: Message, answer: Response): Response {
  const { capabilities } = (params ?? {}) as { capabilities?: Capabilities };
  if (method === "initialize" && showsForms(capabilities))
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

/** What a person agreed to is done once for each `key`, if there is one; else this is the answer to the call. */
type Consent = { key: string | null } | { answer: CallToolResult | InputRequiredResult };

const denied = (why: string): Consent => ({ answer: refused(`Nothing was done. ${why}`) });

type Said = { action: string; content?: Record<string, unknown> | undefined };

const consentIn = ({ action, content }: Said, key: string | null): Consent =>
  action === "accept" && content?.["confirm"] === true
    ? { key }
    : denied("The person did not agree. Do not try again unless they ask for it.");

/** A call, and the server that answers it. */
export type Call = { ctx: ServerContext; request: Request; server: Server; isModern: boolean };

type Question = {
  /** What is asked for, by which a later answer is known. */
  about: readonly unknown[];
  message: string;
  /** What to do with a client that shows no questions. */
  instead: string;
};

export function createAsk(stopping: AbortSignal) {
  const codec = createRequestStateCodec<{ about: string; key: string }>({
    key: world.randomBytes(32),
    ttlSeconds: askedSecondsMax,
  });
  /** The servers of open questions, by caller and session. */
  const open = new Map<string, Server>();

  /** Questions that somebody said no to, by when they end: a no is no for good. */
  const refusals = new Map<string, number>();

  function refuse(key: string): void {
    const now = world.now();
    for (const [old, endsAt] of refusals)
      if (endsAt < now || refusals.size >= refusalsMax) refusals.delete(old);
    refusals.set(key, now + askedSecondsMax * 1000);
  }

  const callerIdOf = (request: Request) => callerOf(request)?.id ?? null;

  function sessionOf(request: Request): string | null {
    const session = request.headers.get(sessionHeader) ?? "";
    return sessionForm.test(session) ? `${callerIdOf(request)} ${session}` : null;
  }

  async function askNow({ ctx, server }: Call, session: string, message: string): Promise<Consent> {
    if (open.has(session)) return denied("Another question to the person is open. Wait for its answer.");
    const [caller] = session.split(" ");
    const own = [...open.keys()].filter((each) => each.startsWith(`${caller} `)).length;
    if (open.size >= askedAtOnceMax || own >= askedOfKeyMax)
      return denied("Too many questions are open. Try again in some minutes.");
    open.set(session, server);
    const asked = { method: "elicitation/create", params: { message, requestedSchema } } as const;
    const signal = AbortSignal.any([ctx.mcpReq.signal, stopping]);
    try {
      return consentIn(await ctx.mcpReq.send(asked, { timeout: askedSecondsMax * 1000, signal }), null);
    } catch {
      // The client hung up, made no sense or said nothing, or Till stops.
      // A call that its client took back gets no answer, which would end the connection.
      if (ctx.mcpReq.signal.aborted) await server.close();
      return denied("The person did not answer.");
    } finally {
      open.delete(session);
    }
  }

  return {
    verify: codec.verify,

    /** Hands what is no call to the open question of its session; false when there is none. */
    hear(request: Request, message: Message): boolean {
      const session = message.method === undefined || message.id === undefined ? sessionOf(request) : null;
      const transport = session === null ? undefined : open.get(session)?.transport;
      transport?.onmessage?.(message as JSONRPCMessage);
      return transport !== undefined;
    },

    async consent(call: Call, { about, message, instead }: Question): Promise<Consent> {
      const { ctx, request, isModern } = call;
      const cannot = `This client cannot ask a person, who must agree to it. ${instead}`;
      if (!isModern) {
        const session = sessionOf(request);
        return session === null ? denied(cannot) : askNow(call, session, message);
      }
      const hash = tokenHash(JSON.stringify([callerIdOf(request), ...about]));
      const said = inputResponse(ctx.mcpReq.inputResponses, "consent");
      const state = ctx.mcpReq.requestState<{ about: string; key: string }>();
      if (said.kind === "elicit" && state?.about === hash) {
        const consent = refusals.has(state.key)
          ? denied("The person did not agree to this.")
          : consentIn(said, state.key);
        if ("answer" in consent) refuse(state.key);
        return consent;
      }
      const envelope = ctx.mcpReq.envelope as Record<string, Capabilities> | undefined;
      if (!showsForms(envelope?.[CLIENT_CAPABILITIES_META_KEY])) return denied(cannot);
      const answer = inputRequired({
        inputRequests: { consent: inputRequired.elicit({ message, requestedSchema }) },
        requestState: await codec.mint({ about: hash, key: `agreed-${newToken()}` }),
      });
      return { answer };
    },
  };
}
