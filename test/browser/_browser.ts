import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** Bounds each wait for a page, so that one that never ends says what it was for; longer than any machine needs. */
const waitMsMax = 120_000;

/** The packed browser is for Linux on x64; elsewhere CHROMIUM_PATH names one. */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env["CHROMIUM_PATH"];
  const browser = await chromium.launch(
    named === undefined
      ? { executablePath: await sparticuz.executablePath(), args: [...argsOfPacked()] }
      : { executablePath: named },
  );
  return browser.on("context", (context) => context.setDefaultTimeout(waitMsMax));
}

/** In a single process the browser would end with its first page; and the pages of others must be kept apart as at home. */
function argsOfPacked(): readonly string[] {
  return sparticuz.args.filter((argument) => !["--single-process", "--disable-web-security"].includes(argument));
}
