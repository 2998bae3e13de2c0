import { type Flag, inGroup } from "../options.ts";

/** The port to listen on. */
export function portFlag(byDefault: number): Flag {
  return {
    name: "port",
    short: "p",
    type: "string",
    value: "N",
    help: `port; 0 for a free one (default ${byDefault})`,
    group: "Server",
  };
}

/** The address to listen on. */
export const hostFlag: Flag = {
  name: "host",
  type: "string",
  value: "ADDRESS",
  help: "address to listen on (default 127.0.0.1)",
  group: "Server",
};

export const readyFileFlag: Flag = {
  name: "ready-file",
  type: "string",
  value: "FILE",
  help: "write the base URL to this file when the server is ready",
  group: "Server",
};

export const corsFlag: Flag = {
  name: "cors",
  type: "boolean",
  help: "allow requests from pages of other origins",
  group: "Server",
};

export const tlsFlags: readonly Flag[] = inGroup("Server", [
  { name: "tls-cert", type: "string", value: "FILE", help: "certificate in PEM format: serve https" },
  { name: "tls-key", type: "string", value: "FILE", help: "private key of the certificate, in PEM format" },
]);
