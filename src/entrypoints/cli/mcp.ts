import { once } from "node:events";
import { Writable } from "node:stream";
import { packagedFile } from "../library/files.ts";
import { DocsIndex } from "../mcp/docs-index.ts";
import { readDocsPages } from "../mcp/docs-pages.ts";
import { createMcpServer } from "../mcp/mcp-server.ts";
import { OpenStubs } from "../mcp/open-stubs.ts";
import { loadSdk, type Sdk } from "../mcp/sdk.ts";
import { allTools } from "../mcp/tools.ts";
import { exitCodes, UserError } from "../programs/user-error.ts";
import { version } from "../programs/version.ts";
import type { Command, Environment, Options } from "./options.ts";

export const mcp: Command = {
  name: "mcp",
  usage: "mcp",
  flags: [],
  examples: ["understudy mcp", "understudy mcp < messages.jsonl"],
  run: runMcp,
};

/** Serves the tools over standard input and output until the assistant leaves. Then all stubs stop. */
async function runMcp(options: Options, environment: Environment): Promise<number> {
  const [word] = options.positionals;
  if (word !== undefined)
    throw new UserError(
      `mcp takes no arguments, not ${JSON.stringify(word)}. An assistant names files and profiles in its calls.`,
    );
  const sdk = await installedSdk();
  const { folder, input } = environment;
  const stubs = new OpenStubs();
  const docs = new DocsIndex(() => readDocsPages(packagedFile("docs")));
  const { server, drained } = createMcpServer(sdk, allTools(), {
    session: { folder, stubs, docs },
    version: version(),
  });
  const refused = Promise.withResolvers<never>();
  // The SDK closes the server by itself for one reason only.
  server.onclose = () =>
    refused.reject(new UserError("The assistant sent a message of more than 10 MB. Understudy stops. Start it again."));
  const left = once(input, "end").then(drained, drained);
  if (environment.isTerminal)
    environment.printError(
      "Understudy waits for an assistant on standard input. docs/assistants.md shows how to add it to one. Stop with Ctrl-C.",
    );
  try {
    await server.connect(new sdk.StdioServerTransport(input, linesTo(environment)));
    await Promise.race([left, refused.promise, environment.stopped()]);
  } finally {
    await server.close();
    await stubs.close();
  }
  return exitCodes.fine;
}

/** The MCP SDK. Throws a UserError with the command that installs it. */
export async function installedSdk(load: () => Promise<Sdk> = loadSdk): Promise<Sdk> {
  try {
    return await load();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new UserError(
      "understudy mcp needs the MCP SDK, which is not installed: npm install --save-dev @modelcontextprotocol/sdk. Without a project: docs/assistants.md",
    );
  }
}

/** Standard output, which carries nothing but messages of the protocol, one a line. */
function linesTo({ print }: Pick<Environment, "print">): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      print(String(chunk).trimEnd());
      done();
    },
  });
}
