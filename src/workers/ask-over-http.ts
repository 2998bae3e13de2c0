import { Agent, request as httpRequest } from "node:http";
import type { Answer } from "../http/handler.ts";
import type { Request } from "../http/request.ts";
import { secretHeader } from "./behind-secret.ts";
import { packRequest, unpackAnswer } from "./envelope.ts";

/** Connections to the other workers. */
export interface OtherWorkers {
  ask(worker: number, request: Request): Promise<Answer>;
  close(): void;
}

/**
 * Reaches each worker at its port, by its number. An answer may take as long as a plan delays it, so nothing here ends by
 * itself; a worker that dies ends its connections. Rejects where no answer comes.
 */
export function askOverHttp(ports: ReadonlyMap<number, number>, secret: string): OtherWorkers {
  const agent = new Agent({ keepAlive: true });
  return {
    ask: (worker, request) => {
      const port = ports.get(worker);
      if (port === undefined) throw new Error(`invariant: there is a worker ${worker}`);
      return send({ agent, port, secret }, packRequest(request));
    },
    close: () => agent.destroy(),
  };
}

interface Way {
  readonly agent: Agent;
  readonly port: number;
  readonly secret: string;
}

function send({ agent, port, secret }: Way, body: Uint8Array): Promise<Answer> {
  const headers = { [secretHeader]: secret, "Content-Length": body.length };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ agent, host: "127.0.0.1", port, method: "POST", path: "/", headers });
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const chunks: Uint8Array[] = [];
      incoming.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      incoming.on("error", reject);
      incoming.on("end", () => {
        if (incoming.statusCode === 200) resolve(unpackAnswer(Buffer.concat(chunks)));
        else reject(new Error(`a worker failed: ${Buffer.concat(chunks).toString()}`));
      });
    });
    outgoing.end(body);
  });
}
