import { booleanFlag, type Flag, inGroup, textFlag } from "../options.ts";

/** The port to listen on. */
export function portFlag(byDefault: number): Flag {
  return { ...textFlag("port", "N", `port; 0 for a free one (default ${byDefault})`), short: "p", group: "Server" };
}

/** The address to listen on. */
export const hostFlag: Flag = {
  ...textFlag("host", "ADDRESS", "address to listen on (default 127.0.0.1)"),
  group: "Server",
};

export const readyFileFlag: Flag = {
  ...textFlag("ready-file", "FILE", "write the base URL to this file when the server is ready"),
  group: "Server",
};

export const corsFlag: Flag = { ...booleanFlag("cors", "allow requests from pages of other origins"), group: "Server" };

export const tlsFlags: readonly Flag[] = inGroup("Server", [
  textFlag("tls-cert", "FILE", "certificate in PEM format: serve https"),
  textFlag("tls-key", "FILE", "private key of the certificate, in PEM format"),
]);
