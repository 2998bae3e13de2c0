import type { Operation } from "../operation.ts";

/** `GET /docs/openapi`: the OpenAPI description of this stub. */
export const getDescription: Operation = { operationId: "getDocsOpenapi", perform: () => ({ type: "described" }) };
