import type { Browser, Page } from "playwright-core";

/** The viewports of a small phone, of one as most people have, and of a computer. */
export const smallest = { width: 320, height: 600 };
export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 900 };

export type Stage = {
  readonly page: Page;
  /** Puts a document in the place of the one before, and runs its scripts. */
  show(markup: string): Promise<void>;
};

/**
 * One page of the browser for one document after the other, in the time that a browser takes for a document alone: what
 * was loaded into it stays. What the documents ask for is never answered, so that nothing changes in them.
 */
export async function startStage(browser: Browser): Promise<Stage> {
  const page = await browser.newPage({ viewport: phone });
  // An address of this machine may use all that a page with TLS may.
  await page.route("http://127.0.0.1/", (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await page.addInitScript("fetch = () => new Promise(() => {})");
  await page.goto("http://127.0.0.1/");
  return { page, show: (markup) => page.setContent(markup.toWellFormed()) };
}

type Viewport = { width: number; height: number };

/** Gives the page a viewport, unless it has it: the browser lays it out and draws it anew even then. */
export async function resize(page: Page, viewport: Viewport): Promise<void> {
  if (!Bun.deepEquals(page.viewportSize(), viewport)) await page.setViewportSize(viewport);
}

/** By how many px the page can be scrolled sideways in a viewport. */
export async function sidewaysPx(page: Page, viewport: Viewport): Promise<number> {
  await resize(page, viewport);
  return Number(await page.evaluate("document.documentElement.scrollWidth")) - viewport.width;
}
