import { expect, test } from "vitest";
import { always, atPort } from "./_at-port.ts";
import { serving, understudy } from "./_command-line.ts";
import { start } from "./_process.ts";

// What `understudy check` and `explore` say of a target that is not the API, does not respond, or takes no such token.

const fast = ["--rate", "1000", "--seed", "t"];

test("a token that is refused ends with exit code 2 and one sentence that says what to do", async () => {
  const { url } = await serving(["--auth", "jwt"]);
  const wrong = await understudy(["check", "--ledger", url, "--token", "nobodys", ...fast]);
  expect(wrong).toMatchObject({ exitCode: 2, out: "" });
  expect(wrong.error).toMatch(
    /^The token of --token was refused with 401 \(http:\S+ answered GET \/v2\/idps\)\. .* take a fresh one of a participant administrator.*\n$/,
  );
});

test("a token without rights, or none, is told, and the check goes on", async () => {
  const { url } = await serving(["--auth", "user"]);
  const requested = ["check", "--ledger", url, "--only", "identity,token-missing", ...fast];
  const plain = await understudy([...requested, "--token", "bob"]);
  expect(plain.error).toContain("The token of --token is not that of a participant administrator: ");
  expect(plain.out).toContain("(2 probes run, 0 skipped).");
  const none = await understudy(requested);
  expect(none.error).toContain("No administrator's token was given (--token, better UNDERSTUDY_TOKEN");
  expect(none.out).toContain("(1 probe run, 1 skipped).");
  expect([plain.exitCode, none.exitCode]).toEqual([0, 0]);
});

test.each([
  ["404 in HTML", 404, "text/html; charset=utf-8", "<html>", "404 text/html"],
  ["a gateway's 502", 502, "text/plain", "bad gateway", "502 text/plain"],
  ["another site's JSON", 200, "application/json", '{"hello":1}', "200 application/json that is none of its responses"],
])("%s to everything is no ledger and no registry", async (_, status, type, body, came) => {
  const url = await atPort(always(status, type, body));
  const ledger = await understudy(["check", "--ledger", url, "--token", "t", ...fast]);
  expect(ledger).toMatchObject({ exitCode: 3, out: "" });
  expect(ledger.error).toBe(
    `${url} does not respond as a JSON Ledger API does: GET /v2/version got ${came}, GET /v2/idps got ${came}. Check the base URL, its path included, and what stands in front of the ledger.\n`,
  );
  const registry = await understudy(["check", "--registry", url, ...fast]);
  expect(registry).toMatchObject({ exitCode: 3, out: "" });
  expect(registry.error).toContain(
    `${url} does not respond as a token registry does: GET /registry/metadata/v1/info got ${came}, POST /registry/transfer-instruction/v2/transfer-factory got ${came}.`,
  );
  const explored = await understudy(["explore", "--ledger", url]);
  expect(explored).toMatchObject({ exitCode: 3, out: "" });
  expect(explored.error).toContain(`${url} does not respond as a JSON Ledger API does: `);
  expect(explored.error).not.toContain("--writes");
});

test("a registry without metadata is one", async () => {
  const url = await atPort((request, response) =>
    request.method === "POST"
      ? always(400, "application/json", '{"error":"no arguments"}')(request, response)
      : always(404, "text/html", "<html>")(request, response),
  );
  const ran = await understudy(["check", "--registry", url, ...fast]);
  expect(ran.out).toContain("The check passes (2 probes run, 44 skipped).");
  expect(ran.exitCode).toBe(0);
});

const silence =
  /does not respond as a JSON Ledger API does: GET \/v2\/version brought no response \(nothing received within 1 s\)/;

// A second, though nothing comes: a connection has to be there before it is over.
test("a target that never answers ends with exit code 3, also when it is explored", async () => {
  let requested = 0;
  const url = await atPort(() => {
    requested += 1;
  });
  const checked = await understudy(["check", "--ledger", url, "--token", "t", "--timeout", "1", ...fast]);
  expect(checked).toMatchObject({ exitCode: 3, out: "", error: expect.stringMatching(silence) });
  expect(checked.error).toContain("Check that the ledger runs and is ready, or give it longer with --timeout SECONDS.");
  expect(requested).toBe(2);
  const explored = await understudy(["explore", "--ledger", url, "--timeout", "1"]);
  expect(explored).toMatchObject({
    exitCode: 3,
    out: "",
    error: expect.stringContaining("brought no response (nothing received within 1 s)"),
  });
  expect(explored.error).not.toContain("--writes");
});

test("a target that falls silent while it is asked what there is ends with exit code 3", async () => {
  const url = await atPort((request, response) => {
    if (request.url === "/v2/version") always(200, "application/json", '{"version":"3.5.1"}')(request, response);
  });
  const ran = await understudy(["check", "--ledger", url, "--token", "t", "--timeout", "1", ...fast]);
  expect(ran).toMatchObject({ exitCode: 3, out: "" });
  expect(ran.error).toContain(
    "does not respond any more: nothing whole came to the last requests, nothing received within 1 s.",
  );
});

test("the first Ctrl-C says at once that the check stops after the request in flight, and the second one ends it", async () => {
  let requested: () => void = () => undefined;
  const isRequested = new Promise<void>((resolve) => {
    requested = resolve;
  });
  const url = await atPort(() => requested());
  const child = start(["check", "--ledger", url, "--token", "t"]);
  const exitCode = new Promise((resolve) => child.on("close", resolve));
  await isRequested;
  child.kill("SIGINT");
  let told = "";
  for await (const chunk of child.stderr ?? []) {
    told += String(chunk);
    if (told.includes("\n")) child.kill("SIGINT");
  }
  expect(told).toBe("The check stops after the request in flight. Ctrl-C again ends it at once, without a report.\n");
  expect(await exitCode).toBe(130);
});
