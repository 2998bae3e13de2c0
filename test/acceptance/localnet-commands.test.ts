import { expect, test } from "vitest";
import { textResponse } from "../../src/foundation/http/response.ts";
import { freePorts } from "../_free-ports.ts";
import { listening } from "../_server.ts";
import { expectRefusal, serving, understudy } from "./_command-line.ts";

const variablesOf = async (...urls: readonly string[]) =>
  JSON.parse((await understudy(["env", ...urls, "--format", "json"])).out);

test("env prints the variables of a LocalNet at its ports, or at the URL of a stub", async () => {
  const atPorts = await variablesOf();
  expect(atPorts).toMatchObject({
    CANTON_LOCALNET_A_VALIDATOR_1_JSON_API_URL: "http://127.0.0.1:3975",
    CANTON_LOCALNET_B_VALIDATOR_1_JSON_API_URL: "http://127.0.0.1:2975",
    CANTON_LOCALNET_APP_PROVIDER_VALIDATOR_API_URI: "http://127.0.0.1:3903",
    CANTON_LOCALNET_APP_PROVIDER_PARTY_ID: expect.stringMatching(/^app_provider_localnet-localparty-1::1220/),
  });
  expect((await understudy("env")).out).toContain("export CANTON_CURRENT_NETWORK='localnet'\n");
  expect((await understudy("env --format github")).out).toContain("CANTON_CURRENT_NETWORK=localnet\n");
  const { url } = await serving(["--localnet"]);
  const atUrl = await variablesOf(`${url}/`);
  expect(Object.keys(atUrl)).toEqual(Object.keys(atPorts));
  const { CANTON_LOCALNET_APP_PROVIDER_AUTH_URL: tokenUrl, CANTON_LOCALNET_APP_PROVIDER_LEDGER_JSON_API_URI: ledger } =
    atUrl;
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: atUrl.CANTON_LOCALNET_APP_PROVIDER_LEDGER_JSON_API_CLIENT_ID,
    client_secret: atUrl.CANTON_LOCALNET_APP_PROVIDER_LEDGER_JSON_API_CLIENT_SECRET,
  });
  const issued = JSON.parse(await (await fetch(tokenUrl, { method: "POST", body })).text());
  const headers = { Authorization: `Bearer ${issued.access_token}` };
  const own = JSON.parse(await (await fetch(`${ledger}/v2/authenticated-user`, { headers })).text());
  expect(own.user.primaryParty).toBe(atUrl.CANTON_LOCALNET_APP_PROVIDER_PARTY_ID);
});

test("wait-ready waits until /readyz below the URL responds with 200", async () => {
  const statuses = [503, 503, 200];
  const targets: string[] = [];
  const { url } = await listening(({ target }) => {
    targets.push(target);
    return textResponse(statuses.shift() ?? 200, "text/plain", "");
  });
  const { exitCode, out } = await understudy(`wait-ready ${url}/api/validator/`);
  expect([exitCode, out]).toEqual([0, `${url}/api/validator/ is ready.\n`]);
  expect(targets).toEqual(Array.from({ length: 3 }, () => "/api/validator/readyz"));
});

test("wait-ready says what is missing, and has exit code 3 after its time", async () => {
  const [port] = await freePorts(1);
  const closed = await understudy(`wait-ready http://127.0.0.1:${port} --timeout 0.3`);
  expect([closed.exitCode, closed.error]).toEqual([3, expect.stringContaining("is not ready after 0.3 s: ")]);
  const { url } = await listening(() => textResponse(503, "text/plain", ""));
  const busy = await understudy(`wait-ready ${url} --timeout 0.3`);
  expect([busy.exitCode, busy.error]).toEqual([3, expect.stringContaining("status 503")]);
});

test.each([
  ["env http://127.0.0.1:1 b", "env takes one URL"],
  ["env localhost", "env localhost: not a URL"],
  ["env --format xml", "xml"],
  ["wait-ready", "wait-ready needs one URL"],
  ["wait-ready localhost:1", "write http://localhost:1."],
])("%s is refused with what to write", async (words, message) => {
  await expectRefusal(words, message);
});
