import { expect, test } from "bun:test";
import { startBrowser } from "../support/browser/browser.ts";
import { takePicture, unlikelyRate } from "../support/browser/picture.ts";

test.each([
  ["1 USDC = 0.8607 USD · Kraken and Bitstamp", "1 USDC = 0.8607 USD"],
  ["1 USDC = 1,05 USD", "1 USDC = 1,05 USD"],
  ["1 USDC = 0.9998 USD · Kraken", null],
  ["1 USDC = 1 USD", null],
  ["1 USDC = 0.8607 EUR · 1 USDC = 149.2 JPY", null],
  ["Nothing of a rate", null],
])("a picture that says %j", (text, unlikely) => {
  expect(unlikelyRate(text)).toBe(unlikely);
});

test("no picture is taken of an unlikely rate, in a frame neither", async () => {
  const browser = await startBrowser();
  const page = await browser.newPage();
  await page.setContent("<iframe srcdoc='1 USDC = 0.8607 USD'></iframe>");
  await page.frameLocator("iframe").getByText("0.8607").waitFor();
  expect(takePicture(page, "/nowhere/shop.png")).rejects.toThrow('would say "1 USDC = 0.8607 USD"');
  await browser.close();
});
