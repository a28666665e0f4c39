import type { Page } from "playwright-core";

/** By how much 1 USDC may differ from 1 USD in a picture. */
const farthest = 0.02;

/** Why a page is no picture for the handbook: a rate that no reader would believe; null for nothing. */
export function unlikelyRate(text: string): string | null {
  const rates = [...text.matchAll(/1 USDC = (\d+(?:[.,]\d+)?) USD\b/g)].map(([said, rate = ""]) => ({
    said,
    rate: Number(rate.replace(",", ".")),
  }));
  return rates.find(({ rate }) => Math.abs(rate - 1) > farthest)?.said ?? null;
}

/** A picture of what the window shows, with what is framed in it. Throws where it would show an unlikely rate. */
export async function takePicture(page: Page, path: string): Promise<void> {
  for (const frame of page.frames()) {
    const said = unlikelyRate((await frame.textContent("body")) ?? "");
    if (said !== null) throw new Error(`${path} would say "${said}"`);
  }
  await page.screenshot({ path });
}
