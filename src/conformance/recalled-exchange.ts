import type { Exchange } from "../http/exchange.ts";
import type { Request } from "../http/request.ts";
import type { Response } from "../http/response.ts";
import type { ThinExchange } from "./thin-exchange.ts";

/** An exchange of which only what rules read is at hand; who wants its bodies makes it be read again. */
export function recalledExchange(thin: ThinExchange, recall: () => Exchange): Exchange {
  const { method, target, requestHeaders, status, answerHeaders } = thin;
  return {
    startedAt: "",
    durationMs: 0,
    request: new RecalledRequest(method, target, requestHeaders, recall),
    answer: status === 0 ? { type: "broken", kind: "unexplained" } : new RecalledAnswer(status, answerHeaders, recall),
  };
}

class RecalledRequest implements Request {
  readonly method: string;
  readonly target: string;
  readonly headers: Request["headers"];
  readonly #recall: () => Exchange;

  constructor(method: string, target: string, headers: Request["headers"], recall: () => Exchange) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.#recall = recall;
  }

  get body(): Uint8Array {
    return this.#recall().request.body;
  }
}

class RecalledAnswer implements Response {
  readonly type = "response" as const;
  readonly status: number;
  readonly headers: Response["headers"];
  readonly #recall: () => Exchange;

  constructor(status: number, headers: Response["headers"], recall: () => Exchange) {
    this.status = status;
    this.headers = headers;
    this.#recall = recall;
  }

  get body(): Uint8Array {
    const { answer } = this.#recall();
    return answer.type === "response" ? answer.body : noBytes;
  }
}

const noBytes = new Uint8Array();
