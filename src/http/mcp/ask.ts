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
 * Asks the person at the client, in both eras of the protocol. Since 2026-07-28 the client repeats the call with the
 * answer. Before, the question is part of the response to the call, and the person's answer arrives as a separate
 * request: Till remembers the call until then, and nothing beyond that.
 */

const askedSecondsMax = 300;

/** Each open question keeps a connection open. A key has few people behind it. */
const askedAtOnceMax = 100;
const askedOfKeyMax = 5;

/** Maximum refusals remembered, for as long as their questions are valid. */
const refusalsMax = 10_000;

const sessionHeader = "mcp-session-id";
/** Sessions are not stored: the name has all that Till needs to know about a client of the older era. */
const sessionForm = /^asks-[\w-]{43}$/;

export type Message = { method?: string; id?: string | number; params?: object };
type Capabilities = { elicitation?: { form?: object; url?: object } };

/** A client that names no mode shows forms. */
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

/** The action agreed to, which is done once per `key`, if there is one; otherwise the response to the call. */
type Consent = { key: string | null } | { answer: CallToolResult | InputRequiredResult };

const denied = (why: string): Consent => ({ answer: refused(`Nothing was done. ${why}`) });

type Reply = { action: string; content?: Record<string, unknown> | undefined };

const consentIn = ({ action, content }: Reply, key: string | null): Consent =>
  action === "accept" && content?.["confirm"] === true
    ? { key }
    : denied("The person did not agree. Do not try again unless they ask for it.");

/** A call, and the server that responds to it. */
export type Call = { ctx: ServerContext; request: Request; server: Server; isModern: boolean };

type Question = {
  /** Identifies the question, to match a later answer. */
  about: readonly unknown[];
  message: string;
  /** Advice for a client that shows no questions. */
  instead: string;
};

export function createAsk(stopping: AbortSignal) {
  const codec = createRequestStateCodec<{ about: string; key: string }>({
    key: world.randomBytes(32),
    ttlSeconds: askedSecondsMax,
  });
  /** The servers of open questions, by caller and session. */
  const open = new Map<string, Server>();

  /** Questions that somebody refused, by their end: a no is final. */
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
    const question = { method: "elicitation/create", params: { message, requestedSchema } } as const;
    const signal = AbortSignal.any([ctx.mcpReq.signal, stopping]);
    try {
      return consentIn(await ctx.mcpReq.send(question, { timeout: askedSecondsMax * 1000, signal }), null);
    } catch {
      // The client hung up, sent nonsense or nothing, or Till is stopping. A call cancelled by its client gets no
      // response, which would end the connection.
      if (ctx.mcpReq.signal.aborted) await server.close();
      return denied("The person did not answer.");
    } finally {
      open.delete(session);
    }
  }

  return {
    verify: codec.verify,

    /** Passes a message that is not a call to the open question of its session; false if there is none. */
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
      const reply = inputResponse(ctx.mcpReq.inputResponses, "consent");
      const state = ctx.mcpReq.requestState<{ about: string; key: string }>();
      if (reply.kind === "elicit" && state?.about === hash) {
        const consent = refusals.has(state.key)
          ? denied("The person did not agree to this.")
          : consentIn(reply, state.key);
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
