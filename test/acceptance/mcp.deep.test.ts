import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { afterFile } from "../_after-file.ts";
import { calledBy } from "./_assistant.ts";
import { root } from "./_command-line.ts";
import { main } from "./_process.ts";

/** A client of the SDK with the bundled command as its server. */
async function connected(): Promise<{ readonly client: Client; readonly transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], cwd: root });
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(transport);
  afterFile(() => client.close());
  return { client, transport };
}

const isRunning = (pid: number | null): boolean => {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("the bundled command serves a client over stdio, and ends with it", { timeout: 120_000 }, async () => {
  const { client, transport } = await connected();
  const { pid } = transport;
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain("start_stub");
  const { baseUrl } = (await calledBy(client, "start_stub", { profile: "canton-3.5", auth: "jwt", user: "alice" }))
    .value;
  const { value } = await calledBy(client, "send_request", { path: "/v2/users?pageToken=2" });
  expect(value).toMatchObject({ status: 403, operation: "getV2Users" });
  expect((await calledBy(client, "check_har", { file: "docs/README.md" })).text).toContain("is not a recording");
  expect((await calledBy(client, "search_docs", { query: "reassignment window" })).isError).toBe(false);
  expect((await calledBy(client, "explain", { about: "DIV-001" })).isError).toBe(false);
  await client.close();
  expect(isRunning(pid)).toBe(false);
  await expect(fetch(`${baseUrl}/v2/users`)).rejects.toThrow("fetch failed");
});

test("SIGTERM ends the process and its stubs, although the client stays", { timeout: 120_000 }, async () => {
  const { client, transport } = await connected();
  const { baseUrl } = (await calledBy(client, "start_stub", {})).value;
  const closed = Promise.withResolvers<void>();
  client.onclose = closed.resolve;
  process.kill(transport.pid ?? 0, "SIGTERM");
  await closed.promise;
  await expect(fetch(`${baseUrl}/v2/users`)).rejects.toThrow("fetch failed");
});
