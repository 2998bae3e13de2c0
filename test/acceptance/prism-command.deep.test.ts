import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checkExchange } from "../../src/checker/engine/checker.ts";
import { outcomeOf } from "../../src/checker/engine/exchange-verdict.ts";
import { Body, emptyBody } from "../../src/foundation/http/body.ts";
import type { Request } from "../../src/foundation/http/request.ts";
import { loadSpec } from "../../src/foundation/spec/spec.ts";
import { sendOverHttp } from "../../src/transport/client/send-over-http.ts";
import { afterFile } from "../_after-file.ts";
import { root, serving } from "./_command-line.ts";

const spec = loadSpec({ ledger: "spec", registry: "spec" });

/** Starts the command of Prism on a free port, as `npx @stoplight/prism-cli` does. Resolves to its URL. */
function prism(...words: readonly string[]): Promise<string> {
  const main = join(root, "node_modules/@stoplight/prism-cli/dist/index.js");
  const child = spawn(process.execPath, [main, ...words, "--port", "0", "--cors", "false"], { cwd: root });
  afterFile(() => child.kill("SIGKILL"));
  let out = "";
  return new Promise((resolve, reject) => {
    child.once("close", () => reject(new Error(`Prism ended: ${out}`)));
    child.stderr.on("data", (chunk) => {
      out += String(chunk);
    });
    child.stdout.on("data", (chunk) => {
      out += String(chunk);
      const url = /Prism is listening on (http:\S+:\d+)/.exec(out)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}

const bearer = ["Authorization", "Bearer any"] as const;
const json = ["Content-Type", "application/json"] as const;

/** A request for each operation of a contract, with its examples. */
function requestsOf(contract: string): readonly Request[] {
  const { paths, components } = parse(readFileSync(join(root, "contracts", contract), "utf8"));
  const example = (name: string) => components.examples[name].value;
  const bodies: Readonly<Record<string, string>> = {
    "postV2Interactive-submissionExecuteandwait": "ExecuteRequest",
    "patchV2UsersUser-id": "UpdateUserRequest",
    postV2PartiesExternalAllocate: "AllocateRequest",
    "postV2UsersUser-idRights": "GrantRequest",
    "postV2Package-vetting": "VettingRequest",
    getTransferFactory: "OfferRequest",
  };
  return Object.entries<Record<string, { operationId: string }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const body = bodies[operationId];
      const sent = body === undefined ? {} : example(body);
      return {
        method: method.toUpperCase(),
        target: path
          .replace("{user-id}", sent.userId ?? sent.user?.id)
          .replace("{package-id}", () => example("PackageId")),
        headers: [bearer, ...(body === undefined ? [] : [json])],
        body: body === undefined ? emptyBody : new Body(JSON.stringify(sent)),
      };
    }),
  );
}

test.each([
  ["ledger-json-api.yaml", 8],
  ["token-registry.yaml", 1],
])("Prism's mock of contracts/%s responds to every operation as a node could", async (contract, operations) => {
  const send = sendOverHttp(await prism("mock", `contracts/${contract}`));
  const requests = requestsOf(contract);
  expect(requests).toHaveLength(operations);
  for (const request of requests) {
    const response = await send(request);
    expect([request.target, response.type === "response" ? response.status : response]).toEqual([request.target, 200]);
    const exchange = { startedAt: "1970-01-01T00:00:00Z", durationMs: 0, request, response };
    expect(outcomeOf(checkExchange(spec, "spec", exchange))).toBe("PASS");
  }
});

test("Prism's mock refuses a request without a token, and one with an invalid body, with the examples of errors", async () => {
  const url = await prism("mock", "contracts/ledger-json-api.yaml");
  const refused = await fetch(`${url}/v2/idps`);
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: "UNAUTHENTICATED" }]);
  const invalid = await fetch(`${url}/v2/users/alice/rights`, {
    method: "POST",
    headers: [[...bearer], [...json]],
    body: '{"userId":5}',
  });
  expect([invalid.status, await invalid.text()]).toEqual([400, expect.stringContaining("must be string at 'userId'")]);
  const named = await fetch(`${url}/v2/idps`, {
    headers: { Authorization: "Bearer any", Prefer: "code=404, example=user-not-found" },
  });
  expect([named.status, await named.json()]).toMatchObject([404, { code: "USER_NOT_FOUND" }]);
});

test("Prism's proxy forwards the responses of a stub, and reports violations in a header", async () => {
  const { url: stub } = await serving([]);
  const url = await prism("proxy", "contracts/ledger-json-api.yaml", stub);
  const users = await fetch(`${url}/v2/users?pageSize=1`, { headers: [[...bearer]] });
  expect([users.status, users.headers.get("sl-violations")]).toEqual([200, null]);
  const invalid = await fetch(`${url}/v2/users?pageSize=none`, { headers: [[...bearer]] });
  expect([invalid.status, invalid.headers.get("sl-violations")]).toEqual([
    400,
    expect.stringContaining("must be integer"),
  ]);
});
