import type { Browser, Page } from "playwright-core";
import { emptyPages, openShop, pagesOf, refusedForms, submitEmpty } from "../test/support/desk/shop.ts";

/**
 * Shows every page of a real desk to `take`, with its name: before anything is in it (`desk-empty-…`), in use
 * (`desk-…`), with a form that was refused (`desk-refused-…`), and in Arabic (`desk-ar-…`); only those whose name has `wanted`.
 */
export async function showDesk(
  browser: Browser,
  {
    wanted,
    widthsPx,
    heightPx,
    take,
  }: {
    wanted: string;
    widthsPx: readonly number[];
    heightPx: number;
    take(page: Page, name: string): Promise<void>;
  },
): Promise<void> {
  const shop = await openShop();
  const { till } = shop;
  const nameOf = (kind: string, path: string) =>
    `desk${kind}${path.slice("/desk".length).replaceAll(/\W+/g, "-")}`.slice(0, 60);

  async function show(kind: string, paths: readonly string[], act = (_: Page) => Promise.resolve()) {
    const chosen = paths.filter((path) => nameOf(kind, path).includes(wanted));
    if (chosen.length === 0) return;
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of widthsPx) {
        // One of each in another language are enough.
        if (kind === "-ar" && (colorScheme === "dark") !== (width === widthsPx[0])) continue;
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height: heightPx },
          locale: kind === "-ar" ? "ar" : "en-GB",
        });
        if (kind !== "-door")
          await context.addCookies([{ name: "till", value: shop.owner.cookie ?? "", url: till.baseUrl }]);
        const page = await context.newPage();
        for (const path of chosen) {
          await page.goto(new URL(path, till.baseUrl).href);
          await act(page);
          await take(page, `${nameOf(kind, path)}-${width}-${colorScheme}`);
        }
        await context.close();
      }
    }
  }

  try {
    await show("-door", Object.values(shop.door).flat());
    await show("-empty", emptyPages);
    const paths = pagesOf(till, await shop.fill());
    await show("", paths);
    await show("-ar", paths);
    await show("-refused", refusedForms, submitEmpty);
  } finally {
    await shop.stop();
  }
}
