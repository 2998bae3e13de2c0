type ServerModule = typeof import("@modelcontextprotocol/sdk/server/index.js");
type StdioModule = typeof import("@modelcontextprotocol/sdk/server/stdio.js");
type TypesModule = typeof import("@modelcontextprotocol/sdk/types.js");

/** What the server uses of the MCP SDK, an optional peer dependency. */
export interface Sdk
  extends Pick<ServerModule, "Server">,
    Pick<StdioModule, "StdioServerTransport">,
    Pick<TypesModule, "CallToolRequestSchema" | "ListToolsRequestSchema"> {}

/** Imports the MCP SDK. Rejects if it is not installed. */
export async function loadSdk(): Promise<Sdk> {
  const [{ Server }, { StdioServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/server/stdio.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  return { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema };
}
