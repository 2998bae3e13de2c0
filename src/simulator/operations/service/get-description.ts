import type { Operation } from "../operation.ts";

/** `GET /docs/openapi`: what is served here, as OpenAPI. */
export const getDescription: Operation = { operationId: "getDocsOpenapi", perform: () => ({ type: "described" }) };
