import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Frame, type Page } from "playwright-core";
import { until } from "../till/till.ts";

/** What a page is measured with: a machine's own fonts would decide how wide its texts are. */
export type Fonts = "wide" | "own";

/**
 * `isStill`: the browser hardly ever draws, and pages that are only measured cost a quarter less. Whatever waits for the
 * next drawing waits for ever: a click of the mouse, a ResizeObserver.
 */
type Options = { names?: readonly string[]; fonts?: Fonts; isStill?: boolean };

/** Those of all test files of this process: to start one takes longer than most tests do. */
const running = new Map<string, Promise<Browser>>();

/** The server of the handbook, which is on this machine. */
const ownNames = ["pay.acme.example"];

/** A browser as `launch` starts it. In tests they share one, and whoever closes it closes what they opened in it. */
export async function startBrowser(options: Options = {}): Promise<Browser> {
  if (process.env.NODE_ENV !== "test") return launch(options);
  const name = JSON.stringify(options);
  const before = await running.get(name);
  if (!before?.isConnected()) running.set(name, launch(options));
  const browser = await (running.get(name) ?? launch(options));
  const opened = new Set<BrowserContext>();
  const own: Partial<Browser> = {
    async newContext(how) {
      const context = await browser.newContext(how);
      opened.add(context);
      return context;
    },
    async newPage(how) {
      const page = await browser.newPage(how);
      opened.add(page.context());
      return page;
    },
    async close() {
      await Promise.all([...opened].map((context) => context.close()));
    },
  };
  return Object.assign(Object.create(browser) as Browser, own);
}

/**
 * Debian's Chromium without the windows and tabs around a page, which cost more than the pages do, and which nobody sees
 * here. It reaches for nothing by itself, and finds `names` on this machine. FONTCONFIG_FILE names other fonts than `fonts`.
 */
function launch({ names = [], fonts = "wide", isStill = false }: Options): Promise<Browser> {
  const fontsFile = fileURLToPath(import.meta.resolve(`./fonts/${fonts}.conf`));
  return chromium.launch({
    env: { FONTCONFIG_FILE: fontsFile, ...process.env },
    executablePath: process.env["CHROMIUM"] ?? "/usr/lib/chromium/chromium-headless-shell",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // A document of a test is gone before its script has won what these take.
      "--js-flags=--no-maglev --no-opt",
      `--host-resolver-rules=${[...ownNames, ...names].map((name) => `MAP ${name} 127.0.0.1`).join(",")}`,
      ...(isStill ? ["--disable-threaded-compositing"] : []),
    ],
  });
}

/**
 * Waits until an expression is true in the page. Playwright's own `waitForFunction` evaluates a string again and
 * again inside the page, where a strict content security policy forbids it.
 */
export async function holds(page: Page | Frame, expression: string): Promise<void> {
  await until(
    () => page.evaluate(expression),
    (value) => value === true,
  );
}

/**
 * Stops the clock of a page that has one of its own, a minute ahead: what was due by then is done once, and from then on
 * only what the test lets pass passes, however slow the machine is.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Number(await page.evaluate("Date.now()")) + 60_000);
  // In that minute the page asked something: its next timer runs from the answer.
  await lastAnswered(page);
}

/** What the page has asked for is answered, and what it asked for because of that answer: twice a later request is. */
export async function lastAnswered(page: Page): Promise<void> {
  const ask = "fetch(location.href).then((answer) => answer.text()).then(() => {})";
  for (let time = 0; time < 2; time++) await page.evaluate(ask);
}

const askEveryMs = 200;

/**
 * Waits until something is so in a page of Till, or in one that frames some, and has them all ask the server meanwhile,
 * as they do when they get back on line: by themselves they ask every few seconds.
 */
export async function soon(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  // A frame may be on its way to its page, and asks when it is there.
  const ask = (frame: Frame) => frame.evaluate(`dispatchEvent(new Event("online"))`).catch(() => {});
  const asked = async () => {
    await Promise.all(page.frames().map(ask));
    await page.waitForTimeout(askEveryMs);
    return isSo();
  };
  await until(asked, Boolean);
}

/** What any page of Till asks its server within. */
const asksWithinMs = 5_000;

/** Waits until something is so in a page of Till, which has a clock of its own: that one runs on as fast as it can. */
export async function later(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  const passed = async () => {
    await page.clock.fastForward(asksWithinMs);
    return isSo();
  };
  await until(passed, Boolean);
}
