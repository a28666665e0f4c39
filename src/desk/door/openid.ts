import { cookieOf, setCookie } from "../../http/access/cookie.ts";
import type { HttpDeps } from "../../http/route/deps.ts";
import type { TextKey } from "../../language/locale.ts";
import {
  accountFrom,
  type Discovered,
  discover,
  isAnswerTo,
  openIdFault,
  type SignedIn,
  signInUrl,
} from "../../lib/net/openid.ts";
import { type AccountRefusal, enterByAccount } from "../../people/openid.ts";
import { deviceOf } from "../../people/sessions.ts";
import { transactTogether } from "../../store/group-commit.ts";
import type { Gate, SignInDeps } from "../gate.ts";
import { letIn, localPath } from "./door.tsx";

export const openIdPath = "/desk/sign-in/openid";
const backPath = `${openIdPath}/back`;
const purpose = "openid";

const refusals = {
  noRole: "openIdNoRole",
  removed: "openIdRemoved",
  noOwner: "openIdNoRole",
} as const satisfies Record<AccountRefusal, TextKey>;

/** Shows the sign-in page again; `to` is the page that somebody wanted. */
type Refuse = (request: Request, to: string, fault: TextKey, status: number) => Response;

/** Signing in with an account of the provider of OpenID Connect, if there is one. */
export function openIdRoutes(
  deps: HttpDeps,
  gate: Gate,
  { people: { challenges }, limits, clientOf }: SignInDeps,
  refuse: Refuse,
): void {
  const { db, log, baseUrl, config, dev } = deps;
  if (config.openId === null || dev !== null) return;
  const provider = config.openId;
  const { claim, name: source } = provider;
  const redirectUri = `${baseUrl}${backPath}`;

  /** Strangers who begin often make the provider answer once at a time. */
  let discovering: Promise<Discovered> | null = null;
  function discoverOnce(): Promise<Discovered> {
    discovering ??= discover(provider).finally(() => {
      discovering = null;
    });
    return discovering;
  }

  function failed(request: Request, to: string, thrown: unknown): Response {
    log.warn("sign_in.failed", "the provider of sign-ins gave no usable answer", {
      source,
      reason: openIdFault(thrown),
    });
    return refuse(request, to, "openIdFailed", 502);
  }

  function refused(request: Request, to: string, reason: string, fault: TextKey, status: number): Response {
    limits.take("SIGN_INS", clientOf(request));
    log.info("sign_in.refused", "an account was not let in at the desk", { source, reason });
    return refuse(request, to, fault, status);
  }

  const isBusy = (request: Request) => limits.check("SIGN_INS", clientOf(request)) !== null;

  gate.door.get(openIdPath, async ({ request }) => {
    const to = localPath(new URL(request.url).searchParams.get("to"), baseUrl);
    if (isBusy(request)) return refuse(request, to, "tooManyTries", 429);
    const secret = challenges.make(purpose);
    try {
      const url = await signInUrl(await discoverOnce(), { secret, redirectUri, claim });
      const cookie = setCookie("away", `${secret}.${to}`, baseUrl);
      return new Response(null, { status: 303, headers: { location: url.href, "set-cookie": cookie } });
    } catch (thrown) {
      return failed(request, to, thrown);
    }
  });

  async function comeBack(request: Request): Promise<Response> {
    const [secret = "", wanted = ""] = (cookieOf(request, "away", baseUrl) ?? "").split(/\.(.*)/s, 2);
    const to = localPath(wanted, baseUrl);
    if (isBusy(request)) return refuse(request, to, "tooManyTries", 429);
    const { search, searchParams } = new URL(request.url);
    const isOurs = challenges.isFor(secret, purpose) && isAnswerTo(secret, searchParams);
    if (!isOurs || !challenges.use(secret))
      return refused(request, to, "not begun in this browser, or too long ago", "openIdStale", 422);
    if (searchParams.has("error"))
      return refused(request, to, "the provider refused, or somebody turned back", "openIdStale", 422);
    let account: SignedIn;
    try {
      account = await accountFrom(await discover(provider), {
        secret,
        claim,
        url: new URL(redirectUri + search),
      });
    } catch (thrown) {
      limits.take("SIGN_INS", clientOf(request));
      return failed(request, to, thrown);
    }
    const device = deviceOf(request.headers.get("user-agent") ?? "");
    const entered = await transactTogether(db, () =>
      enterByAccount(db, account, { provider, device, now: deps.now() }),
    );
    if ("refused" in entered) return refused(request, to, entered.refused, refusals[entered.refused], 403);
    deps.onMailDue();
    return letIn(request, entered.token, to, deps);
  }

  gate.door.get(backPath, async ({ request }) => {
    const response = await comeBack(request);
    response.headers.append("set-cookie", setCookie("away", null, baseUrl));
    return response;
  });
}
