import { createServer, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";

/** The URL of a server on a free port, which ends with the test. */
export function atPort(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
    });
  });
}

/** Sends the same response to every request. */
export function always(status: number, contentType: string, body: string): RequestListener {
  return (request, response) => {
    request.resume();
    response.writeHead(status, { "Content-Type": contentType });
    response.end(body);
  };
}
