import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { formatJson } from "../../foundation/json/json.ts";
import { shortened } from "../../foundation/text/shortened.ts";
import { advise } from "../../foundation/text/suggestion.ts";
import { UnderstudyError } from "../library/understudy-error.ts";
import { bounds } from "./bounds.ts";
import { checkedArguments, inputSchemaOf } from "./check-arguments.ts";
import type { Sdk } from "./sdk.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./tool.ts";

const instructions =
  "Understudy is a stateful mock server of a Canton participant's JSON Ledger API and of a token registry. To test a client: start_stub, point the client at its base URL or use send_request, then list_traffic for the client findings. explain and search_docs answer questions.";

/** A server without a transport, and the calls that it has not answered yet. */
interface McpServer {
  readonly server: Server;
  /** Resolves when no call is in progress. */
  drained(): Promise<void>;
}

/** Creates an MCP server with the tools. A wrong call gets a result that is marked as an error; the server goes on. */
export function createMcpServer(
  { Server, ListToolsRequestSchema, CallToolRequestSchema }: Sdk,
  tools: readonly Tool[],
  { session, version }: { readonly session: Session; readonly version: string },
): McpServer {
  const server = new Server(
    { name: "understudy", title: "Understudy", version },
    { capabilities: { tools: {} }, instructions: `${instructions} Relative file names start from ${session.folder}.` },
  );
  const open = new Set<Promise<CallToolResult>>();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const call = resultOf(name, given, tools, session);
    open.add(call);
    return call.finally(() => open.delete(call));
  });
  return {
    server,
    drained: async () => {
      // The SDK hands over a message, and sends a response, in microtasks.
      do await new Promise((resolve) => setImmediate(resolve));
      while ((await Promise.allSettled(open)).length > 0);
    },
  };
}

function listed(tool: Tool) {
  const { name, title, description, isReadOnly, output } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...inputSchemaOf(tool) },
    ...(output === undefined ? {} : { outputSchema: { type: "object" as const, properties: output } }),
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
  };
}

async function resultOf(
  name: string,
  given: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  session: Session,
): Promise<CallToolResult> {
  try {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new UnderstudyError(unknownTool(name, tools));
    const result = await tool.run(checkedArguments(tool, given), session);
    return { content: [{ type: "text", text: formatJson(result) }], structuredContent: { ...result } };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: shortened(problemOf(error), bounds.problemLength) }] };
  }
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  return `There is no tool ${JSON.stringify(name)}. ${advise(
    name,
    tools.map((tool) => tool.name),
  )}`;
}

/** The library throws UnderstudyError and RangeError for problems of its caller. */
function problemOf(error: unknown): string {
  if (error instanceof UnderstudyError || error instanceof RangeError) return error.message;
  return `Understudy has a bug: ${error instanceof Error ? error.message : String(error)}. Please report it with the call.`;
}
