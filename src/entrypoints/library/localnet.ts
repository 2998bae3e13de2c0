import type { Request } from "../../foundation/http/request.ts";
import { firstParticipant } from "../../simulator/world/participants.ts";
import { isControl } from "../../stub/control/access.ts";
import { forParticipant } from "../../stub/hosting/world-id.ts";
import { isOauth } from "../../stub/tokens/oauth.ts";
import { type RunningServer, type ServerOptions, startServer } from "../../transport/server/http-server.ts";
import { appProvider } from "./localnet-names.ts";

/** A port of a LocalNet. All paths are served at each port; `serves` names those that a LocalNet has there. */
interface LocalnetPort {
  readonly port: number;
  readonly participant: string;
  readonly serves: string;
}

export const localnetPorts: readonly LocalnetPort[] = [
  { port: 2975, participant: firstParticipant, serves: "app-user: JSON Ledger API" },
  { port: 2903, participant: firstParticipant, serves: "app-user: /api/validator" },
  { port: 2000, participant: firstParticipant, serves: "app-user: both, as behind nginx" },
  { port: 3975, participant: appProvider, serves: "app-provider: JSON Ledger API" },
  { port: 3903, participant: appProvider, serves: "app-provider: /api/validator" },
  { port: 3000, participant: appProvider, serves: "app-provider: both, as behind nginx" },
  { port: 4000, participant: firstParticipant, serves: "/api/scan and /registry" },
];

/** An address with what it serves. */
export interface LocalnetAddress {
  readonly url: string;
  readonly serves: string;
}

/** The servers of a LocalNet; `url` is the ledger of app-user. */
export interface LocalnetServer extends RunningServer {
  readonly addresses: readonly LocalnetAddress[];
}

/** Ports that another process listens on. */
export class PortsTaken extends Error {
  constructor(ports: readonly number[]) {
    const [subject, what] = ports.length === 1 ? ["Port", "is taken"] : ["Ports", "are taken"];
    super(
      `${subject} ${ports.join(", ")} ${what}, so no port of the LocalNet is open. Stop what listens there, such as a LocalNet.`,
    );
    this.name = "PortsTaken";
  }
}

/** Starts a server for each port. If one cannot start, none stays open. Throws PortsTaken with all ports that are in use. */
export async function startLocalnet(
  options: Omit<ServerOptions, "port">,
  ports: readonly LocalnetPort[] = localnetPorts,
): Promise<LocalnetServer> {
  const results = await Promise.allSettled(
    ports.map(({ port, participant }) => startServer({ ...options, ...atParticipant(options, participant), port })),
  );
  const servers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const close = async () => void (await Promise.all(servers.map((server) => server.close())));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  if (failures.length > 0) {
    await close();
    const taken = ports.filter((_, index) => isTaken(results[index]));
    throw taken.length > 0 ? new PortsTaken(taken.map(({ port }) => port)) : failures[0];
  }
  const addresses = servers.map(({ url }, index) => ({ url, serves: ports[index]?.serves ?? "" }));
  return { url: addresses[0]?.url ?? "", addresses, close };
}

function isTaken(result: PromiseSettledResult<unknown> | undefined): boolean {
  const reason: unknown = result?.status === "rejected" ? result.reason : undefined;
  return reason instanceof Error && "code" in reason && reason.code === "EADDRINUSE";
}

/** The addresses of a LocalNet at one port. */
export function addressesAt(url: string): readonly LocalnetAddress[] {
  return [
    { url, serves: "app-user: JSON Ledger API, /api/validator; /api/scan and /registry" },
    { url: `${url}/w/${appProvider}`, serves: "app-provider: JSON Ledger API, /api/validator" },
  ];
}

/** A handler whose requests are for a further participant of their world. */
function atParticipant(
  { handler, openStream, renderRefusal }: Pick<ServerOptions, "handler" | "openStream" | "renderRefusal">,
  participant: string,
): Pick<ServerOptions, "handler" | "openStream" | "renderRefusal"> {
  if (participant === firstParticipant) return { handler, openStream, renderRefusal };
  return {
    openStream: openStream === undefined ? undefined : (head) => openStream(forParticipant(head, participant)),
    handler: (request, context) =>
      handler(isOfServer(request) ? request : forParticipant(request, participant), context),
    renderRefusal:
      renderRefusal === undefined ? undefined : (refused) => renderRefusal(forParticipant(refused, participant)),
  };
}

/** Whether a request is for the control API or the authorization server, which no participant has for itself. */
function isOfServer({ target }: Request): boolean {
  return isControl(target) || isOauth(target);
}
