import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { DocsIndex } from "../../src/entrypoints/mcp/docs-index.ts";
import { readDocsPages } from "../../src/entrypoints/mcp/docs-pages.ts";
import { createMcpServer } from "../../src/entrypoints/mcp/mcp-server.ts";
import { OpenStubs } from "../../src/entrypoints/mcp/open-stubs.ts";
import { loadSdk } from "../../src/entrypoints/mcp/sdk.ts";
import { allTools } from "../../src/entrypoints/mcp/tools.ts";
import { afterFile } from "../_after-file.ts";
import { root } from "./_command-line.ts";

/** The result of a tool: its members, or the text of its error. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly value: ReturnType<typeof JSON.parse>;
}

/** An assistant: the client of the SDK, connected to the server in this process. */
export interface Assistant {
  readonly client: Client;
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Called>;
}

/** An assistant with stubs of its own, which stop after the file's last test. */
export async function connectedAssistant(folder: string = root): Promise<Assistant> {
  const stubs = new OpenStubs();
  const docs = new DocsIndex(() => readDocsPages(`${root}docs`));
  const session = { folder, stubs, docs };
  const { server } = createMcpServer(await loadSdk(), allTools(), { session, version: "0.0.0" });
  const [ofServer, ofClient] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "0.0.0" });
  await Promise.all([server.connect(ofServer), client.connect(ofClient)]);
  // The client then compares each result with the schema of its tool.
  await client.listTools();
  afterFile(async () => {
    await client.close();
    await stubs.close();
  });
  return { client, call: (name, given = {}) => calledBy(client, name, given) };
}

export async function calledBy(
  client: Client,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...given } });
  return calledOf(result);
}

function calledOf(result: Awaited<ReturnType<Client["callTool"]>>): Called {
  const { content, isError = false, structuredContent } = toResult(result);
  const [first] = content;
  return { isError, text: first?.type === "text" ? first.text : "", value: structuredContent };
}

function toResult(result: Awaited<ReturnType<Client["callTool"]>>): CallToolResult {
  if (!("content" in result)) throw new Error("the result has no content");
  return JSON.parse(JSON.stringify(result));
}
