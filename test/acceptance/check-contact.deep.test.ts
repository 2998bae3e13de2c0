import { expect, test } from "vitest";
import { always, atPort } from "./_at-port.ts";
import { serving, understudy } from "./_command-line.ts";
import { start } from "./_process.ts";

// Messages of `understudy check` for a target that is another API, does not respond, or refuses the token.

const fast = ["--rate", "1000", "--seed", "t"];

test("a refused token ends the check with exit code 2 and advice", async () => {
  const { url } = await serving(["--auth", "jwt"]);
  const wrong = await understudy(["check", "--ledger", url, "--token", "nobodys", ...fast]);
  expect(wrong).toMatchObject({ exitCode: 2, out: "" });
  expect(wrong.error).toMatch(
    /^The token of --token was refused with 401 \(GET http:\S+\/v2\/idps\)\. .* Use a new token of a participant administrator.*\n$/,
  );
});

test("a token without rights, or no token, causes a warning, and the check continues", async () => {
  const { url } = await serving(["--auth", "user"]);
  const requested = ["check", "--ledger", url, "--only", "identity,token-missing", ...fast];
  const plain = await understudy([...requested, "--token", "bob"]);
  expect(plain.error).toContain("The token of --token does not belong to a participant administrator: ");
  expect(plain.out).toContain(": getV2Idps was not checked: no success, only 401, 403.");
  const none = await understudy(requested);
  expect(none.error).toContain("No administrator token: only requests to the ledger that need no token are sent.");
  expect(none.out).toContain(
    ": getV2Idps was not checked: no success, only 401; needs administratorToken (UNDERSTUDY_TOKEN or --token).",
  );
  expect([plain.exitCode, none.exitCode]).toEqual([5, 5]);
});

test.each([
  ["404 in HTML", 404, "text/html; charset=utf-8", "<html>", "404 text/html"],
  ["a gateway's 502", 502, "text/plain", "bad gateway", "502 text/plain"],
  ["JSON of another API", 200, "application/json", '{"hello":1}', "200 application/json with unknown members"],
])("a target that always returns %s is neither a ledger nor a registry", async (_, status, type, body, received) => {
  const url = await atPort(always(status, type, body));
  const ledger = await understudy(["check", "--ledger", url, "--token", "t", ...fast]);
  expect(ledger).toMatchObject({ exitCode: 3, out: "" });
  expect(ledger.error).toBe(
    `${url} does not respond like a JSON Ledger API: GET /v2/version returned ${received}, GET /v2/idps returned ${received}. Check the base URL with its path, and any proxy in front of the ledger.\n`,
  );
  const registry = await understudy(["check", "--registry", url, ...fast]);
  expect(registry).toMatchObject({ exitCode: 3, out: "" });
  expect(registry.error).toContain(
    `${url} does not respond like a token registry: GET /registry/metadata/v1/info returned ${received}, POST /registry/transfer-instruction/v2/transfer-factory returned ${received}.`,
  );
});

test("a registry without metadata is recognized by its second response", async () => {
  const url = await atPort((request, response) =>
    request.method === "POST"
      ? always(400, "application/json", '{"error":"no arguments"}')(request, response)
      : always(404, "text/html", "<html>")(request, response),
  );
  const ran = await understudy(["check", "--registry", url, ...fast]);
  expect(ran.out).toContain(
    "The check is inconclusive:\n  getTransferFactory was not checked: no success, only 400; needs instrument (--target instrument.admin=PARTY and instrument.id=ID).\n  more than half of the target was not checked: 6 of the 8 probes that the flags allow were skipped: ",
  );
  expect(ran.exitCode).toBe(5);
});

const silence =
  /does not respond like a JSON Ledger API: GET \/v2\/version got no response \(nothing received within 1 s\)/;

// The limit is a whole second, because the connection must be established before it ends.
test("check ends with exit code 3 if the target never responds", async () => {
  let requested = 0;
  const url = await atPort(() => {
    requested += 1;
  });
  const checked = await understudy(["check", "--ledger", url, "--token", "t", "--timeout", "1", ...fast]);
  expect(checked).toMatchObject({ exitCode: 3, out: "", error: expect.stringMatching(silence) });
  expect(checked.error).toContain("Check that the ledger is running and ready, or raise the limit with --timeout.");
  expect(requested).toBe(2);
});

test("a target that stops responding during discovery ends the check with exit code 3", async () => {
  const url = await atPort((request, response) => {
    if (request.url === "/v2/version") always(200, "application/json", '{"version":"3.5.1"}')(request, response);
  });
  const ran = await understudy(["check", "--ledger", url, "--token", "t", "--timeout", "1", ...fast]);
  expect(ran).toMatchObject({ exitCode: 3, out: "" });
  expect(ran.error).toContain(
    "no longer responds: no complete response to the last requests, nothing received within 1 s.",
  );
});

test("the first Ctrl-C stops the check after the request in flight, and the second one ends it at once", async () => {
  let requested: () => void = () => undefined;
  const isRequested = new Promise<void>((resolve) => {
    requested = resolve;
  });
  const url = await atPort(() => requested());
  const child = start(["check", "--ledger", url, "--token", "t"]);
  const exitCode = new Promise((resolve) => child.on("close", resolve));
  await isRequested;
  child.kill("SIGINT");
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += String(chunk);
    if (text.includes("\n")) child.kill("SIGINT");
  }
  expect(text).toBe("The check stops after the request in flight. Ctrl-C again ends it at once, without a report.\n");
  expect(await exitCode).toBe(130);
});

test("a registry that does not say that it is Splice's is checked against the spec, unless a release is named", async () => {
  const { url } = await serving(["fixtures/registries/utility.yaml", "--profile", "canton-3.6"]);
  const requested = ["check", "--registry", url, ...fast];
  const vendor = await understudy(requested);
  expect(vendor.error).toContain(
    "The registry does not say that it is Splice's, so it is checked against the spec. To accept the known divergences of Splice, set --registry-profile splice-0.8.",
  );
  expect(vendor.out).toContain("spec (not Splice's)");
  expect(vendor.out).not.toContain("KNOWN DIV-1");
  const named = await understudy([...requested, "--registry-profile", "splice-0.7"]);
  expect([named.error, named.exitCode]).toEqual(["", 0]);
  expect(named.out).toContain("KNOWN DIV-1");
  const splice = await serving(["--profile", "canton-3.6"]);
  expect((await understudy(["check", "--registry", splice.url, ...fast])).error).toBe("");
});
