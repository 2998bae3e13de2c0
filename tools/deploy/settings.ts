import { type LimitName, limitValues } from "../../src/foundation/limits/limits.ts";
import { memorySum } from "../../test/acceptance/_memory-sum.ts";

/** Names, ports, images and sizes of a shared sandbox. `npm run generate` makes the files of examples/deploy from them. */
export const settings = {
  image: "understudy",
  /** The user of the image: `node`, by its number. */
  imageUser: 1000,
  databaseImage: "postgres:17",
  proxyImage: "nginx:1.28",
  name: "understudy",
  /** The port of the proxy and of each replica in a container. */
  port: 7575,
  /** The port of the proxy that only the proxy itself uses. */
  routerPort: 7570,
  /** The ports of two replicas and of the router on one machine. */
  local: { replicas: [7576, 7577], router: 7578 },
  /** The addresses of the replicas in the network of Compose. */
  compose: { subnet: "172.31.75.0/24", replicas: ["172.31.75.11", "172.31.75.12"] },
  replicas: 2,
  /** The host name that clients use. */
  host: "sandbox.example.com",
  databasePort: 5432,
  secret: { databaseUrl: "database-url", controlToken: "control-token" },
  probes: { live: "/__understudy/live", ready: "/__understudy/ready" },
  /** Requests in progress end, and worlds are stored and given back. */
  stopSeconds: 30,
  shards: 4,
} as const;

/** Limits of a replica. `worldsMax` bounds its worlds in memory; a store has more. */
const limitsOfReplica = {
  connectionsMax: 500,
  bufferedBytesMax: 16 * 1024 * 1024,
  eventStreamsMax: 10,
  worldsMax: 200,
  journalBytesMax: 1024 * 1024,
} as const satisfies Partial<Record<LimitName, number>>;

const mebi = 1024 * 1024;
const heldMebi: number = Math.ceil(memorySum(limitValues(limitsOfReplica, 0), limitsOfReplica.worldsMax) / mebi);

/** The memory limit of a replica in MiB, as docs/limits.md computes it. */
export const memoryMebi: number = 2 * heldMebi;

/** The variables of a replica that contain no secret. */
export const replicaVariables: Readonly<Record<string, string>> = {
  UNDERSTUDY_HOST: "0.0.0.0",
  UNDERSTUDY_PORT: String(settings.port),
  UNDERSTUDY_LIMIT: Object.entries(limitsOfReplica)
    .map(([name, value]) => `${name}=${value}`)
    .join(","),
  NODE_OPTIONS: `--max-old-space-size=${heldMebi}`,
};
