import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** Time limit of each wait for a page, so an endless wait fails with its purpose. */
const waitMsMax = 120_000;

/** The packed browser runs on Linux x64. On other systems, CHROMIUM_PATH names the browser. */
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
