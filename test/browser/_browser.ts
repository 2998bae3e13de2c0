import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

/** The packed browser is for Linux on x64; elsewhere CHROMIUM_PATH names one. */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env["CHROMIUM_PATH"];
  return chromium.launch(
    named === undefined
      ? { executablePath: await sparticuz.executablePath(), args: [...argsOfPacked()] }
      : { executablePath: named },
  );
}

/** In a single process the browser would end with its first page; and the pages of others must be kept apart as at home. */
function argsOfPacked(): readonly string[] {
  return sparticuz.args.filter((argument) => !["--single-process", "--disable-web-security"].includes(argument));
}
