import type { ProgramCaller } from "./caller.ts";
import { UserError } from "./user-error.ts";

/** The server that `start` starts at an address. Throws a UserError for an address that cannot be used. */
export async function listening<Server>(
  server: "stub" | "proxy",
  { host, port }: { readonly host: string; readonly port: number },
  { nameOf }: Pick<ProgramCaller, "nameOf">,
  start: () => Promise<Server>,
): Promise<Server> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const flag = nameOf("port");
    if (error.code === "EADDRINUSE")
      throw new UserError(`Port ${port} is taken. Choose another with ${flag} N, or ${flag} 0 for a free one.`);
    const advice = `Use an address of this machine, such as ${nameOf("host")} 127.0.0.1, and a port above 1023.`;
    throw new UserError(`The ${server} cannot listen on ${host}, port ${port}: ${error.message}. ${advice}`);
  }
}
