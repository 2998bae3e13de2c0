import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { main } from "../../src/entrypoints/cli/command-line.ts";
import { installedSdk } from "../../src/entrypoints/cli/mcp.ts";
import { expectRefusal, inProcess, root, understudy } from "./_command-line.ts";

const messageOf = (method: string, params: object, id?: number) =>
  `${JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params })}\n`;
const callOf = (id: number, name: string, given: object = {}) =>
  messageOf("tools/call", { name, arguments: given }, id);
const clientInfo = { name: "test", version: "0.0.0" };
const hello = [
  messageOf("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }, 0),
  messageOf("notifications/initialized", {}),
].join("");

/** The results by the id of their message. Throws where a line is not a message of the protocol. */
function resultsIn(out: string): ReadonlyMap<number, ReturnType<typeof JSON.parse>> {
  const messages = out.trimEnd().split("\n");
  return new Map(
    messages.map((line) => {
      const { jsonrpc, id, result } = JSON.parse(line);
      expect([line, jsonrpc]).toEqual([line, "2.0"]);
      return [id, result];
    }),
  );
}

test("answers every message before it ends with its input, prints nothing else, and stops its stubs", async () => {
  const input = `${hello}${callOf(1, "start_stub")}${callOf(2, "explain", { about: "nothing" })}not a message\n`;
  const { exitCode, out, error } = await understudy("mcp", { input: Buffer.from(input) });
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: "" });
  const results = resultsIn(out);
  expect(results.get(0)).toMatchObject({ serverInfo: { name: "understudy" } });
  expect(results.get(0).instructions).toContain(`Relative file names start from ${root}`);
  expect(results.get(2)).toMatchObject({ isError: true });
  await expect(fetch(`${results.get(1).structuredContent.baseUrl}/v2/users`)).rejects.toThrow("fetch failed");
});

test("stops its stubs at SIGINT and SIGTERM, although its input goes on", async () => {
  const input = new PassThrough();
  const printed = Promise.withResolvers<string>();
  const stopped = Promise.withResolvers<void>();
  const print = (text: string) => text.includes('"id":1') && printed.resolve(text);
  const ended = main(["mcp"], { ...inProcess, input, print, stopped: () => stopped.promise });
  input.write(`${hello}${callOf(1, "start_stub")}`);
  const { baseUrl } = JSON.parse(await printed.promise).result.structuredContent;
  expect((await fetch(`${baseUrl}/v2/users`)).status).toBe(401);
  stopped.resolve();
  expect(await ended).toBe(0);
  await expect(fetch(`${baseUrl}/v2/users`)).rejects.toThrow("fetch failed");
});

test("stops with its stubs after a message that is too large", async () => {
  const input = new PassThrough();
  const started = Promise.withResolvers<string>();
  const errors: string[] = [];
  const print = (text: string) => text.includes('"id":1') && started.resolve(text);
  const ended = main(["mcp"], { ...inProcess, input, print, printError: (text) => errors.push(text) });
  input.write(`${hello}${callOf(1, "start_stub")}`);
  const { baseUrl } = JSON.parse(await started.promise).result.structuredContent;
  input.write("x".repeat(11 * 1024 * 1024));
  expect([await ended, errors]).toEqual([2, [expect.stringContaining("a message of more than 10 MB")]]);
  await expect(fetch(`${baseUrl}/v2/users`)).rejects.toThrow("fetch failed");
});

test("without the SDK the message has the command that installs it", async () => {
  const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
  await expect(installedSdk(() => Promise.reject(missing))).rejects.toMatchObject({
    message:
      "understudy mcp needs the MCP SDK, which is not installed: npm install --save-dev @modelcontextprotocol/sdk. Without a project: docs/assistants.md",
    exitCode: 2,
  });
  await expect(installedSdk(() => Promise.reject(new Error("another problem")))).rejects.toThrow("another problem");
});

test("refuses words, which an assistant gives in its calls", async () => {
  await expectRefusal("mcp scenario.yaml", 'mcp takes no arguments, not "scenario.yaml".');
});

test("tells a person at a terminal what it waits for", async () => {
  const { error } = await understudy("mcp", { isTerminal: true });
  expect(error).toContain("Understudy waits for an assistant on standard input. docs/assistants.md shows how");
});
