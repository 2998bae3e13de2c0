import { spawn } from "node:child_process";
import { booleanFlag, type Environment, type Flag } from "../options.ts";

/** The flag of commands that serve the inspector. */
export const openFlag: Flag = {
  ...booleanFlag("open", "open the inspector in the browser, except in CI"),
  group: "Control API and inspector",
};

/** Programs that open a URL. `start` of Windows is a part of its shell, which would read the characters of the URL. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/**
 * Opens the inspector, but not in CI. The base URL is undefined if the inspector is not built. The command continues if that fails.
 * The URL has no token, because other users of the machine can see a command line; the response without it says how to add it.
 */
export function openInspector(
  baseUrl: string | undefined,
  { variables, printError }: Pick<Environment, "variables" | "printError">,
): void {
  const { CI = "" } = variables;
  if (!["", "0", "false"].includes(CI)) return;
  if (baseUrl === undefined) {
    printError("--open: the inspector is not built. Build it with npm run inspector.");
    return;
  }
  const url = `${baseUrl}/__understudy/`;
  const [program = "", ...words] = openers[process.platform] ?? ["xdg-open"];
  const fail = (problem: string) => printError(`--open: ${program} ${problem}. Open the inspector yourself: ${url}`);
  const child = spawn(program, [...words, url], { env: variables, stdio: "ignore", detached: true });
  child.once("error", () => fail("was not found"));
  child.once("exit", (code) => {
    if (code !== 0) fail(`ended with ${code ?? "a signal"}`);
  });
  // The browser may run longer than the command.
  child.unref();
}
