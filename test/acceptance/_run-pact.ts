import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const session = fileURLToPath(new URL("_pact-session.ts", import.meta.url));

/** Time limit of a session: Pact's native library can hang. */
export const sessionLimitMs = 240_000;

/** Runs Pact in a process of its own, with the words of `_pact-session.ts`. Rejects if the process fails. */
export async function runPact(...words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [session, ...words], {
    env: { PATH: process.env["PATH"] ?? "", PACT_DO_NOT_TRACK: "true" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: sessionLimitMs,
    killSignal: "SIGKILL",
  });
  let error = "";
  child.stderr.on("data", (chunk) => {
    error += String(chunk);
  });
  const [exitCode] = await once(child, "close");
  if (exitCode !== 0) throw new Error(`Pact ended with ${exitCode}: ${error}`);
}
