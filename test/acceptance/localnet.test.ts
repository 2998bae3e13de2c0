import { createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { localnetPorts, startLocalnet } from "../../src/entrypoints/library/localnet.ts";
import { partiesWithTokens } from "../../src/entrypoints/library/test-parties.ts";
import { fingerprintOf } from "../../src/foundation/protobuf/fingerprint.ts";
import { startUnderstudy } from "../../src/index.ts";
import { hostingOf, scenarioOf } from "../_scenario.ts";
import { onLoopback } from "../_server.ts";
import { serving, understudy } from "./_command-line.ts";

const audience = "https://canton.network.global";

/** A token as the shell scripts of the quickstart sign it: without an expiry. */
function tokenOf(sub: string, aud = audience): string {
  const url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${url({ alg: "HS256", typ: "JWT" })}.${url({ sub, aud })}`;
  return `${input}.${createHmac("sha256", "unsafe").update(input).digest("base64url")}`;
}

const jsonOf = async (response: Response) => JSON.parse(await response.text());

const asked = (url: string, token = tokenOf("ledger-api-user")) =>
  fetch(url, { headers: { Authorization: `Bearer ${token}` } });

/** The participant and the operator's party at an address. */
async function operatorAt(url: string) {
  const { participantId } = await jsonOf(await asked(`${url}/v2/parties/participant-id`));
  const { user } = await jsonOf(await asked(`${url}/v2/users/ledger-api-user`));
  return { participantId, primaryParty: user.primaryParty };
}

/** The servers of a LocalNet at free ports. */
async function startedAtFreePorts() {
  const hosting = hostingOf(scenarioOf("localnet"), "canton-3.6");
  const ports = localnetPorts.map((each) => ({ ...each, port: 0 }));
  const started = await startLocalnet({ ...onLoopback, handler: hosting.handler }, ports);
  onTestFinished(() => started.close());
  const urls = Object.fromEntries(started.addresses.map(({ url }, index) => [localnetPorts[index]?.port ?? 0, url]));
  return { hosting, urls: (port: number) => urls[port] ?? "" };
}

test("each port of a LocalNet belongs to a participant, whose operator has a party of its namespace", async () => {
  const { urls } = await startedAtFreePorts();
  const namespaces: string[] = [];
  for (const [ports, hint] of [
    [[2975, 2903, 2000, 4000], "app_user"],
    [[3975, 3903, 3000], "app_provider"],
  ] as const)
    for (const port of ports) {
      const { participantId, primaryParty } = await operatorAt(urls(port));
      expect(participantId).toMatch(/^participant::1220[0-9a-f]{64}$/);
      const namespace = participantId.replace("participant::", "");
      expect([port, primaryParty]).toEqual([port, `${hint}_localnet-localparty-1::${namespace}`]);
      namespaces.push(namespace);
    }
  expect(new Set(namespaces).size).toBe(2);
});

test("a port of app-provider serves that participant of a fork, too", async () => {
  const { hosting, urls } = await startedAtFreePorts();
  const fork = hosting.fork("default");
  const { participantId } = await operatorAt(urls(3975));
  for (const url of [`${urls(3000)}/w/${fork}`, `${urls(2975)}/w/${fork}-appProvider`, `${urls(2000)}/w/appProvider`])
    expect((await operatorAt(url)).participantId).toBe(participantId);
  expect(hosting.worlds.get(`${fork}-appProvider`)?.journal.exchanges.at(-1)?.request.target).toBe(
    "/v2/users/ledger-api-user",
  );
});

test("a port takes the names of its hosts behind nginx", async () => {
  const { urls } = await startedAtFreePorts();
  const { port } = new URL(urls(3000));
  const headers = { Host: "json-ledger-api.localhost", Authorization: `Bearer ${tokenOf("ledger-api-user")}` };
  const sent = request({ host: "127.0.0.1", port, path: "/v2/users/app-provider", headers }).end();
  const [response] = await once(sent, "response");
  response.resume();
  expect(response.statusCode).toBe(200);
});

test("if ports are taken, the message names all of them and no port stays open", async () => {
  const taken = [createServer(), createServer()];
  for (const server of taken) await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    for (const server of taken) server.close();
  });
  const numbers = taken.map((server) => Number(Object(server.address()).port));
  const ports = localnetPorts.map((each, index) => ({ ...each, port: numbers[index] ?? 0 }));
  const handler = hostingOf(scenarioOf("localnet"), "canton-3.6").handler;
  await expect(startLocalnet({ ...onLoopback, handler }, ports)).rejects.toThrow(
    `Ports ${numbers.join(", ")} are taken, so no port of the LocalNet is open.`,
  );
});

test("the parties with tokens have the keys that are shown, and the holdings are where their owners are", async () => {
  const { initial } = scenarioOf("localnet");
  const parties = partiesWithTokens(initial);
  expect(
    parties.map(({ party, amount, privateKey }) => [party.split("::")[0], amount, privateKey !== undefined]),
  ).toEqual(
    expect.arrayContaining([
      ["alice", "1000", true],
      ["bob", "1000", true],
      ["app_user_localnet-localparty-1", "10000", false],
      ["app_provider_localnet-localparty-1", "10000", false],
    ]),
  );
  await using understudy = await startUnderstudy({ localnet: true, port: 0 });
  for (const [path, count] of [
    ["", 3],
    ["/w/appProvider", 1],
  ] as const) {
    const { holdings } = await jsonOf(
      await fetch(`${understudy.ledgerUrl}/__understudy/worlds/${path.slice(3) || "default"}`),
    );
    expect(holdings).toHaveLength(count);
  }
});

test("serve --localnet with a port has all of a LocalNet there, and says where and with which tokens", async () => {
  const { url, ready } = await serving(["--localnet"]);
  expect(ready).toContain(`HS256 with the secret "unsafe", audience ${audience}, user ledger-api-user`);
  expect(ready).toContain(`${url}/w/appProvider  app-provider: JSON Ledger API`);
  expect(ready).toMatch(/alice::1220[0-9a-f]{64} {2}1000 Amulet\n +private key [\w+/]{86}==/);
  expect((await operatorAt(url)).primaryParty).toMatch(/^app_user/);
  expect((await operatorAt(`${url}/w/appProvider`)).primaryParty).toMatch(/^app_provider/);
  const users = `${url}/v2/users`;
  expect((await asked(users, tokenOf("ledger-api-user", "https://other.example.com"))).status).toBe(401);
  expect((await asked(users, tokenOf("app-user"))).status).toBe(403);
  const minted = await understudy(["token", "--user", "ledger-api-user", "--audience", audience]);
  expect((await asked(users, minted.out.trim())).status).toBe(200);
  const body = "grant_type=client_credentials&client_id=ledger-api-user&client_secret=any&scope=openid";
  const token = `${url}/realms/AppProvider/protocol/openid-connect/token`;
  const { access_token } = await jsonOf(await fetch(token, { method: "POST", body }));
  expect((await asked(users, access_token)).status).toBe(200);
  const [, line = ""] = /TOKEN=\$\((.*)\)/.exec(ready) ?? [];
  expect(line).toBe(`understudy token --user "ledger-api-user" --audience "${audience}"`);
});

test("serve --localnet takes a scenario of its own that has both participants", async () => {
  const ran = await understudy(["serve", "quickstart", "--localnet", "--port", "0"]);
  expect([ran.exitCode, ran.error]).toEqual([
    2,
    expect.stringContaining("the scenario has no participant appProvider"),
  ]);
});

test("the library plays a LocalNet, and signs tokens for it", async () => {
  await using stub = await startUnderstudy({ localnet: true, port: 0 });
  const token = await stub.token({ user: "ledger-api-user" });
  expect((await asked(`${stub.ledgerUrl}/v2/users`, token)).status).toBe(200);
  expect((await asked(`${stub.ledgerUrl}/w/appProvider/v2/users`, token)).status).toBe(200);
  const fork = stub.fork();
  expect((await asked(`${fork.ledgerUrl}-appProvider/v2/users`, token)).status).toBe(200);
  const wallMs = Date.now();
  expect(stub.clock.now.getTime()).toBeGreaterThanOrEqual(wallMs);
  expect(stub.clock.now.getTime()).toBeLessThanOrEqual(Date.now());
  expect(stub.profile.ledger).toBe("canton-3.5");
});

test("the key of a party signs for it", () => {
  const alice = partiesWithTokens(scenarioOf("localnet").initial).find(({ party }) => party.startsWith("alice"));
  const bytes = Buffer.from(alice?.privateKey ?? "", "base64");
  const [d, x] = [bytes.subarray(0, 32).toString("base64url"), bytes.subarray(32).toString("base64url")];
  const key = { kty: "OKP", crv: "Ed25519", x };
  const signature = sign(null, Buffer.from("text"), createPrivateKey({ key: { ...key, d }, format: "jwk" }));
  expect(verify(null, Buffer.from("text"), createPublicKey({ key, format: "jwk" }), signature)).toBe(true);
  expect(alice?.party).toBe(`alice::${fingerprintOf(bytes.subarray(32))}`);
});
